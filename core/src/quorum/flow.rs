//! A request on its way: what is to be called next, what is to be waited for, and how it ended.
//!
//! ```text
//!   start --> judge --+--> Call ----answered---> learn --> judge
//!                     +--> Stale ---surveyed | read------> judge
//!                     +--> SitOut --woken----------------> judge
//!                     +--> Done
//! ```
//!
//! It is judged on what is known, each time anew; a flow remembers only what it did itself: what it
//! asked, and its leases. So it can be dropped at any point without harm: what it put is kept under
//! a token that nobody was told, and ends with its lease; [`Calling::leaves_behind`] and
//! [`Sitting::leaves_behind`] say which lease can be ended at once.
//!
//! Refuses to know how long a client waits: deadlines are the driver's.

mod acquire;
mod answered;
mod call;
mod check;
mod end;
mod outcome;
mod renew;
mod request;
mod settle;

pub use outcome::{Looked, Outcome};
pub use request::{Bearer, Request, Wanted};

use super::heard::{Heard, InForce, Standing};
use super::known::Known;
use super::terms::Terms;
use super::transaction::{Call, LeaseId};
use crate::moment::Moment;
use crate::token::Token;
use crate::verdict::Fault;
use crate::window::Instants;

/// How often a request calls at most.
const CALLS_MAX: u8 = 16;

/// What a flow is judged on, and when.
#[derive(Debug)]
pub struct At<'a> {
    /// What is known of the authority.
    pub heard: &'a mut Heard,
    /// What is known of the request's resource.
    pub known: &'a mut Known,
    /// How this proxy is configured.
    pub terms: &'a Terms,
    /// The clocks, read last.
    pub now: Instants,
}

/// What the driver must do next.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Step {
    /// Make this call, and go on with [`Calling::answered`].
    Call(Calling, Call),
    /// The record is known but not fresh: a background read may do ([`Known::cover`]), then
    /// [`Stale::surveyed`]; else [`Stale::read`].
    Stale(Stale),
    /// Wait until then by the monotonic clock, and go on with [`Sitting::woken`]; or answer
    /// [`Fault::Settling`].
    SitOut(Sitting, Moment),
    /// Nothing more. A lease that was granted in vain is to be revoked; nobody needs the answer.
    Done(Outcome, Option<LeaseId>),
}

/// Waits for the answer to a call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Calling {
    flow: Flow,
    stage: Stage,
}

/// Waits until older knowledge has run out elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sitting {
    flow: Flow,
}

/// Knows the record, but not whether it is still that.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stale {
    flow: Flow,
}

/// A request on its way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Flow {
    request: Request,
    calls_left: u8,
    /// What it is judged on must be read first.
    unread: bool,
    /// When the last call was sent that it learned from.
    asked: Option<Instants>,
    /// When the lease was asked for that it drew a number for, and which is there.
    leased: Option<Moment>,
    /// The lease that it kept alive, as long as every later answer is of that leader's term.
    kept_alive: Option<KeptAlive>,
    /// Whether what it put came to be.
    landed: Landed,
    /// The revision of the mark that it put over last.
    over: u64,
    /// The token from elsewhere that it raises the mark to.
    raises: Option<Token>,
    /// It sat the wait out, though nobody knows whether `settled` was put.
    sat_out: bool,
}

/// A lease that was kept alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct KeptAlive {
    lease: LeaseId,
    /// When that was asked for.
    sent: Moment,
    /// As its answer says.
    term: u64,
}

/// Whether a put came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Landed {
    No,
    /// Nobody knows: it still may, as long as the mark is the one that it was put over.
    Perhaps,
    Yes,
}

/// What was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Stage {
    Read { init: u64 },
    Put { init: u64 },
    Settle { init: u64 },
    PutInit,
    Grant,
    KeepAlive(LeaseId),
}

impl Request {
    /// Begins, with what is known.
    pub fn start(self, at: &mut At<'_>) -> Step {
        let flow = Flow {
            request: self,
            calls_left: CALLS_MAX,
            unread: true,
            asked: None,
            leased: None,
            kept_alive: None,
            landed: Landed::No,
            over: 0,
            raises: None,
            sat_out: false,
        };
        flow.judge(at)
    }
}

