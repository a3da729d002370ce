//! One proxy with one worker that makes its calls one after the other, and a script of what becomes
//! of them.

use super::store::{CLUSTER, Store};
use fencegate_core::moment::Moment;
use fencegate_core::quorum::{
    At, Call, CallError, Heard, Init, Known, LeaseId, Outcome, Reply, Request, Step, Terms, Wanted,
};
use fencegate_core::window::{Instants, RateError};
use std::collections::VecDeque;
use std::time::Duration;

pub(crate) const WINDOW: Duration = Duration::from_millis(250);
pub(crate) const R: &str = "job:1";

pub(crate) const INIT: Init = Init {
    cluster: CLUSTER,
    epoch: 5,
    generation: 1,
    mapping: 9,
    trust: WINDOW,
    wait: WINDOW,
};

pub(crate) const TERMS: Terms = Terms {
    generation: 1,
    mapping: 9,
    quarantine: Duration::ZERO,
    lock_delay: Duration::ZERO,
    rate: RateError { ppm: 1_000 },
    window: Some(WINDOW),
};

/// What becomes of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Answered,
    /// It is done, and the answer is lost.
    AnswerLost,
    /// It is not done, and nobody knows.
    Lost,
    Refused,
    /// The deposed leader answers, where it can; else the one that leads.
    FromDeposed,
    /// The leader answers, and is deposed right after.
    LastOfLeader,
}

pub(crate) struct Proxy {
    pub(crate) heard: Heard,
    pub(crate) known: Known,
    pub(crate) terms: Terms,
    pub(crate) millis: u64,
    /// How long each call takes.
    pub(crate) latency: u64,
    /// What becomes of the next calls; answered when it is at its end.
    pub(crate) fates: VecDeque<Fate>,
    /// The calls that were made, for a look.
    pub(crate) calls: Vec<Call>,
    pub(crate) drawn: u64,
}

pub(crate) const fn at_millis(millis: u64) -> Instants {
    let moment = Moment::from_nanos(millis * 1_000_000);
    Instants {
        mono: moment,
        wall: moment,
    }
}

impl Proxy {
    pub(crate) fn new(terms: Terms) -> Self {
        Self {
            heard: Heard::default(),
            known: Known::default(),
            terms,
            millis: 1_000_000,
            latency: 1,
            fates: VecDeque::new(),
            calls: Vec::new(),
            drawn: 0,
        }
    }

    /// Another proxy beside `other`; its numbers are its own.
    pub(crate) fn beside(other: &Self) -> Self {
        Self {
            drawn: other.drawn + 1_000,
            millis: other.millis,
            ..Self::new(other.terms)
        }
    }

    pub(crate) const fn now(&self) -> Instants {
        at_millis(self.millis)
    }

    pub(crate) fn at<T>(&mut self, does: impl FnOnce(&mut At<'_>) -> T) -> T {
        let now = self.now();
        does(&mut At {
            heard: &mut self.heard,
            known: &mut self.known,
            terms: &self.terms,
            now,
        })
    }

    pub(crate) fn request(&mut self, wanted: Wanted) -> Request {
        self.drawn += 1;
        Request {
            resource: R.to_owned(),
            wanted,
            arrived: self.now(),
            nonce: self.drawn.into(),
            lease: LeaseId(self.drawn),
        }
    }

    /// Begins, up to the first step.
    pub(crate) fn begin(&mut self, wanted: Wanted) -> Step {
        let request = self.request(wanted);
        self.at(|at| request.start(at))
    }

    /// From request to outcome.
    pub(crate) fn run(&mut self, store: &mut Store, wanted: Wanted) -> Outcome {
        let step = self.begin(wanted);
        self.finish(store, step)
    }

    pub(crate) fn finish(&mut self, store: &mut Store, mut step: Step) -> Outcome {
        loop {
            step = match step {
                Step::Done(outcome, vain) => {
                    if let Some(lease) = vain {
                        let _ = store.call(R, &Call::Revoke(lease));
                    }
                    return outcome;
                }
                step => self.step(store, step),
            };
        }
    }

    /// Goes on until a wait or the end.
    pub(crate) fn until_wait(&mut self, store: &mut Store, mut step: Step) -> Step {
        while matches!(step, Step::Call(..) | Step::Stale(_)) {
            step = self.step(store, step);
        }
        step
    }

    /// One step.
    pub(crate) fn step(&mut self, store: &mut Store, step: Step) -> Step {
        match step {
            Step::Call(calling, call) => {
                let sent = self.now();
                let reply = self.make(store, &call);
                self.calls.push(call);
                self.at(|at| calling.answered(sent, reply.as_ref().map_err(|error| *error), at))
            }
            Step::Stale(stale) => self.at(|at| stale.read(at)),
            Step::SitOut(sitting, until) => {
                self.millis = self.millis.max(until.nanos().div_ceil(1_000_000));
                self.at(|at| sitting.woken(at))
            }
            done => done,
        }
    }

    fn make(&mut self, store: &mut Store, call: &Call) -> Result<Reply, CallError> {
        let fate = self.fates.pop_front().unwrap_or(Fate::Answered);
        self.millis += self.latency;
        match fate {
            Fate::Answered => store.call(R, call),
            Fate::AnswerLost => {
                let _ = store.call(R, call);
                Err(CallError::Unknown)
            }
            Fate::Lost => Err(CallError::Unknown),
            Fate::Refused => Err(CallError::Refused),
            Fate::FromDeposed => match store.call_deposed(call) {
                Some(reply) => Ok(reply),
                None => store.call(R, call),
            },
            Fate::LastOfLeader => {
                let reply = store.call(R, call);
                store.elect();
                reply
            }
        }
    }
}
