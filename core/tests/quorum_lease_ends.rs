//! Renewals, releases and breaks at the authority of many proxies, case by case.

mod quorum_world;

use fencegate_core::lease::{Broken, Leased, Owned};
use fencegate_core::quorum::{Call, Outcome, Step, Wanted};
use fencegate_core::token::Token;
use fencegate_core::verdict::{Fault, Reason};
use quorum_world::proxy::{Fate, Proxy, R, TERMS};
use quorum_world::store::Store;
use quorum_world::*;
use std::time::Duration;

const RELEASED: Outcome = Outcome::Released(Owned::Done(()));

/// A store with a grant to `a`, and the proxy that granted it.
fn leased() -> (Store, Proxy, Token) {
    let (mut store, mut proxy) = world();
    let token = granted(&proxy.run(&mut store, acquire_as("a", "1"))).token;
    proxy.calls.clear();
    (store, proxy, token)
}

#[track_caller]
fn renewed(outcome: &Outcome) -> Leased {
    match outcome {
        Outcome::Renewed(Owned::Done(leased)) => *leased,
        other => panic!("renewed, but {other:?}"),
    }
}

#[track_caller]
fn lost(outcome: &Outcome) -> Reason {
    match outcome {
        Outcome::Renewed(Owned::Lost(why)) | Outcome::Released(Owned::Lost(why)) => why.reason,
        other => panic!("lost, but {other:?}"),
    }
}

#[test]
fn a_renewal_counts_from_when_the_lease_was_kept_alive() {
    for from_memory in [true, false] {
        let (mut store, mut proxy, token) = leased();
        let lease = store.locks[R].lease;
        store.leases.get_mut(&lease).expect("there").left = 1;
        if !from_memory {
            proxy.known = Default::default();
        }
        let leased = renewed(&proxy.run(&mut store, renew("a", token, TTL)));
        assert_eq!(leased.left, TTL - Duration::from_millis(2));
        assert_eq!(store.leases[&lease].left, 11);
        assert_eq!(proxy.calls.len(), if from_memory { 2 } else { 3 });
    }
}

#[test]
fn a_renewal_never_shortens_and_a_longer_one_gets_another_lease() {
    let (mut store, mut proxy, token) = leased();
    let before = store.locks[R];
    let shorter = renewed(&proxy.run(&mut store, renew("a", token, Duration::from_secs(2))));
    assert!(shorter.left > Duration::from_secs(9));
    let longer = Duration::from_secs(30);
    let leased = renewed(&proxy.run(&mut store, renew("a", token, longer)));
    assert!(leased.left > Duration::from_secs(29));
    let lock = store.locks[R];
    assert_eq!(lock.since, before.since);
    assert_ne!(lock.lease, before.lease);
    assert_eq!(store.leases[&lock.lease].seconds, 31);
    // From now on that one is kept alive.
    proxy.calls.clear();
    let leased = renewed(&proxy.run(&mut store, renew("a", token, TTL)));
    assert!(leased.left > Duration::from_secs(29));
    assert_eq!(proxy.calls[0], Call::KeepAlive(lock.lease));
    assert!(admitted(&proxy.run(&mut store, write("a", token))));
}

#[test]
fn a_longer_renewal_whose_outcome_nobody_knows_is_read_again() {
    for fate in [Fate::AnswerLost, Fate::Lost] {
        let (mut store, mut proxy, token) = leased();
        proxy.fates = [Fate::Answered, Fate::Answered, fate].into();
        let longer = Duration::from_secs(30);
        let leased = renewed(&proxy.run(&mut store, renew("a", token, longer)));
        assert!(leased.left > Duration::from_secs(29), "{fate:?}");
        assert_eq!(store.leases[&store.locks[R].lease].seconds, 31);
    }
}

