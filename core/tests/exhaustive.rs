//! Every order of steps of three writers and the issuer's operator over one authority, with lost
//! messages: no law is ever broken. And for each mistake that one could make there is an order
//! in which the search sees it.

mod common;
mod search;

use fencegate_core::laws::{Law, Tokens};
use search::actor::{Actor, Op};
use search::{Count, Flaw, World, explore};

const WRITER: &[Op] = &[Op::Acquire(None), Op::Write];
const RESUMER: &[Op] = &[Op::Acquire(Some("1")), Op::Write];
const RELEASER: &[Op] = &[Op::Acquire(None), Op::Write, Op::Release, Op::Write];

fn ours(actors: Vec<Actor>) -> World {
    World::new(Tokens::Ours, actors)
}

fn external(actors: Vec<Actor>) -> World {
    World::new(Tokens::External, actors)
}

/// No order of steps breaks a law, and there are at least so many orders.
#[track_caller]
fn holds(what: &str, world: &World, schedules_min: u128) -> Count {
    match explore(world) {
        Ok(count) => {
            println!(
                "{what}: {} schedules, {} states",
                count.schedules, count.states
            );
            assert!(
                count.schedules >= schedules_min,
                "the search is smaller than it should be"
            );
            count
        }
        Err(found) => panic!("{what}: {} after {:?}", found.violation, found.steps),
    }
}

/// Some order of steps breaks this law, and none does without the mistake.
#[track_caller]
fn finds(flaw: Flaw, law: Law, world: World) {
    holds(&format!("without {flaw:?}"), &world, 2);
    match explore(&world.with(flaw)) {
        Ok(count) => panic!("{flaw:?} is not found in {} schedules", count.schedules),
        Err(found) => {
            println!("{flaw:?}: {} after {:?}", found.violation, found.steps);
            assert_eq!(found.violation.law, law, "{}", found.violation);
        }
    }
}

#[test]
fn ours_three_writers_while_leases_end() {
    let issuer = Actor::new("issuer", &[Op::Expire, Op::Expire]);
    let world = ours(vec![
        Actor::new("a", WRITER),
        Actor::new("b", WRITER),
        Actor::new("c", WRITER),
        issuer,
    ]);
    holds("leases end", &world, 100_000);
}

#[test]
fn ours_three_writers_and_a_break() {
    let issuer = Actor::new("issuer", &[Op::Break, Op::Expire]);
    let world = ours(vec![
        Actor::new("a", WRITER),
        Actor::new("b", WRITER),
        Actor::new("c", WRITER),
        issuer,
    ]);
    holds("a break", &world, 100_000);
}

#[test]
fn ours_three_writers_who_release_and_are_forgotten() {
    let issuer = Actor::new("issuer", &[Op::Forget]);
    let world = ours(vec![
        Actor::new("a", RELEASER),
        Actor::new("b", &[Op::Acquire(None), Op::Release]),
        Actor::new("c", WRITER),
        issuer,
    ]);
    holds("released and forgotten", &world, 100_000);
}

#[test]
fn ours_three_writers_and_lost_messages() {
    let issuer = Actor::new("issuer", &[Op::Break]);
    let world = ours(vec![
        Actor::new("a", RESUMER),
        Actor::new("b", RESUMER),
        Actor::new("c", WRITER),
        issuer,
    ]);
    holds("lost messages", &world.losing(1), 100_000);
}

#[test]
fn ours_lost_releases() {
    let issuer = Actor::new("issuer", &[Op::Expire]);
    let world = ours(vec![
        Actor::new("a", &[Op::Acquire(Some("1")), Op::Release, Op::Write]),
        Actor::new("b", &[Op::Acquire(Some("1")), Op::Write, Op::Release]),
        issuer,
    ]);
    holds("lost releases", &world.losing(2), 100_000);
}

#[test]
fn ours_three_writers_and_a_restart() {
    let issuer = Actor::new("issuer", &[Op::Restart]);
    let writer = [Op::Acquire(None), Op::Write, Op::Acquire(None), Op::Write];
    let world = ours(vec![
        Actor::new("a", &writer),
        Actor::new("b", WRITER),
        Actor::new("c", WRITER),
        issuer,
    ]);
    holds("a restart", &world.losing(1), 100_000);
}

#[test]
fn external_three_writers_and_lost_messages() {
    let issuer = Actor::new("issuer", &[Op::Present(4), Op::Read(9)]);
    let world = external(vec![
        Actor::new("a", &[Op::Present(1), Op::Present(1), Op::Present(3)]),
        Actor::new("b", &[Op::Present(2), Op::Read(1)]),
        Actor::new("c", &[Op::Present(3), Op::Present(2)]),
        issuer,
    ]);
    holds("external", &world.losing(2), 100_000);
}

