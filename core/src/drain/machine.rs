//! The machine for operations on a record *and* what drain needs beside it.
//!
//! ```text
//!            +-------------------------- conflict: judge again ---------------------------+
//!            v                                                                            |
//!   Load --loaded--> decide --+--> Done(outcome)                                          |
//!                             +--> Draw --drawn--+                                        |
//!                             +------------------+--> Store --stored--+--> Done(outcome)  |
//!                                                                     +-------------------+
//! ```
//!
//! The same as [`crate::machine`], on the larger value. [`Plain`] runs any operation of there in
//! it: whatever raises the mark supersedes older writes, a break too.

use super::flights::Drain;
use crate::machine::{Change, NotStored, Operation, Seen};
use crate::moment::Moment;
use crate::token::Token;
use crate::verdict::Fault;
use core::fmt::Debug;

/// What to store in place of what was seen, in one piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Put {
    /// The new record; `None`: it stays, byte for byte.
    pub change: Option<Change>,
    /// What drain needs from now on.
    pub drain: Drain,
}

/// What an operation makes of what was seen.
#[derive(Debug)]
pub enum Decision<O: Beside> {
    /// Nothing to store.
    Done(O::Outcome),
    /// Store this; the outcome holds once it is stored.
    Store(Box<Put>, O::Outcome),
    /// A new token is needed first.
    Draw(O::Plan),
}

/// A question about a record and the writes under way, answered by pure functions.
pub trait Beside: Sized {
    /// The answer. A fault is one of its values.
    type Outcome: From<Fault> + Clone + Debug;
    /// What is remembered until the token is drawn; [`core::convert::Infallible`] where none is.
    type Plan: Clone + Debug;

    /// Decides on what was just read.
    fn decide(&self, seen: &Seen<'_>, drain: &Drain, now: Moment) -> Decision<Self>;

    /// Makes use of a token drawn after that reading.
    fn drawn(
        &self,
        plan: Self::Plan,
        drain: &Drain,
        token: Token,
        now: Moment,
    ) -> (Put, Self::Outcome);
}

/// An operation that knows nothing of drain. What it raises supersedes older writes.
#[derive(Clone, Copy, Debug)]
pub struct Plain<O>(pub O);

impl<O: Operation> Beside for Plain<O> {
    type Outcome = O::Outcome;
    type Plan = O::Plan;

    fn decide(&self, seen: &Seen<'_>, drain: &Drain, now: Moment) -> Decision<Self> {
        match self.0.decide(seen, now) {
            crate::machine::Decision::Done(outcome) => Decision::Done(outcome),
            crate::machine::Decision::Draw(plan) => Decision::Draw(plan),
            crate::machine::Decision::Store(change, outcome) => {
                Decision::Store(Box::new(put(change, drain, now)), outcome)
            }
        }
    }

    fn drawn(&self, plan: O::Plan, drain: &Drain, token: Token, now: Moment) -> (Put, O::Outcome) {
        let (change, outcome) = self.0.drawn(plan, token, now);
        (put(change, drain, now), outcome)
    }
}

/// `change`, and what its mark supersedes.
pub(super) fn put(change: Change, drain: &Drain, now: Moment) -> Put {
    Put {
        drain: drain.raised(change.record.token, now),
        change: Some(change),
    }
}

/// What the driver must do next.
#[derive(Clone, Debug)]
#[must_use]
pub enum Step<O: Beside, V> {
    /// Read the record and what drain needs, in one piece.
    Load(Load<O>),
    /// Draw a token.
    Draw(Draw<O, V>),
    /// Store both.
    Store(Store<O, V>),
    /// Nothing more.
    Done(O::Outcome),
}

/// Waits for both to be read.
#[derive(Clone, Debug)]
pub struct Load<O> {
    operation: O,
    conflicts_left: u8,
}

/// Waits for a token that is drawn after the reading.
#[derive(Clone, Debug)]
pub struct Draw<O: Beside, V> {
    load: Load<O>,
    plan: O::Plan,
    drain: Drain,
    mark: Option<Token>,
    version: V,
}

/// Waits for both to be stored.
#[derive(Clone, Debug)]
pub struct Store<O: Beside, V> {
    load: Load<O>,
    put: Put,
    outcome: O::Outcome,
    version: V,
}

impl<O: Beside> Load<O> {
    /// Starts `operation`, which may meet `conflicts_max` conflicts before it gives up as
    /// [`Fault::Contended`].
    pub const fn new(operation: O, conflicts_max: u8) -> Self {
        Self {
            operation,
            conflicts_left: conflicts_max,
        }
    }

