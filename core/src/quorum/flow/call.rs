//! The calls of a flow.

use super::{At, Calling, Flow, Stage, Step};
use crate::codec::NameTooLong;
use crate::machine::Change;
use crate::quorum::init::Init;
use crate::quorum::kept::{Kept, KeptGrant, Number};
use crate::quorum::transaction::{Call, LeaseId, LockChange, PutInit, Transaction};
use crate::verdict::Fault;

/// A put of the mark, under the mark that is known.
#[derive(Debug)]
pub(super) struct Put<'a> {
    pub(super) kept: &'a Kept,
    pub(super) number: Number,
    /// The revision since which the lock must be there; 0: there must be none; `None`: either.
    pub(super) lock_since: Option<u64>,
    pub(super) lock: LockChange,
}

impl Flow {
    /// Reads the record, and init where it is not the one that is known.
    pub(super) fn read(self, at: &At<'_>) -> Step {
        let init = at.heard.in_force.map_or(0, |in_force| in_force.at);
        let read = Transaction {
            init,
            mark_at: None,
            lock_since: None,
            mark: None,
            lock: LockChange::Keep,
        };
        self.call(Stage::Read { init }, Call::Transact(read))
    }

    pub(super) fn put(mut self, put: &Put<'_>, at: &At<'_>) -> Step {
        self.over = at.known.at();
        let init = at.heard.in_force.map_or(0, |in_force| in_force.at);
        match transaction(&self.request.resource, put, init, at) {
            Ok(it) => self.call(Stage::Put { init }, Call::Transact(it)),
            Err(NameTooLong) => self.fail(Fault::Full),
        }
    }

    /// Says on the record that the wait is over, if it is still the one that is known.
    pub(super) fn put_settled(self, kept: &Kept, at: &At<'_>) -> Step {
        let init = at.heard.in_force.map_or(0, |in_force| in_force.at);
        let settled = Kept {
            settled: true,
            ..kept.clone()
        };
        let put = Put {
            kept: &settled,
            number: Number::Restated,
            lock_since: None,
            lock: LockChange::Keep,
        };
        match transaction(&self.request.resource, &put, init, at) {
            Ok(it) => self.call(Stage::Settle { init }, Call::Transact(it)),
            Err(NameTooLong) => self.fail(Fault::Full),
        }
    }

    pub(super) fn put_init(self, init: &Init, at: &At<'_>) -> Step {
        let put = PutInit {
            over: at.heard.in_force.map_or(0, |in_force| in_force.at),
            bytes: init.encode(),
        };
        self.call(Stage::PutInit, Call::PutInit(put))
    }

    /// Asks for the lease that it drew a number for.
    pub(super) fn grant(self, seconds: u64) -> Step {
        let grant = Call::Grant(self.request.lease, seconds);
        self.call(Stage::Grant, grant)
    }

    /// What is to be kept after a change by this attempt.
    pub(super) fn kept(&self, change: Change, at: &At<'_>) -> Kept {
        let Change { record, spend, .. } = change;
        let before = at.known.kept();
        let kept = Kept {
            token: record.token,
            holder: record.holder,
            generation: record.generation,
            settled: before.is_some_and(|before| before.token == record.token && before.settled),
            spent: before.map_or_else(Vec::new, |before| before.spent.clone()),
            grant: record.grant.map(|grant| KeptGrant {
                nonce: self.request.nonce,
                request_id: grant.request_id,
                ttl: grant.ttl,
                lock_delay: at.terms.lock_delay,
                lease: self.request.lease,
                released: grant.released,
            }),
        };
        kept.spending(spend)
    }

    pub(super) fn keep_alive(self, lease: LeaseId) -> Step {
        self.call(Stage::KeepAlive(lease), Call::KeepAlive(lease))
    }

    fn call(mut self, stage: Stage, call: Call) -> Step {
        match self.calls_left.checked_sub(1) {
            Some(calls_left) => {
                self.calls_left = calls_left;
                Step::Call(Calling { flow: self, stage }, call)
            }
            None if matches!(stage, Stage::Read { .. } | Stage::KeepAlive(_)) => {
                self.fail(Fault::Unreachable)
            }
            None => self.fail(Fault::Contended),
        }
    }
}

fn transaction(
    resource: &str,
    put: &Put<'_>,
    init: u64,
    at: &At<'_>,
) -> Result<Transaction, NameTooLong> {
    Ok(Transaction {
        init,
        mark_at: Some(at.known.at()),
        lock_since: put.lock_since,
        mark: Some(put.kept.encode(resource, put.number)?),
        lock: put.lock,
    })
}
