//! Wishes at an authority that answers at once: memory.

use super::Api;
use super::leases::{Lease, Leases};
use super::wish::{Deed, Outcome, Wish};
use crate::config::{Granting, Tokens};
use crate::memory::Memory;
use core::convert::Infallible;
use core::time::Duration;
use fencegate_core::check::{Access, AfterExpiry, Check, Judgement, Presented};
use fencegate_core::lease::{Acquire, Break, Release, Renew};
use fencegate_core::machine::{Change, Decision, Operation, Seen};
use fencegate_core::moment::Moment;
use fencegate_core::record::Record;
use fencegate_core::token::Token;
use fencegate_core::verdict::Fault;

/// How many buckets one page reads at most: a worker serves nothing else meanwhile, for some ten
/// milliseconds. They hold 130,000 resources.
const BUCKETS_MAX: u32 = 8192;

impl Api<'_> {
    /// Does what is wished for.
    pub(super) fn at_once(&mut self, memory: &Memory, wish: &Wish) -> Outcome {
        let lock_delay = self.lock_delay();
        let generation = self.filter.settings.generation;
        let resource = &wish.resource;
        match &wish.deed {
            Deed::Acquire { .. } => match self.acquire_of(wish) {
                Some(acquire) => Outcome::Acquired(self.run(memory, resource, acquire)),
                None => Outcome::Undecided(Fault::Unreachable),
            },
            Deed::Renew { holder, token, ttl } => {
                let renew = Renew {
                    presented: presented(*token, Some(holder)),
                    ttl: *ttl,
                    lock_delay,
                    generation,
                };
                Outcome::Renewed(self.run(memory, resource, renew))
            }
            Deed::Release {
                holder,
                token,
                writes_answered,
            } => {
                let release = Release {
                    presented: presented(*token, Some(holder)),
                    writes_answered: *writes_answered,
                    generation,
                };
                Outcome::Released(self.run(memory, resource, release))
            }
            Deed::Claim { holder, token } => {
                let check = Check {
                    presented: presented(*token, holder.as_deref()),
                    access: Access::Write,
                    judgement: self.judgement(),
                    generation,
                };
                Outcome::Claimed(self.run(memory, resource, check))
            }
            Deed::Break { .. } => {
                let operation = Break {
                    resource,
                    lock_delay,
                    generation,
                };
                Outcome::Broken(self.run(memory, resource, operation))
            }
            Deed::Look => self.run(memory, resource, Look),
            Deed::Ready => self.ready(memory).unwrap_or_else(Outcome::from),
            Deed::List { after, limit } => {
                let listed = self.list(memory, after, *limit);
                listed.unwrap_or_else(Outcome::from)
            }
        }
    }

    /// The operation that an acquire is.
    pub(super) fn acquire_of<'a>(&self, wish: &'a Wish) -> Option<Acquire<'a>> {
        let Deed::Acquire {
            holder,
            request_id,
            expect_mark,
            ttl,
            ..
        } = &wish.deed
        else {
            return None;
        };
        Some(Acquire {
            resource: &wish.resource,
            holder,
            request_id: request_id.as_deref(),
            expect_mark: *expect_mark,
            ttl: *ttl,
            lock_delay: self.lock_delay(),
            generation: self.filter.settings.generation,
        })
    }

    pub(super) const fn judgement(&self) -> Judgement {
        match self.filter.settings.tokens {
            Tokens::Ours(_) => Judgement::Ours {
                after_expiry: AfterExpiry::AdmitUntilSuperseded,
            },
            Tokens::External { rule, .. } => Judgement::External(rule),
        }
    }

    pub(super) const fn lock_delay(&self) -> Duration {
        match self.filter.settings.tokens {
            Tokens::Ours(Granting { lock_delay, .. }) => lock_delay,
            Tokens::External { .. } => Duration::ZERO,
        }
    }

    fn ready(&mut self, memory: &Memory) -> Result<Outcome, Fault> {
        match memory.closed_for(self.host, &mut self.scratch.buffers)? {
            None => Ok(Outcome::Ready),
            Some(wait) => Err(Fault::Starting(wait)),
        }
    }

    /// What is kept in the next buckets: a page goes on with the number of a bucket.
    fn list(&mut self, memory: &Memory, after: &str, limit: u16) -> Result<Outcome, Fault> {
        let first: u32 = after.parse().unwrap_or(0);
        let now = self.host.now().map_err(|_| Fault::Unreachable)?;
        let mut leases = Leases::new(self.filter.settings.disclose);
        let mut next = None;
        for index in first..first.saturating_add(BUCKETS_MAX) {
            let buffers = &mut self.scratch.buffers;
            let mut each = |resource: &str, record: &Record<&str>| {
                leases.write(resource, Lease::of_record(record, now));
            };
            match memory.records_in(self.host, buffers, index, &mut each)? {
                None => {
                    next = None;
                    break;
                }
                Some(()) => next = index.checked_add(1).map(|next| next.to_string()),
            }
            if leases.count >= usize::from(limit) {
                break;
            }
        }
        Ok(Outcome::Listed(leases.json, next))
    }

    pub(super) fn run<O: Operation<Change = Change>>(
        &mut self,
        memory: &Memory,
        resource: &str,
        operation: O,
    ) -> O::Outcome {
        memory.run(self.host, &mut self.scratch.buffers, resource, operation)
    }
}

const fn presented(token: Token, holder: Option<&str>) -> Presented<'_> {
    Presented { token, holder }
}

/// Reads a record and leaves it as it is.
#[derive(Clone, Debug)]
struct Look;

impl Operation for Look {
    type Change = Change;
    type Outcome = Outcome;
    type Plan = Infallible;

    fn decide(&self, seen: &Seen<'_>, _: Moment) -> Decision<Self> {
        let record = seen.record.as_ref().map(Record::to_owned);
        Decision::Done(Outcome::Found(record))
    }

    fn drawn(&self, plan: Infallible, _: Token, _: Moment) -> (Change, Outcome) {
        match plan {}
    }
}
