//! A grant that drains first: raise, wait, answer.
//!
//! ```text
//!   acquire --free--> raise (pending: the token admits nothing yet, and nobody is told it)
//!                       |  ^ asked again, older writes in flight: 503
//!                       v  |
//!                     older writes? --none, or bound passed--> the lease starts, answered
//! ```
//!
//! Asked again and again under its request id, like a waiter. Whoever stops asking loses the
//! place one ttl after the bound.

use super::both::{Both, Plain, Put, put};
use super::flights::{Drain, Outlook};
use crate::check::current;
use crate::lease::{Acquire, Acquired, NotGranted, Wait};
use crate::machine::{Change, Decision, Operation};
use crate::moment::Moment;
use crate::queue::{QueueChange, Ticket};
use crate::record::{Grant, Record};
use crate::spent::Fingerprint;
use crate::token::Token;
use crate::verdict::Fault;
use core::time::Duration;

/// A request for a lease that is answered when no older write is under way.
#[derive(Clone, Copy, Debug)]
pub struct DrainedGrant<'a> {
    acquire: Acquire<'a>,
    ticket: Option<Ticket>,
    bound: Duration,
}

/// The outcome of a grant that drains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grants {
    /// Answered, one way or the other.
    Answered(Acquired),
    /// The mark is raised, and older writes may be under way. Ask again with the same request id.
    Draining {
        /// How long at most until it is answered.
        retry_after: Duration,
    },
}

impl From<Fault> for Grants {
    fn from(fault: Fault) -> Self {
        Self::Answered(fault.into())
    }
}

impl<'a> DrainedGrant<'a> {
    /// Asks for what `acquire` asks for, under `request_id`: the caller's, or one drawn for it.
    /// A write may be under way for `bound` after its token was superseded.
    #[must_use]
    pub const fn new(acquire: Acquire<'a>, request_id: &'a str, bound: Duration) -> Self {
        Self {
            acquire: Acquire {
                request_id: Some(request_id),
                ..acquire
            },
            ticket: None,
            bound,
        }
    }

    /// The same, in the queue with this ticket.
    #[must_use]
    pub const fn waiting(mut self, ticket: Ticket) -> Self {
        self.ticket = Some(ticket);
        self
    }

    /// The grant that was raised for this request and is not answered yet.
    fn raised<'r, 's>(
        &self,
        record: &'r Record<&'s str>,
        drain: &Drain,
    ) -> Option<&'r Grant<&'s str>> {
        let grant = record.grant.as_ref()?;
        let mine = drain.pending() == Some(record.token)
            && record.holder == Some(self.acquire.holder)
            && grant.request_id == self.acquire.request_id;
        mine.then_some(grant)
    }

    /// Asks again for a grant that was raised.
    fn look(&self, record: &Record<&str>, drain: &Drain, now: Moment) -> Decision<Self> {
        if record.generation < self.acquire.generation {
            let ended = Acquired::NotGranted(NotGranted::GrantEnded);
            return Decision::Done(Grants::Answered(ended));
        }
        match drain.outlook(record.token, self.bound, now) {
            Outlook::Until(end) => Decision::Done(draining(end, now)),
            Outlook::Clear => {
                let (change, acquired) = self.acquire.drawn(None, record.token, now);
                let put = self.start(change, drain, now);
                Decision::Store(put, Grants::Answered(acquired))
            }
        }
    }

    fn start(&self, change: Change, drain: &Drain, now: Moment) -> Put {
        let mut put = put(change, drain, now);
        put.drain = put.drain.with_pending(None).pruned(self.bound, now);
        put
    }

    /// The raise alone: the token admits nothing, and nobody else is granted while the one who
    /// asked may come back.
    fn reserve(&self, mut change: Change, drain: &Drain, now: Moment) -> Put {
        let token = change.record.token;
        if let Some(grant) = &mut change.record.grant {
            grant.released = true;
            grant.ends = now;
            grant.free = now.after(self.bound).after(self.acquire.ttl);
        }
        let mut put = put(change, drain, now);
        put.drain = put.drain.with_pending(Some(token));
        put
    }
}

impl Operation for DrainedGrant<'_> {
    type Change = Put;
    type Outcome = Grants;
    type Plan = (Option<Fingerprint>, Drain);

    fn decide(&self, both: &Both<'_>, now: Moment) -> Decision<Self> {
        let record = match current(&both.seen, self.acquire.generation) {
            Ok(record) => record,
            Err(fault) => return Decision::Done(fault.into()),
        };
        if let Some(record) = record
            && self.raised(record, both.drain).is_some()
        {
            return self.look(record, both.drain, now);
        }
        let acquire = self.acquire;
        match self.ticket {
            None => answered(Plain(acquire).decide(both, now)),
            Some(ticket) => answered(Plain(Wait { acquire, ticket }).decide(both, now)),
        }
    }

    fn drawn(&self, plan: Self::Plan, token: Token, now: Moment) -> (Put, Grants) {
        let (spend, drain) = plan;
        let (mut change, acquired) = self.acquire.drawn(spend, token, now);
        change.queue = self.ticket.map(QueueChange::Leave);
        let raised = drain.raised(token, now);
        match raised.outlook(token, self.bound, now) {
            Outlook::Clear => (self.start(change, &drain, now), Grants::Answered(acquired)),
            Outlook::Until(end) => (self.reserve(change, &drain, now), draining(end, now)),
        }
    }
}

/// The same decision, as one of a grant that drains.
fn answered<'a, O>(decision: Decision<O>) -> Decision<DrainedGrant<'a>>
where
    O: Operation<Change = Put, Outcome = Acquired, Plan = (Option<Fingerprint>, Drain)>,
{
    match decision {
        Decision::Done(acquired) => Decision::Done(Grants::Answered(acquired)),
        Decision::Draw(plan) => Decision::Draw(plan),
        Decision::Store(put, acquired) => Decision::Store(put, Grants::Answered(acquired)),
    }
}

const fn draining(end: Moment, now: Moment) -> Grants {
    Grants::Draining {
        retry_after: end.since(now),
    }
}
