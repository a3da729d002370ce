//! Acquire: a lease of the store's own first, then the mark and the lock in one transaction whose
//! revision is the token's number. What is left counts from when the lease was asked for.

use super::call::Put;
use super::{At, Flow, Landed, Outcome, Step, Wanted};
use crate::lease::{Acquire, Acquired, Leased, NotGranted};
use crate::machine::{Decision, Operation};
use crate::moment::Moment;
use crate::quorum::heard::InForce;
use crate::quorum::kept::Number;
use crate::quorum::transaction::LockChange;
use crate::spent::Fingerprint;
use crate::token::Token;
use crate::verdict::Fault;
use core::time::Duration;

impl Flow {
    pub(super) fn acquire(mut self, in_force: InForce, at: &mut At<'_>) -> Step {
        if let Some((token, ttl)) = self.granted_here(in_force, at) {
            self.landed = Landed::Yes;
            let Some(sent) = self.leased else {
                return self.fail(Fault::Unreachable);
            };
            return self.answer_grant(token, sent.after(ttl), false, at);
        }
        if self.landed == Landed::Yes {
            // It was there, and was ended before it could be answered.
            let ended = Acquired::NotGranted(NotGranted::GrantEnded);
            return self.done(Outcome::Acquired(ended));
        }
        if self.is_lost(at) {
            return self.fail(Fault::Unreachable);
        }
        let Some(acquire) = self.as_acquire(at) else {
            return self.fail(Fault::Unreachable);
        };
        let seen = at.known.seen(in_force.init.epoch, at.now.mono);
        match acquire.decide(&seen, at.now.mono) {
            Decision::Done(Acquired::Granted { leased, .. }) => self.resume(leased.token, at),
            Decision::Done(outcome) | Decision::Store(_, outcome) => {
                self.done(Outcome::Acquired(outcome))
            }
            Decision::Draw(spend) => self.grant_anew(spend, in_force, at),
        }
    }

    /// Its own grant, if that is what is kept.
    fn granted_here(&self, in_force: InForce, at: &At<'_>) -> Option<(Token, Duration)> {
        let kept = at.known.kept()?;
        let grant = kept.grant.as_ref()?;
        let mine = grant.nonce == self.request.nonce && !grant.released;
        (mine && kept.token.epoch() == in_force.init.epoch).then_some((kept.token, grant.ttl))
    }

    fn as_acquire(&self, at: &At<'_>) -> Option<Acquire<'_>> {
        let Wanted::Acquire {
            holder,
            request_id,
            expect_mark,
            ttl,
        } = &self.request.wanted
        else {
            return None;
        };
        Some(Acquire {
            resource: &self.request.resource,
            holder,
            request_id: request_id.as_deref(),
            expect_mark: *expect_mark,
            ttl: *ttl,
            lock_delay: at.terms.lock_delay,
            generation: at.terms.generation,
        })
    }

    fn grant_anew(self, spend: Option<Fingerprint>, in_force: InForce, at: &mut At<'_>) -> Step {
        if let Some(wait) = at.heard.closed_for(at.terms, at.now.mono) {
            return self.fail(Fault::Starting(wait));
        }
        let Some(acquire) = self.as_acquire(at) else {
            return self.fail(Fault::Unreachable);
        };
        let ttl = acquire.ttl;
        let Some(sent) = self.leased else {
            return self.grant(at.terms.lease_seconds(ttl));
        };
        if sent.after(ttl) <= at.now.mono {
            return self.fail(Fault::Unreachable);
        }
        let Some(least) = least_token(in_force, at) else {
            return self.fail(Fault::IssuerBehind);
        };
        let (change, _) = acquire.drawn(spend, least, at.now.mono);
        let kept = self.kept(change, at);
        let put = Put {
            kept: &kept,
            number: Number::OfThisPut,
            lock_since: Some(0),
            lock: LockChange::Put(self.request.lease),
        };
        self.put(&put, at)
    }

    /// The same grant again, if the lease can be kept alive.
    fn resume(self, token: Token, at: &mut At<'_>) -> Step {
        let ttl = at
            .known
            .kept()
            .and_then(|kept| Some(kept.grant.as_ref()?.ttl));
        match (at.known.lock(), self.kept_alive, ttl) {
            (Some(lock), Some(kept), Some(ttl)) if lock.lease == kept.lease => {
                self.answer_grant(token, kept.sent.after(ttl), true, at)
            }
            (Some(lock), _, _) => self.keep_alive(lock.lease),
            _ => self.fail(Fault::Unreachable),
        }
    }

    /// Answers a grant that ends at `ends`. One that would arrive dead is none.
    fn answer_grant(self, token: Token, ends: Moment, resumed: bool, at: &mut At<'_>) -> Step {
        let left = ends.since(at.now.mono);
        if left.is_zero() {
            return self.fail(Fault::Unreachable);
        }
        let leased = Leased { token, left };
        match self.settle(token, at) {
            Ok(flow) => flow.done(Outcome::Acquired(Acquired::Granted { leased, resumed })),
            Err(step) => step,
        }
    }
}

/// The least token that a put from now on can make; `None`: the mark is not below that.
pub(super) fn least_token(in_force: InForce, at: &At<'_>) -> Option<Token> {
    let (header, _) = at.heard.header?;
    let least = Token::new(in_force.init.epoch, header.saturating_add(1))?;
    let mark = at.known.kept().map(|kept| kept.token);
    (mark < Some(least)).then_some(least)
}
