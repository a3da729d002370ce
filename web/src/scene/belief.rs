//! Who has the lease in truth, and who believes that he has it.

use super::spans::Holds;
use fencegate_core::moment::Moment;
use fencegate_core::sim::clock::{Clock, Millis};
use fencegate_core::sim::mechanism::{Lock, Tokens};
use fencegate_core::sim::scenario::Scenario;
use fencegate_core::sim::world::World;

/// Something that a holder has or believes in a state.
pub type Of = fn(&Scenario, &World, u8) -> Option<Holds>;

/// The lease that a holder has by the issuer's record and clock; `None`: it has none.
#[must_use]
pub fn lease(scenario: &Scenario, world: &World, index: u8) -> Option<Holds> {
    let keeper = &world.issuer.keeper;
    let grant = keeper.grant()?;
    if scenario.mechanism.lock == Lock::None || keeper.holder() != Some(index) || grant.released {
        return None;
    }
    let ends = when(scenario, &world.issuer.clock, grant.ends);
    if ends.is_some_and(|end| end <= world.now) {
        return None;
    }
    let carried = scenario.mechanism.tokens != Tokens::None;
    let token = keeper.mark().filter(|_| carried);
    Some(Holds { token, ends })
}

/// What a holder believes, or would if it went on: a paused one keeps its belief.
#[must_use]
pub fn belief(scenario: &Scenario, world: &World, index: u8) -> Option<Holds> {
    let holder = world.holder(index)?;
    if !world.would_believe(scenario, index) {
        return None;
    }
    let watches = scenario.plan(index)?.stops_at_expiry && scenario.mechanism.lock.ttl_ms() > 0;
    let deadline = holder.tenure.deadline().filter(|_| watches);
    Some(Holds {
        token: None,
        ends: deadline.and_then(|until| when(scenario, &holder.clock, until)),
    })
}

/// What a holder may rightly believe: that it has the lease, or, where there is no lease, that
/// nobody came after it.
#[must_use]
pub fn rightly(scenario: &Scenario, world: &World, index: u8) -> Option<Holds> {
    if scenario.mechanism.lock == Lock::None {
        let newest = world.holder(index)?.turn == world.witness.turns();
        return newest.then(Holds::default);
    }
    lease(scenario, world, index)
}

/// That more than one believes, until the last but one of them must stop.
#[must_use]
pub fn several(scenario: &Scenario, world: &World) -> Option<Holds> {
    let (mut last, mut last_but_one, mut count) = (0, 0, 0);
    for index in (0..).take(world.holders.len()) {
        let Some(holds) = belief(scenario, world, index) else {
            continue;
        };
        count += 1;
        let end = holds.ends.unwrap_or(Millis::MAX);
        last_but_one = last_but_one.max(end.min(last));
        last = last.max(end);
    }
    (count > 1).then_some(Holds {
        token: None,
        ends: Some(last_but_one).filter(|end| *end < Millis::MAX),
    })
}

/// The true time at which a clock that leases are measured with says this.
fn when(scenario: &Scenario, clock: &Clock, reading: Moment) -> Option<Millis> {
    if scenario.mechanism.lock.is_by_walls() {
        clock.when_wall(reading)
    } else {
        clock.when(reading)
    }
}
