//! Renew: prove that the lease is still held, and move its end.

use super::{Leased, Owned, with_grant};
use crate::check::{Presented, confirm, current};
use crate::machine::{Change, Decision, Operation, Seen};
use crate::moment::Moment;
use crate::record::{Grant, Record};
use crate::token::Token;
use crate::verdict::{Reason, Rejection};
use core::convert::Infallible;
use core::time::Duration;

/// A request to move the end of a lease to `ttl` from now. It never shortens one, and never
/// brings back one that has ended: its holder must acquire, and so get a new token.
#[derive(Clone, Copy, Debug)]
pub struct Renew<'a> {
    /// Whose lease, by its token.
    pub presented: Presented<'a>,
    /// How long from now it is to run.
    pub ttl: Duration,
    /// How long after the lease's end nobody else is granted.
    pub lock_delay: Duration,
    /// The generation of the configuration that asks.
    pub generation: u32,
}

/// The outcome of a renewal: what is left, or that the lease is lost.
pub type Renewed = Owned<Leased>;

impl Operation for Renew<'_> {
    type Change = Change;
    type Outcome = Renewed;
    type Plan = Infallible;

    fn decide(&self, seen: &Seen<'_>, now: Moment) -> Decision<Self> {
        let record = match current(seen, self.generation) {
            Ok(record) => record,
            Err(fault) => return Decision::Done(fault.into()),
        };
        match (confirm(self.presented, record, self.generation), record) {
            (Err(lost), _) => Decision::Done(Owned::Lost(lost)),
            (Ok(grant), Some(record)) if now < grant.ends => self.extend(record, grant, now),
            (Ok(_), _) => Decision::Done(Owned::Lost(Rejection {
                reason: Reason::LeaseEnded,
                mark: Some(self.presented.token),
            })),
        }
    }

    fn drawn(&self, plan: Infallible, _: Token, _: Moment) -> (Change, Renewed) {
        match plan {}
    }
}

impl Renew<'_> {
    fn extend(&self, record: &Record<&str>, grant: &Grant<&str>, now: Moment) -> Decision<Self> {
        let ends = grant.ends.max(now.after(self.ttl));
        let leased = Leased {
            token: self.presented.token,
            left: ends.since(now),
        };
        let record = with_grant(record, |grant| {
            grant.ttl = self.ttl;
            grant.ends = ends;
            grant.free = grant.free.max(ends.after(self.lock_delay));
        });
        let change = Change {
            record,
            spend: None,
            queue: None,
        };
        Decision::Store(change, Owned::Done(leased))
    }
}
