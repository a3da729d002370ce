//! What drain needs beside a record: which writes are under way, by token.
//!
//! ```text
//!            in                     out: open = 0, none unresolved
//!   (none) -----> open n ---------------------------------------> (none)
//!                   |  unresolved                                    ^
//!                   +------------> unresolved ---superseded, bound---+
//! ```

use crate::moment::Moment;
use crate::token::Token;
use core::time::Duration;
use serde::{Deserialize, Serialize};

/// How many tokens of one resource may have writes under way at once. One more gets no count,
/// and so is not forwarded.
pub const FLIGHTS_MAX: usize = 16;
/// A count that has come so high is not known any more, and never falls.
pub const COUNT_MAX: u16 = u16::MAX;

/// The writes under way with one token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flight {
    /// Their token.
    pub token: Token,
    /// How many are counted in and not ended; [`COUNT_MAX`]: nobody knows.
    pub open: u16,
    /// Whether one of them ended in a way that leaves open whether it was applied, or still will be.
    pub unresolved: bool,
    /// When the mark first rose above the token.
    pub superseded: Option<Moment>,
}

impl Flight {
    const fn is_over(&self) -> bool {
        self.open == 0 && !self.unresolved
    }

    /// When the last of them is surely over, where that is known.
    fn ends(&self, bound: Duration) -> Option<Moment> {
        self.superseded.map(|at| at.after(bound))
    }
}

/// What is known of writes older than a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlook {
    /// None is under way.
    Clear,
    /// Some may be, at the latest until then.
    Until(Moment),
}

/// What drain needs of one resource. Stored in one value with the record, so that both change
/// together or not at all.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drain {
    pub(super) mark: Option<Token>,
    pub(super) pending: Option<Token>,
    pub(super) flights: Vec<Flight>,
}

/// Every token that could have a place has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoPlace;

impl Drain {
    /// The writes under way, by rising token.
    #[must_use]
    pub fn flights(&self) -> &[Flight] {
        &self.flights
    }

    /// The highest token that superseded others here. A token below it is surely stale.
    #[must_use]
    pub const fn mark(&self) -> Option<Token> {
        self.mark
    }

    /// The token that was raised for a grant which is not answered yet.
    #[must_use]
    pub const fn pending(&self) -> Option<Token> {
        self.pending
    }

    /// Whether nothing would be lost by forgetting it at `now`.
    #[must_use]
    pub fn is_forgettable(&self, bound: Duration, now: Moment) -> bool {
        self.pending.is_none()
            && self
                .flights
                .iter()
                .all(|flight| is_gone(flight, bound, now))
    }

    /// Whether writes older than `token` are under way at `now`.
    #[must_use]
    pub fn outlook(&self, token: Token, bound: Duration, now: Moment) -> Outlook {
        let older = self.flights.iter().filter(|flight| flight.token < token);
        // What is older and yet not superseded ends a bound after now, at the earliest.
        let ends = older.map(|flight| flight.ends(bound).unwrap_or_else(|| now.after(bound)));
        match ends.max() {
            Some(end) if now < end => Outlook::Until(end),
            _ => Outlook::Clear,
        }
    }

    /// Counts a write of `token` in.
    pub(super) fn counted_in(&self, token: Token) -> Result<Self, NoPlace> {
        let mut out = self.clone();
        let at = out.flights.partition_point(|flight| flight.token < token);
        let full = out.flights.len() >= FLIGHTS_MAX;
        match out.flights.get_mut(at) {
            Some(flight) if flight.token == token => flight.open = flight.open.saturating_add(1),
            _ if full => return Err(NoPlace),
            _ => out.flights.insert(
                at,
                Flight {
                    token,
                    open: 1,
                    unresolved: false,
                    superseded: None,
                },
            ),
        }
        Ok(out)
    }

    /// Counts a write of `token` out; `None`: there is nothing to change.
    pub(super) fn counted_out(&self, token: Token, unresolved: bool) -> Option<Self> {
        let mut out = self.clone();
        let flight = out
            .flights
            .iter_mut()
            .find(|flight| flight.token == token)?;
        if flight.open < COUNT_MAX {
            flight.open = flight.open.saturating_sub(1);
        }
        flight.unresolved |= unresolved;
        out.flights.retain(|flight| !flight.is_over());
        (out != *self).then_some(out)
    }

    /// The mark is `token` from `now` on: what is older is superseded, if it was not before.
    pub(super) fn raised(&self, token: Token, now: Moment) -> Self {
        let mut out = self.clone();
        if out.mark.is_none_or(|mark| mark < token) {
            out.mark = Some(token);
            out.pending = None;
        }
        for flight in &mut out.flights {
            if flight.token < token {
                flight.superseded = flight.superseded.or(Some(now));
            }
        }
        out
    }

    /// The same, without what is surely over.
    pub(super) fn pruned(mut self, bound: Duration, now: Moment) -> Self {
        self.flights.retain(|flight| !is_gone(flight, bound, now));
        self
    }

    /// The same, where the grant of `token` is answered or not.
    pub(super) fn with_pending(mut self, pending: Option<Token>) -> Self {
        self.pending = pending;
        self
    }
}

fn is_gone(flight: &Flight, bound: Duration, now: Moment) -> bool {
    flight.ends(bound).is_some_and(|end| now >= end)
}
