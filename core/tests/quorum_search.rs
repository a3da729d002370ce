//! The authority of many proxies, exhaustively: 2 proxies, 2 holders, 1 resource, every call and
//! every answer a step. And for each rule a world without it, in which the search breaks a law.

mod explore;
mod quorum_race;
mod quorum_world;

use explore::{finds, holds};
use quorum_race::{Expiry, Flaw, Job, Looks, Setup, World};

const A: Job = Job::Acquire("a", None);
const B: Job = Job::Acquire("b", None);
const A1: Job = Job::Acquire("a", Some("1"));
const B1: Job = Job::Acquire("b", Some("1"));

const PLAIN: Setup = Setup {
    jobs: &[A, B],
    looks: Looks::AtOnce,
    losses: 0,
    copies: 0,
    restarts: 0,
    reloads: 0,
    wipes: 0,
    elections: 0,
    expiry: Expiry::AnyTime,
    ttl: 1_000,
    flaw: None,
};

/// Leases end when they have run. A grant has to outlive the wait.
const TIMED: Setup = Setup {
    looks: Looks::None,
    expiry: Expiry::InTime,
    ttl: 3,
    ..PLAIN
};
const ELSEWHERE: Setup = Setup {
    jobs: &[Job::Write(7, "a"), Job::Write(8, "b"), Job::Write(9, "a")],
    expiry: Expiry::Never,
    ..PLAIN
};
const TWO_ELSEWHERE: Setup = Setup {
    jobs: &[Job::Write(7, "a"), Job::Write(8, "b")],
    ..ELSEWHERE
};
const RELEASING: &[Job] = &[A, Job::Release(0), B];
const BREAKING: &[Job] = &[A, Job::Break, Job::Renew(0)];

const STALE: &str = "stale_never_admitted";

#[test]
fn two_holders_race() {
    let quiet = Setup {
        looks: Looks::None,
        ..PLAIN
    };
    let what = "quorum: 2 acquires at once, a call whose outcome nobody knows";
    let losing = Setup { losses: 1, ..quiet };
    holds(what, &World::new(losing), 100_000);
    let what = "quorum: 2 acquires at once, a call that comes again";
    let copying = Setup { copies: 1, ..quiet };
    holds(what, &World::new(copying), 40_000);
}

#[test]
fn a_takeover_while_the_other_proxy_trusts_what_it_knows() {
    let what = "quorum: a takeover, reads in between";
    holds(what, &World::after_the_first_job(PLAIN), 2_000);
    let what = "quorum: a takeover, reads in between whose answers are late";
    let slow = Setup {
        looks: Looks::Slow,
        ..PLAIN
    };
    holds(what, &World::after_the_first_job(slow), 80_000);
}

#[test]
fn a_request_that_is_repeated_at_the_other_proxy() {
    let setup = Setup {
        jobs: &[A, B1, B1],
        looks: Looks::None,
        losses: 1,
        ..PLAIN
    };
    let what = "quorum: a takeover, asked for twice under one request id, a lost call";
    holds(what, &World::after_the_first_job(setup), 150_000);
}

#[test]
fn releases_breaks_and_renewals() {
    let none = Looks::None;
    for (what, states_min, setup) in [
        (
            "release, then acquire; a copy",
            10_000,
            Setup {
                jobs: RELEASING,
                looks: none,
                copies: 1,
                ..PLAIN
            },
        ),
        (
            "release, then acquire; reads",
            5_000,
            Setup {
                jobs: RELEASING,
                expiry: Expiry::Never,
                ..PLAIN
            },
        ),
        (
            "break, then acquire",
            30_000,
            Setup {
                jobs: &[A, Job::Break, B],
                looks: none,
                ..PLAIN
            },
        ),
        (
            "break and renew; a lost call",
            5_000,
            Setup {
                jobs: BREAKING,
                looks: none,
                losses: 1,
                ..PLAIN
            },
        ),
    ] {
        let what = format!("quorum: {what}");
        holds(&what, &World::after_the_first_job(setup), states_min);
    }
}

#[test]
fn a_restart_a_newer_configuration_and_a_wiped_prefix() {
    for (what, states_min, setup) in [
        (
            "a restart",
            5_000,
            Setup {
                restarts: 1,
                ..PLAIN
            },
        ),
        (
            "a newer configuration",
            10_000,
            Setup {
                reloads: 1,
                ..PLAIN
            },
        ),
        ("a wiped prefix", 5_000, Setup { wipes: 1, ..PLAIN }),
    ] {
        let what = format!("quorum: a takeover, reads in between, {what}");
        holds(&what, &World::after_the_first_job(setup), states_min);
    }
}

#[test]
fn holders_stop_before_their_leases_end() {
    let setup = Setup {
        looks: Looks::None,
        ..TIMED
    };
    let what = "quorum: 2 acquires at once, leases by the store's clock, rates 1 or 2";
    holds(what, &World::new(setup), 100_000);
    let renewing = Setup {
        jobs: &[A, Job::Renew(0), B],
        ..setup
    };
    let what = "quorum: a renewal and a takeover, leases by the store's clock";
    holds(what, &World::after_the_first_job(renewing), 30_000);
}

