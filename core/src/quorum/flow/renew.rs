//! Renew: keep the store's lease alive, and read after that whether it is still the record's and
//! whether the leader that heard it still leads: if not, keep it alive again. A longer one than was granted needs another lease of the store's.

use super::call::Put;
use super::{At, CALLS_MAX, Flow, Outcome, Step, Wanted};
use crate::lease::{Leased, Owned, Renew};
use crate::machine::{Decision, Operation};
use crate::moment::Moment;
use crate::quorum::heard::InForce;
use crate::quorum::kept::{Kept, KeptGrant, Number};
use crate::quorum::transaction::{Lock, LockChange};
use crate::token::Token;
use crate::verdict::Fault;
use core::time::Duration;

impl Flow {
    pub(super) fn renew(self, in_force: InForce, at: &mut At<'_>) -> Step {
        let Wanted::Renew { bearer, ttl } = &self.request.wanted else {
            return self.read(at);
        };
        let (token, ttl) = (bearer.token, *ttl);
        let grant = lease_of(token, at);
        if self.unread {
            let own = at
                .known
                .kept()
                .is_some_and(|kept| kept.holder == bearer.holder);
            return match grant {
                // From memory, at first: whether that is right is read afterwards.
                Some(grant) if ttl <= grant.ttl && self.calls_left == CALLS_MAX && own => {
                    let lease = grant.lease;
                    self.keep_alive(lease)
                }
                _ => self.read(at),
            };
        }
        let renew = Renew {
            presented: bearer.presented(),
            ttl,
            lock_delay: at.terms.lock_delay,
            generation: at.terms.generation,
        };
        let seen = at.known.seen(in_force.init.epoch, at.now.mono);
        match renew.decide(&seen, at.now.mono) {
            Decision::Draw(never) => match never {},
            Decision::Done(outcome) => self.done(Outcome::Renewed(outcome)),
            Decision::Store(..) => match (grant, at.known.lock()) {
                (Some(grant), Some(lock)) => {
                    let longer = (ttl > grant.ttl).then_some(ttl);
                    let ttl = grant.ttl;
                    self.extend(token, (ttl, longer), lock, at)
                }
                _ => self.fail(Fault::Unreachable),
            },
        }
    }

    /// Goes on with a lease that is confirmed, unless it was not kept alive or is not long enough.
    fn extend(
        self,
        token: Token,
        (ttl, longer): (Duration, Option<Duration>),
        lock: Lock,
        at: &mut At<'_>,
    ) -> Step {
        let replaced = self.leased.filter(|_| lock.lease == self.request.lease);
        let kept_alive = self.kept_alive.filter(|kept| kept.lease == lock.lease);
        let sent = replaced.or(kept_alive.map(|kept| kept.sent));
        match (longer, sent) {
            (None, Some(sent)) => self.answer_renewal(token, sent.after(ttl), at),
            (None, None) => self.keep_alive(lock.lease),
            (Some(longer), _) if self.leased.is_some() => self.put_longer(longer, lock, at),
            (Some(longer), _) => self.grant(at.terms.lease_seconds(longer)),
        }
    }

    fn put_longer(self, ttl: Duration, lock: Lock, at: &mut At<'_>) -> Step {
        let Some(kept) = at.known.kept() else {
            return self.read(at);
        };
        let longer = Kept {
            grant: kept.grant.clone().map(|grant| KeptGrant {
                ttl,
                lock_delay: at.terms.lock_delay,
                lease: self.request.lease,
                ..grant
            }),
            ..kept.clone()
        };
        let put = Put {
            kept: &longer,
            number: Number::Restated,
            lock_since: Some(lock.since),
            lock: LockChange::Put(self.request.lease),
        };
        self.put(&put, at)
    }

    fn answer_renewal(self, token: Token, ends: Moment, at: &mut At<'_>) -> Step {
        let left = ends.since(at.now.mono);
        if left.is_zero() {
            return self.fail(Fault::Unreachable);
        }
        match self.settle(token, at) {
            Ok(flow) => flow.done(Outcome::Renewed(Owned::Done(Leased { token, left }))),
            Err(step) => step,
        }
    }
}

/// The grant of a token, as known.
fn lease_of<'a>(token: Token, at: &'a At<'_>) -> Option<&'a KeptGrant> {
    let kept = at.known.kept().filter(|kept| kept.token == token)?;
    kept.grant.as_ref().filter(|grant| !grant.released)
}
