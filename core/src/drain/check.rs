//! The check of a write with external tokens, where the first higher one drains.
//!
//! It raises the mark, and is admitted when no older write is under way. So is every other write
//! with that token: a second one must not overtake the first.

use super::both::{Both, Put, put};
use super::flights::{Drain, Outlook};
use crate::check::{Access, Check};
use crate::machine::{Decision, Operation};
use crate::moment::Moment;
use crate::token::Token;
use crate::verdict::{Fault, Verdict};
use core::convert::Infallible;
use core::time::Duration;

/// A check that admits a write only when no older write is under way.
#[derive(Clone, Copy, Debug)]
pub struct DrainedCheck<'a> {
    /// The check.
    pub check: Check<'a>,
    /// How long after it was superseded a write may still be under way.
    pub bound: Duration,
}

/// The answer of a check that drains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrainedVerdict {
    /// Decided.
    Decided(Verdict),
    /// The mark is the write's own, but older writes may be under way: ask again.
    Draining {
        /// How long at most until it is decided.
        retry_after: Duration,
    },
}

impl From<Fault> for DrainedVerdict {
    fn from(fault: Fault) -> Self {
        Self::Decided(fault.into())
    }
}

impl DrainedCheck<'_> {
    fn after_drain(&self, drain: &Drain, verdict: Verdict, now: Moment) -> DrainedVerdict {
        let admits_write =
            matches!(verdict, Verdict::Admit(_)) && self.check.access == Access::Write;
        if !admits_write {
            return DrainedVerdict::Decided(verdict);
        }
        match drain.outlook(self.check.presented.token, self.bound, now) {
            Outlook::Clear => DrainedVerdict::Decided(verdict),
            Outlook::Until(end) => DrainedVerdict::Draining {
                retry_after: end.since(now),
            },
        }
    }
}

impl Operation for DrainedCheck<'_> {
    type Change = Put;
    type Outcome = DrainedVerdict;
    type Plan = Infallible;

    fn decide(&self, both: &Both<'_>, now: Moment) -> Decision<Self> {
        match self.check.decide(&both.seen, now) {
            Decision::Done(verdict) => Decision::Done(self.after_drain(both.drain, verdict, now)),
            Decision::Draw(plan) => match plan {},
            Decision::Store(change, verdict) => {
                let put = put(change, both.drain, now);
                let verdict = self.after_drain(&put.drain, verdict, now);
                Decision::Store(put, verdict)
            }
        }
    }

    fn drawn(&self, plan: Infallible, _: Token, _: Moment) -> (Put, DrainedVerdict) {
        match plan {}
    }
}
