//! Acquire at the authority of many proxies, case by case.

mod quorum_world;

use fencegate_core::lease::{Acquired, NotGranted, Owned};
use fencegate_core::quorum::{Call, LockChange, Outcome, Step, Wanted};
use fencegate_core::token::Token;
use fencegate_core::verdict::{Fault, Reason};
use quorum_world::proxy::{Fate, Proxy, R, TERMS, WINDOW};
use quorum_world::*;
use std::time::Duration;

const ENDED: Outcome = Outcome::Acquired(Acquired::NotGranted(NotGranted::GrantEnded));

#[test]
fn a_grant_is_the_revision_of_its_put_and_settled_before_it_is_answered() {
    let (mut store, mut proxy) = world();
    let began = proxy.millis;
    let leased = granted(&proxy.run(&mut store, acquire("a")));
    // Init was put at 1, the mark and the lock at 2, `settled` at 3.
    assert_eq!(Some(leased.token), Token::new(5, 2));
    assert_eq!(store.locks[R].since, 2);
    assert_eq!(store.revision, 3);
    let kept = proxy.known.kept().expect("it is kept");
    assert!(kept.settled && kept.holder.as_deref() == Some("a"));
    // From when the lease was asked for, not from the request's arrival, nor from the answer's.
    let wait = TERMS.rate.outlast(WINDOW);
    let took = Duration::from_millis(proxy.millis - began);
    assert!(took >= wait, "{took:?}");
    let asked = Duration::from_millis(1);
    assert_eq!(leased.left, TTL - (took - asked), "one read comes first");
    let seconds = proxy.calls.iter().find_map(|call| match call {
        Call::Grant(_, seconds) => Some(*seconds),
        _ => None,
    });
    assert_eq!(seconds, Some(11), "ten seconds by a slow clock, rounded up");
}

#[test]
fn a_lock_that_is_there_is_held_and_nothing_is_left_behind() {
    let (mut store, mut proxy) = world();
    let first = granted(&proxy.run(&mut store, acquire("a")));
    let held = proxy.run(&mut store, acquire("b"));
    let Outcome::Acquired(Acquired::NotGranted(NotGranted::Held { mark, .. })) = held else {
        panic!("held, but {held:?}");
    };
    assert_eq!(mark, first.token);
    assert_eq!(store.leases.len(), 1);
    store.expire(store.locks[R].lease);
    let second = granted(&proxy.run(&mut store, acquire("b")));
    assert!(second.token > first.token);
}

#[test]
fn the_mark_that_is_expected_must_be_the_mark() {
    let (mut store, mut proxy) = world();
    let expecting = |expect_mark| Wanted::Acquire {
        holder: "a".to_owned(),
        request_id: None,
        expect_mark,
        ttl: TTL,
    };
    let some = Token::new(5, 1);
    let unknown = proxy.run(&mut store, expecting(some));
    let none = NotGranted::MarkUnknown;
    assert_eq!(unknown, Outcome::Acquired(Acquired::NotGranted(none)));
    let mark = granted(&proxy.run(&mut store, expecting(None))).token;
    proxy.run(&mut store, release("a", mark, true));
    let moved = proxy.run(&mut store, expecting(some));
    let why = NotGranted::MarkMoved { mark };
    assert_eq!(moved, Outcome::Acquired(Acquired::NotGranted(why)));
    granted(&proxy.run(&mut store, expecting(Some(mark))));
}

/// Somebody else is faster between the reading and the put.
#[test]
fn whoever_is_slower_is_judged_again_and_its_lease_revoked() {
    let (mut store, mut slow) = world();
    let mut fast = Proxy::beside(&slow);
    let mut step = slow.begin(acquire("slow"));
    for _ in 0..2 {
        step = slow.step(&mut store, step);
    }
    assert!(matches!(&step, Step::Call(_, Call::Transact(it)) if it.lock != LockChange::Keep));
    let token = granted(&fast.run(&mut store, acquire("fast"))).token;
    let outcome = slow.finish(&mut store, step);
    assert!(matches!(
        outcome,
        Outcome::Acquired(Acquired::NotGranted(NotGranted::Held { mark, .. })) if mark == token
    ));
    assert_eq!(store.leases.len(), 1, "the slow one's is revoked");
}

/// Somebody is faster, and gone again: the lease that was asked for serves the second attempt.
#[test]
fn a_conflict_over_a_lock_that_is_free_again_is_granted_with_the_same_lease() {
    let (mut store, mut slow) = world();
    let mut fast = Proxy::beside(&slow);
    let mut step = slow.begin(acquire("slow"));
    for _ in 0..2 {
        step = slow.step(&mut store, step);
    }
    let first = granted(&fast.run(&mut store, acquire("fast"))).token;
    fast.run(&mut store, release("fast", first, true));
    let second = granted(&slow.finish(&mut store, step));
    assert!(second.token > first);
    let grants = slow.calls.iter();
    assert_eq!(grants.filter(|it| matches!(it, Call::Grant(..))).count(), 1);
}

