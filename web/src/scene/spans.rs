//! From when to when something was so, in true time: also where it ended between two events.

use crate::play::track::Track;
use fencegate_core::sim::clock::Millis;
use fencegate_core::sim::world::World;

/// From when to when, in true time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// From when.
    pub from: Millis,
    /// To when.
    pub to: Millis,
}

/// The stretches of a track in which `holds` is true. It is asked at every step and, since leases
/// end between two events, at each of the times that `ends` names after a step.
#[must_use]
pub fn of(
    track: &Track,
    holds: impl Fn(&World) -> bool,
    ends: impl Fn(&World) -> Option<Millis>,
) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    let mut put = |from: Millis, to: Millis| match found.last_mut() {
        Some(last) if last.to == from => last.to = to,
        _ if from < to => found.push(Span { from, to }),
        _ => {}
    };
    for pair in track.worlds.windows(2) {
        let (world, until) = (&pair[0], pair[1].now);
        if !holds(world) {
            continue;
        }
        let end = ends(world).map_or(until, |end| end.clamp(world.now, until));
        put(world.now, end);
    }
    found
}
