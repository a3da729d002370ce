//! Somebody who sees everything, and remembers what the laws need.
//!
//! No machine may look at it. It counts *turns*: the grants in the order of truth, whatever the
//! tokens say. That is what makes a law about tokens more than a law about numbers.

use super::clock::Millis;
use super::law::Law;
use super::message::Half;
use super::who::NOBODY;
use crate::token::Token;
use serde::{Deserialize, Serialize};

/// What it remembers.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Witness {
    /// Every grant, in the order of truth.
    pub grants: Vec<Given>,
    /// How often the issuer started with nothing of before.
    pub start: u8,
    /// Turns below this are not admitted any more.
    pub floor: u8,
    /// The newest turn of which a write landed.
    pub landed: u8,
    /// The highest token that was written to the report.
    pub sealed: Option<Token>,
    /// Whom each admitted token was bound to.
    pub bound: Vec<(Token, u8)>,
    /// Whether the report was whole once.
    pub was_whole: bool,
    /// Since when somebody wants the lease, nobody has it, and nothing stands in the way: neither
    /// a fault, after which everything may take its time once more, nor a new grant.
    pub wanted_since: Option<Millis>,
    /// What was seen to break a law, the first time for each.
    pub breaches: Vec<Breach>,
}

/// A grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// To whom.
    pub holder: u8,
    /// With which token.
    pub token: Option<Token>,
    /// In which start of the issuer.
    pub start: u8,
}

/// What broke a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Breach {
    /// The law.
    pub law: Law,
    /// Who did it.
    pub by: u8,
    /// To whom it was done.
    pub against: Option<u8>,
    /// The token that should not have been answered.
    pub token: Option<Token>,
    /// The token that it is held against.
    pub held_against: Option<Token>,
}

impl Witness {
    /// Counts a grant and says its turn.
    pub(super) fn granted(&mut self, holder: u8, token: Option<Token>) -> u8 {
        self.grants.push(Given {
            holder,
            token,
            start: self.start,
        });
        self.disturbed();
        self.turns()
    }

    /// Something took away what was waited for, or something new is to be waited for.
    pub(super) const fn disturbed(&mut self) {
        self.wanted_since = None;
    }

    /// A write of this turn has made this of the report. Whoever was not replaced may be in the
    /// middle of its work; nobody else may leave it so.
    pub(super) fn wrote(&mut self, [first, second]: [Half; 2], by: u8, turn: u8) {
        if first == second {
            self.was_whole |= first.is_some();
            return;
        }
        let is_mixed = first.is_some() && second.is_some();
        let newer = self.replaced(by, turn).copied();
        if let Some(newer) = newer.filter(|_| is_mixed || self.was_whole) {
            self.note(Breach {
                law: Law::ReportStaysWhole,
                by,
                against: Some(newer.holder),
                token: None,
                held_against: newer.token,
            });
        }
    }

    /// How many grants there were.
    #[must_use]
    pub fn turns(&self) -> u8 {
        u8::try_from(self.grants.len()).unwrap_or(u8::MAX)
    }

    /// The grant of a turn.
    #[must_use]
    pub fn grant(&self, turn: u8) -> Option<&Given> {
        self.grants.get(usize::from(turn).checked_sub(1)?)
    }

    /// The newest grant after this turn to somebody else than this holder. A break grants nobody
    /// anything.
    #[must_use]
    pub fn replaced(&self, holder: u8, turn: u8) -> Option<&Given> {
        let after = self.grants.get(usize::from(turn)..).unwrap_or_default();
        let others = |given: &&Given| given.holder != holder && given.holder != NOBODY;
        after.iter().rev().find(others)
    }

    /// From now on nothing older is admitted.
    pub(super) fn raise_floor(&mut self, turn: u8) {
        self.floor = self.floor.max(turn);
    }

    /// Somebody lets a write through.
    pub(super) fn admitted(&mut self, by: u8, turn: u8, token: Option<Token>, blind: bool) {
        let newest = self.grant(self.floor).copied();
        let breach = |law| Breach {
            law,
            by,
            against: newest.map(|given| given.holder),
            token,
            held_against: newest.and_then(|given| given.token),
        };
        if turn < self.floor {
            self.note(breach(Law::StaleNeverAdmitted));
        }
        if blind {
            self.note(breach(Law::UnknownIsNotEmpty));
        }
        if let Some(token) = token {
            match self.bound.iter().find(|(bound, _)| *bound == token) {
                Some(&(_, holder)) if holder != by => self.note(Breach {
                    against: Some(holder),
                    held_against: Some(token),
                    ..breach(Law::EqualTokenOneHolder)
                }),
                Some(_) => {}
                None => self.bound.push((token, by)),
            }
        }
        self.raise_floor(turn);
    }

    /// Somebody refuses a write for its token.
    pub(super) fn refused(&mut self, by: u8, turn: u8, token: Option<Token>, mark: Option<Token>) {
        if turn > 0 && turn == self.turns() && mark > token {
            self.note(Breach {
                law: Law::NewestNotRefused,
                by,
                against: None,
                token,
                held_against: mark,
            });
        }
    }

    pub(super) fn note(&mut self, breach: Breach) {
        if self.breach(breach.law).is_none() {
            self.breaches.push(breach);
        }
    }

    /// What broke a law first.
    #[must_use]
    pub fn breach(&self, law: Law) -> Option<&Breach> {
        self.breaches.iter().find(|breach| breach.law == law)
    }
}