#[test]
fn an_outcome_that_nobody_knows_is_read_again_whether_it_was_committed_or_not() {
    for fate in [Fate::AnswerLost, Fate::Lost] {
        let (mut store, mut proxy) = world();
        // The reading, the lease; then the put.
        proxy.fates = [Fate::Answered, Fate::Answered, fate].into();
        let token = granted(&proxy.run(&mut store, acquire("a"))).token;
        assert_eq!(Some(token), Token::new(5, 2), "{fate:?}");
        assert_eq!(store.leases.len(), 1);
    }
}

/// The put whose outcome nobody knew comes to be after all, before the second attempt.
#[test]
fn a_put_that_lands_late_is_found_by_the_attempt_that_it_beats() {
    let (mut store, mut proxy) = world();
    proxy.fates = [Fate::Answered, Fate::Answered, Fate::Lost].into();
    let mut step = proxy.begin(acquire("a"));
    for _ in 0..4 {
        step = proxy.step(&mut store, step);
    }
    let put = proxy.calls[2].clone();
    assert!(matches!(&step, Step::Call(_, again) if *again == put));
    let _ = store.call(R, &put);
    let token = granted(&proxy.finish(&mut store, step)).token;
    assert_eq!(Some(token), Token::new(5, 2));
}

#[test]
fn a_refusal_or_silence_is_a_fault_and_asks_for_the_lease_back() {
    for (calls, fate) in [
        (0, Fate::Lost),
        (0, Fate::Refused),
        (1, Fate::Lost),
        (1, Fate::Refused),
        (2, Fate::Refused),
    ] {
        let (mut store, mut proxy) = world();
        proxy.fates = vec![Fate::Answered; calls].into();
        proxy.fates.push_back(fate);
        let outcome = proxy.run(&mut store, acquire("a"));
        assert_eq!(
            fault(&outcome),
            Some(Fault::Unreachable),
            "{calls} {fate:?}"
        );
        assert!(store.leases.is_empty(), "{calls} {fate:?}");
        assert!(store.marks.is_empty());
    }
}

#[test]
fn whether_settled_was_put_does_not_matter_to_who_sat_it_out() {
    for fate in [Fate::AnswerLost, Fate::Lost, Fate::Refused] {
        let (mut store, mut proxy) = world();
        proxy.fates = vec![Fate::Answered; 3].into();
        proxy.fates.push_back(fate);
        granted(&proxy.run(&mut store, acquire("a")));
        let mut other = Proxy::beside(&proxy);
        let token = proxy.known.kept().expect("kept").token;
        let began = other.millis;
        assert!(admitted(&other.run(&mut store, write("a", token))));
        let waited = other.millis - began >= 250;
        assert_eq!(waited, fate != Fate::AnswerLost, "{fate:?}");
    }
}

#[test]
fn a_repeated_request_id_gets_the_same_grant_kept_alive_from_now() {
    let (mut store, mut proxy) = world();
    let first = granted(&proxy.run(&mut store, acquire_as("a", "1")));
    let lease = store.locks[R].lease;
    store.leases.get_mut(&lease).expect("there").left = 1;
    let mut other = Proxy::beside(&proxy);
    let outcome = other.run(&mut store, acquire_as("a", "1"));
    assert!(matches!(
        outcome,
        Outcome::Acquired(Acquired::Granted { resumed: true, .. })
    ));
    let again = granted(&outcome);
    assert_eq!(again.token, first.token);
    assert_eq!(store.leases[&lease].left, 11);
    assert!(again.left > TTL - Duration::from_millis(5));
}

#[test]
fn a_request_id_is_over_after_release_expiry_and_break() {
    type End = fn(&mut Proxy, &mut store::Store, Token);
    let ends: [(&str, End); 3] = [
        ("release", |proxy, store, token| {
            proxy.run(store, release("a", token, true));
        }),
        ("expiry", |_, store, _| store.expire(store.locks[R].lease)),
        ("break", |proxy, store, _| {
            proxy.run(store, Wanted::Break);
        }),
    ];
    for (how, end) in ends {
        let (mut store, mut proxy) = world();
        let token = granted(&proxy.run(&mut store, acquire_as("a", "1"))).token;
        end(&mut proxy, &mut store, token);
        assert_eq!(proxy.run(&mut store, acquire_as("a", "1")), ENDED, "{how}");
        // And still is when others were granted since.
        for id in ["2", "3"] {
            let token = granted(&proxy.run(&mut store, acquire_as("b", id))).token;
            proxy.run(&mut store, release("b", token, true));
        }
        assert_eq!(proxy.run(&mut store, acquire_as("a", "1")), ENDED, "{how}");
    }
}

/// A copy of the transaction itself comes once more after the grant is over.
#[test]
fn a_late_copy_of_the_put_changes_nothing() {
    for released in [true, false] {
        let (mut store, mut proxy) = world();
        let token = granted(&proxy.run(&mut store, acquire("a"))).token;
        let put = proxy.calls[2].clone();
        match released {
            true => drop(proxy.run(&mut store, release("a", token, true))),
            false => store.expire(store.locks[R].lease),
        }
        let before = store.clone();
        let _ = store.call(R, &put);
        assert_eq!(store, before, "released: {released}");
    }
}

