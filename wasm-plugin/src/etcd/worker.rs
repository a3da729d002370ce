//! One worker: what it knows, what it asked, and who waits.
//!
//! ```text
//!   begin ---step---> Called --answered--+                     Behind --the other's call answered--+
//!                     Stale ---surveyed--+--step--> ... Done   Waits ---given back, or in a while--+--step
//!                     Sits ----tick------+
//! ```
//! Each state goes on with one thing; a deadline ends any of them. What is decided is decided by the
//! core, on what is known when it is.

use super::asks::{Ask, Asks, Finished, Kind, Said, State};
use super::board::Board;
use super::calls::{Calls, Way};
use super::records::Records;
use super::setup::Env;
use super::watch::Watch;
use crate::host::HostError;
use core::time::Duration;
use fencegate_core::lease::{Acquired, NotGranted};
use fencegate_core::moment::Moment;
use fencegate_core::quorum::{At, Call, Known, LeaseId, Outcome, Request, Step, Wanted};
use fencegate_core::verdict::{Fault, Verdict};
use fencegate_core::window::{Decided, Instants, Question};

/// How often it is asked again for a lease that nothing is heard of.
const ASK_AGAIN: Duration = Duration::from_millis(500);
/// For how many calls the lease API waits at most, one after the other.
const CALLS_IN_A_ROW: u32 = 3;

/// One worker.
#[derive(Debug)]
pub(super) struct Worker {
    /// What the workers of this proxy share, as far as this one knows.
    pub(super) board: Board,
    pub(super) records: Records,
    /// Nothing is known of a resource.
    unknown: Known,
    pub(super) asks: Asks,
    pub(super) calls: Calls,
    pub(super) finished: Vec<Finished>,
    /// When a guarded request, or one that waits, was last here.
    pub(super) busy: Option<Moment>,
    /// Whether somebody waits for a background read, and when one was sent that is under way.
    pub(super) survey_wanted: bool,
    pub(super) surveying: Option<Moment>,
    pub(super) watch: Watch,
    pub(super) buffer: Vec<u8>,
}

impl Worker {
    pub(super) fn new(secret: (u64, u64)) -> Self {
        Self {
            board: Board::new(),
            records: Records::new(secret),
            unknown: Known::default(),
            asks: Asks::default(),
            calls: Calls::default(),
            finished: Vec::new(),
            busy: None,
            survey_wanted: false,
            surveying: None,
            watch: Watch::default(),
            buffer: Vec::new(),
        }
    }

    /// The answer to a question, as far as it is known here.
    pub(super) fn decide(
        &mut self,
        env: &Env<'_>,
        resource: &str,
        question: &Question<'_>,
        now: Instants,
    ) -> Option<Verdict> {
        let known = match self.records.find(resource, now.mono) {
            Some(record) => {
                record.cover(&self.board.versions);
                &record.known
            }
            None => &self.unknown,
        };
        match known.decide(question, &self.board.heard, &env.setup.terms, now) {
            Decided::Done(verdict) => Some(verdict),
            Decided::Ask | Decided::Settling(_) | Decided::Raise => None,
        }
    }

    /// Takes what the other workers know.
    pub(super) fn recall(&mut self, env: &Env<'_>) -> Option<crate::host::Cas> {
        let (host, key) = (env.host, &env.setup.board);
        let cas = self.board.recall(host, key, &mut self.buffer);
        let Board { heard, agreed, .. } = &mut self.board;
        if let Some(init) = heard.window() {
            // As if it had read it itself.
            heard.agreed |= env.setup.terms.window.is_none_or(|window| {
                *agreed == Some(window) || init.trust == window || init.wait == window
            });
        }
        cas
    }

    /// A request begins to wait.
    pub(super) fn begin(&mut self, env: &Env<'_>, ask: Begun, wanted: Wanted, now: Instants) {
        let number = self.asks.number();
        let patience = ask.until.map(|until| (wanted.clone(), until));
        let ask = Ask {
            asker: Some(ask.asker),
            resource: ask.resource,
            kind: ask.kind,
            begun: now.mono,
            patience,
            state: State::Waits(now.mono),
        };
        self.start(env, number, ask, wanted, now);
    }

    pub(super) fn start(
        &mut self,
        env: &Env<'_>,
        number: u32,
        ask: Ask,
        wanted: Wanted,
        now: Instants,
    ) {
        let request = match request(env, &ask, wanted, now) {
            Ok(request) => request,
            Err(_) => return self.finish(&ask, Said::Undecided(Fault::Unreachable), now.mono),
        };
        self.go_on(env, number, ask, now, |_, at| Some(request.start(at)));
    }

