//! A request that may have to ask the authority.
//!
//! ```text
//!   Asking --sent--> Asked --answered--> decide --+--> Done
//!     ^                                           +--> Settling | Raise
//!     \------------- the answer came too late ----/    (bounded)
//! ```

use super::clock::{Instants, RateError};
use super::decide::{Decided, Question};
use super::knowledge::{Knowledge, Learned, Reading};
use crate::moment::Moment;
use crate::verdict::{Fault, Verdict};

/// What the driver must do next.
#[derive(Clone, Debug)]
#[must_use]
pub enum Step<'a> {
    /// Nothing more.
    Done(Verdict),
    /// Send a linearizable read.
    Ask(Asking<'a>),
    /// Wait until then and decide again, or answer 503.
    Settling(Question<'a>, Moment),
    /// Raise the mark in one transaction, learn its answer, and decide again.
    Raise(Question<'a>),
}

/// Is about to ask.
#[derive(Clone, Debug)]
pub struct Asking<'a> {
    question: Question<'a>,
    asks_left: u8,
}

/// Waits for the answer to a read that was sent after the request arrived.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    asking: Asking<'a>,
    sent: Instants,
}

impl<'a> Question<'a> {
    /// Starts from memory; the authority is asked at most `asks_max` times.
    pub fn start<T: Clone + AsRef<str>>(
        self,
        knowledge: &Knowledge<T>,
        rate: RateError,
        asks_max: u8,
        now: Instants,
    ) -> Step<'a> {
        let decided = self.decide(knowledge, rate, now);
        self.step(decided, asks_max)
    }

    fn step(self, decided: Decided, asks_left: u8) -> Step<'a> {
        match decided {
            Decided::Done(verdict) => Step::Done(verdict),
            Decided::Settling(until) => Step::Settling(self, until),
            Decided::Raise => Step::Raise(self),
            Decided::Ask => match asks_left.checked_sub(1) {
                None => Step::Done(Fault::Unreachable.into()),
                Some(asks_left) => Step::Ask(Asking {
                    question: self,
                    asks_left,
                }),
            },
        }
    }
}

impl<'a> Asking<'a> {
    /// The read is sent at `now`.
    #[must_use]
    pub const fn sent(self, now: Instants) -> Asked<'a> {
        Asked {
            asking: self,
            sent: now,
        }
    }
}

impl<'a> Asked<'a> {
    /// Takes the answer at `now`. One that is too old by then admits nothing: it is asked again.
    pub fn answered<T: Clone + AsRef<str>>(
        self,
        answer: Result<&Reading<T>, Fault>,
        knowledge: &mut Knowledge<T>,
        rate: RateError,
        now: Instants,
    ) -> Step<'a> {
        let Asking {
            question,
            asks_left,
        } = self.asking;
        let reading = match answer {
            Ok(reading) => reading,
            Err(fault) => return Step::Done(fault.into()),
        };
        let learned = knowledge.learn(self.sent, reading, now);
        let decided = question.decide_on(knowledge, learned == Learned::Fresh, rate, now);
        question.step(decided, asks_left)
    }
}
