//! Cases from public bug reports: takeovers, releases and renewals that meet.
//!
//! The number is that of the case in `docs/cases.md`.

mod common;

use common::{
    ACQUIRE, STRICT, World, admits, granted, held, lost, reason, release, renew, secs, write,
};
use fencegate_core::check::Check;
use fencegate_core::lease::{Acquire, Acquired, NotGranted, Owned, Release};
use fencegate_core::moment::Moment;
use fencegate_core::tenure::{Caution, Left, RenewAnswer, Tenure, Turn, Why};
use fencegate_core::verdict::Reason;
use std::time::Duration;

const B: Acquire<'static> = Acquire {
    holder: "b",
    ..ACQUIRE
};

const EXACT: Caution = Caution {
    rate_error_ppm: 0,
    slack: Duration::ZERO,
};

const fn left(left: Duration) -> Left {
    Left {
        waited: Duration::ZERO,
        left,
    }
}

fn at(moment: Duration) -> Moment {
    Moment::from_nanos(0).after(moment)
}

#[test]
fn b15_a_lapsed_lease_is_not_renewed_back_to_life() {
    let mut world = World::default();
    let first = world.grant("a");
    world.pass(secs(10));
    assert_eq!(lost(world.run(renew("a", first))), Some(Reason::LeaseEnded));
    assert!(world.grant("b") > first);
}

#[test]
fn b16_errors_are_no_proof_of_loss_and_one_refusal_is() {
    let token = common::token(1);
    let mut holder = Tenure::new(EXACT);
    holder.granted(token, at(secs(0)), left(secs(300)), at(secs(0)));
    for second in [10, 20, 30] {
        let now = at(secs(second));
        assert_eq!(holder.renewed(now, RenewAnswer::Unknown, now), None);
        assert_eq!(holder.may_write(now), Some(token));
    }
    let mut told = holder;
    let stopped = told.renewed(at(secs(40)), RenewAnswer::Lost, at(secs(40)));
    assert_eq!(stopped, Some(Turn::Stopped(token, Why::Lost)));
    let stopped = holder.tick(at(secs(300)));
    assert_eq!(stopped, Some(Turn::Stopped(token, Why::Abdicated)));
}

#[test]
fn b17_the_name_in_the_record_is_no_proof_that_it_is_mine() {
    let mut world = World::default();
    let first = granted(world.run(Acquire {
        request_id: Some("before"),
        ..ACQUIRE
    }))
    .token;
    let restarted = Acquire {
        request_id: Some("after"),
        ..ACQUIRE
    };
    assert_eq!(held(world.run(restarted)), secs(10));
    world.pass(secs(10));
    assert!(granted(world.run(restarted)).token > first);
}

#[test]
fn b18_a_release_without_an_answer_is_repeated_until_answered_or_over() {
    let mut world = World::default();
    let first = world.grant("a");
    let mut holder = Tenure::new(EXACT);
    holder.granted(first, at(secs(0)), left(secs(10)), at(secs(0)));
    holder.release_sent(at(secs(1)));
    assert_eq!(holder.may_write(at(secs(1))), None);
    assert_eq!(holder.release_unknown(at(secs(2))), Some(first));
    // It never arrived: others wait for the end and no longer.
    let mut never = world.clone();
    assert_eq!(held(never.run(B)), secs(10));
    never.pass(secs(10));
    assert!(never.grant("b") > first);
    assert_eq!(holder.release_unknown(at(secs(10))), None);
    // It arrived and the answer was lost: the second one is answered like the first.
    assert_eq!(world.run(release("a", first)), Owned::Done(()));
    assert_eq!(world.run(release("a", first)), Owned::Done(()));
    holder.released();
    assert_eq!(holder.release_unknown(at(secs(2))), None);
    world.grant("b");
}

#[test]
fn b19_of_two_who_believe_only_the_newer_one_writes() {
    let mut world = World::default();
    let first = world.grant("a");
    world.pass(secs(10));
    let second = world.grant("b");
    for _ in 0..3 {
        assert_eq!(reason(world.run(write("a", first))), Some(Reason::Stale));
        assert!(admits(world.run(write("b", second))));
    }
}

#[test]
fn b20_whoever_has_not_seen_the_last_writes_can_say_so() {
    let mut world = World::default();
    let first = world.grant("a");
    world.pass(secs(10));
    let second = world.grant("b");
    world.pass(secs(10));
    let unseen = Acquire {
        expect_mark: Some(first),
        ..ACQUIRE
    };
    let moved = NotGranted::MarkMoved { mark: second };
    assert_eq!(world.run(unseen), Acquired::NotGranted(moved));
    let seen = Acquire {
        expect_mark: Some(second),
        ..ACQUIRE
    };
    let third = granted(world.clone().run(seen)).token;
    assert!(third > second);
    assert_eq!(
        world.grant("a"),
        third,
        "without an expectation it is granted, too"
    );
}

