//! Acquire: ask for a lease, and with it for a token above every earlier one.

use super::Leased;
use crate::check::current;
use crate::machine::{Change, Decision, Operation, Seen};
use crate::moment::Moment;
use crate::queue::Ticket;
use crate::record::{Grant, Record};
use crate::spent::Fingerprint;
use crate::token::Token;
use crate::verdict::Fault;
use core::time::Duration;

/// When to ask again where others are before: whoever waits is asked more often than that.
const QUEUE_MOVES: Duration = Duration::from_millis(100);

/// A request for a lease.
#[derive(Clone, Copy, Debug)]
pub struct Acquire<'a> {
    /// What is to be protected.
    pub resource: &'a str,
    /// Who asks.
    pub holder: &'a str,
    /// Names this incarnation of the holder: repeated while its grant lives, it gets the same grant.
    pub request_id: Option<&'a str>,
    /// The mark that the caller has seen; granted only if nothing happened since.
    pub expect_mark: Option<Token>,
    /// How long the lease is to run.
    pub ttl: Duration,
    /// How long after the lease's end nobody else is granted.
    pub lock_delay: Duration,
    /// The generation of the configuration that asks.
    pub generation: u32,
}

/// The outcome of an acquire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acquired {
    /// The lease is the caller's.
    Granted {
        /// What the caller is told.
        leased: Leased,
        /// Whether this repeats the answer to an earlier request of the same id.
        resumed: bool,
    },
    /// It is not.
    NotGranted(NotGranted),
    /// Nobody knows.
    Undecided(Fault),
}

/// Why a lease was not granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotGranted {
    /// Somebody holds it, or its lock delay runs.
    Held {
        /// How long at least.
        retry_after: Duration,
        /// The mark now.
        mark: Token,
    },
    /// Somebody was here since the caller looked: read first.
    MarkMoved {
        /// The mark now.
        mark: Token,
    },
    /// There is no mark to compare the expected one with.
    MarkUnknown,
    /// The grant that answered this request id is over.
    GrantEnded,
}

impl From<Fault> for Acquired {
    fn from(fault: Fault) -> Self {
        Self::Undecided(fault)
    }
}

impl Operation for Acquire<'_> {
    type Change = Change;
    type Outcome = Acquired;
    /// The request id that a new grant would push out of the record.
    type Plan = Option<Fingerprint>;

    fn decide(&self, seen: &Seen<'_>, now: Moment) -> Decision<Self> {
        match self.judge(seen, None, now) {
            Ok(plan) => Decision::Draw(plan),
            Err(outcome) => Decision::Done(outcome),
        }
    }

    fn drawn(&self, spend: Option<Fingerprint>, token: Token, now: Moment) -> (Change, Acquired) {
        let ends = now.after(self.ttl);
        let record = Record {
            token,
            holder: Some(self.holder.to_owned()),
            generation: self.generation,
            grant: Some(Grant {
                request_id: self.request_id.map(str::to_owned),
                ttl: self.ttl,
                ends,
                free: ends.after(self.lock_delay),
                released: false,
            }),
        };
        let leased = Leased {
            token,
            left: self.ttl,
        };
        let granted = Acquired::Granted {
            leased,
            resumed: false,
        };
        let change = Change {
            record,
            spend,
            queue: None,
        };
        (change, granted)
    }
}

impl Acquire<'_> {
    /// The plan for a grant, or why there is none. `ticket` is the caller's place in the queue.
    pub(super) fn judge(
        &self,
        seen: &Seen<'_>,
        ticket: Option<Ticket>,
        now: Moment,
    ) -> Result<Option<Fingerprint>, Acquired> {
        let record = current(seen, self.generation)?;
        if let Some(record) = record
            && let Some(resumed) = self.resume(record, now)
        {
            return Err(resumed);
        }
        if self.fingerprint().is_some_and(|id| seen.spent.contains(id)) {
            return Err(Acquired::NotGranted(NotGranted::GrantEnded));
        }
        let Some(record) = record else {
            return match self.expect_mark {
                None => Ok(None),
                Some(_) => Err(Acquired::NotGranted(NotGranted::MarkUnknown)),
            };
        };
        self.free(record, now).map_err(Acquired::NotGranted)?;
        if !seen.queue.is_next(ticket, now) {
            // Others have waited for it longer; they are asked within a moment.
            return Err(Acquired::NotGranted(NotGranted::Held {
                retry_after: QUEUE_MOVES,
                mark: record.token,
            }));
        }
        Ok(self.spent_by(record))
    }

    fn fingerprint(&self) -> Option<Fingerprint> {
        let id = self.request_id?;
        Some(Fingerprint::of(self.resource, self.holder, id))
    }

    /// The answer to a request that the record already answers.
    fn resume(&self, record: &Record<&str>, now: Moment) -> Option<Acquired> {
        let grant = record.grant.as_ref()?;
        let same = self.request_id.is_some()
            && grant.request_id == self.request_id
            && record.holder == Some(self.holder);
        if !same {
            return None;
        }
        if record.generation < self.generation || !grant.is_held(now) {
            return Some(Acquired::NotGranted(NotGranted::GrantEnded));
        }
        let leased = Leased {
            token: record.token,
            left: grant.ends.since(now),
        };
        Some(Acquired::Granted {
            leased,
            resumed: true,
        })
    }

    fn free(&self, record: &Record<&str>, now: Moment) -> Result<(), NotGranted> {
        let mark = record.token;
        if let Some(grant) = &record.grant
            && now < grant.free
        {
            return Err(NotGranted::Held {
                retry_after: grant.free.since(now),
                mark,
            });
        }
        match self.expect_mark {
            Some(expected) if expected != mark => Err(NotGranted::MarkMoved { mark }),
            _ => Ok(()),
        }
    }

    fn spent_by(&self, record: &Record<&str>) -> Option<Fingerprint> {
        let id = record.grant.as_ref()?.request_id?;
        Some(Fingerprint::of(self.resource, record.holder?, id))
    }
}
