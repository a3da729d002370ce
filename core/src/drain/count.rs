//! Counting a write in and out.

use super::both::{Both, Put};
use super::flights::Drain;
use crate::machine::{Decision, Operation};
use crate::moment::Moment;
use crate::token::Token;
use crate::verdict::Fault;
use core::convert::Infallible;
use core::time::Duration;

/// Counts a write in, before its record is read for the check.
///
/// To keep tokens that were never granted from taking places, a driver may judge first and count
/// in only what would be admitted; it must judge again afterwards.
#[derive(Clone, Copy, Debug)]
pub struct CountIn {
    /// The write's token.
    pub token: Token,
    /// How long after it was superseded a write may still be under way.
    pub bound: Duration,
}

/// Whether a write is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountedIn {
    /// It is: now judge it, and end it with [`CountOut`] or [`Unresolved`], exactly once.
    In,
    /// The token is below this mark, and so the write is stale. It is not counted: what is
    /// rejected again and again must not keep anybody waiting.
    Superseded(Token),
    /// It is not, or nobody knows: do not forward it.
    Undecided(Fault),
}

impl From<Fault> for CountedIn {
    fn from(fault: Fault) -> Self {
        Self::Undecided(fault)
    }
}

impl Operation for CountIn {
    type Change = Put;
    type Outcome = CountedIn;
    type Plan = Infallible;

    fn decide(&self, both: &Both<'_>, now: Moment) -> Decision<Self> {
        if let Some(mark) = both.drain.mark().filter(|mark| self.token < *mark) {
            return Decision::Done(CountedIn::Superseded(mark));
        }
        let drain = both.drain.clone().pruned(self.bound, now);
        match drain.counted_in(self.token) {
            Ok(drain) => Decision::Store(only(drain), CountedIn::In),
            Err(_) => Decision::Done(Fault::Full.into()),
        }
    }

    fn drawn(&self, plan: Infallible, _: Token, _: Moment) -> (Put, CountedIn) {
        match plan {}
    }
}

/// Counts a write out that was rejected, or whose only attempt the origin answered completely.
#[derive(Clone, Copy, Debug)]
pub struct CountOut {
    /// The write's token.
    pub token: Token,
}

/// Counts a write out of which nobody knows whether it was applied, or will be.
#[derive(Clone, Copy, Debug)]
pub struct Unresolved {
    /// The write's token.
    pub token: Token,
}

/// What became of counting a write out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// It is counted out, or was not in any more.
    Out,
    /// Nobody knows. Never repeat it: the write ends with the bound, by itself.
    Undecided(Fault),
}

impl From<Fault> for Counted {
    fn from(fault: Fault) -> Self {
        Self::Undecided(fault)
    }
}

impl Operation for CountOut {
    type Change = Put;
    type Outcome = Counted;
    type Plan = Infallible;

    fn decide(&self, both: &Both<'_>, _: Moment) -> Decision<Self> {
        out(both.drain.counted_out(self.token, false))
    }

    fn drawn(&self, plan: Infallible, _: Token, _: Moment) -> (Put, Counted) {
        match plan {}
    }
}

impl Operation for Unresolved {
    type Change = Put;
    type Outcome = Counted;
    type Plan = Infallible;

    fn decide(&self, both: &Both<'_>, _: Moment) -> Decision<Self> {
        out(both.drain.counted_out(self.token, true))
    }

    fn drawn(&self, plan: Infallible, _: Token, _: Moment) -> (Put, Counted) {
        match plan {}
    }
}

fn out<O: Operation<Change = Put, Outcome = Counted>>(drain: Option<Drain>) -> Decision<O> {
    match drain {
        None => Decision::Done(Counted::Out),
        Some(drain) => Decision::Store(only(drain), Counted::Out),
    }
}

const fn only(drain: Drain) -> Put {
    Put {
        change: None,
        drain,
    }
}

/// What is known of a forwarded write when its stream ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether the answer came from the origin: a proxy makes answers of its own, a 504 among them.
    pub from_origin: bool,
    /// Whether it came to its end: no reset, no time-out, nobody gone.
    pub complete: bool,
    /// How often the write was sent, retries and hedges included.
    pub attempts: u32,
}

impl Answer {
    /// Whether the write is over: [`CountOut`], else [`Unresolved`].
    #[must_use]
    pub const fn ends(self) -> bool {
        self.from_origin && self.complete && self.attempts == 1
    }
}