    /// Takes what was read at `now`, with its version.
    pub fn loaded<V>(
        self,
        answer: Result<(Seen<'_>, &Drain, V), Fault>,
        now: Moment,
    ) -> Step<O, V> {
        let (seen, drain, version) = match answer {
            Ok(seen) => seen,
            Err(fault) => return Step::Done(fault.into()),
        };
        match self.operation.decide(&seen, drain, now) {
            Decision::Done(outcome) => Step::Done(outcome),
            Decision::Store(put, outcome) => Step::Store(Store {
                load: self,
                put: *put,
                outcome,
                version,
            }),
            Decision::Draw(plan) => Step::Draw(Draw {
                load: self,
                plan,
                drain: drain.clone(),
                mark: seen.record.map(|record| record.token),
                version,
            }),
        }
    }
}

impl<O: Beside, V> Draw<O, V> {
    /// Takes the drawn token. One that is not above the mark is never used: the issuer lost count.
    pub fn drawn(self, answer: Result<Token, Fault>, now: Moment) -> Step<O, V> {
        let token = match answer {
            Ok(token) => token,
            Err(fault) => return Step::Done(fault.into()),
        };
        if self.mark.is_some_and(|mark| token <= mark) {
            return Step::Done(Fault::IssuerBehind.into());
        }
        let Self { load, plan, .. } = self;
        let (put, outcome) = load.operation.drawn(plan, &self.drain, token, now);
        Step::Store(Store {
            load,
            put,
            outcome,
            version: self.version,
        })
    }
}

impl<O: Beside, V> Store<O, V> {
    /// What to store, and the version that must still be there.
    pub const fn put(&self) -> (&Put, &V) {
        (&self.put, &self.version)
    }

    /// Takes the answer. After a conflict the operation starts again from the reading. After a
    /// failure it does not: it may have been stored, and a write counted out twice takes the
    /// count of another one.
    pub fn stored(self, answer: Result<(), NotStored>) -> Step<O, V> {
        match answer {
            Ok(()) => Step::Done(self.outcome),
            Err(NotStored::Failed(fault)) => Step::Done(fault.into()),
            Err(NotStored::Conflict) => match self.load.conflicts_left.checked_sub(1) {
                Some(conflicts_left) => Step::Load(Load {
                    conflicts_left,
                    ..self.load
                }),
                None => Step::Done(Fault::Contended.into()),
            },
        }
    }
}

/// An authority that answers at once, about one resource and the writes under way on it.
pub trait Authority {
    /// What a conditional write is conditional on.
    type Version;

    /// The time, on the clock that leases and the bound are measured with.
    fn now(&self) -> Moment;

    /// Reads the record, what drain needs, and the version of both.
    ///
    /// # Errors
    /// Any reason for which it cannot be told what they are.
    fn load(&mut self) -> Result<(Seen<'_>, Drain, Self::Version), Fault>;

    /// Draws a token above every token drawn before.
    ///
    /// # Errors
    /// Any reason for which none can be drawn now.
    fn draw(&mut self) -> Result<Token, Fault>;

    /// Stores `put` if `version` is still the stored one.
    ///
    /// # Errors
    /// A conflict, or a fault.
    fn store(&mut self, put: &Put, version: &Self::Version) -> Result<(), NotStored>;
}

/// Runs `operation` to its outcome, with at most `conflicts_max` conflicts judged again.
pub fn drive<A: Authority, O: Beside>(
    authority: &mut A,
    operation: O,
    conflicts_max: u8,
) -> O::Outcome {
    let mut step = Step::Load(Load::new(operation, conflicts_max));
    loop {
        step = match step {
            Step::Load(state) => {
                let now = authority.now();
                match authority.load() {
                    Ok((seen, drain, version)) => state.loaded(Ok((seen, &drain, version)), now),
                    Err(fault) => state.loaded(Err(fault), now),
                }
            }
            Step::Draw(state) => {
                let token = authority.draw();
                state.drawn(token, authority.now())
            }
            Step::Store(state) => {
                let (put, version) = state.put();
                let answer = authority.store(put, version);
                state.stored(answer)
            }
            Step::Done(outcome) => return outcome,
        }
    }
}
