//! Who waits for a lease, first come first.
//!
//! A waiter has a ticket and says again and again that it is still there; one that stops saying
//! so is passed over, so that a crash holds nobody up for long.

use crate::codec::take;
use crate::moment::Moment;

/// How many may wait in one place.
pub const WAITERS_MAX: usize = 64;
/// The bytes of one waiter.
pub const WAITER_LEN: usize = 24;

/// Stands for one waiting request. Drawn at random by whoever keeps it waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(pub u64);

/// A change of a queue, stored together with a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueChange {
    /// Take the last place, or keep the one that is had, as somebody who is there until then.
    Join(Ticket, Moment),
    /// Give the place up.
    Leave(Ticket),
}

/// The queue of one resource, among those of others, in the order in which they came.
#[derive(Clone, Copy, Debug, Default)]
pub struct Queue<'a> {
    /// Waiters for this and other resources, as written by [`write_waiter`].
    pub waiters: &'a [[u8; WAITER_LEN]],
    /// Which of them are this resource's.
    pub resource: u64,
}

impl Queue<'_> {
    /// Whether nobody who is there at `now` stands before `ticket`; before nobody's ticket
    /// stand all of them.
    #[must_use]
    pub fn is_next(self, ticket: Option<Ticket>, now: Moment) -> bool {
        let mine = self.iter().filter(|waiter| now < waiter.until);
        let first = mine.map(|waiter| waiter.ticket).next();
        first.is_none() || first == ticket
    }

    /// Until when `ticket` counts as there.
    #[must_use]
    pub fn until(self, ticket: Ticket) -> Option<Moment> {
        let mut mine = self.iter().filter(|waiter| waiter.ticket == ticket);
        mine.next().map(|waiter| waiter.until)
    }

    fn iter(self) -> impl Iterator<Item = Waiter> {
        let all = self.waiters.iter().map(read_waiter);
        all.filter(move |waiter| waiter.resource == self.resource)
    }
}

/// One waiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiter {
    /// For which resource.
    pub resource: u64,
    /// Its ticket.
    pub ticket: Ticket,
    /// Until when it counts as there.
    pub until: Moment,
}

/// A waiter as bytes.
#[must_use]
pub fn write_waiter(waiter: &Waiter) -> [u8; WAITER_LEN] {
    let mut out = [0; WAITER_LEN];
    let fields = [waiter.resource, waiter.ticket.0, waiter.until.nanos()];
    let (chunks, _) = out.as_chunks_mut::<8>();
    for (chunk, field) in chunks.iter_mut().zip(fields) {
        *chunk = field.to_le_bytes();
    }
    out
}

/// Reads a waiter.
#[must_use]
pub fn read_waiter(bytes: &[u8; WAITER_LEN]) -> Waiter {
    let mut rest = &bytes[..];
    // There are exactly three fields in these bytes.
    let mut field = || u64::from_le_bytes(take(&mut rest).unwrap_or_default());
    Waiter {
        resource: field(),
        ticket: Ticket(field()),
        until: Moment::from_nanos(field()),
    }
}

/// The waiters after `change` to the queue of `resource` at `now`; those who are gone go.
/// `None`: there is no room for another one.
#[must_use]
pub fn changed(
    waiters: &[[u8; WAITER_LEN]],
    resource: u64,
    change: QueueChange,
    now: Moment,
) -> Option<Vec<[u8; WAITER_LEN]>> {
    let (QueueChange::Join(ticket, _) | QueueChange::Leave(ticket)) = change;
    let is_mine = |waiter: &Waiter| waiter.resource == resource && waiter.ticket == ticket;
    let mut out: Vec<Waiter> = waiters
        .iter()
        .map(read_waiter)
        .filter(|waiter| now < waiter.until || is_mine(waiter))
        .collect();
    match change {
        QueueChange::Leave(_) => out.retain(|waiter| !is_mine(waiter)),
        QueueChange::Join(_, until) => {
            let waiter = Waiter {
                resource,
                ticket,
                until,
            };
            match out.iter().position(is_mine) {
                Some(at) => out
                    .iter_mut()
                    .skip(at)
                    .take(1)
                    .for_each(|place| *place = waiter),
                None if out.len() >= WAITERS_MAX => return None,
                None => out.push(waiter),
            }
        }
    }
    Some(out.iter().map(write_waiter).collect())
}
