//! Release: the holder gives its lease back.

use super::{Owned, with_grant};
use crate::check::{Presented, confirm, current};
use crate::machine::{Change, Decision, Operation, Seen};
use crate::moment::Moment;
use crate::record::Record;
use crate::token::Token;
use crate::verdict::{Reason, Rejection};
use core::convert::Infallible;

/// A request to end a lease. It may come late or twice: it touches only the grant of its own token.
#[derive(Clone, Copy, Debug)]
pub struct Release<'a> {
    /// Whose lease, by its token.
    pub presented: Presented<'a>,
    /// Whether the holder says that all its writes were answered. Without that a write may
    /// still be under way, and the lock delay stays.
    pub writes_answered: bool,
    /// The generation of the configuration that asks.
    pub generation: u32,
}

/// The outcome of a release.
pub type Released = Owned<()>;

impl Operation for Release<'_> {
    type Change = Change;
    type Outcome = Released;
    type Plan = Infallible;

    fn decide(&self, seen: &Seen<'_>, now: Moment) -> Decision<Self> {
        let record = match current(seen, self.generation) {
            Ok(record) => record,
            Err(fault) => return Decision::Done(fault.into()),
        };
        match confirm(self.presented, record, self.generation) {
            Err(lost) => Decision::Done(self.released_before(record, lost)),
            Ok(_) => self.end(record, now),
        }
    }

    fn drawn(&self, plan: Infallible, _: Token, _: Moment) -> (Change, Released) {
        match plan {}
    }
}

impl Release<'_> {
    /// A repeated release is answered like the first.
    fn released_before(&self, record: Option<&Record<&str>>, lost: Rejection) -> Released {
        // A broken lease is bound to nobody: an unnamed holder is not its holder.
        let same_holder = record.is_some_and(|record| {
            record.holder.is_some() && record.holder == self.presented.holder
        });
        if lost.reason == Reason::Released && same_holder {
            Owned::Done(())
        } else {
            Owned::Lost(lost)
        }
    }

    fn end(&self, record: Option<&Record<&str>>, now: Moment) -> Decision<Self> {
        let Some(record) = record else {
            return Decision::Done(Owned::Done(()));
        };
        let record = with_grant(record, |grant| {
            let lock_delay = grant.free.since(grant.ends);
            grant.released = true;
            grant.ends = grant.ends.min(now);
            let free = if self.writes_answered {
                now
            } else {
                grant.ends.after(lock_delay)
            };
            grant.free = grant.free.min(free);
        });
        let change = Change {
            record,
            spend: None,
            queue: None,
        };
        Decision::Store(change, Owned::Done(()))
    }
}
