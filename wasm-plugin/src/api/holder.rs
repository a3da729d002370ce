//! The calls of those who hold a lease: renew, release, claim.

use super::{Answer, Api, Reply, Said, body};
use crate::config::{Granting, HolderNeed, Tokens};
use crate::counters::Event;
use crate::reply::{Kind, Problem};
use core::time::Duration;
use fencegate_core::check::{Access, AfterExpiry, Check, Judgement, Presented};
use fencegate_core::lease::{Leased, Owned, Release, Renew};
use fencegate_core::machine::{Change, Operation};
use fencegate_core::moment::millis_down;
use fencegate_core::token::Token;
use fencegate_core::verdict::{Reason, Rejection, Verdict};

impl Api<'_> {
    pub(super) fn granting(&self) -> Result<Granting, Problem<'static>> {
        match self.filter.settings.tokens {
            Tokens::Ours(granting) => Ok(granting),
            Tokens::External { .. } => Err(Problem::new(Kind::NOT_FOUND)),
        }
    }

    pub(super) fn renew(&mut self) -> Answer {
        let body: body::Renew = body::read(&self.scratch.body)?;
        let granting = self.granting()?;
        let ttl = ttl(&granting, body.ttl_ms)?;
        let holder = self.caller(body.holder, &body.resource)?;
        let resource = &body.resource.0;
        let waited = self.waited();
        let renew = Renew {
            presented: presented(body.token.0, &holder),
            ttl,
            lock_delay: granting.lock_delay,
            generation: self.filter.settings.generation,
        };
        match self.run(resource, renew) {
            Owned::Done(leased) => {
                self.count(Event::Renewed);
                let lock_delay = granting.lock_delay;
                Ok(Said::Reply(told(
                    200, resource, &holder, leased, waited, lock_delay,
                )))
            }
            Owned::Lost(rejection) => Err(self.lost(rejection, body.token.0)),
            Owned::Undecided(fault) => Err(Problem::of_fault(fault)),
        }
    }

    pub(super) fn release(&mut self) -> Answer {
        let body: body::Release = body::read(&self.scratch.body)?;
        let holder = self.caller(body.holder, &body.resource)?;
        let resource = &body.resource.0;
        let release = Release {
            presented: presented(body.token.0, &holder),
            writes_answered: body.writes_answered,
            generation: self.filter.settings.generation,
        };
        match self.run(resource, release) {
            Owned::Done(()) => {
                self.count(Event::Released);
                Ok(Said::Reply(Reply::new(200, |object| {
                    object.text("resource", resource).value("released", true);
                })))
            }
            Owned::Lost(rejection) => Err(self.lost(rejection, body.token.0)),
            Owned::Undecided(fault) => Err(Problem::of_fault(fault)),
        }
    }

    pub(super) fn claim(&mut self) -> Answer {
        let body: body::Claim = body::read(&self.scratch.body)?;
        let (judgement, needs_holder) = match self.filter.settings.tokens {
            Tokens::Ours(_) => {
                let after_expiry = AfterExpiry::AdmitUntilSuperseded;
                (Judgement::Ours { after_expiry }, true)
            }
            Tokens::External { rule, holder } => {
                (Judgement::External(rule), holder == HolderNeed::Required)
            }
        };
        let holder = if needs_holder || body.holder.is_some() {
            Some(self.caller(body.holder, &body.resource)?)
        } else {
            self.guarded(&body.resource)?;
            None
        };
        let resource = &body.resource.0;
        let check = Check {
            presented: Presented {
                token: body.token.0,
                holder: holder.as_deref(),
            },
            access: Access::Write,
            judgement,
            generation: self.filter.settings.generation,
        };
        match self.run(resource, check) {
            Verdict::Admit(admission) => {
                if admission.advanced {
                    self.count(Event::MarkAdvanced);
                }
                Ok(Said::Reply(marked(
                    resource,
                    self.told_mark(admission.mark),
                )))
            }
            Verdict::Reject(rejection) => Err(Problem {
                presented: Some(body.token.0),
                current: self.told_mark(rejection.mark),
                ..Problem::new(Kind::of_reason(rejection.reason))
            }),
            Verdict::Undecided(fault) => Err(Problem::of_fault(fault)),
        }
    }

    /// Whatever the reason, a lease that is not the caller's any more is gone for it.
    fn lost(&self, rejection: Rejection, presented: Token) -> Problem<'static> {
        let kind = Kind::of_reason(rejection.reason);
        let status = match rejection.reason {
            Reason::HeldByAnother => kind.status,
            _ => 410,
        };
        Problem {
            presented: Some(presented),
            current: self.told_mark(rejection.mark),
            ..Problem::new(Kind { status, ..kind })
        }
    }

    pub(super) fn told_mark(&self, mark: Option<Token>) -> Option<Token> {
        mark.filter(|_| self.filter.settings.disclose)
    }

    pub(super) fn count(&self, event: Event) {
        self.filter.counters.count(self.host, event);
    }

    pub(super) fn run<O: Operation<Change = Change>>(
        &mut self,
        resource: &str,
        operation: O,
    ) -> O::Outcome {
        let buffers = &mut self.scratch.buffers;
        self.filter
            .memory
            .run(self.host, buffers, resource, operation)
    }

    /// How long the request has waited: measured before the decision, so never too long.
    pub(super) fn waited(&self) -> Duration {
        self.host
            .now()
            .map_or(Duration::ZERO, |now| now.since(self.arrived))
    }
}

pub(super) fn ttl(granting: &Granting, asked: Option<u32>) -> Result<Duration, Problem<'static>> {
    let limits = granting.ttl;
    let ttl_ms = asked.unwrap_or(limits.default);
    if (limits.min..=limits.max).contains(&ttl_ms) {
        Ok(Duration::from_millis(ttl_ms.into()))
    } else {
        Err(Problem::detailed(
            Kind::MALFORMED,
            format!("ttl_ms: give {} to {}", limits.min, limits.max),
        ))
    }
}

const fn presented(token: Token, holder: &str) -> Presented<'_> {
    Presented {
        token,
        holder: Some(holder),
    }
}

/// What a holder is told of its lease. Durations only: clocks differ. `ttl_ms` is what is left of
/// the lease at one instant, `waited_ms` how long the request had waited at that instant.
pub(super) fn told(
    status: u16,
    resource: &str,
    holder: &str,
    leased: Leased,
    waited: Duration,
    lock_delay: Duration,
) -> Reply {
    Reply::new(status, |object| {
        object
            .text("resource", resource)
            .text("holder", holder)
            .plain_text("token", leased.token)
            .value("ttl_ms", millis_down(leased.left))
            .value("waited_ms", millis_down(waited));
        if !lock_delay.is_zero() {
            object.value("lock_delay_ms", millis_down(lock_delay));
        }
    })
}

/// The mark after a change of it.
pub(super) fn marked(resource: &str, mark: Option<Token>) -> Reply {
    Reply::new(200, |object| {
        object.text("resource", resource);
        if let Some(mark) = mark {
            object.plain_text("mark", mark);
        }
    })
}
