//! A holder of the simulator: what it does when it wakes up late, and when it is too late.

use fencegate_core::sim::event::Accident;
use fencegate_core::sim::laws::{Law, Violation};
use fencegate_core::sim::scenario::{Planned, Scenario};
use fencegate_core::sim::stories::{self, Story};
use fencegate_core::sim::timeline::Timeline;
use fencegate_core::sim::told::Told;
use fencegate_core::sim::who::Who;
use fencegate_core::sim::witness::Given;
use fencegate_core::sim::world::World;
use fencegate_core::tenure::{Left, Why};
use fencegate_core::token::Token;
use std::time::Duration;

const A: Who = Who::Holder(0);

fn variant(name: &str) -> Scenario {
    let mut variants = stories::ALL.iter().flat_map(Story::variants);
    let found = variants.find(|it| it.name == name);
    found.unwrap_or_else(|| panic!("no story has a variant {name}"))
}

/// A's own deadline is a little before the end of its lease, and its renewal is due long before.
#[test]
fn whoever_wakes_up_past_its_deadline_stops_and_does_not_renew() {
    let mut scenario = variant("fence-later.first");
    let pause = Accident::Pause {
        who: A,
        clock_stops: false,
    };
    let planned = [(3_000, pause), (9_950, Accident::Resume(A))];
    scenario.accidents = planned
        .map(|(at_ms, accident)| Planned { at_ms, accident })
        .to_vec();
    let mut timeline = Timeline::new(scenario, 1).expect("it can be played");
    let told = timeline.play(0, 2_000);
    let late = told.iter().filter(|it| it.at >= 9_950);
    let late: Vec<&Told> = late.flat_map(|it| &it.told).collect();
    let stops = |told: &&Told| matches!(told, Told::Stops(0, _, Why::Abdicated));
    assert!(late.iter().any(stops), "{late:?}");
    assert!(!late.contains(&&Told::Renews(0)), "{late:?}");
    let granted = told.iter().find(|it| {
        let mut told = it.told.iter();
        told.any(|told| matches!(told, Told::Grants(1, ..)))
    });
    // The lease ended at 10,010 ms: nobody prolonged it.
    assert_eq!(granted.map(|it| it.at), Some(10_050));
}

/// A world in which A believes in its first grant, after these grants.
fn after(scenario: &Scenario, holders: &[u8]) -> World {
    let mut world = World::new(scenario, 1);
    let token = Token::new(0, 1).expect("it is no zero");
    let left = Left {
        waited: Duration::ZERO,
        left: Duration::from_secs(10),
    };
    let holder = &mut world.holders[0];
    let now = holder.clock.mono(0);
    holder.tenure.granted(token, now, left, now);
    holder.turn = 1;
    world.witness.grants = (1..)
        .zip(holders)
        .map(|(number, holder)| Given {
            holder: *holder,
            token: Token::new(0, number),
            start: 0,
        })
        .collect();
    world
}

#[test]
fn a_holder_is_late_once_somebody_else_was_granted_and_not_for_a_grant_of_its_own() {
    let scenario = variant("leaders.fenced");
    let judge = |holders: &[u8]| {
        let world = after(&scenario, holders);
        Law::HolderStopsInTime.judge(&scenario, &world)
    };
    assert_eq!(judge(&[0]), Ok(()));
    assert_eq!(judge(&[0, 0]), Ok(()), "the answer is under way");
    assert_eq!(judge(&[0, 1]), Err(Violation::Believes(0, 1)));
    assert_eq!(judge(&[0, 1, 0]), Err(Violation::Believes(0, 1)));
}

#[test]
fn whoever_was_switched_off_is_not_told_to_wake_up() {
    let mut timeline = Timeline::new(variant("stonith.fast"), 1).expect("it can be played");
    let told = timeline.play(0, 2_000);
    let woken = Told::Befell(Accident::Resume(A));
    assert!(!told.iter().any(|it| it.told.contains(&woken)));
    let last = told.last().expect("it is told");
    assert_eq!(last.told, [Told::StaysOff(A)]);
}