    /// Goes on with a request from its state; `None`: that state has nothing to go on with.
    pub(super) fn go_on(
        &mut self,
        env: &Env<'_>,
        number: u32,
        mut ask: Ask,
        now: Instants,
        next: impl FnOnce(State, &mut At<'_>) -> Option<Step>,
    ) {
        let Some(record) = self.records.entry(&ask.resource, now.mono) else {
            return self.finish(&ask, Said::Undecided(Fault::Full), now.mono);
        };
        record.cover(&self.board.versions);
        let mut at = At {
            heard: &mut self.board.heard,
            known: &mut record.known,
            terms: &env.setup.terms,
            now,
        };
        let state = core::mem::replace(&mut ask.state, State::Waits(now.mono));
        match next(state, &mut at) {
            Some(step) => self.take(env, number, ask, step, now),
            None => self.finish(&ask, Said::Undecided(Fault::Unreachable), now.mono),
        }
    }

    /// Does what a step says.
    fn take(&mut self, env: &Env<'_>, number: u32, mut ask: Ask, step: Step, now: Instants) {
        ask.state = match step {
            Step::Done(outcome, vain) => {
                self.revoke(vain);
                return self.done(number, ask, outcome, now.mono);
            }
            Step::SitOut(sitting, until) if until > self.deadline(env, &ask) => {
                self.revoke(sitting.leaves_behind());
                let wait = until.since(now.mono);
                return self.finish(&ask, Said::Undecided(Fault::Settling(wait)), now.mono);
            }
            Step::SitOut(sitting, until) => State::Sits(sitting, until),
            Step::Stale(stale) => {
                self.survey_wanted = true;
                State::Stale(stale)
            }
            Step::Call(calling, _) if ask.asker.is_none() => {
                self.revoke(calling.leaves_behind());
                return;
            }
            Step::Call(calling, _) if self.is_behind(&ask, now.mono) => State::Behind(calling),
            Step::Call(calling, call) => {
                self.call(number, &ask, call, now.mono);
                State::Called(calling)
            }
        };
        if ask.asker.is_some() {
            self.asks.put(number, ask);
        } else {
            self.revoke(ask.leaves_behind());
        }
    }

    fn call(&mut self, number: u32, ask: &Ask, call: Call, now: Moment) {
        if ask.kind == Kind::Check
            && let Some(record) = self.records.entry(&ask.resource, now)
        {
            record.caller = Some(number);
        }
        self.calls.add(Way::Step {
            ask: number,
            resource: ask.resource.clone(),
            call,
        });
    }

    /// Whether another request's call for the same resource is under way, and will do.
    fn is_behind(&mut self, ask: &Ask, now: Moment) -> bool {
        let asks = &self.asks;
        let record = self.records.entry(&ask.resource, now);
        let caller = record.and_then(|record| record.caller);
        ask.kind == Kind::Check && caller.is_some_and(|caller| asks.is_called(caller))
    }

    /// Those behind a call that was answered go on.
    pub(super) fn wake_behind(&mut self, env: &Env<'_>, resource: &str, now: Instants) {
        let behind = |ask: &Ask| matches!(ask.state, State::Behind(_)) && ask.resource == resource;
        for number in self.asks.that(behind) {
            if let Some(ask) = self.asks.take(number) {
                self.go_on(env, number, ask, now, |state, at| match state {
                    State::Behind(calling) => Some(calling.read_by_another(at)),
                    _ => None,
                });
            }
        }
    }

    /// It ended; or it waits on, for a lease that somebody holds.
    fn done(&mut self, number: u32, mut ask: Ask, outcome: Outcome, now: Moment) {
        let held = matches!(
            outcome,
            Outcome::Acquired(Acquired::NotGranted(NotGranted::Held { .. }))
        );
        match &ask.patience {
            Some((_, until)) if held && now < *until && ask.asker.is_some() => {
                ask.state = State::Waits(now.after(ASK_AGAIN).min(*until));
                self.asks.put(number, ask);
            }
            _ => self.finish(&ask, Said::Outcome(outcome), now),
        }
    }

    /// Says something to a request, for good.
    pub(super) fn finish(&mut self, ask: &Ask, said: Said, at: Moment) {
        if let Some(asker) = ask.asker {
            let late = false;
            self.finished.push(Finished {
                asker,
                said,
                at,
                late,
            });
        }
    }

    /// Ends a lease that nobody was told of.
    pub(super) fn revoke(&mut self, lease: Option<LeaseId>) {
        if let Some(lease) = lease {
            self.calls.add(Way::Aside(Call::Revoke(lease)));
        }
    }

    /// Until when a request is held at most.
    pub(super) fn deadline(&self, env: &Env<'_>, ask: &Ask) -> Moment {
        let window = self.board.heard.window();
        let wait = window.map_or(Duration::ZERO, |init| {
            env.setup.terms.rate.outlast(init.wait)
        });
        let calls = match ask.kind {
            Kind::Check => 1,
            Kind::Call => CALLS_IN_A_ROW,
        };
        ask.begun
            .after(env.setup.timeout.saturating_mul(calls))
            .after(wait)
    }
}

/// A request that begins to wait.
#[derive(Debug)]
pub(super) struct Begun {
    pub(super) asker: u32,
    pub(super) resource: String,
    pub(super) kind: Kind,
    /// Until when it asks again for a lease that somebody holds.
    pub(super) until: Option<Moment>,
}

fn request(env: &Env<'_>, ask: &Ask, wanted: Wanted, now: Instants) -> Result<Request, HostError> {
    let (nonce, lease) = match ask.kind {
        // A check puts nothing that it would have to know again.
        Kind::Check => (0, LeaseId(0)),
        Kind::Call => {
            let (high, low) = (env.host.random()?, env.host.random()?);
            let nonce = u128::from(high) << 64 | u128::from(low);
            (nonce, LeaseId((env.host.random()? >> 1).max(1)))
        }
    };
    Ok(Request {
        resource: ask.resource.clone(),
        wanted,
        arrived: now,
        nonce,
        lease,
    })
}
