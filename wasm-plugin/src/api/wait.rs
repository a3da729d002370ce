//! An acquire that waits for its lease in memory.
//!
//! It is kept, and asked for again by the tick. All it is, is a wish; its place in the queue is in
//! the shared records, where the other workers see it.

use super::wish::{Outcome, Wish};
use super::{Answer, Api, Said};
use crate::memory::Memory;
use crate::reply::Problem;
use core::time::Duration;
use fencegate_core::lease::{Acquired, Leave, Left, NotGranted, Wait};
use fencegate_core::moment::Moment;
use fencegate_core::queue::Ticket;
use fencegate_core::verdict::Fault;

/// A wish that is kept until it is granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    wish: Wish,
    ticket: Ticket,
    /// When its request arrived.
    pub(super) arrived: Moment,
    /// When it gives up.
    gives_up: Moment,
}

impl Api<'_> {
    /// Asks for a lease that may be waited for.
    pub(super) fn begin_wait(&mut self, memory: &Memory, wish: Wish, wait: Duration) -> Answer {
        let random = self.host.random();
        let waiting = Waiting {
            wish,
            ticket: Ticket(random.map_err(|_| Problem::of_fault(Fault::Unreachable))?),
            arrived: self.arrived,
            gives_up: self.arrived.after(wait),
        };
        match self.ask_waiting(memory, &waiting) {
            Some(answer) => answer,
            None => Ok(Said::Waits(Box::new(waiting))),
        }
    }

    /// Asks for a lease that is waited for; `None`: it waits on.
    fn ask_waiting(&mut self, memory: &Memory, waiting: &Waiting) -> Option<Answer> {
        let Waiting { wish, ticket, .. } = waiting;
        let wait = Wait {
            acquire: self.acquire_of(wish)?,
            ticket: *ticket,
        };
        let waited = self.waited();
        let acquired = self.run(memory, &wish.resource, wait);
        match acquired {
            Acquired::NotGranted(NotGranted::Held { .. }) => return None,
            Acquired::Granted { resumed: false, .. } => {}
            _ => self.leave(memory, waiting),
        }
        Some(self.say(wish, Outcome::Acquired(acquired), waited))
    }

    /// Asks again, at `now`, and gives up when it is time to; `None`: it waits on.
    pub(super) fn ask_again(
        &mut self,
        memory: &Memory,
        waiting: &Waiting,
        now: Moment,
    ) -> Option<Answer> {
        if now < waiting.gives_up {
            return self.ask_waiting(memory, waiting);
        }
        self.leave(memory, waiting);
        Some(self.ask_once(memory, &waiting.wish))
    }

    /// Gives the place up. If that cannot be done now, it runs out by itself.
    pub(super) fn leave(&mut self, memory: &Memory, waiting: &Waiting) {
        let leave = Leave {
            ticket: waiting.ticket,
        };
        let _: Left = self.run(memory, &waiting.wish.resource, leave);
    }
}
