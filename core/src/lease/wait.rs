//! Wait: acquire, and if the lease is not free, take a place in the queue.
//!
//! Asked again and again by whoever keeps the request, until it is granted or gives up. The lease
//! starts when it is granted, so none is ever granted that is over already.

use super::{Acquire, Acquired, NotGranted};
use crate::machine::{Change, Decision, Operation, Seen};
use crate::moment::Moment;
use crate::queue::{QueueChange, Ticket};
use crate::record::Record;
use crate::spent::Fingerprint;
use crate::token::Token;
use crate::verdict::Fault;
use core::convert::Infallible;
use core::time::Duration;

/// How long a waiter counts as there without saying so again.
pub const PATIENCE: Duration = Duration::from_secs(2);
/// When it says so again, before that.
const REMINDER: Duration = Duration::from_secs(1);

/// A request that waits for its lease. [`NotGranted::Held`] says that it waits on.
#[derive(Clone, Copy, Debug)]
pub struct Wait<'a> {
    /// What it asks for.
    pub acquire: Acquire<'a>,
    /// Its place.
    pub ticket: Ticket,
}

impl Operation for Wait<'_> {
    type Change = Change;
    type Outcome = Acquired;
    type Plan = Option<Fingerprint>;

    fn decide(&self, seen: &Seen<'_>, now: Moment) -> Decision<Self> {
        match self.acquire.judge(seen, Some(self.ticket), now) {
            Ok(plan) => Decision::Draw(plan),
            Err(held @ Acquired::NotGranted(NotGranted::Held { .. })) => self.stay(seen, held, now),
            Err(outcome) => Decision::Done(outcome),
        }
    }

    fn drawn(&self, plan: Self::Plan, token: Token, now: Moment) -> (Change, Acquired) {
        let (mut change, granted) = self.acquire.drawn(plan, token, now);
        change.queue = Some(QueueChange::Leave(self.ticket));
        (change, granted)
    }
}

impl Wait<'_> {
    /// Takes a place, or says in time that it is still there.
    fn stay(&self, seen: &Seen<'_>, held: Acquired, now: Moment) -> Decision<Self> {
        let soon = now.after(REMINDER);
        let known = seen
            .queue
            .until(self.ticket)
            .is_some_and(|until| soon < until);
        match &seen.record {
            Some(record) if !known => {
                let place = QueueChange::Join(self.ticket, now.after(PATIENCE));
                Decision::Store(queue_only(record, place), held)
            }
            _ => Decision::Done(held),
        }
    }
}

/// A request that waits no longer.
#[derive(Clone, Copy, Debug)]
pub struct Leave {
    /// Its place.
    pub ticket: Ticket,
}

/// What became of a place that was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// Nobody has it any more.
    Done,
    /// It runs out by itself.
    Undecided(Fault),
}

impl From<Fault> for Left {
    fn from(fault: Fault) -> Self {
        Self::Undecided(fault)
    }
}

impl Operation for Leave {
    type Change = Change;
    type Outcome = Left;
    type Plan = Infallible;

    fn decide(&self, seen: &Seen<'_>, _: Moment) -> Decision<Self> {
        match &seen.record {
            Some(record) if seen.queue.until(self.ticket).is_some() => Decision::Store(
                queue_only(record, QueueChange::Leave(self.ticket)),
                Left::Done,
            ),
            _ => Decision::Done(Left::Done),
        }
    }

    fn drawn(&self, plan: Infallible, _: Token, _: Moment) -> (Change, Left) {
        match plan {}
    }
}

fn queue_only(record: &Record<&str>, queue: QueueChange) -> Change {
    Change {
        record: record.to_owned(),
        spend: None,
        queue: Some(queue),
    }
}
