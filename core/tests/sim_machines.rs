//! What the world's driver must get right around the core's machines: which answers end a write,
//! and what a restart in the middle of a wait leaves of it.

mod sim_search;

use fencegate_core::sim::event::{Accident, Event, What};
use fencegate_core::sim::mechanism::{Check, Mechanism};
use fencegate_core::sim::message::{Message, Payload};
use fencegate_core::sim::scenario::{Op, Scenario};
use fencegate_core::sim::timeline::Timeline;
use fencegate_core::sim::who::Who;
use fencegate_core::sim::world::World;
use sim_search::{PUT, mechanism, scenario, window};

const SCRIPT: [Op; 3] = [Op::Acquire, PUT, Op::Release];
const P1: Who = Who::Proxy(0);

fn drained() -> Scenario {
    let drain = Mechanism {
        drain_ms: Some(20_000),
        ..mechanism(Check::Proxy)
    };
    scenario("drained", &SCRIPT, &[0, 0], drain)
}

fn world(timeline: &Timeline) -> &World {
    timeline.branches()[0].end()
}

fn happens(timeline: &mut Timeline, what: What) {
    let at = world(timeline).now;
    timeline.take(0, Event { at, what });
}

/// Plays until something holds of the world.
#[track_caller]
fn until(timeline: &mut Timeline, holds: impl Fn(&World) -> bool) {
    while !holds(world(timeline)) {
        assert!(timeline.advance(0).is_some(), "the story is over");
    }
}

fn on_the_way(world: &World, from: Who, to: Who) -> Option<&Message> {
    let mut messages = world.messages.iter();
    messages.find(|it| (it.from, it.to) == (from, to))
}

fn is_told(world: &World, holder: u8) -> bool {
    let to_holder = on_the_way(world, Who::Issuer, Who::Holder(holder));
    to_holder.is_some_and(|it| matches!(it.payload, Payload::Granted { .. }))
}

#[test]
fn what_a_proxy_sent_twice_is_not_over_with_one_answer() {
    let mut timeline = Timeline::new(drained(), 1).expect("it can be played");
    until(&mut timeline, |it| on_the_way(it, P1, Who::Store).is_some());
    let write = on_the_way(world(&timeline), P1, Who::Store).map(|it| it.id);
    happens(&mut timeline, What::Duplicate(write.expect("found above")));
    until(&mut timeline, |it| it.proxies[0].in_flight.is_empty());
    let flights = world(&timeline).issuer.keeper.drain.flights();
    assert_eq!(flights.len(), 1, "{flights:?}");
    assert!(flights[0].unresolved && flights[0].open == 0, "{flights:?}");
}

#[test]
fn the_stores_answer_comes_once() {
    let mut timeline = Timeline::new(drained(), 1).expect("it can be played");
    until(&mut timeline, |it| on_the_way(it, Who::Store, P1).is_some());
    let answer = on_the_way(world(&timeline), Who::Store, P1).map(|it| it.id);
    happens(&mut timeline, What::Duplicate(answer.expect("found above")));
    let world = world(&timeline);
    assert_eq!(on_the_way(world, Who::Store, P1), None);
    assert!(world.issuer.keeper.drain.flights().is_empty());
    assert!(world.proxies[0].in_flight.is_empty());
}

/// The wait may be longer than the lease: it starts with the answer, so it cannot end before.
#[test]
fn a_grant_that_drains_for_longer_than_its_lease_is_answered_all_the_same() {
    let mut timeline = Timeline::new(drained(), 1).expect("it can be played");
    let slow = |by_ms| Accident::Slow {
        from: P1,
        to: Who::Store,
        by_ms,
    };
    happens(&mut timeline, What::Accident(slow(9_000)));
    until(&mut timeline, |it| !it.proxies[0].in_flight.is_empty());
    happens(&mut timeline, What::Accident(slow(0)));
    until(&mut timeline, |it| !it.issuer.waiting.is_empty());
    let grant = world(&timeline).issuer.waiting[0];
    until(&mut timeline, |it| is_told(it, grant.to));
    let world = world(&timeline);
    assert!(world.now >= 9_000, "{}", world.now);
    assert_eq!(world.issuer.keeper.mark(), Some(grant.token));
    assert_eq!(world.witness.turns(), 2);
}

/// An issuer that starts again in the middle of a wait does not know that it waited, and the
/// repeated request must not be answered as if it had been.
#[test]
fn a_window_that_a_restart_cut_short_is_sat_out_anew() {
    let windowed = scenario(
        "windowed",
        &SCRIPT,
        &[0, 1],
        mechanism(Check::Window(window())),
    );
    let wait_ms = window().wait_ms;
    let mut timeline = Timeline::new(windowed, 1).expect("it can be played");
    until(&mut timeline, |it| !it.issuer.waiting.is_empty());
    let first = world(&timeline).issuer.waiting[0].to;
    until(&mut timeline, |it| it.now >= 1_000);
    let restart = Accident::Restart {
        who: Who::Issuer,
        with_memory: false,
    };
    happens(&mut timeline, What::Accident(restart));
    assert!(world(&timeline).issuer.waiting.is_empty());
    until(&mut timeline, |it| !it.issuer.waiting.is_empty());
    let began = world(&timeline).now;
    until(&mut timeline, |it| is_told(it, first));
    assert!(world(&timeline).now >= began + wait_ms, "{began}");
    // Once it was settled a repeated request is answered at once, and by other proxies too.
    assert!(world(&timeline).issuer.keeper.settled.is_some());
}

/// The connection of before is gone: its answer must not be taken for the one to the same write,
/// sent again.
#[test]
fn an_answer_to_what_was_sent_on_before_a_restart_ends_nothing() {
    let mut resent = drained();
    resent.holders.iter_mut().for_each(|it| it.tries = 1);
    let mut timeline = Timeline::new(resent, 1).expect("it can be played");
    let slow = Accident::Slow {
        from: P1,
        to: Who::Store,
        by_ms: 1_500,
    };
    happens(&mut timeline, What::Accident(slow));
    until(&mut timeline, |it| !it.proxies[0].in_flight.is_empty());
    let restart = Accident::Restart {
        who: P1,
        with_memory: false,
    };
    happens(&mut timeline, What::Accident(restart));
    assert!(world(&timeline).proxies[0].in_flight.is_empty());
    until(&mut timeline, |it| !it.proxies[0].in_flight.is_empty());
    until(&mut timeline, |it| on_the_way(it, Who::Store, P1).is_some());
    until(&mut timeline, |it| on_the_way(it, Who::Store, P1).is_none());
    let world = world(&timeline);
    assert_eq!(
        world.proxies[0].in_flight.len(),
        1,
        "the second is under way"
    );
    let flights = world.issuer.keeper.drain.flights();
    assert_eq!(flights[0].open, 2, "nobody counts the first one out");
}
