//! Release and break: what ends a lease goes into the mark, and the lock goes or is kept for its
//! delay, in one transaction.

use super::acquire::least_token;
use super::call::Put;
use super::{At, Flow, Landed, Outcome, Step, Wanted};
use crate::lease::{Break, Broken, Release};
use crate::machine::{Decision, Operation};
use crate::quorum::heard::InForce;
use crate::quorum::kept::{Kept, Number};
use crate::quorum::terms::seconds;
use crate::quorum::transaction::LockChange;
use crate::token::Token;
use crate::verdict::Fault;
use core::time::Duration;

impl Flow {
    pub(super) fn release(self, in_force: InForce, at: &mut At<'_>) -> Step {
        let Wanted::Release {
            bearer,
            writes_answered,
        } = &self.request.wanted
        else {
            return self.read(at);
        };
        let writes_answered = *writes_answered;
        let release = Release {
            presented: bearer.presented(),
            writes_answered,
            generation: at.terms.generation,
        };
        let seen = at.known.seen(in_force.init.epoch, at.now.mono);
        match release.decide(&seen, at.now.mono) {
            Decision::Draw(never) => match never {},
            Decision::Done(outcome) => self.done(Outcome::Released(outcome)),
            Decision::Store(_, outcome) => match at.known.kept().cloned() {
                None => self.done(Outcome::Released(outcome)),
                Some(kept) => self.put_released(kept, writes_answered, at),
            },
        }
    }

    fn put_released(self, mut kept: Kept, writes_answered: bool, at: &mut At<'_>) -> Step {
        let lock = at.known.lock();
        let delay = kept
            .grant
            .as_ref()
            .map_or(Duration::ZERO, |grant| grant.lock_delay);
        // A lock that is gone has had its delay.
        let stays = !writes_answered && !delay.is_zero() && lock.is_some();
        if stays && self.leased.is_none() {
            return self.grant(seconds(delay));
        }
        if let Some(grant) = &mut kept.grant {
            grant.released = true;
        }
        let put = Put {
            kept: &kept,
            number: Number::Restated,
            lock_since: Some(lock.map_or(0, |lock| lock.since)),
            lock: match (stays, lock) {
                (true, _) => LockChange::Put(self.request.lease),
                (false, Some(_)) => LockChange::Delete,
                (false, None) => LockChange::Keep,
            },
        };
        self.put(&put, at)
    }

    pub(super) fn break_(mut self, in_force: InForce, at: &mut At<'_>) -> Step {
        if let Some(mark) = self.broken_by_this(at) {
            self.landed = Landed::Yes;
            return match self.settle(mark, at) {
                Ok(flow) => flow.done(Outcome::Broken(Broken::Done { mark })),
                Err(step) => step,
            };
        }
        if self.is_lost(at) {
            return self.fail(Fault::Unreachable);
        }
        let break_ = Break {
            resource: &self.request.resource,
            lock_delay: at.terms.lock_delay,
            generation: at.terms.generation,
        };
        let seen = at.known.seen(in_force.init.epoch, at.now.mono);
        let plan = match break_.decide(&seen, at.now.mono) {
            Decision::Done(outcome) | Decision::Store(_, outcome) => {
                return self.done(Outcome::Broken(outcome));
            }
            Decision::Draw(plan) => plan,
        };
        let delay = at.terms.lock_delay;
        if !delay.is_zero() && self.leased.is_none() {
            return self.grant(at.terms.lease_seconds(Duration::ZERO));
        }
        let Some(least) = least_token(in_force, at) else {
            return self.fail(Fault::IssuerBehind);
        };
        let (change, _) = break_.drawn(plan, least, at.now.mono);
        let kept = self.kept(change, at);
        let lock = match (delay.is_zero(), at.known.lock()) {
            (false, _) => LockChange::Put(self.request.lease),
            (true, Some(_)) => LockChange::Delete,
            (true, None) => LockChange::Keep,
        };
        let put = Put {
            kept: &kept,
            number: Number::OfThisPut,
            lock_since: None,
            lock,
        };
        self.put(&put, at)
    }

    /// The mark, if this attempt broke a lease: that of the break, or one that came after it.
    fn broken_by_this(&self, at: &At<'_>) -> Option<Token> {
        let kept = at.known.kept()?;
        let mine = kept.grant.as_ref()?.nonce == self.request.nonce;
        (mine || self.landed == Landed::Yes).then_some(kept.token)
    }
}
