//! From the body of a call to the wish that it is; or why it is none.

use super::call::{self, Call, Change, Look};
use super::elsewhere::from_hex;
use super::wish::{Deed, Wish};
use super::{Api, body};
use crate::authority::Authority;
use crate::config::{Granting, HolderNeed, Tokens};
use crate::reply::{Kind, Problem};
use core::time::Duration;

type Read = Result<Wish, Problem<'static>>;

impl Api<'_> {
    /// The wish that a call is, if its caller may ask for it.
    pub(super) fn read(&mut self, call: &Call) -> Read {
        match call {
            // Whoever balances load asks this, and is nobody's holder.
            Call::Look(Look::Ready) => Ok(of_none(Deed::Ready)),
            Call::Look(Look::Leases { after, limit }) => {
                self.peer_may_look()?;
                let is_page = match self.filter.authority {
                    Authority::Memory(_) => after.is_empty() || after.parse::<u32>().is_ok(),
                    Authority::Etcd(_) => from_hex(after).is_some(),
                };
                if !is_page {
                    return Err(call::not_a_page());
                }
                Ok(of_none(Deed::List {
                    after: after.clone(),
                    limit: *limit,
                }))
            }
            Call::Look(Look::Lease { sent, decoded }) => {
                self.peer_may_look()?;
                self.read_look(sent.as_deref(), decoded.as_deref())
            }
            Call::Change(change) => self.read_change(*change),
        }
    }

    /// The wish to look at one resource, under whichever of its spellings a rule makes.
    fn read_look(&self, sent: Option<&str>, decoded: Option<&str>) -> Read {
        let policy = &self.filter.settings.policy;
        let mut spellings = sent.into_iter().chain(decoded);
        let resource = spellings
            .find(|name| policy.produces(name))
            .ok_or(Problem::new(Kind::UNKNOWN_RESOURCE))?;
        Ok(Wish {
            resource: resource.to_owned(),
            deed: Deed::Look,
        })
    }

    fn read_change(&mut self, change: Change) -> Read {
        let ours = matches!(self.filter.settings.tokens, Tokens::Ours(_));
        match change {
            Change::Claim => self.read_claim(),
            _ if !ours => Err(Problem::detailed(
                Kind::NOT_FOUND,
                "tokens come from elsewhere here (issuer.external): claim is all there is",
            )),
            Change::Acquire => self.read_acquire(),
            Change::Renew => self.read_renew(),
            Change::Release => self.read_release(),
            Change::Break => self.read_break(),
        }
    }

    fn granting(&self) -> Result<Granting, Problem<'static>> {
        match self.filter.settings.tokens {
            Tokens::Ours(granting) => Ok(granting),
            Tokens::External { .. } => Err(Problem::new(Kind::NOT_FOUND)),
        }
    }

    fn read_acquire(&mut self) -> Read {
        let body: body::Acquire = body::read(&self.scratch.body)?;
        let granting = self.granting()?;
        let wait = body.wait_ms.unwrap_or_default();
        if wait > granting.wait_ms_max {
            let detail = format!("wait_ms: give at most {}", granting.wait_ms_max);
            return Err(Problem::detailed(Kind::MALFORMED, detail));
        }
        let deed = Deed::Acquire {
            ttl: ttl(&granting, body.ttl_ms)?,
            holder: self.caller(body.holder, &body.resource)?,
            request_id: body.request_id.map(|id| id.0),
            expect_mark: body.expect_mark.map(|mark| mark.0),
            wait: Duration::from_millis(wait.into()),
        };
        Ok(wish(body.resource, deed))
    }

    fn read_renew(&mut self) -> Read {
        let body: body::Renew = body::read(&self.scratch.body)?;
        let deed = Deed::Renew {
            ttl: ttl(&self.granting()?, body.ttl_ms)?,
            holder: self.caller(body.holder, &body.resource)?,
            token: body.token.0,
        };
        Ok(wish(body.resource, deed))
    }

    fn read_release(&mut self) -> Read {
        let body: body::Release = body::read(&self.scratch.body)?;
        let deed = Deed::Release {
            holder: self.caller(body.holder, &body.resource)?,
            token: body.token.0,
            writes_answered: body.writes_answered,
        };
        Ok(wish(body.resource, deed))
    }

    fn read_claim(&mut self) -> Read {
        let body: body::Claim = body::read(&self.scratch.body)?;
        let needs_holder = match self.filter.settings.tokens {
            Tokens::Ours(_) => true,
            Tokens::External { holder, .. } => holder == HolderNeed::Required,
        };
        let holder = if needs_holder || body.holder.is_some() {
            Some(self.caller(body.holder, &body.resource)?)
        } else {
            self.guarded(&body.resource)?;
            None
        };
        let deed = Deed::Claim {
            holder,
            token: body.token.0,
        };
        Ok(wish(body.resource, deed))
    }

    fn read_break(&mut self) -> Read {
        let body: body::Break = body::read(&self.scratch.body)?;
        let operator = self.operator()?;
        self.guarded(&body.resource)?;
        Ok(wish(body.resource, Deed::Break { operator }))
    }
}

fn wish(resource: body::Resource, deed: Deed) -> Wish {
    Wish {
        resource: resource.0,
        deed,
    }
}

const fn of_none(deed: Deed) -> Wish {
    Wish {
        resource: String::new(),
        deed,
    }
}

fn ttl(granting: &Granting, asked: Option<u32>) -> Result<Duration, Problem<'static>> {
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
