//! The lease API: who may write is asked and answered here, and never reaches the origin.
//!
//! [`call`] says which call a request is, [`body`] reads what it says, and each group of calls
//! has a file of its own. Outcomes of the core become answers; nothing is decided here.

mod access;
mod acquire;
pub mod body;
pub mod call;
mod holder;
mod leases;
mod operator;

use crate::config::Tokens;
use crate::counters::Event;
use crate::filter::{Filter, Scratch};
use crate::guard::answer;
use crate::host::{Host, Level};
use crate::json::Object;
use crate::reply::{Kind, Problem, send_json};
pub use acquire::Waiting;
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

/// What a call comes to, or why it does not.
type Answer = Result<Said, Problem<'static>>;

/// What a call comes to.
enum Said {
    /// An answer.
    Reply(Reply),
    /// None yet.
    Wait(Box<Waiting>),
}

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

/// What has become of a call.
#[derive(Debug)]
#[must_use]
pub enum Response {
    /// It was answered.
    Answered,
    /// It waits, and is to be asked for again.
    Waits(Box<Waiting>),
}

/// Answers a call whose body, if it has one, is in `scratch.body`.
pub fn respond(
    filter: &Filter,
    host: &dyn Host,
    scratch: &mut Scratch,
    call: &Call,
    arrived: Moment,
) -> Response {
    let mut api = Api::new(filter, host, scratch, arrived);
    let answer = api.answer(call);
    api.send(answer)
}

/// Asks again for a lease that is waited for, at `now`; whether it was answered.
pub fn ask_again(
    filter: &Filter,
    host: &dyn Host,
    scratch: &mut Scratch,
    waiting: &Waiting,
    now: Moment,
) -> bool {
    let mut api = Api::new(filter, host, scratch, waiting.arrived);
    match api.ask_again(waiting, now) {
        Some(answer) => matches!(api.send(answer), Response::Answered),
        None => false,
    }
}

/// Gives up the place of a request whose client has left.
pub fn leave(filter: &Filter, host: &dyn Host, scratch: &mut Scratch, waiting: &Waiting) {
    Api::new(filter, host, scratch, waiting.arrived).leave(waiting);
}

impl<'a> Api<'a> {
    const fn new(
        filter: &'a Filter,
        host: &'a dyn Host,
        scratch: &'a mut Scratch,
        arrived: Moment,
    ) -> Self {
        Self {
            filter,
            host,
            scratch,
            arrived,
        }
    }

    fn send(&self, said: Answer) -> Response {
        match said {
            Ok(Said::Wait(waiting)) => return Response::Waits(waiting),
            Ok(Said::Reply(reply)) => {
                if send_json(self.host, reply.status, &reply.body).is_err() {
                    let text = "the proxy did not take an answer of the lease API";
                    self.host.log(Level::Error, text);
                }
            }
            Err(problem) => {
                self.filter.counters.count(self.host, Event::ApiRefused);
                answer(self.host, &problem, false);
            }
        }
        Response::Answered
    }

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
