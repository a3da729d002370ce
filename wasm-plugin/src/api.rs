//! The lease API: who may write is asked and answered here, and never reaches the origin.
//!
//! [`call`] says which call a request is, [`body`] reads what it says, and each group of calls
//! has a file of its own. Outcomes of the core become answers; nothing is decided here.

mod access;
pub mod body;
pub mod call;
mod holder;
mod leases;
mod operator;

use crate::config::Tokens;
use crate::counters::Event;
use crate::filter::{Filter, Scratch};
use crate::guard::{Outcome, answer};
use crate::host::Host;
use crate::json::Object;
use crate::reply::{Kind, Problem, send_json};
use call::{Call, Change, Look};
use fencegate_core::moment::Moment;

/// The longest body that is read, in bytes.
pub const BODY_LEN_MAX: u32 = 16 * 1024;

/// A call and what it may use.
struct Api<'a> {
    filter: &'a Filter,
    host: &'a dyn Host,
    scratch: &'a mut Scratch,
    /// When the request arrived.
    arrived: Moment,
}

/// An answer, or why there is none.
type Answer = Result<Reply, Problem<'static>>;

/// A status and a JSON body.
struct Reply {
    status: u16,
    body: String,
}

impl Reply {
    fn new(status: u16, write: impl FnOnce(&mut Object<'_>)) -> Self {
        let mut body = String::new();
        let mut object = Object::begin(&mut body);
        write(&mut object);
        object.end();
        Self { status, body }
    }
}

/// Answers a call whose body, if it has one, is in `scratch.body`.
pub fn respond(
    filter: &Filter,
    host: &dyn Host,
    scratch: &mut Scratch,
    call: &Call,
    arrived: Moment,
) -> Outcome {
    let mut api = Api {
        filter,
        host,
        scratch,
        arrived,
    };
    match api.answer(call) {
        Ok(reply) => {
            if send_json(host, reply.status, &reply.body).is_err() {
                host.log(
                    crate::host::Level::Error,
                    "the proxy did not take an answer of the lease API",
                );
            }
            Outcome::Answered
        }
        Err(problem) => {
            filter.counters.count(host, Event::ApiRefused);
            answer(host, &problem, false)
        }
    }
}

impl Api<'_> {
    fn answer(&mut self, call: &Call) -> Answer {
        let ours = matches!(self.filter.settings.tokens, Tokens::Ours(_));
        match call {
            // Whoever balances load asks this, and is nobody's holder.
            Call::Look(Look::Ready) => self.ready(),
            Call::Look(Look::Leases { after, limit }) => self.leases(*after, *limit),
            Call::Look(Look::Lease { sent, decoded }) => {
                self.lease(sent.as_deref(), decoded.as_deref())
            }
            Call::Change(Change::Claim) => self.claim(),
            Call::Change(_) if !ours => Err(Problem::detailed(
                Kind::NOT_FOUND,
                "tokens come from elsewhere here (issuer.external): claim is all there is",
            )),
            Call::Change(Change::Acquire) => self.acquire(),
            Call::Change(Change::Renew) => self.renew(),
            Call::Change(Change::Release) => self.release(),
            Call::Change(Change::Break) => self.break_lease(),
        }
    }
}
