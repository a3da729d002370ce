//! The lease API: who may write is asked and answered here, and never reaches the origin.
//!
//! ```text
//!   call --read--> wish --at the authority--> outcome --say--> answer
//!                    \---- memory: at once, or waits for its lease
//!                    \---- etcd: asked, and concluded when the outcome comes
//! ```
//! [`call`] says which call a request is, [`body`] what is in it. Nothing is decided here.

mod access;
mod at_once;
pub mod body;
pub mod call;
mod elsewhere;
pub mod leases;
mod read;
mod say;
mod wait;
pub mod wish;

use crate::authority::Authority;
use crate::counters::Event;
use crate::etcd;
use crate::filter::{Filter, Scratch};
use crate::guard::answer;
use crate::host::{Host, Level};
use crate::json::Object;
use crate::memory::Memory;
use crate::reply::{Problem, send_json};
use call::Call;
use fencegate_core::moment::Moment;
pub use wait::Waiting;
use wish::{Deed, Wish};

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
    /// None yet: it waits for its lease.
    Waits(Box<Waiting>),
    /// None yet: the authority was asked.
    Asked(Box<Pending>),
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
    /// The authority was asked. When it says something, [`conclude`] goes on.
    Asked(Box<Pending>),
}

/// What is kept of a call while the authority is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    wish: Wish,
    /// When its request arrived.
    arrived: Moment,
}

/// Answers a call whose body, if it has one, is in `scratch.body`.
pub fn respond(
    filter: &Filter,
    host: &dyn Host,
    scratch: &mut Scratch,
    context: u32,
    call: &Call,
    arrived: Moment,
) -> Response {
    let mut api = Api::new(filter, host, scratch, arrived);
    let answer = api.answer(context, call);
    api.send(answer)
}

/// Answers a call of which the authority said this, as of `at`.
pub fn conclude(
    filter: &Filter,
    host: &dyn Host,
    scratch: &mut Scratch,
    pending: &Pending,
    said: etcd::Said,
    at: Moment,
) {
    let api = Api::new(filter, host, scratch, pending.arrived);
    let waited = at.since(pending.arrived);
    let answer = api.say(&pending.wish, api.outcome_of(said), waited);
    let _ = api.send(answer);
}

/// Asks again for a lease that is waited for, at `now`; whether it was answered.
pub fn ask_again(
    filter: &Filter,
    host: &dyn Host,
    scratch: &mut Scratch,
    waiting: &Waiting,
    now: Moment,
) -> bool {
    let Authority::Memory(memory) = &filter.authority else {
        return false;
    };
    let mut api = Api::new(filter, host, scratch, waiting.arrived);
    match api.ask_again(memory, waiting, now) {
        Some(answer) => matches!(api.send(answer), Response::Answered),
        None => false,
    }
}

/// Gives up the place of a request whose client has left.
pub fn leave(filter: &Filter, host: &dyn Host, scratch: &mut Scratch, waiting: &Waiting) {
    if let Authority::Memory(memory) = &filter.authority {
        Api::new(filter, host, scratch, waiting.arrived).leave(memory, waiting);
    }
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
            Ok(Said::Waits(waiting)) => return Response::Waits(waiting),
            Ok(Said::Asked(pending)) => return Response::Asked(pending),
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

    fn answer(&mut self, context: u32, call: &Call) -> Answer {
        let wish = self.read(call)?;
        match &self.filter.authority {
            Authority::Memory(memory) => self.ask_memory(memory, wish),
            Authority::Etcd(etcd) => self.ask_elsewhere(etcd, context, wish),
        }
    }

    fn ask_memory(&mut self, memory: &Memory, wish: Wish) -> Answer {
        match wish.deed {
            Deed::Acquire { wait, .. } if !wait.is_zero() => self.begin_wait(memory, wish, wait),
            _ => self.ask_once(memory, &wish),
        }
    }

    fn ask_once(&mut self, memory: &Memory, wish: &Wish) -> Answer {
        let waited = self.waited();
        let outcome = self.at_once(memory, wish);
        self.say(wish, outcome, waited)
    }
}
