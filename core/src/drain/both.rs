//! What drain stores beside a record, and how any operation on a record runs over both.

use super::flights::Drain;
use crate::machine::{Change, Decision, Operation, Replaces, Seen};
use crate::moment::Moment;
use crate::token::Token;

/// A record and the writes under way, as they were read in one piece.
#[derive(Clone, Debug)]
pub struct Both<'a> {
    /// What is kept of the resource.
    pub seen: Seen<'a>,
    /// What drain needs beside it.
    pub drain: &'a Drain,
}

/// What to store in place of both, in one piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Put {
    /// The new record; `None`: it stays, byte for byte.
    pub change: Option<Change>,
    /// What drain needs from now on.
    pub drain: Drain,
}

impl Replaces for Put {
    type Seen<'a> = Both<'a>;

    fn mark(both: &Both<'_>) -> Option<Token> {
        Change::mark(&both.seen)
    }
}

/// An operation that knows nothing of drain. What it raises supersedes older writes, a break too.
#[derive(Clone, Copy, Debug)]
pub struct Plain<O>(pub O);

impl<O: Operation<Change = Change>> Operation for Plain<O> {
    type Change = Put;
    type Outcome = O::Outcome;
    type Plan = (O::Plan, Drain);

    fn decide(&self, both: &Both<'_>, now: Moment) -> Decision<Self> {
        match self.0.decide(&both.seen, now) {
            Decision::Done(outcome) => Decision::Done(outcome),
            Decision::Draw(plan) => Decision::Draw((plan, both.drain.clone())),
            Decision::Store(change, outcome) => {
                Decision::Store(put(change, both.drain, now), outcome)
            }
        }
    }

    fn drawn(&self, plan: Self::Plan, token: Token, now: Moment) -> (Put, O::Outcome) {
        let (plan, drain) = plan;
        let (change, outcome) = self.0.drawn(plan, token, now);
        (put(change, &drain, now), outcome)
    }
}

/// `change`, and what its mark supersedes.
pub(super) fn put(change: Change, drain: &Drain, now: Moment) -> Put {
    Put {
        drain: drain.raised(change.record.token, now),
        change: Some(change),
    }
}
