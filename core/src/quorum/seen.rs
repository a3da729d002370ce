//! What the store keeps, as the operations on records see it.
//!
//! The store itself ends a lock, so a lock that is there is a lease that runs, or its lock delay; for
//! how long nobody can tell. One that is not there is over.

use super::kept::Kept;
use super::transaction::Lock;
use crate::machine::Seen;
use crate::moment::Moment;
use crate::queue::Queue;
use crate::record::{Grant, Record};
use crate::spent::Spent;
use core::time::Duration;

/// When to ask again for what is locked.
const LOCKED: Duration = Duration::from_secs(1);

/// What the operations see at `now`, under an init of `epoch`.
pub(super) fn seen(kept: Option<&Kept>, lock: Option<Lock>, epoch: u32, now: Moment) -> Seen<'_> {
    let over = Moment::default();
    let locked = now.after(LOCKED);
    let record = kept.map(|kept| {
        let runs = lock.is_some_and(|lock| lock.since == kept.token.number());
        Record {
            token: kept.token,
            holder: kept.holder.as_deref(),
            // What is of an earlier incarnation admits nothing: as if of an earlier configuration.
            generation: match &kept.grant {
                Some(_) if kept.token.epoch() < epoch => 0,
                _ => kept.generation,
            },
            grant: kept.grant.as_ref().map(|grant| Grant {
                request_id: grant.request_id.as_deref(),
                ttl: grant.ttl,
                ends: if runs { locked } else { over },
                free: if lock.is_some() { locked } else { over },
                released: grant.released,
            }),
        }
    });
    let spent = kept.map_or(&[][..], |kept| &kept.spent);
    Seen {
        record,
        spent: Spent(spent),
        queue: Queue::default(),
    }
}