/// Whoever breaks the lease while its holder still waits for the answer has the last word.
#[test]
fn a_break_during_the_wait_ends_the_grant_before_it_is_answered() {
    for wanted in [acquire("a"), acquire_as("a", "1")] {
        let (mut store, mut proxy) = world();
        let step = proxy.begin(wanted);
        let sitting = proxy.until_wait(&mut store, step);
        assert!(matches!(sitting, Step::SitOut(..)));
        let mut operator = Proxy::beside(&proxy);
        assert!(matches!(
            operator.run(&mut store, Wanted::Break),
            Outcome::Broken(_)
        ));
        assert_eq!(proxy.finish(&mut store, sitting), ENDED);
    }
}

#[test]
fn a_grant_that_would_arrive_dead_is_not_reported() {
    for (id, leases) in [(None, 0), (Some("1"), 1)] {
        let (mut store, mut proxy) = world();
        let wanted = id.map_or_else(|| acquire("a"), |id| acquire_as("a", id));
        let step = proxy.begin(wanted);
        let step = proxy.until_wait(&mut store, step);
        proxy.millis += 10_000;
        let outcome = proxy.finish(&mut store, step);
        assert_eq!(fault(&outcome), Some(Fault::Unreachable));
        // Whoever has an id may come again for it; else nobody can.
        assert_eq!(store.leases.len(), leases);
        assert_eq!(store.locks.len(), leases);
    }
}

#[test]
fn a_lease_that_took_as_long_as_it_runs_is_not_put() {
    let (mut store, mut proxy) = world();
    proxy.latency = 11_000;
    let outcome = proxy.run(&mut store, acquire("a"));
    assert_eq!(fault(&outcome), Some(Fault::Unreachable));
    assert!(store.marks.is_empty() && store.leases.is_empty());
}

/// A driver may drop a flow at any step: what is left behind blocks nobody for longer than a lease.
#[test]
fn a_request_that_is_dropped_leaves_nothing_that_was_told() {
    for steps in 0..8 {
        let (mut store, mut proxy) = world();
        let mut step = proxy.begin(acquire("a"));
        for _ in 0..steps {
            step = proxy.step(&mut store, step);
        }
        let left = match &step {
            Step::Call(calling, call) => {
                // It is under way: done, but nobody waits for it.
                let _ = store.call(R, call);
                calling.leaves_behind()
            }
            Step::SitOut(sitting, _) => sitting.leaves_behind(),
            Step::Stale(_) | Step::Done(..) => None,
        };
        let done = matches!(step, Step::Done(..));
        drop(step);
        if let Some(lease) = left {
            let _ = store.call(R, &Call::Revoke(lease));
        }
        let mut other = Proxy::beside(&proxy);
        match done {
            true => assert_eq!(steps, 5),
            false => {
                assert!(store.leases.is_empty(), "after {steps} steps");
                granted(&other.run(&mut store, acquire("b")));
            }
        }
        if done {
            break;
        }
    }
}

#[test]
fn a_lease_of_that_number_is_there_already() {
    let (mut store, mut proxy) = world();
    let mut step = proxy.begin(acquire("a"));
    while !matches!(step, Step::Call(_, Call::Grant(..))) {
        step = proxy.step(&mut store, step);
    }
    let Step::Call(_, call) = &step else {
        panic!("just seen");
    };
    let _ = store.call(R, call);
    let outcome = proxy.finish(&mut store, step);
    assert_eq!(fault(&outcome), Some(Fault::Contended));
}

#[test]
fn a_record_of_an_earlier_epoch_admits_nothing_and_is_granted_anew() {
    let (mut store, mut proxy) = world();
    let old = granted(&proxy.run(&mut store, acquire_as("a", "1"))).token;
    store.expire(store.locks[R].lease);
    let reseeded = fencegate_core::quorum::Init {
        epoch: 6,
        ..quorum_world::proxy::INIT
    };
    store.put_init(reseeded.encode());
    for other in 0..2 {
        let mut proxy = match other {
            0 => Proxy::beside(&proxy),
            _ => Proxy {
                heard: proxy.heard,
                known: proxy.known.clone(),
                ..Proxy::beside(&proxy)
            },
        };
        // From memory that is still fresh it may be admitted: nobody was granted since.
        proxy.millis += 1_000;
        let outcome = proxy.run(&mut store, write("a", old));
        assert_eq!(reason(&outcome), Some(Reason::NoGrant));
        assert_eq!(proxy.run(&mut store, acquire_as("a", "1")), ENDED);
        let renewed = proxy.run(&mut store, renew("a", old, TTL));
        assert!(
            matches!(&renewed, Outcome::Renewed(Owned::Lost(why)) if why.reason == Reason::NoGrant),
            "{renewed:?}"
        );
    }
    let new = granted(&proxy.run(&mut store, acquire_as("a", "2"))).token;
    assert_eq!(new.epoch(), 6);
}
