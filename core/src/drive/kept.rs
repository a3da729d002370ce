//! An operation that keeps its own outcome, so that whoever runs it need not know what that is.
//!
//! To a machine all of them look alike: it is compiled once for all operations that store the same.

use crate::machine::{Decision, Operation, Replaces};
use crate::moment::Moment;
use crate::token::Token;
use crate::verdict::Fault;
use core::cell::Cell;
use core::fmt;
use std::rc::Rc;

/// An operation, and what it decided last.
pub(super) struct Kept<O: Operation> {
    operation: O,
    outcome: Cell<O::Outcome>,
}

/// How an operation ended.
#[derive(Clone, Debug)]
pub(super) enum Ended {
    /// As it decided last; it knows how.
    AsDecided,
    /// Before it could.
    Fault(Fault),
}

/// Any operation that stores a `C`.
pub(super) trait Asked<C: Replaces> {
    fn decides<'k>(&'k self, seen: &C::Seen<'_>, now: Moment) -> Decision<&'k dyn Asked<C>>;
}

/// What an operation remembers until a token is drawn.
pub(super) trait Planned<C> {
    fn drawn(&self, token: Token, now: Moment) -> C;
}

struct Plan<'k, O: Operation> {
    of: &'k Kept<O>,
    plan: O::Plan,
}

impl From<Fault> for Ended {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl<O: Operation> Kept<O> {
    pub(super) fn new(operation: O) -> Self {
        // Nobody asks for it before it is decided.
        let outcome = Cell::new(Fault::Contended.into());
        Self { operation, outcome }
    }

    pub(super) fn outcome(self) -> O::Outcome {
        self.outcome.into_inner()
    }
}

impl<O: Operation> Asked<O::Change> for Kept<O> {
    fn decides<'k>(
        &'k self,
        seen: &<O::Change as Replaces>::Seen<'_>,
        now: Moment,
    ) -> Decision<&'k dyn Asked<O::Change>> {
        match self.operation.decide(seen, now) {
            Decision::Done(outcome) => {
                self.outcome.set(outcome);
                Decision::Done(Ended::AsDecided)
            }
            Decision::Store(change, outcome) => {
                self.outcome.set(outcome);
                Decision::Store(change, Ended::AsDecided)
            }
            Decision::Draw(plan) => {
                let plan: Rc<dyn Planned<O::Change> + 'k> = Rc::new(Plan { of: self, plan });
                Decision::Draw(plan)
            }
        }
    }
}

impl<O: Operation> Planned<O::Change> for Plan<'_, O> {
    fn drawn(&self, token: Token, now: Moment) -> O::Change {
        let operation = &self.of.operation;
        let (change, outcome) = operation.drawn(self.plan.clone(), token, now);
        self.of.outcome.set(outcome);
        change
    }
}

impl<C> fmt::Debug for dyn Planned<C> + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Planned")
    }
}

impl<'k, C: Replaces> Operation for &'k dyn Asked<C> {
    type Change = C;
    type Outcome = Ended;
    type Plan = Rc<dyn Planned<C> + 'k>;

    fn decide(&self, seen: &C::Seen<'_>, now: Moment) -> Decision<Self> {
        self.decides(seen, now)
    }

    fn drawn(&self, plan: Self::Plan, token: Token, now: Moment) -> (C, Ended) {
        (plan.drawn(token, now), Ended::AsDecided)
    }
}