impl Calling {
    /// Whether it is a check's reading. Of several on one resource one call will do: the others go
    /// on with [`Self::read_by_another`]. What ends in a put reads for itself.
    #[must_use]
    pub const fn may_share(&self) -> bool {
        let is_read = matches!(self.stage, Stage::Read { .. });
        is_read && matches!(self.flow.request.wanted, Wanted::Check { .. })
    }

    /// Another one's call was answered and learned.
    pub fn read_by_another(self, at: &mut At<'_>) -> Step {
        self.flow.judge(at)
    }

    /// The lease to revoke if it is given up here.
    #[must_use]
    pub fn leaves_behind(&self) -> Option<LeaseId> {
        let granting = self.stage == Stage::Grant;
        let putting = matches!(self.stage, Stage::Put { .. });
        self.flow.leaves_behind(granting, putting)
    }
}

impl Sitting {
    /// Looks at the clock, and at what was learned meanwhile.
    pub fn woken(self, at: &mut At<'_>) -> Step {
        self.flow.judge(at)
    }

    /// The lease to revoke if it is given up here.
    #[must_use]
    pub fn leaves_behind(&self) -> Option<LeaseId> {
        self.flow.leaves_behind(false, false)
    }
}

impl Stale {
    /// A background read was taken; if that does not do, the record is read.
    pub fn surveyed(self, at: &mut At<'_>) -> Step {
        match self.flow.judge(at) {
            Step::Stale(stale) => stale.read(at),
            step => step,
        }
    }

    /// Reads the record.
    pub fn read(self, at: &At<'_>) -> Step {
        self.flow.read(at)
    }
}

impl Flow {
    /// The next step, on what is known.
    fn judge(self, at: &mut At<'_>) -> Step {
        match at.heard.standing(at.terms) {
            Standing::InForce(in_force) => self.judge_under(in_force, at),
            Standing::Raise(init) => self.put_init(&init, at),
            Standing::Refused(fault @ Fault::Superseded) => self.fail(fault),
            // What it was refused for may be over: ask once.
            Standing::Refused(fault) if self.calls_left < CALLS_MAX => self.fail(fault),
            Standing::Refused(_) | Standing::Unheard => self.read(at),
        }
    }

    fn judge_under(mut self, in_force: InForce, at: &mut At<'_>) -> Step {
        self.unread |= !at.known.is_under(at.heard);
        match self.request.wanted {
            Wanted::Check { .. } => self.check(in_force, at),
            Wanted::Renew { .. } => self.renew(in_force, at),
            _ if self.unread => self.read(at),
            Wanted::Acquire { .. } => self.acquire(in_force, at),
            Wanted::Release { .. } => self.release(in_force, at),
            Wanted::Break => self.break_(in_force, at),
            Wanted::Look => {
                let looked = Looked::of(at.known, in_force);
                self.done(Outcome::Looked(Ok(looked)))
            }
            Wanted::Ready => {
                let closed = at.heard.closed_for(at.terms, at.now.mono);
                self.done(Outcome::Ready(
                    closed.map_or(Ok(()), |wait| Err(Fault::Starting(wait))),
                ))
            }
        }
    }

    /// What it put perhaps came to be, and somebody put something else since: nobody can tell.
    fn is_lost(&self, at: &At<'_>) -> bool {
        self.landed == Landed::Perhaps && at.known.at() != self.over
    }

    fn done(self, outcome: Outcome) -> Step {
        // What was put with the lease and answered keeps it.
        let vain = match outcome.fault().is_some() || self.landed == Landed::No {
            true => self.leaves_behind(false, false),
            false => None,
        };
        Step::Done(outcome, vain)
    }

    fn fail(self, fault: Fault) -> Step {
        let outcome = self.request.wanted.failed(fault);
        self.done(outcome)
    }

    /// The lease that nobody was told of and nobody will ask for. A put of it that may come to
    /// be is harmless only where its token can never be answered: an acquire that names no request.
    fn leaves_behind(&self, granting: bool, putting: bool) -> Option<LeaseId> {
        let there = granting || self.leased.is_some();
        let unnamed = matches!(
            self.request.wanted,
            Wanted::Acquire {
                request_id: None,
                ..
            }
        );
        (there && (unnamed || (self.landed == Landed::No && !putting)))
            .then_some(self.request.lease)
    }
}
