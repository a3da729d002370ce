//! What a caller is told of what became of its wish. Durations only: clocks differ.

use super::leases::Lease;
use super::wish::{Deed, Outcome, Wish};
use super::{Answer, Api, Reply, Said};
use crate::counters::Event;
use crate::host::Level;
use crate::reply::{Kind, Problem};
use core::time::Duration;
use fencegate_core::lease::{Acquired, Broken, Leased, NotGranted, Owned};
use fencegate_core::moment::millis_down;
use fencegate_core::record::Record;
use fencegate_core::token::Token;
use fencegate_core::verdict::{Fault, Reason, Rejection, Verdict};

impl Api<'_> {
    /// The answer. `waited` is how long the request had waited at the instant of the decision, or at
    /// one before it: what is told must not outlast the lease.
    pub(super) fn say(&self, wish: &Wish, outcome: Outcome, waited: Duration) -> Answer {
        let resource = &*wish.resource;
        let reply = match outcome {
            Outcome::Acquired(acquired) => self.granted(wish, acquired, waited)?,
            Outcome::Renewed(renewed) => {
                let leased = self.owned(wish, renewed)?;
                self.count(Event::Renewed);
                self.leased(200, wish, leased, waited)
            }
            Outcome::Released(released) => {
                let () = self.owned(wish, released)?;
                self.count(Event::Released);
                Reply::new(200, |object| {
                    object.text("resource", resource).value("released", true);
                })
            }
            Outcome::Claimed(verdict) => self.claimed(wish, verdict)?,
            Outcome::Broken(broken) => self.broken(wish, broken)?,
            Outcome::Found(record) => {
                let now = self.host.now();
                let now = now.map_err(|_| Problem::of_fault(Fault::Unreachable))?;
                let record = record.as_ref().map(Record::borrowed);
                self.found(
                    resource,
                    record.as_ref().map(|it| Lease::of_record(it, now)),
                )?
            }
            Outcome::Looked(looked) => {
                let lease = looked
                    .as_ref()
                    .map(|it| Lease::of_kept(&it.kept, it.locked));
                self.found(resource, lease)?
            }
            Outcome::Ready => Reply::new(200, |object| {
                let generation = self.filter.settings.generation;
                object.value("ready", true).value("generation", generation);
            }),
            Outcome::Listed(leases, next) => Reply::new(200, |object| {
                object.value("leases", format_args!("[{leases}]"));
                if let Some(next) = next {
                    object.text("next", &next);
                }
            }),
            Outcome::Undecided(fault) => return Err(Problem::of_fault(fault)),
        };
        Ok(Said::Reply(reply))
    }

    fn granted(
        &self,
        wish: &Wish,
        acquired: Acquired,
        waited: Duration,
    ) -> Result<Reply, Problem<'static>> {
        match acquired {
            Acquired::Granted { leased, resumed } => {
                if !resumed {
                    self.count(Event::Granted);
                    self.count(Event::MarkAdvanced);
                }
                Ok(self.leased(201, wish, leased, waited))
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

    fn owned<T>(&self, wish: &Wish, owned: Owned<T>) -> Result<T, Problem<'static>> {
        match owned {
            Owned::Done(done) => Ok(done),
            Owned::Lost(rejection) => Err(self.lost(wish, rejection)),
            Owned::Undecided(fault) => Err(Problem::of_fault(fault)),
        }
    }

    /// Whatever the reason, a lease that is not the caller's any more is gone for it.
    fn lost(&self, wish: &Wish, rejection: Rejection) -> Problem<'static> {
        let kind = Kind::of_reason(rejection.reason);
        let status = match rejection.reason {
            Reason::HeldByAnother => kind.status,
            _ => 410,
        };
        Problem {
            presented: wish.deed.token(),
            current: self.told_mark(rejection.mark),
            ..Problem::new(Kind { status, ..kind })
        }
    }

    fn claimed(&self, wish: &Wish, verdict: Verdict) -> Result<Reply, Problem<'static>> {
        match verdict {
            Verdict::Admit(admission) => {
                if admission.advanced {
                    self.count(Event::MarkAdvanced);
                }
                Ok(marked(&wish.resource, self.told_mark(admission.mark)))
            }
            Verdict::Reject(rejection) => Err(Problem {
                presented: wish.deed.token(),
                current: self.told_mark(rejection.mark),
                ..Problem::new(Kind::of_reason(rejection.reason))
            }),
            Verdict::Undecided(fault) => Err(Problem::of_fault(fault)),
        }
    }

    fn broken(&self, wish: &Wish, broken: Broken) -> Result<Reply, Problem<'static>> {
        let resource = &wish.resource;
        match broken {
            Broken::Done { mark } => {
                self.count(Event::Broken);
                self.count(Event::MarkAdvanced);
                if let Deed::Break { operator } = &wish.deed {
                    let audit = format!(
                        "fencegate: {operator} broke the lease of {resource}; the mark is {mark}"
                    );
                    self.host.log(Level::Warn, &audit);
                }
                Ok(marked(resource, self.told_mark(Some(mark))))
            }
            Broken::NoGrant => Err(Problem::new(Kind::NO_RECORD)),
            Broken::Undecided(fault) => Err(Problem::of_fault(fault)),
        }
    }

    fn found(&self, resource: &str, lease: Option<Lease<'_>>) -> Result<Reply, Problem<'static>> {
        let lease = lease.ok_or(Problem::new(Kind::NO_RECORD))?;
        let disclose = self.filter.settings.disclose;
        Ok(Reply::new(200, |object| {
            lease.write(object, resource, disclose);
        }))
    }

    /// What a holder is told of its lease. `ttl_ms` is what is left of the lease at one instant,
    /// `waited_ms` how long the request had waited at that instant.
    fn leased(&self, status: u16, wish: &Wish, leased: Leased, waited: Duration) -> Reply {
        let lock_delay = self.lock_delay();
        Reply::new(status, |object| {
            object
                .text("resource", &wish.resource)
                .text("holder", wish.deed.holder().unwrap_or_default())
                .plain_text("token", leased.token)
                .value("ttl_ms", millis_down(leased.left))
                .value("waited_ms", millis_down(waited));
            if !lock_delay.is_zero() {
                object.value("lock_delay_ms", millis_down(lock_delay));
            }
        })
    }

    pub(super) fn told_mark(&self, mark: Option<Token>) -> Option<Token> {
        mark.filter(|_| self.filter.settings.disclose)
    }

    fn count(&self, event: Event) {
        self.filter.counters.count(self.host, event);
    }

    /// How long the request has waited: measured before the decision, so never too long.
    pub(super) fn waited(&self) -> Duration {
        self.host
            .now()
            .map_or(Duration::ZERO, |now| now.since(self.arrived))
    }
}

/// The mark after a change of it.
fn marked(resource: &str, mark: Option<Token>) -> Reply {
    Reply::new(200, |object| {
        object.text("resource", resource);
        if let Some(mark) = mark {
            object.plain_text("mark", mark);
        }
    })
}
