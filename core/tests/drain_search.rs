//! Drain, exhaustively: 3 holders, one proxy with 2 workers, one issuer. And for each of its rules
//! a world without it, in which the search sees the older write come late.

mod common;
mod drain_world;
mod explore;

use drain_world::{Flaw, Setup, World};
use explore::{finds, holds};

const OURS: Setup = Setup {
    holders: 3,
    writes_each: 1,
    ticks: 4,
    bound: 2,
    attempts: 1,
    resets: true,
    external: false,
    flaw: None,
};

const EXTERNAL: Setup = Setup {
    external: true,
    ticks: 2,
    ..OURS
};

const STRAGGLER: &str = "no_older_write_after_the_answer";

#[test]
fn ours_three_holders_two_workers_one_issuer() {
    holds(
        "drain, ours: 3 holders, 1 write each, 2 workers, 4 ticks, bound 2",
        &World::new(OURS),
        50_000,
    );
}

#[test]
fn external_three_holders_two_workers() {
    holds(
        "drain, external: 3 holders, 1 write each, 2 workers, 2 ticks, bound 2",
        &World::new(EXTERNAL),
        50_000,
    );
}

/// The law holds without the mistake (see above), and is broken with it.
#[track_caller]
fn control(flaw: Flaw, setup: Setup, law: &str) {
    let flaw = Some(flaw);
    finds(
        &format!("{flaw:?}"),
        &World::new(Setup { flaw, ..setup }),
        law,
    );
}

#[test]
fn control_counting_in_after_the_read_misses_a_straggler() {
    control(Flaw::CountsInAfterTheRead, OURS, STRAGGLER);
}

#[test]
fn control_answering_at_the_raise_overtakes_older_writes() {
    control(Flaw::AnswersAtTheRaise, OURS, STRAGGLER);
}

#[test]
fn control_a_later_raise_that_restarts_the_bound() {
    // A first raise is given up; the second one must not keep the oldest write going.
    control(Flaw::LaterRaiseRestarts, OURS, "someone_can_acquire");
}

#[test]
fn control_a_storm_of_rejected_writes_that_restarts_the_bound() {
    control(Flaw::StormRestarts, OURS, "the_bound_is_never_restarted");
}

#[test]
fn control_a_reset_stream_taken_for_the_end_of_its_write() {
    control(Flaw::ResetEnds, OURS, STRAGGLER);
}

#[test]
fn control_the_proxys_own_answer_taken_for_the_origins() {
    control(Flaw::OwnAnswerEnds, OURS, STRAGGLER);
}

#[test]
fn two_attempts_of_a_write_are_not_ended_by_one_answer() {
    let setup = Setup {
        attempts: 2,
        holders: 2,
        ..OURS
    };
    holds(
        "drain, two attempts: 2 holders, 4 ticks, bound 2",
        &World::new(setup),
        1_000,
    );
    control(Flaw::OneAttemptEnds, setup, STRAGGLER);
}

#[test]
fn control_a_late_count_out_that_takes_another_tokens() {
    control(Flaw::OutOfAnothers, OURS, STRAGGLER);
}

#[test]
fn control_a_count_that_wraps() {
    control(Flaw::CountsWrap, OURS, STRAGGLER);
}

#[test]
fn control_a_count_out_that_is_repeated() {
    let setup = Setup {
        writes_each: 2,
        holders: 2,
        ticks: 2,
        resets: false,
        ..OURS
    };
    holds(
        "drain, two writes each: 2 holders, 2 ticks, bound 2",
        &World::new(setup),
        1_000,
    );
    control(Flaw::OutTwice, setup, STRAGGLER);
}

#[test]
fn control_storing_without_a_second_judgement() {
    control(Flaw::NoSecondJudgement, OURS, STRAGGLER);
}

#[test]
fn control_a_second_write_that_overtakes_the_drain() {
    let setup = Setup {
        writes_each: 2,
        holders: 2,
        ticks: 1,
        resets: false,
        ..EXTERNAL
    };
    holds(
        "drain, external, two writes each: 2 holders, 1 tick, bound 2",
        &World::new(setup),
        1_000,
    );
    control(Flaw::EqualOvertakes, setup, STRAGGLER);
}

#[test]
fn control_a_lease_that_runs_from_the_raise() {
    control(
        Flaw::LeaseFromTheRaise,
        OURS,
        "the_lease_starts_with_the_answer",
    );
}
