//! The call of those who want a lease: acquire, at once or with a wait.
//!
//! A request that waits is kept, and asked for again by the tick. All it is, is a wish; its place in
//! the queue is in the shared records, where the other workers see it.

use super::holder::{told, ttl};
use super::{Answer, Api, Said, body};
use crate::counters::Event;
use crate::reply::{Kind, Problem};
use core::time::Duration;
use fencegate_core::lease::{Acquire, Acquired, Leave, Left, NotGranted, Wait};
use fencegate_core::moment::Moment;
use fencegate_core::queue::Ticket;
use fencegate_core::token::Token;
use fencegate_core::verdict::Fault;

/// A lease that somebody wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wish {
    resource: String,
    holder: String,
    request_id: Option<String>,
    expect_mark: Option<Token>,
    ttl: Duration,
}

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
    pub(super) fn acquire(&mut self) -> Answer {
        let body: body::Acquire = body::read(&self.scratch.body)?;
        let granting = self.granting()?;
        let wait = body.wait_ms.unwrap_or_default();
        if wait > granting.wait_ms_max {
            let detail = format!("wait_ms: give at most {}", granting.wait_ms_max);
            return Err(Problem::detailed(Kind::MALFORMED, detail));
        }
        let wish = Wish {
            ttl: ttl(&granting, body.ttl_ms)?,
            holder: self.caller(body.holder, &body.resource)?,
            resource: body.resource.0,
            request_id: body.request_id.map(|id| id.0),
            expect_mark: body.expect_mark.map(|mark| mark.0),
        };
        if wait == 0 {
            return self.ask_once(&wish);
        }
        let random = self.host.random();
        let waiting = Waiting {
            wish,
            ticket: Ticket(random.map_err(|_| Problem::of_fault(Fault::Unreachable))?),
            arrived: self.arrived,
            gives_up: self.arrived.after(Duration::from_millis(wait.into())),
        };
        match self.ask(&waiting)? {
            Some(said) => Ok(said),
            None => Ok(Said::Wait(Box::new(waiting))),
        }
    }

    fn acquire_of<'a>(&self, wish: &'a Wish) -> Result<Acquire<'a>, Problem<'static>> {
        Ok(Acquire {
            resource: &wish.resource,
            holder: &wish.holder,
            request_id: wish.request_id.as_deref(),
            expect_mark: wish.expect_mark,
            ttl: wish.ttl,
            lock_delay: self.granting()?.lock_delay,
            generation: self.filter.settings.generation,
        })
    }

    /// Asks for a lease that is waited for; `None`: it waits on.
    fn ask(&mut self, waiting: &Waiting) -> Result<Option<Said>, Problem<'static>> {
        let Waiting { wish, ticket, .. } = waiting;
        let wait = Wait {
            acquire: self.acquire_of(wish)?,
            ticket: *ticket,
        };
        let waited = self.waited();
        let acquired = self.run(&wish.resource, wait);
        match acquired {
            Acquired::NotGranted(NotGranted::Held { .. }) => return Ok(None),
            Acquired::Granted { resumed: false, .. } => {}
            _ => self.leave(waiting),
        }
        self.answer_to(wish, acquired, waited).map(Some)
    }

    /// Asks again, at `now`, and gives up when it is time to; `None`: it waits on.
    pub(super) fn ask_again(&mut self, waiting: &Waiting, now: Moment) -> Option<Answer> {
        if now < waiting.gives_up {
            return self.ask(waiting).transpose();
        }
        self.leave(waiting);
        Some(self.ask_once(&waiting.wish))
    }

    fn ask_once(&mut self, wish: &Wish) -> Answer {
        let acquire = self.acquire_of(wish)?;
        let waited = self.waited();
        let acquired = self.run(&wish.resource, acquire);
        self.answer_to(wish, acquired, waited)
    }

    /// Gives the place up. If that cannot be done now, it runs out by itself.
    pub(super) fn leave(&mut self, waiting: &Waiting) {
        let leave = Leave {
            ticket: waiting.ticket,
        };
        let _: Left = self.run(&waiting.wish.resource, leave);
    }

    /// `waited` was measured before the decision: what is told must not outlast the lease.
    fn answer_to(&self, wish: &Wish, acquired: Acquired, waited: Duration) -> Answer {
        match acquired {
            Acquired::Granted { leased, resumed } => {
                if !resumed {
                    self.count(Event::Granted);
                    self.count(Event::MarkAdvanced);
                }
                let lock_delay = self.granting()?.lock_delay;
                let Wish {
                    resource, holder, ..
                } = wish;
                Ok(Said::Reply(told(
                    201, resource, holder, leased, waited, lock_delay,
                )))
            }
            Acquired::NotGranted(why) => Err(self.not_granted(why)),
            Acquired::Undecided(fault) => Err(Problem::of_fault(fault)),
        }
    }

    fn not_granted(&self, why: NotGranted) -> Problem<'static> {
        let (kind, retry_after, mark) = match why {
            NotGranted::Held { retry_after, mark } => (Kind::HELD, Some(retry_after), Some(mark)),
            NotGranted::MarkMoved { mark } => (Kind::MARK_MOVED, None, Some(mark)),
            NotGranted::MarkUnknown => (Kind::MARK_UNKNOWN, None, None),
            NotGranted::GrantEnded => (Kind::GRANT_ENDED, None, None),
        };
        Problem {
            retry_after,
            current: self.told_mark(mark),
            ..Problem::new(kind)
        }
    }
}