#[test]
fn b21_b22_no_reading_of_a_record_lets_a_waiter_judge_by_its_own_clock() {
    // Only the authority's clock counts: a renewed lease is held, whatever a waiter counted.
    let mut world = World::default();
    let first = world.grant("a");
    world.pass(secs(9));
    assert!(matches!(world.run(renew("a", first)), Owned::Done(_)));
    world.pass(secs(1));
    assert_eq!(held(world.run(B)), secs(9));
    world.pass(secs(9));
    world.grant("b");
}

#[test]
fn b23_the_ttl_that_was_granted_rules_not_that_of_who_asks() {
    let mut world = World::default();
    granted(world.run(Acquire {
        ttl: secs(60),
        ..ACQUIRE
    }));
    world.pass(secs(6));
    assert_eq!(held(world.run(Acquire { ttl: secs(5), ..B })), secs(54));
}

#[test]
fn b25_a_restarted_holder_gets_a_new_token_and_what_was_under_way_is_stale() {
    let mut world = World::default();
    let crashed = granted(world.run(Acquire {
        request_id: Some("1"),
        ..ACQUIRE
    }))
    .token;
    // The new incarnation has its own request id, so it cannot resume.
    let restarted = Acquire {
        request_id: Some("2"),
        ..ACQUIRE
    };
    held(world.run(restarted));
    world.pass(secs(10));
    let ended = NotGranted::GrantEnded;
    let resumed = world.run(Acquire {
        request_id: Some("1"),
        ..ACQUIRE
    });
    assert_eq!(resumed, Acquired::NotGranted(ended));
    let next = granted(world.run(restarted)).token;
    assert!(next > crashed);
    assert_eq!(reason(world.run(write("a", crashed))), Some(Reason::Stale));
}

#[test]
fn b28_a_lock_that_was_lost_in_between_is_told_as_stale() {
    let mut world = World::default();
    let first = world.grant("a");
    world.pass(secs(10));
    // Nobody was faster: the write's own condition is the store's affair.
    assert!(admits(world.run(write("a", first))));
    world.grant("b");
    assert_eq!(reason(world.run(write("a", first))), Some(Reason::Stale));
}

#[test]
fn v03_a_holder_that_asks_while_its_release_is_under_way_is_not_called_stale() {
    let mut world = World::default();
    let first = world.grant("a");
    // Before the release arrives: its token is good. Afterwards: released, and not stale.
    assert!(admits(world.run(write("a", first))));
    assert_eq!(world.run(release("a", first)), Owned::Done(()));
    assert_eq!(reason(world.run(write("a", first))), Some(Reason::Released));
}

#[test]
fn v05_a_cleanup_by_one_holder_never_ends_the_lease_of_another() {
    let mut world = World::default();
    let first = world.grant("a");
    world.pass(secs(10));
    world.grant("b");
    assert_eq!(lost(world.run(release("a", first))), Some(Reason::Stale));
    assert_eq!(
        held(world.run(Acquire {
            holder: "c",
            ..ACQUIRE
        })),
        secs(10)
    );
}

#[test]
fn v13_expired_and_not_superseded_is_a_matter_of_the_rule() {
    let mut world = World::default();
    let first = world.grant("a");
    world.pass(secs(11));
    let strict = Check {
        judgement: STRICT,
        ..write("a", first)
    };
    assert!(admits(world.run(write("a", first))));
    assert_eq!(reason(world.run(strict)), Some(Reason::LeaseEnded));
    world.grant("b");
    assert_eq!(reason(world.run(write("a", first))), Some(Reason::Stale));
    assert_eq!(reason(world.run(strict)), Some(Reason::Stale));
}

#[test]
fn v18_releasing_an_expired_lease_is_no_error_and_a_renewal_counts_from_its_own_sending() {
    let mut world = World::default();
    let first = world.grant("a");
    world.pass(secs(11));
    let late = Release {
        writes_answered: false,
        ..release("a", first)
    };
    assert_eq!(world.run(late), Owned::Done(()));
    world.grant("b");
    assert_eq!(lost(world.run(late)), Some(Reason::Stale));

    let mut holder = Tenure::new(EXACT);
    holder.granted(first, at(secs(0)), left(secs(10)), at(secs(0)));
    // The first attempt at 3 s got no answer; the second, sent at 6 s, did.
    holder.renewed(at(secs(3)), RenewAnswer::Unknown, at(secs(5)));
    holder.renewed(at(secs(6)), RenewAnswer::Kept(left(secs(10))), at(secs(7)));
    assert_eq!(holder.deadline(), Some(at(secs(16))));
}
