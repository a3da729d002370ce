//! Break: an operator ends somebody's lease.
//!
//! The mark is raised to a token that nobody holds, so the broken holder's writes are stale at
//! once. It said nothing about writes under way: the lock delay runs from now.

use crate::check::current;
use crate::machine::{Change, Decision, Operation, Seen};
use crate::moment::Moment;
use crate::record::{Grant, Record};
use crate::spent::Fingerprint;
use crate::token::Token;
use crate::verdict::Fault;
use core::time::Duration;

/// A request to end whatever lease a resource has.
#[derive(Clone, Copy, Debug)]
pub struct Break<'a> {
    /// Whose lease is broken.
    pub resource: &'a str,
    /// How long nobody is granted afterwards.
    pub lock_delay: Duration,
    /// The generation of the configuration that asks.
    pub generation: u32,
}

/// The outcome of a break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// The lease is over.
    Done {
        /// The mark now.
        mark: Token,
    },
    /// There was nothing to break.
    NoGrant,
    /// Nobody knows.
    Undecided(Fault),
}

impl From<Fault> for Broken {
    fn from(fault: Fault) -> Self {
        Self::Undecided(fault)
    }
}

/// What is remembered of the broken grant.
#[derive(Clone, Copy, Debug)]
pub struct BrokenGrant {
    ttl: Duration,
    spend: Option<Fingerprint>,
}

impl Operation for Break<'_> {
    type Change = Change;
    type Outcome = Broken;
    type Plan = BrokenGrant;

    fn decide(&self, seen: &Seen<'_>, _: Moment) -> Decision<Self> {
        match current(seen, self.generation) {
            Err(fault) => Decision::Done(fault.into()),
            Ok(record) => match record.and_then(|record| self.broken(record)) {
                None => Decision::Done(Broken::NoGrant),
                Some(plan) => Decision::Draw(plan),
            },
        }
    }

    fn drawn(&self, plan: BrokenGrant, token: Token, now: Moment) -> (Change, Broken) {
        let record = Record {
            token,
            holder: None,
            generation: self.generation,
            grant: Some(Grant {
                request_id: None,
                ttl: plan.ttl,
                ends: now,
                free: now.after(self.lock_delay),
                released: true,
            }),
        };
        let change = Change {
            record,
            spend: plan.spend,
            queue: None,
        };
        (change, Broken::Done { mark: token })
    }
}

impl Break<'_> {
    fn broken(&self, record: &Record<&str>) -> Option<BrokenGrant> {
        let grant = record.grant.as_ref()?;
        let spend = match (record.holder, grant.request_id) {
            (Some(holder), Some(id)) => Some(Fingerprint::of(self.resource, holder, id)),
            _ => None,
        };
        Some(BrokenGrant {
            ttl: grant.ttl,
            spend,
        })
    }
}