/// Its lease may still be there to be kept alive: that proves nothing.
#[test]
fn a_lease_that_was_released_or_broken_is_not_renewed_though_it_can_be_kept_alive() {
    for delay in [Duration::ZERO, Duration::from_secs(5)] {
        let (mut store, mut proxy, token) = leased();
        let mut other = Proxy::beside(&proxy);
        other.terms.lock_delay = delay;
        assert!(matches!(
            other.run(&mut store, Wanted::Break),
            Outcome::Broken(Broken::Done { .. })
        ));
        let outcome = proxy.run(&mut store, renew("a", token, TTL));
        assert_eq!(
            proxy.calls.first(),
            Some(&Call::KeepAlive(fencegate_core::quorum::LeaseId(1)))
        );
        assert_eq!(lost(&outcome), Reason::Stale);

        let (mut store, mut proxy, token) = leased();
        let mut other = Proxy::beside(&proxy);
        assert_eq!(other.run(&mut store, release("a", token, true)), RELEASED);
        let outcome = proxy.run(&mut store, renew("a", token, TTL));
        assert_eq!(lost(&outcome), Reason::Released);
    }
}

#[test]
fn a_lease_that_is_gone_is_not_renewed() {
    let (mut store, mut proxy, token) = leased();
    store.expire(store.locks[R].lease);
    let outcome = proxy.run(&mut store, renew("a", token, TTL));
    assert_eq!(lost(&outcome), Reason::LeaseEnded);
}

#[test]
fn another_holder_keeps_no_lease_alive() {
    let (mut store, mut proxy, token) = leased();
    let outcome = proxy.run(&mut store, renew("b", token, TTL));
    assert_eq!(lost(&outcome), Reason::HeldByAnother);
    let kept = |call: &Call| matches!(call, Call::KeepAlive(_));
    assert!(!proxy.calls.iter().any(kept));
}

#[test]
fn a_renewal_of_an_unsettled_grant_waits_and_settles() {
    let (mut store, mut proxy) = world();
    let step = proxy.begin(acquire_as("a", "1"));
    let step = proxy.until_wait(&mut store, step);
    drop(step);
    let token = proxy.known.kept().expect("put").token;
    let mut other = Proxy::beside(&proxy);
    let began = other.millis;
    renewed(&other.run(&mut store, renew("a", token, TTL)));
    assert!(other.millis - began >= 250);
    assert!(other.known.kept().expect("kept").settled);
}

#[test]
fn a_renewal_that_is_not_answered_in_time_is_none() {
    let (mut store, mut proxy, token) = leased();
    proxy.latency = 6_000;
    let outcome = proxy.run(&mut store, renew("a", token, TTL));
    assert_eq!(fault(&outcome), Some(Fault::Unreachable));
    for calls in 0..2 {
        let (mut store, mut proxy, token) = leased();
        proxy.fates = vec![Fate::Answered; calls].into();
        proxy.fates.push_back(Fate::AnswerLost);
        let outcome = proxy.run(&mut store, renew("a", token, TTL));
        assert_eq!(fault(&outcome), Some(Fault::Unreachable));
    }
}

#[test]
fn a_release_ends_the_lock_and_says_so_in_one_transaction() {
    let (mut store, mut proxy, token) = leased();
    assert_eq!(proxy.run(&mut store, release("a", token, true)), RELEASED);
    assert!(store.locks.is_empty());
    let outcome = proxy.run(&mut store, write("a", token));
    assert_eq!(reason(&outcome), Some(Reason::Released));
    // Late, or twice.
    assert_eq!(proxy.run(&mut store, release("a", token, true)), RELEASED);
    let second = granted(&proxy.run(&mut store, acquire("b"))).token;
    assert!(second > token);
    let outcome = proxy.run(&mut store, release("a", token, true));
    assert_eq!(lost(&outcome), Reason::Stale);
    assert_eq!(store.locks[R].since, second.number());
}

