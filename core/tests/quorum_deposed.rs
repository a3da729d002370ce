//! Who heard a keepalive, case by case: one that only a deposed leader heard is none.

mod quorum_world;

use fencegate_core::lease::{Acquired, Leased, Owned};
use fencegate_core::quorum::{Call, LeaseId, Outcome, Wanted};
use fencegate_core::token::Token;
use fencegate_core::verdict::Fault;
use quorum_world::proxy::Fate::{self, Answered, FromDeposed, LastOfLeader};
use quorum_world::proxy::{Proxy, R};
use quorum_world::store::Store;
use quorum_world::*;
use std::time::Duration;

/// How many calls a request has.
const CALLS_MAX: usize = 16;
/// How long the store's own lease runs, for a ttl of 10 s.
const LEASE: u64 = 11;

/// What becomes of the calls of a request that begins at a fresh leader, and after how many calls it
/// is answered with which lease; `None`: 503.
struct Row {
    what: &'static str,
    fates: &'static [Fate],
    /// The number of the last keepalive's call, from 0.
    answered: Option<usize>,
}

const ROWS: [Row; 6] = [
    Row {
        what: "the leader hears it",
        fates: &[],
        answered: Some(0),
    },
    Row {
        what: "only the deposed one hears it, once",
        fates: &[FromDeposed],
        answered: Some(2),
    },
    Row {
        what: "only the deposed one hears it, three times",
        fates: &[FromDeposed, Answered, FromDeposed, Answered, FromDeposed],
        answered: Some(6),
    },
    Row {
        what: "only the deposed one hears it, each time",
        fates: &[FromDeposed; CALLS_MAX],
        answered: None,
    },
    Row {
        what: "the leader hears it and is deposed before the reading",
        fates: &[LastOfLeader],
        answered: Some(2),
    },
    Row {
        what: "the leader is deposed after the reading",
        fates: &[Answered, LastOfLeader],
        answered: Some(0),
    },
];

/// A grant to `a`, after which another one leads and all but a second of the lease is over.
fn before_the_end() -> (Store, Proxy, Token) {
    let (mut store, mut proxy) = world();
    let token = granted(&proxy.run(&mut store, acquire_as("a", "1"))).token;
    store.elect();
    lease(&mut store).left = 1;
    proxy.calls.clear();
    (store, proxy, token)
}

fn lease(store: &mut Store) -> &mut quorum_world::store::Lease {
    let lease = store.locks[R].lease;
    store.leases.get_mut(&lease).expect("it is there")
}

fn told(outcome: &Outcome) -> Option<Leased> {
    match outcome {
        Outcome::Renewed(Owned::Done(leased)) => Some(*leased),
        Outcome::Acquired(Acquired::Granted { leased, resumed }) => {
            assert!(resumed, "granted once");
            Some(*leased)
        }
        outcome => {
            assert_eq!(outcome.fault(), Some(Fault::Unreachable), "{outcome:?}");
            None
        }
    }
}

/// Acts each row; `ahead` calls come before the first keepalive.
fn act(ahead: usize, wanted: impl Fn(Token) -> Wanted) {
    for Row {
        what,
        fates,
        answered,
    } in ROWS
    {
        let (mut store, mut proxy, token) = before_the_end();
        proxy.fates = [Answered].repeat(ahead).into();
        proxy.fates.extend(fates);
        let began = proxy.millis;
        let outcome = proxy.run(&mut store, wanted(token));
        let calls = proxy.calls.len();
        let ends = told(&outcome).map(|leased| {
            assert_eq!(leased.token, token, "{what}");
            Duration::from_millis(proxy.millis - began) + leased.left
        });
        match answered {
            // What is left counts from when that one was sent; each call took a millisecond.
            Some(kept) => {
                let sent = Duration::from_millis((ahead + kept) as u64);
                assert_eq!(ends, Some(sent + TTL), "{what}");
                assert_eq!(calls, ahead + kept + 2, "{what}");
                assert_eq!(proxy.calls[ahead + kept], Call::KeepAlive(LeaseId(1)));
                assert_eq!(lease(&mut store).left, LEASE, "{what}");
            }
            None => {
                assert_eq!(ends, None, "{what}: {outcome:?}");
                assert_eq!(calls, CALLS_MAX, "{what}");
                assert_eq!(lease(&mut store).left, 1, "nobody kept it alive");
            }
        }
    }
}

#[test]
fn a_renewal_counts_what_the_leader_heard_who_still_led_afterwards() {
    act(0, |token| renew("a", token, TTL));
}

#[test]
fn a_repeated_acquire_counts_what_the_leader_heard_who_still_led_afterwards() {
    act(1, |_| acquire_as("a", "1"));
}
