//! How much memory a world takes.

use super::super::world::World;

/// About how many bytes a world has outside of itself.
pub(super) fn weight(world: &World) -> usize {
    fn of<T>(items: &Vec<T>) -> usize {
        items.capacity().saturating_mul(size_of::<T>())
    }
    let proxies = world.proxies.iter();
    let proxies = proxies.map(|it| of(&it.waiting).saturating_add(of(&it.in_flight)));
    [
        of(&world.proxies),
        of(&world.holders),
        of(&world.messages),
        of(&world.links),
        of(&world.witness.grants),
        of(&world.witness.bound),
        of(&world.issuer.keeper.spent),
        size_of_val(world.issuer.keeper.drain.flights()),
        of(&world.issuer.waiting),
    ]
    .into_iter()
    .chain(proxies)
    .fold(0, usize::saturating_add)
}