#[test]
fn external_three_writers_while_the_record_is_garbled() {
    let issuer = Actor::new("issuer", &[Op::Garble]);
    let world = external(vec![
        Actor::new("a", &[Op::Present(1), Op::Present(1)]),
        Actor::new("b", &[Op::Present(2), Op::Present(2)]),
        Actor::new("c", &[Op::Present(3), Op::Read(1)]),
        issuer,
    ]);
    holds("external, garbled", &world.losing(1), 100_000);
}

#[test]
fn control_a_create_that_races() {
    let two = vec![
        Actor::new("a", WRITER),
        Actor::new("b", WRITER),
        Actor::new("c", WRITER),
    ];
    finds(Flaw::RacingCreate, Law::TokensOnlyRise, ours(two));
    let two = vec![
        Actor::new("a", &[Op::Present(1)]),
        Actor::new("b", &[Op::Present(2)]),
    ];
    finds(Flaw::RacingCreate, Law::StaleNeverAdmitted, external(two));
}

#[test]
fn control_no_second_judgement() {
    let two = vec![
        Actor::new("a", WRITER),
        Actor::new("b", WRITER),
        Actor::new("c", WRITER),
    ];
    finds(Flaw::NoSecondJudgement, Law::TokensOnlyRise, ours(two));
    let three = vec![
        Actor::new("a", &[Op::Present(1), Op::Present(2)]),
        Actor::new("b", &[Op::Present(3)]),
    ];
    finds(
        Flaw::NoSecondJudgement,
        Law::StaleNeverAdmitted,
        external(three),
    );
}

#[test]
fn control_garbled_is_read_as_none() {
    let issuer = Actor::new("issuer", &[Op::Garble]);
    let actors = vec![
        Actor::new("a", WRITER),
        Actor::new("b", WRITER),
        issuer.clone(),
    ];
    finds(Flaw::GarbledIsNone, Law::UnknownIsNotEmpty, ours(actors));
    let actors = vec![
        Actor::new("a", &[Op::Present(2)]),
        Actor::new("b", &[Op::Read(1)]),
        issuer,
    ];
    finds(
        Flaw::GarbledIsNone,
        Law::UnknownIsNotEmpty,
        external(actors),
    );
}

#[test]
fn control_the_record_of_another_resource() {
    let issuer = Actor::new("issuer", &[Op::Misplace]);
    let stray = [Op::Acquire(None), Op::TurnTo("r"), Op::Write];
    let actors = vec![
        Actor::new("a", WRITER),
        Actor::new("b", &stray).on("s"),
        issuer,
    ];
    finds(Flaw::AnothersRecord, Law::UnknownIsNotEmpty, ours(actors));
}

#[test]
fn control_a_start_that_repeats_its_tokens() {
    let issuer = Actor::new("issuer", &[Op::Restart]);
    let actors = vec![
        Actor::new("a", &[Op::Acquire(None), Op::Write]),
        Actor::new("b", WRITER),
        issuer,
    ];
    finds(Flaw::RepeatedStart, Law::TokensOnlyRise, ours(actors));
}

#[test]
fn control_a_token_drawn_before_the_record_is_read() {
    let issuer = Actor::new("issuer", &[Op::Forget]);
    let actors = vec![
        Actor::new("a", WRITER),
        Actor::new("b", &[Op::Acquire(None), Op::Release]),
        issuer,
    ];
    finds(Flaw::EarlyDraw, Law::TokensOnlyRise, ours(actors));
}

#[test]
fn control_a_version_that_comes_back() {
    let issuer = Actor::new("issuer", &[Op::Forget]);
    let actors = vec![
        Actor::new("a", WRITER),
        Actor::new("b", &[Op::Acquire(None), Op::Release]),
        issuer,
    ];
    finds(Flaw::VersionComesBack, Law::MarkNeverFalls, ours(actors));
}

#[test]
fn control_a_failure_taken_for_success() {
    let actors = vec![
        Actor::new("a", &[Op::Present(2)]),
        Actor::new("b", &[Op::Present(1)]),
    ];
    finds(
        Flaw::FailureIsSuccess,
        Law::UnknownIsNotEmpty,
        external(actors).losing(1),
    );
}

#[test]
fn control_an_evicted_mark() {
    let actors = |evict: &[Op]| {
        external(vec![
            Actor::new("a", &[Op::Present(2)]),
            Actor::new("b", &[Op::Present(1)]),
            Actor::new("issuer", evict),
        ])
    };
    holds("nothing evicted", &actors(&[]), 2);
    let found = explore(&actors(&[Op::Evict])).expect_err("a lost mark is seen");
    assert_eq!(found.violation.law, Law::UnknownIsNotEmpty);
}
