//! The one machine that every operation on a record runs in.
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
//! Each state names the one thing that it needs and takes only that answer, so a driver cannot
//! skip a step: a synchronous loop ([`crate::drive`]), a paused request around a call, or a
//! simulator that steps many machines and clones them. What is *decided* is the operation's
//! affair ([`crate::check`], [`crate::lease`]); that it is decided anew after every conflict,
//! on what was read after it, is guaranteed here.
//!
//! What is read and stored is the operation's affair too ([`Replaces`]): the record alone, or the
//! record and the writes under way ([`crate::drain`]), in one piece.

use crate::moment::Moment;
use crate::queue::{Queue, QueueChange};
use crate::record::Record;
use crate::spent::{Fingerprint, Spent};
use crate::token::Token;
use crate::verdict::Fault;
use core::fmt::Debug;

/// What an authority has of a resource.
#[derive(Clone, Debug)]
pub struct Seen<'a> {
    /// The record; `None` only where the authority itself says "none yet".
    pub record: Option<Record<&'a str>>,
    /// The request ids that are over and no longer in the record.
    pub spent: Spent<'a>,
    /// Who waits for it.
    pub queue: Queue<'a>,
}

/// What to store in place of what was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The new record.
    pub record: Record,
    /// A request id that the new record no longer has.
    pub spend: Option<Fingerprint>,
    /// What becomes of the queue.
    pub queue: Option<QueueChange>,
}

/// What can be stored in place of something that was seen.
pub trait Replaces: Clone + Debug {
    /// What it is decided on: all that it replaces, as it was read.
    type Seen<'a>;

    /// The mark that was seen.
    fn mark(seen: &Self::Seen<'_>) -> Option<Token>;
}

impl Replaces for Change {
    type Seen<'a> = Seen<'a>;

    fn mark(seen: &Seen<'_>) -> Option<Token> {
        seen.record.as_ref().map(|record| record.token)
    }
}

/// What an operation decides on.
pub type SeenBy<'a, O> = <<O as Operation>::Change as Replaces>::Seen<'a>;

/// What an operation makes of what was seen.
#[derive(Debug)]
pub enum Decision<O: Operation> {
    /// Nothing to store.
    Done(O::Outcome),
    /// Store this; the outcome holds once it is stored.
    Store(O::Change, O::Outcome),
    /// A new token is needed first.
    Draw(O::Plan),
}

/// A question about one resource, answered by pure functions.
pub trait Operation: Sized {
    /// What it stores, and so what it decides on.
    type Change: Replaces;
    /// The answer. A fault is one of its values.
    type Outcome: From<Fault> + Clone + Debug;
    /// What is remembered until the token is drawn; [`core::convert::Infallible`] where none is.
    type Plan: Clone + Debug;

    /// Decides on what was just read.
    fn decide(&self, seen: &SeenBy<'_, Self>, now: Moment) -> Decision<Self>;

    /// Makes use of a token drawn after that reading.
    fn drawn(&self, plan: Self::Plan, token: Token, now: Moment) -> (Self::Change, Self::Outcome);
}

/// What the driver must do next. `V` is a version of what is stored: whatever a conditional
/// write is conditional on.
#[derive(Clone, Debug)]
#[must_use]
pub enum Step<O: Operation, V> {
    /// Read what is kept.
    Load(Load<O>),
    /// Draw a token.
    Draw(Draw<O, V>),
    /// Store what replaces it.
    Store(Store<O, V>),
    /// Nothing more.
    Done(O::Outcome),
}

/// Waits for what is kept to be read.
#[derive(Clone, Debug)]
pub struct Load<O> {
    operation: O,
    conflicts_left: u8,
}

/// Waits for a token that is drawn after the record was read.
#[derive(Clone, Debug)]
pub struct Draw<O: Operation, V> {
    load: Load<O>,
    plan: O::Plan,
    mark: Option<Token>,
    version: V,
}

/// Waits for what replaces it to be stored.
#[derive(Clone, Debug)]
pub struct Store<O: Operation, V> {
    load: Load<O>,
    change: O::Change,
    outcome: O::Outcome,
    version: V,
}

/// Why a change was not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotStored {
    /// Somebody stored another one since the reading.
    Conflict,
    /// It was not, or may not have been.
    Failed(Fault),
}

impl<O: Operation> Load<O> {
    /// Starts `operation`, which may meet `conflicts_max` conflicts before it gives up as
    /// [`Fault::Contended`].
    pub const fn new(operation: O, conflicts_max: u8) -> Self {
        Self {
            operation,
            conflicts_left: conflicts_max,
        }
    }

    /// Takes what was read at `now`, with its version.
    pub fn loaded<V>(self, answer: Result<(SeenBy<'_, O>, V), Fault>, now: Moment) -> Step<O, V> {
        let (seen, version) = match answer {
            Ok(seen) => seen,
            Err(fault) => return Step::Done(fault.into()),
        };
        match self.operation.decide(&seen, now) {
            Decision::Done(outcome) => Step::Done(outcome),
            Decision::Store(change, outcome) => Step::Store(Store {
                load: self,
                change,
                outcome,
                version,
            }),
            Decision::Draw(plan) => Step::Draw(Draw {
                load: self,
                plan,
                mark: O::Change::mark(&seen),
                version,
            }),
        }
    }

    /// The operation.
    pub const fn operation(&self) -> &O {
        &self.operation
    }
}

impl<O: Operation, V> Draw<O, V> {
    /// Takes the drawn token. One that is not above the mark is never used: the issuer lost count.
    pub fn drawn(self, answer: Result<Token, Fault>, now: Moment) -> Step<O, V> {
        let token = match answer {
            Ok(token) => token,
            Err(fault) => return Step::Done(fault.into()),
        };
        if self.mark.is_some_and(|mark| token <= mark) {
            return Step::Done(Fault::IssuerBehind.into());
        }
        let (change, outcome) = self.load.operation.drawn(self.plan, token, now);
        Step::Store(Store {
            load: self.load,
            change,
            outcome,
            version: self.version,
        })
    }
}

impl<O: Operation, V> Store<O, V> {
    /// What to store, and the version that must still be there.
    pub const fn change(&self) -> (&O::Change, &V) {
        (&self.change, &self.version)
    }

    /// Takes the answer. After a conflict the operation starts again from the reading, since
    /// whoever was faster may outrank us. After a failure it does not: it may have been stored, and
    /// what counts would count twice.
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