/// The deposed leader answers keepalives, and nobody else hears of them.
const ELECTING: Setup = Setup {
    jobs: &[A, Job::Renew(0)],
    elections: 1,
    ..TIMED
};
const ELECTING_AGAIN: Setup = Setup {
    jobs: &[A1, A1],
    ..ELECTING
};

#[test]
fn holders_stop_before_their_leases_end_though_a_deposed_leader_keeps_them_alive() {
    let twice = Setup {
        elections: 2,
        ..ELECTING
    };
    let what = "quorum: a renewal, two new leaders, the one before answers";
    holds(what, &World::after_the_first_job(twice), 15_000);
    let what = "quorum: a grant asked for again, a new leader, the old one answers";
    holds(what, &World::after_the_first_job(ELECTING_AGAIN), 5_000);
}

#[test]
fn control_a_keepalive_that_counts_whoever_heard_it() {
    let flaw = Flaw::TermsNotCompared;
    control(flaw, ELECTING, "holder_stops_in_time");
    control(flaw, ELECTING_AGAIN, "holder_stops_in_time");
}

#[test]
fn tokens_from_elsewhere() {
    let what = "quorum: 2 tokens from elsewhere, reads in between";
    holds(what, &World::after_the_first_job(TWO_ELSEWHERE), 800);
    let what = "quorum: 2 tokens from elsewhere at once, a lost call";
    let losing = Setup {
        looks: Looks::None,
        losses: 1,
        ..TWO_ELSEWHERE
    };
    holds(what, &World::new(losing), 1_000);
}

/// 434,064 states, 3,582,995 transitions, depth 74: half a minute.
#[test]
#[ignore = "takes half a minute"]
fn three_tokens_from_elsewhere() {
    let what = "quorum: 3 tokens from elsewhere, reads in between";
    holds(what, &World::after_the_first_job(ELSEWHERE), 400_000);
}

/// 430,896 states, 3,640,236 transitions, depth 31: half a minute.
#[test]
#[ignore = "takes half a minute"]
fn a_release_a_takeover_and_an_end_of_the_lease_at_any_time() {
    let setup = Setup {
        jobs: RELEASING,
        ..PLAIN
    };
    let what = "quorum: release, then acquire; reads; leases end at any time";
    holds(what, &World::after_the_first_job(setup), 400_000);
}

#[track_caller]
fn control(flaw: Flaw, setup: Setup, law: &str) {
    let what = format!("{flaw:?}");
    let flaw = Some(flaw);
    let world = World::after_the_first_job(Setup { flaw, ..setup });
    finds(&what, &world, law);
}

#[test]
fn control_a_raiser_that_does_not_wait() {
    control(Flaw::NoWait, PLAIN, STALE);
    control(Flaw::NoWait, ELSEWHERE, STALE);
}

#[test]
fn control_puts_that_do_not_compare_init() {
    let wiped = Setup { wipes: 1, ..PLAIN };
    let flaw = Some(Flaw::InitNotCompared);
    // With no mark yet there is nothing else that a put could fail on.
    let world = World::new(Setup { flaw, ..wiped });
    finds("InitNotCompared", &world, "unknown_is_not_empty");
}

#[test]
fn control_an_acquire_that_does_not_compare_the_mark() {
    let again = Setup {
        jobs: RELEASING,
        looks: Looks::None,
        copies: 1,
        ..PLAIN
    };
    let flaw = Some(Flaw::AcquireNotUnderMark);
    let world = World::new(Setup { flaw, ..again });
    finds("AcquireNotUnderMark", &world, "one_decision");
}

#[test]
fn control_a_renewal_that_keeps_the_lease_alive_and_looks_no_further() {
    let broken = Setup {
        jobs: BREAKING,
        looks: Looks::None,
        ..PLAIN
    };
    control(Flaw::BareKeepAlive, broken, "holder_stops_in_time");
}

#[test]
fn control_a_release_in_two_transactions() {
    let released = Setup {
        jobs: RELEASING,
        looks: Looks::None,
        ..PLAIN
    };
    control(Flaw::ReleaseInTwo, released, "lock_goes_with_its_lease");
}

#[test]
fn control_what_is_left_counted_from_the_arrival_of_the_answer() {
    let flaw = Some(Flaw::CountedFromArrival);
    let world = World::new(Setup { flaw, ..TIMED });
    finds("CountedFromArrival", &world, "holder_stops_in_time");
}

#[test]
fn control_knowledge_dated_from_the_arrival_of_the_answer() {
    let slow = Setup {
        looks: Looks::Slow,
        ..PLAIN
    };
    control(Flaw::StampedAtArrival, slow, STALE);
}
