//! Cases from public bug reports: a lease is lost and its holder does not know.
//!
//! The number is that of the case in `docs/cases.md`.

mod common;

use common::{
    ACQUIRE, BREAK, World, admits, granted, held, lost, ms, reason, release, renew, secs, write,
};
use fencegate_core::lease::{Acquire, Acquired, Break, Broken, Owned};
use fencegate_core::moment::Moment;
use fencegate_core::tenure::{Caution, Left, RenewAnswer, Tenure, Turn, Why};
use fencegate_core::token::Token;
use fencegate_core::verdict::{Fault, Reason, Verdict};
use std::time::Duration;

const B: Acquire<'static> = Acquire {
    holder: "b",
    ..ACQUIRE
};

const CAUTION: Caution = Caution {
    rate_error_ppm: 1_000,
    slack: Duration::from_millis(100),
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

/// A holder that was granted `token` for `ttl` at 0, answered at once.
fn tenure(token: Token, ttl: Duration) -> Tenure {
    let mut tenure = Tenure::new(CAUTION);
    let started = tenure.granted(token, at(secs(0)), left(ttl), at(secs(0)));
    assert_eq!(started, Some(Turn::Started(token)));
    tenure
}

/// The last moment at which the holder of a lease of `ttl` may write.
fn deadline(ttl: Duration) -> Duration {
    ttl * 999 / 1000 - ms(100)
}

#[test]
fn b01_a_lease_starts_when_it_is_granted_not_when_it_is_asked_for() {
    let mut world = World::default();
    let first = granted(world.run(Acquire {
        ttl: secs(20),
        ..ACQUIRE
    }))
    .token;
    let waiter = Acquire { ttl: secs(5), ..B };
    held(world.run(waiter));
    world.pass(secs(20));
    let second = granted(world.run(waiter));
    assert_eq!(second.left, secs(5), "nothing of it passed in the queue");
    assert_eq!(reason(world.run(write("a", first))), Some(Reason::Stale));
    world.pass(secs(5));
    assert_eq!(
        lost(world.run(renew("b", second.token))),
        Some(Reason::LeaseEnded)
    );
}

#[test]
fn b02_a_grant_that_arrives_dead_is_none() {
    let mut world = World::default();
    let granted = granted(world.run(Acquire {
        ttl: secs(5),
        ..ACQUIRE
    }));
    let mut holder = Tenure::new(CAUTION);
    let turn = holder.granted(granted.token, at(secs(0)), left(granted.left), at(secs(20)));
    assert_eq!(turn, None);
    assert_eq!(holder.may_write(at(secs(20))), None);
}

#[test]
fn b03_a_partitioned_holder_is_stale_from_the_next_grant_on_before_any_write() {
    let mut world = World::default();
    let first = world.grant("a");
    world.pass(secs(11));
    assert!(
        admits(world.run(write("a", first))),
        "nobody else was granted yet"
    );
    let second = world.grant("b");
    assert_eq!(reason(world.run(write("a", first))), Some(Reason::Stale));
    assert!(admits(world.run(write("b", second))));
    assert_eq!(reason(world.run(write("a", first))), Some(Reason::Stale));
}

#[test]
fn b04_holder_abdicates_by_timer_alone() {
    let token = common::token(1);
    let mut holder = tenure(token, secs(15));
    // Renewals are sent from 7.5 s on, and neither answer nor error ever comes.
    let end = deadline(secs(15));
    assert_eq!(holder.deadline(), Some(at(end)));
    assert_eq!(holder.may_write(at(end - ms(1))), Some(token));
    assert_eq!(holder.may_write(at(end)), None);
    assert_eq!(holder.may_write(at(secs(15))), None);
    assert_eq!(
        holder.tick(at(end)),
        Some(Turn::Stopped(token, Why::Abdicated))
    );
}

#[test]
fn b05_one_failed_renewal_neither_drops_the_lease_nor_ends_renewing() {
    let token = common::token(1);
    let mut holder = tenure(token, secs(10));
    assert_eq!(
        holder.renewed(at(secs(3)), RenewAnswer::Unknown, at(secs(3))),
        None
    );
    assert_eq!(holder.may_write(at(secs(4))), Some(token));
    let kept = RenewAnswer::Kept(left(secs(10)));
    assert_eq!(holder.renewed(at(secs(5)), kept, at(secs(5))), None);
    assert_eq!(holder.may_write(at(secs(14))), Some(token));
}

#[test]
fn b06_a_holder_whose_timer_slept_stops_all_the_same_and_its_late_write_is_stale() {
    let mut world = World::default();
    let first = granted(world.run(Acquire {
        ttl: secs(30),
        ..ACQUIRE
    }))
    .token;
    let holder = tenure(first, secs(30));
    assert_eq!(
        holder.may_write(at(deadline(secs(30)))),
        None,
        "nothing was called in between"
    );
    world.pass(secs(31));
    let second = world.grant("b");
    assert!(second > first);
    assert_eq!(reason(world.run(write("a", first))), Some(Reason::Stale));
}

#[test]
fn b07_whether_it_is_held_depends_on_the_time_and_needs_no_call() {
    let mut world = World::default();
    let first = world.grant("a");
    let holder = tenure(first, secs(10));
    assert_eq!(holder.may_write(at(secs(9))), Some(first));
    assert_eq!(holder.may_write(at(secs(11))), None);
    world.pass(secs(11));
    assert!(world.grant("b") > first);
}

#[test]
fn b08_a_holder_without_an_authority_stops_and_needs_a_new_token() {
    let mut world = World::default();
    let first = world.grant("a");
    let mut holder = tenure(first, secs(10));
    let intact = world.cells.clone();
    if let Some(bytes) = &mut world.at("r").cell.bytes {
        bytes[30] ^= 1;
    }
    for second in [3, 6, 9] {
        world.pass(secs(3));
        let answer = world.run(renew("a", first));
        assert_eq!(answer, Owned::Undecided(Fault::Garbled));
        assert_eq!(
            world.run(write("a", first)),
            Verdict::Undecided(Fault::Garbled)
        );
        let now = at(secs(second));
        assert_eq!(holder.renewed(now, RenewAnswer::Unknown, now), None);
    }
    let stopped = Turn::Stopped(first, Why::Abdicated);
    assert_eq!(holder.tick(at(secs(10))), Some(stopped));
    world.cells = intact;
    world.pass(secs(2));
    assert_eq!(lost(world.run(renew("a", first))), Some(Reason::LeaseEnded));
    assert!(world.grant("a") > first);
}

#[test]
fn b10_a_lost_leader_stops_once_and_before_it_starts_again() {
    let mut world = World::default();
    let first = world.grant("a");
    let mut holder = tenure(first, secs(10));
    let mut turns = Vec::new();
    turns.extend(holder.renewed(at(secs(5)), RenewAnswer::Unknown, at(secs(5))));
    world.pass(secs(10));
    let second = world.grant("b");
    let Owned::Lost(rejection) = world.run(renew("a", first)) else {
        panic!("b holds it")
    };
    assert_eq!(
        (rejection.reason, rejection.mark),
        (Reason::Stale, Some(second))
    );
    // The answer comes while the holder still trusts its lease, since its clock is slow.
    turns.extend(holder.renewed(at(secs(9)), RenewAnswer::Lost, at(secs(9))));
    turns.extend(holder.renewed(at(secs(9)), RenewAnswer::Lost, at(secs(9))));
    turns.extend(holder.tick(at(secs(30))));
    world.pass(secs(10));
    let third = world.grant("a");
    turns.extend(holder.granted(third, at(secs(30)), left(secs(10)), at(secs(30))));
    assert_eq!(
        turns,
        [Turn::Stopped(first, Why::Lost), Turn::Started(third)]
    );
}

#[test]
fn b11_a_lease_ended_by_others_leaves_the_lock_delay_and_a_release_by_its_holder_none() {
    let delayed = Acquire {
        lock_delay: secs(5),
        ..ACQUIRE
    };
    let mut world = World::default();
    granted(world.run(delayed));
    world.pass(secs(1));
    let _ = world.run(Break {
        lock_delay: secs(5),
        ..BREAK
    });
    world.pass(ms(100));
    assert_eq!(held(world.run(B)), ms(4_900));
    world.pass(secs(5));
    granted(world.run(B));

    let mut world = World::default();
    let first = granted(world.run(delayed)).token;
    world.pass(secs(1));
    assert_eq!(world.run(release("a", first)), Owned::Done(()));
    granted(world.run(B));
}

#[test]
fn b12_the_ttl_is_a_lower_bound_unless_the_holder_or_an_operator_ends_it() {
    let mut world = World::default();
    let first = granted(world.run(Acquire {
        ttl: secs(15),
        ..ACQUIRE
    }))
    .token;
    world.pass(secs(4));
    assert_eq!(held(world.run(B)), secs(11));
    assert!(
        matches!(world.run(release("b", first)), Owned::Lost(_)),
        "only a gives it back"
    );
    assert_eq!(held(world.run(B)), secs(11));
    let Broken::Done { mark } = world.run(BREAK) else {
        panic!("there was a lease")
    };
    assert!(mark > first, "a break raises the mark");
    assert_eq!(reason(world.run(write("a", first))), Some(Reason::Stale));
    assert!(granted(world.run(B)).token > mark);
}

#[test]
fn v06_after_ttl_and_lock_delay_somebody_can_acquire() {
    let mut world = World::default();
    granted(world.run(Acquire {
        ttl: secs(15),
        lock_delay: secs(5),
        ..ACQUIRE
    }));
    world.pass(secs(20) - ms(1));
    held(world.run(B));
    world.pass(ms(1));
    assert!(matches!(
        world.run(B),
        Acquired::Granted { resumed: false, .. }
    ));
}
