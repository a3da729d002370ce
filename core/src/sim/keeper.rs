//! A place that keeps one record, and the numbers that tokens are drawn from.
//!
//! The operations of [`crate::lease`], [`crate::check`] and [`crate::drain`] run over it with
//! [`crate::drive`]: the same machines, and the same driver, as in the filter.

use super::who::Name;
use crate::drain::{Both, Drain, Put};
use crate::drive::Authority;
use crate::machine::{Change, NotStored, Seen};
use crate::moment::Moment;
use crate::queue::Queue;
use crate::record::{Grant, Record};
use crate::spent::{SPENT_MAX, Spent};
use crate::start::Start;
use crate::token::Token;
use crate::verdict::Fault;
use serde::{Deserialize, Serialize};

/// The one resource of a story.
pub const RESOURCE: &str = "job:1";
/// The generation of every configuration here.
pub const GENERATION: u32 = 1;

/// One record, and what goes with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keeper {
    /// The record.
    pub record: Option<Record<Name>>,
    /// Counts the stores.
    pub version: u16,
    /// Request ids whose grant is over.
    pub spent: Vec<[u8; 8]>,
    /// The writes under way, where they are counted.
    pub drain: Drain,
    /// The token that nobody trusts older knowledge against any more, where knowledge is trusted for
    /// a while.
    pub settled: Option<Token>,
    /// The highest mark that was ever kept here: for the laws only.
    pub highest: Option<Token>,
}

/// What tokens are drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Numbers {
    /// A counter that somebody keeps on disk.
    Counter {
        /// The epoch, which rises when the counter is set back and somebody cares.
        epoch: u32,
        /// The number drawn last.
        last: u64,
    },
    /// One start of an issuer without a disk.
    Start(Start),
}

/// A keeper at an instant, for a driver: the record, and the writes under way in one piece with it.
pub struct Desk<'w> {
    /// The instant, by the clock that leases are measured with.
    pub now: Moment,
    /// The record.
    pub keeper: &'w mut Keeper,
    /// The numbers; `None` where nothing is granted.
    pub numbers: Option<&'w mut Numbers>,
    /// Whether writes under way are counted here. Where they are not, none ever is.
    pub counts: bool,
}

impl Numbers {
    /// The epoch of the next token.
    #[must_use]
    pub fn epoch(&self) -> u32 {
        match self {
            Self::Counter { epoch, .. } => *epoch,
            Self::Start(start) => start.draw().map_or(0, |(token, _)| token.epoch()),
        }
    }
}

impl Keeper {
    /// The mark.
    #[must_use]
    pub fn mark(&self) -> Option<Token> {
        self.record.as_ref().map(|record| record.token)
    }

    /// Whose the record is.
    #[must_use]
    pub fn holder(&self) -> Option<u8> {
        self.record.as_ref()?.holder?.as_holder()
    }

    /// The grant, if the record is one.
    #[must_use]
    pub fn grant(&self) -> Option<&Grant<Name>> {
        self.record.as_ref()?.grant.as_ref()
    }

    fn seen(&self) -> Seen<'_> {
        Seen {
            record: self.record.as_ref().map(Record::borrowed),
            spent: Spent(&self.spent),
            // Holders here ask again by themselves, or are woken by a message: nobody queues.
            queue: Queue::default(),
        }
    }

    fn put(&mut self, change: &Change) {
        let Record {
            token,
            holder,
            generation,
            grant,
        } = &change.record;
        let name = |text: &String| Name::of(text);
        self.record = Some(Record {
            token: *token,
            holder: holder.as_ref().and_then(name),
            generation: *generation,
            grant: grant.as_ref().map(|grant| Grant {
                request_id: grant.request_id.as_ref().and_then(name),
                ttl: grant.ttl,
                ends: grant.ends,
                free: grant.free,
                released: grant.released,
            }),
        });
        if let Some(fingerprint) = change.spend {
            if self.spent.len() >= SPENT_MAX {
                self.spent.remove(0);
            }
            self.spent.push(fingerprint.0);
        }
        self.highest = self.highest.max(Some(*token));
    }
}

impl Authority for Desk<'_> {
    type Change = Put;
    type Version = u16;

    fn now(&self) -> Moment {
        self.now
    }

    fn load(&mut self) -> Result<(Both<'_>, u16), Fault> {
        let both = Both {
            seen: self.keeper.seen(),
            drain: &self.keeper.drain,
        };
        Ok((both, self.keeper.version))
    }

    fn draw(&mut self) -> Result<Token, Fault> {
        match self.numbers.as_deref_mut() {
            None => Err(Fault::Unreachable),
            Some(Numbers::Start(start)) => {
                let (token, next) = start.draw().map_err(|_| Fault::Full)?;
                *start = next;
                Ok(token)
            }
            Some(Numbers::Counter { epoch, last }) => {
                *last = last.checked_add(1).ok_or(Fault::Full)?;
                Token::new(*epoch, *last).ok_or(Fault::Full)
            }
        }
    }

    fn store(&mut self, put: &Put, version: &u16) -> Result<(), NotStored> {
        if self.keeper.version != *version {
            return Err(NotStored::Conflict);
        }
        self.keeper.version = version.wrapping_add(1);
        if let Some(change) = &put.change {
            self.keeper.put(change);
        }
        if self.counts {
            self.keeper.drain = put.drain.clone();
        }
        Ok(())
    }
}
