//! The window, exhaustively: 2 proxies with clocks of their own, one issuer, tokens of 3 holders.
//! And for each of its rules a world without it, in which the search breaks a law.

mod explore;
mod window_world;

use explore::{finds, holds};
use window_world::{Flaw, Setup, World};

const PLAIN: Setup = Setup {
    tokens: 2,
    span: 1,
    asks: false,
    messages: 1,
    copies: 0,
    restarts: 0,
    sleeps: false,
    steps: 0,
    background: false,
    flaw: None,
};

/// Requests ask for themselves as well.
const ASKING: Setup = Setup {
    asks: true,
    ..PLAIN
};
/// The smallest in which it matters that clocks run at different rates.
const RATES: Setup = Setup { span: 2, ..PLAIN };
const RESTARTING: Setup = Setup {
    restarts: 1,
    ..PLAIN
};
const SLEEPING: Setup = Setup {
    sleeps: true,
    ..PLAIN
};
const STEPPING: Setup = Setup { steps: 1, ..PLAIN };
/// Two messages of each proxy under way.
const BUSY: Setup = Setup {
    messages: 2,
    ..PLAIN
};
/// A background read as well.
const COVERED: Setup = Setup {
    background: true,
    ..PLAIN
};
const COPYING: Setup = Setup { copies: 1, ..PLAIN };

const STALE: &str = "stale_never_admitted";

#[test]
fn three_holders_two_proxies_one_issuer() {
    let three = Setup { tokens: 3, ..PLAIN };
    let what = "window: 3 tokens, 2 proxies, window 1, rates 1 or 2, messages late and lost";
    holds(what, &World::new(three), 200_000);
}

#[test]
fn clocks_at_different_rates() {
    holds(
        "window: 2 tokens, window 2, rates 1 or 2",
        &World::new(RATES),
        100_000,
    );
}

#[test]
fn requests_that_ask_for_themselves() {
    holds(
        "window: 2 tokens, window 1, requests ask",
        &World::new(ASKING),
        100_000,
    );
}

#[test]
fn restarts_sleep_steps_and_copies() {
    holds(
        "window: 2 tokens, a restart",
        &World::new(RESTARTING),
        60_000,
    );
    holds(
        "window: 2 tokens, suspended machines",
        &World::new(SLEEPING),
        60_000,
    );
    holds(
        "window: 2 tokens, a wall clock stepped back",
        &World::new(STEPPING),
        60_000,
    );
    holds(
        "window: 2 tokens, a background read",
        &World::new(COVERED),
        60_000,
    );
    holds(
        "window: 2 tokens, a message twice",
        &World::new(COPYING),
        60_000,
    );
}

#[track_caller]
fn control(flaw: Flaw, setup: Setup, law: &str) {
    let flaw = Some(flaw);
    finds(
        &format!("{flaw:?}"),
        &World::after_the_first_token(Setup { flaw, ..setup }),
        law,
    );
}

#[test]
fn control_a_raiser_that_does_not_wait() {
    control(Flaw::RaiserDoesNotWait, PLAIN, STALE);
}

#[test]
fn control_another_proxy_that_does_not_wait() {
    control(Flaw::OthersDoNotWait, PLAIN, STALE);
}

#[test]
fn control_a_proxy_that_has_just_started_and_does_not_wait() {
    control(Flaw::RestartedDoesNotWait, RESTARTING, STALE);
}

#[test]
fn control_a_wait_that_runs_from_the_sending_of_the_raise() {
    control(Flaw::WaitsFromTheSending, PLAIN, STALE);
}

#[test]
fn control_a_wait_that_takes_clocks_to_run_alike() {
    control(Flaw::NoRateFactor, RATES, STALE);
}

#[test]
fn control_settled_before_the_wait_is_over() {
    control(Flaw::SettlesBeforeTheWait, PLAIN, STALE);
}

#[test]
fn control_knowledge_dated_from_the_arrival_of_the_answer() {
    control(Flaw::StampsTheArrival, PLAIN, STALE);
}

#[test]
fn control_the_monotonic_clock_alone_trusts_through_a_suspension() {
    control(Flaw::MonotonicOnly, SLEEPING, STALE);
}

#[test]
fn control_the_wall_clock_alone_trusts_through_a_step() {
    control(Flaw::WallOnly, STEPPING, STALE);
}

#[test]
fn control_a_window_that_is_trusted_for_longer_than_it_is_waited_for() {
    control(Flaw::TrustLongerThanWait, PLAIN, STALE);
}

#[test]
fn control_an_answer_older_than_the_window_admits() {
    control(Flaw::OldAnswerAdmits, ASKING, STALE);
}

#[test]
fn control_a_late_answer_that_overwrites_a_newer_one() {
    control(Flaw::OlderAnswerOverwrites, BUSY, "mark_never_falls");
}

#[test]
fn control_a_late_answer_filed_under_a_newer_version() {
    let setup = Setup {
        messages: 2,
        flaw: Some(Flaw::FiledUnderNewerVersion),
        ..COVERED
    };
    let world = World::after_the_first_token(setup).with_an_answer_under_way();
    finds("FiledUnderNewerVersion", &world, STALE);
}

#[test]
fn control_never_issued_said_from_old_memory() {
    let flaw = Flaw::NeverIssuedFromOldMemory;
    control(flaw, PLAIN, "granted_is_not_never_issued");
}

#[test]
fn never_issued_from_fresh_memory_is_right_only_because_everybody_waits() {
    let flaw = Some(Flaw::NeverIssuedFromFreshMemory);
    holds(
        "window: never issued from fresh memory",
        &World::new(Setup { flaw, ..PLAIN }),
        50_000,
    );
}