#[test]
fn a_release_with_writes_under_way_keeps_the_lock_for_its_delay() {
    let terms = fencegate_core::quorum::Terms {
        lock_delay: Duration::from_secs(5),
        ..TERMS
    };
    let (mut store, _) = world();
    let mut proxy = Proxy::new(terms);
    let token = granted(&proxy.run(&mut store, acquire("a"))).token;
    let lease = store.locks[R].lease;
    assert_eq!(store.leases[&lease].seconds, 16);
    assert_eq!(proxy.run(&mut store, release("a", token, false)), RELEASED);
    let delay = store.locks[R].lease;
    assert_ne!(delay, lease);
    assert_eq!(store.leases[&delay].seconds, 5);
    let held = proxy.run(&mut store, acquire("b"));
    assert!(matches!(held, Outcome::Acquired(_)) && held.fault().is_none());
    store.expire(delay);
    assert!(granted(&proxy.run(&mut store, acquire("b"))).token > token);
    // The lease ended by itself, and its delay with it: nothing is left to be delayed.
    let token = proxy.known.kept().expect("kept").token;
    store.expire(store.locks[R].lease);
    assert_eq!(proxy.run(&mut store, release("b", token, false)), RELEASED);
    assert!(store.locks.is_empty());
}

#[test]
fn a_release_whose_outcome_nobody_knows_is_read_again() {
    for fate in [Fate::AnswerLost, Fate::Lost] {
        let (mut store, mut proxy, token) = leased();
        proxy.fates = [Fate::Answered, fate].into();
        assert_eq!(proxy.run(&mut store, release("a", token, true)), RELEASED);
        assert!(store.locks.is_empty());
    }
}

/// A copy of the release comes when somebody else holds the lease.
#[test]
fn a_late_copy_of_a_release_touches_no_newer_grant() {
    let (mut store, mut proxy, token) = leased();
    proxy.run(&mut store, release("a", token, true));
    let copy = proxy.calls.last().expect("the put").clone();
    granted(&proxy.run(&mut store, acquire("b")));
    let before = store.clone();
    let _ = store.call(R, &copy);
    assert_eq!(store, before);
}

#[test]
fn a_break_raises_the_mark_and_waits_before_it_says_so() {
    for delay in [Duration::ZERO, Duration::from_secs(5)] {
        let (mut store, proxy, token) = leased();
        let mut operator = Proxy::beside(&proxy);
        operator.terms.lock_delay = delay;
        let began = operator.millis;
        let Outcome::Broken(Broken::Done { mark }) = operator.run(&mut store, Wanted::Break) else {
            panic!("there is a lease to break");
        };
        assert!(mark > token && operator.millis - began >= 250);
        assert_eq!(store.locks.contains_key(R), !delay.is_zero());
        let outcome = operator.run(&mut store, write("a", token));
        assert_eq!(reason(&outcome), Some(Reason::Stale));
        let outcome = operator.run(&mut store, write("a", mark));
        assert_eq!(reason(&outcome), Some(Reason::Released));
    }
}

#[test]
fn a_break_whose_outcome_nobody_knows_happens_once() {
    for fate in [Fate::AnswerLost, Fate::Lost] {
        let (mut store, mut proxy, token) = leased();
        proxy.fates = [Fate::Answered, fate].into();
        let Outcome::Broken(Broken::Done { mark }) = proxy.run(&mut store, Wanted::Break) else {
            panic!("there is a lease to break");
        };
        assert_eq!(
            mark.number(),
            token.number() + 2,
            "{fate:?}: after `settled`"
        );
    }
}

#[test]
fn there_is_nothing_to_break_where_nothing_was_granted() {
    let (mut store, mut proxy) = world();
    let outcome = proxy.run(&mut store, Wanted::Break);
    assert_eq!(outcome, Outcome::Broken(Broken::NoGrant));
    let Outcome::Looked(looked) = proxy.run(&mut store, Wanted::Look) else {
        panic!("looked at");
    };
    assert_eq!(looked, Ok(None));
}

#[test]
fn a_break_can_be_given_up_while_it_waits() {
    let (mut store, mut proxy, _) = leased();
    let step = proxy.begin(Wanted::Break);
    let Step::SitOut(sitting, _) = proxy.until_wait(&mut store, step) else {
        panic!("it waits");
    };
    // Its lock may be somebody's lock delay by now: it stays.
    assert_eq!(sitting.leaves_behind(), None);
    drop(sitting);
    let mut other = Proxy::beside(&proxy);
    granted(&other.run(&mut store, acquire("b")));
}
