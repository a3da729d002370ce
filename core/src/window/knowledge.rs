//! What one proxy knows of one record, and since when.
//!
//! ```text
//!   reading: of another start (init)  --> everything is forgotten, then learned anew
//!            older version            --> a late answer: changes nothing
//!            same version             --> fresh again, from when it was sent
//!            newer, same mark         --> fresh; learned when it was
//!            newer, higher mark       --> fresh; learned now
//!            newer, lower mark        --> the authority lost something: never fresh
//! ```

use super::clock::{Instants, RateError};
use crate::moment::Moment;
use crate::token::Token;
use core::time::Duration;
use serde::{Deserialize, Serialize};

/// What all proxies of one authority share. Every transaction compares its revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Init {
    /// Its revision; a later one replaces an earlier one.
    pub revision: u64,
    /// The authority's incarnation: a record of a lower epoch admits nothing.
    pub epoch: u32,
    /// How long knowledge may be trusted; at most `wait`.
    pub trust: Duration,
    /// How long a new mark must be waited for.
    pub wait: Duration,
}

/// A record as far as the window is concerned. `T` is the holder's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known<T> {
    /// The mark.
    pub token: Token,
    /// Whom it is bound to.
    pub holder: Option<T>,
    /// Whether it was given back or broken.
    pub released: bool,
    /// Whether somebody waited already, so that no older knowledge is trusted any more.
    pub settled: bool,
}

/// The answer to one linearizable transaction: a read, or a raise that was committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reading<T> {
    /// What it found under init.
    pub init: Init,
    /// The authority's revision when it answered.
    pub header: u64,
    /// The version of what stands for this record in the background read, read in the **same**
    /// transaction.
    pub version: u64,
    /// The record; `None`: none yet.
    pub record: Option<Known<T>>,
}

/// What a reading changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learned {
    /// It is the latest that is known, as of when it was asked for.
    Fresh,
    /// It was overtaken, and changed nothing.
    Late,
    /// The authority contradicts what it said before: it was restored or wiped. Everything but a
    /// mark of this start is forgotten.
    Contradiction,
}

/// One proxy's knowledge of one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Knowledge<T> {
    /// The init under which all the rest was read.
    pub init: Option<Init>,
    /// The highest revision of the authority, and when it was heard of.
    pub header: Option<(u64, Moment)>,
    /// The version under which the record was read.
    pub version: u64,
    /// The record.
    pub record: Option<Known<T>>,
    /// When the read was sent that it is fresh from; `None`: from none.
    pub stamp: Option<Instants>,
    /// When this proxy itself first learned that the mark is what it is. Must not be forgotten
    /// while the record is not settled.
    pub learned: Option<Moment>,
}

impl<T> Default for Knowledge<T> {
    fn default() -> Self {
        Self {
            init: None,
            header: None,
            version: 0,
            record: None,
            stamp: None,
            learned: None,
        }
    }
}

impl<T: Clone> Knowledge<T> {
    /// Takes the answer, at `now`, to a transaction sent at `sent`.
    pub fn learn(&mut self, sent: Instants, reading: &Reading<T>, now: Instants) -> Learned {
        match self.init {
            Some(init) if reading.init.revision < init.revision => return Learned::Late,
            Some(init) if reading.init != init => *self = Self::default(),
            _ => {}
        }
        if let Some((header, heard)) = self.header
            && reading.header < header
        {
            if sent.mono <= heard {
                return Learned::Late;
            }
            *self = Self::default();
            return Learned::Contradiction;
        }
        self.init = Some(reading.init);
        self.header = Some((reading.header, now.mono));
        let known = self.stamp.is_some() || self.record.is_some();
        if known && reading.version < self.version {
            return Learned::Late;
        }
        let (before, mark) = (mark(self.record.as_ref()), mark(reading.record.as_ref()));
        if mark < before {
            self.stamp = None;
            return Learned::Contradiction;
        }
        if mark > before || self.learned.is_none() {
            self.learned = Some(now.mono);
        }
        self.version = reading.version;
        self.record.clone_from(&reading.record);
        self.stamp = self.stamp.max(Some(sent));
        Learned::Fresh
    }

    /// Takes a background read, sent at `sent`, that found `version` in the place that stands for
    /// this record: it makes knowledge under that same version fresh again, and any other not.
    pub fn cover(&mut self, sent: Instants, init: &Init, version: u64) {
        if self.init != Some(*init) || version > self.version {
            self.stamp = None;
        } else if version == self.version && self.stamp.is_some() {
            self.stamp = self.stamp.max(Some(sent));
        }
    }

    /// Whether it may be relied upon at `now`.
    #[must_use]
    pub fn is_fresh(&self, now: Instants) -> bool {
        match (self.init, self.stamp) {
            (Some(init), Some(stamp)) => now.is_within(init.trust, stamp),
            _ => false,
        }
    }

    /// From when the mark may be admitted and answered here; `None`: nothing is known.
    #[must_use]
    pub fn settles(&self, rate: RateError) -> Option<Moment> {
        let (init, record) = (self.init?, self.record.as_ref()?);
        let learned = self.learned?;
        match record.settled {
            true => Some(learned),
            false => Some(learned.after(rate.outlast(init.wait))),
        }
    }
}

fn mark<T>(record: Option<&Known<T>>) -> Option<Token> {
    record.map(|record| record.token)
}
