//! Requests on their way: from begin to end.

use super::{Flaw, Job, OnTheWay, Place, R, World, elsewhere, place, request};
use crate::explore::Broken;
use fencegate_core::lease::{Leased, Owned};
use fencegate_core::quorum::{Call, CallError, LockChange, Outcome, Reply, Request, Step, Wanted};
use fencegate_core::token::Token;
use std::time::Duration;

impl World {
    pub(super) fn look_at_once(&mut self, side: usize) -> Result<(), Broken> {
        let others = self.sides[side].flows.len();
        self.start(side, None, request(Wanted::Look, 99))?;
        self.finish_at_once(side, others)
    }

    /// A job at the first proxy, with nothing in between.
    pub(super) fn do_at_once(&mut self, job: usize) -> Result<(), Broken> {
        self.begin(0, job)?;
        self.finish_at_once(0, 0)
    }

    /// Goes on with what came last until that is done.
    fn finish_at_once(&mut self, side: usize, others: usize) -> Result<(), Broken> {
        while self.sides[side].flows.len() > others {
            match &self.sides[side].flows[others].place {
                Place::Calling { reply: None, .. } => drop(self.serve(side, others)?),
                Place::Calling { .. } => self.deliver(side, others)?,
                Place::Sitting(..) => {
                    self.sides[side].clock += 2;
                    self.wake(side, others)?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn begin(&mut self, side: usize, job: usize) -> Result<(), Broken> {
        self.begun[job] = true;
        if let Job::Write(number, holder) = self.setup.jobs[job] {
            self.truth.issued.insert(elsewhere(number), holder);
        }
        if let Job::Release(of) = self.setup.jobs[job] {
            // Who asks for that believes no more.
            self.truth.believes.remove(&of);
        }
        match self.request(job) {
            Some(request) => self.start(side, Some(job), request),
            None => Ok(()),
        }
    }

    pub(super) fn start(
        &mut self,
        side: usize,
        job: Option<usize>,
        request: Request,
    ) -> Result<(), Broken> {
        let now = self.sides[side].now();
        let step = self.sides[side].at(now, |at| request.start(at));
        self.goes_on(side, (job, self.truth.floor), step)
    }

    /// A request is where its step says, or ends.
    fn goes_on(
        &mut self,
        side: usize,
        (job, floor): (Option<usize>, Option<Token>),
        step: Step,
    ) -> Result<(), Broken> {
        let step = match step {
            Step::Call(calling, call) => {
                let call = self.mistaken(job, call);
                Step::Call(calling, call)
            }
            Step::Stale(stale) => {
                let now = self.sides[side].now();
                let step = self.sides[side].at(now, |at| stale.read(at));
                return self.goes_on(side, (job, floor), step);
            }
            Step::Done(outcome, vain) => {
                if let Some(lease) = vain {
                    let _ = self.store.call(R, &Call::Revoke(lease));
                }
                return self.ended(side, job, floor, &outcome);
            }
            step => step,
        };
        if let Some(place) = place(step, self.sides[side].now()) {
            // The sooner it is done after it was sent, the more is believed of it: what only reads,
            // or only makes a lease run, is done at once. Later is as if it was sent later.
            let at_once = match &place {
                // Who answers it makes a difference.
                Place::Calling { call, .. } if self.setup.elections > 0 => reads(call),
                Place::Calling { call, .. } => !changes(call),
                Place::Sitting(..) => false,
            };
            self.sides[side].flows.push(OnTheWay { job, floor, place });
            if at_once {
                let last = self.sides[side].flows.len() - 1;
                self.serve(side, last)?;
            }
        }
        Ok(())
    }

    pub(super) fn serve(&mut self, side: usize, flow: usize) -> Result<Call, Broken> {
        let Place::Calling { call, reply, .. } = &mut self.sides[side].flows[flow].place else {
            unreachable!("only calls are served");
        };
        *reply = Some(self.store.call(R, call));
        let call = call.clone();
        self.done_at_store()?;
        Ok(call)
    }

    pub(super) fn serve_by_deposed(&mut self, side: usize, flow: usize) {
        let Place::Calling { call, reply, .. } = &mut self.sides[side].flows[flow].place else {
            unreachable!("only calls are served");
        };
        *reply = self.store.call_deposed(call).map(Ok);
    }

    pub(super) fn deliver(&mut self, side: usize, flow: usize) -> Result<(), Broken> {
        let it = self.sides[side].flows.remove(flow);
        let Place::Calling {
            calling,
            call,
            sent,
            reply: Some(reply),
        } = it.place
        else {
            unreachable!("only answers are delivered");
        };
        let now = self.sides[side].now();
        let lease = matches!(call, Call::Grant(..) | Call::KeepAlive(_));
        let late =
            self.has(Flaw::StampedAtArrival) || (lease && self.has(Flaw::CountedFromArrival));
        let sent = if late { now } else { sent };
        if self.has(Flaw::BareKeepAlive)
            && matches!(reply, Ok(Reply::KeptAlive(Some(_))))
            && let Some(Job::Renew(of)) = it.job.map(|job| self.setup.jobs[job])
        {
            let leased = Leased {
                token: self.truth.granted[&of],
                left: Duration::from_secs(self.setup.ttl),
            };
            let outcome = Outcome::Renewed(Owned::Done(leased));
            return self.ended(side, it.job, it.floor, &outcome);
        }
        let reply = match reply {
            Ok(Reply::KeptAlive(Some(_))) if self.has(Flaw::TermsNotCompared) => {
                Ok(Reply::KeptAlive(Some(self.store.term)))
            }
            reply => reply,
        };
        let reply = reply.as_ref().map_err(|error| *error);
        let step = self.sides[side].at(now, |at| calling.answered(sent, reply, at));
        self.goes_on(side, (it.job, it.floor), step)
    }

    pub(super) fn lose(&mut self, side: usize, flow: usize) -> Result<(), Broken> {
        let it = self.sides[side].flows.remove(flow);
        let Place::Calling {
            calling,
            call,
            sent,
            reply,
        } = it.place
        else {
            unreachable!("only calls are lost");
        };
        if reply.is_none() && changes(&call) {
            self.ghosts.push(call);
        }
        let now = self.sides[side].now();
        let error = Err(CallError::Unknown);
        let step = self.sides[side].at(now, |at| calling.answered(sent, error, at));
        self.goes_on(side, (it.job, it.floor), step)
    }

    pub(super) fn wake(&mut self, side: usize, flow: usize) -> Result<(), Broken> {
        let it = self.sides[side].flows.remove(flow);
        let Place::Sitting(sitting, until) = it.place else {
            unreachable!("only who sits is woken");
        };
        let mut now = self.sides[side].now();
        now.mono = now.mono.max(until);
        let step = self.sides[side].at(now, |at| sitting.woken(at));
        self.goes_on(side, (it.job, it.floor), step)
    }
}

/// Whether a call that comes late, or again, can do anything.
pub(super) fn changes(call: &Call) -> bool {
    match call {
        Call::Transact(it) => it.mark.is_some() || it.lock != LockChange::Keep,
        Call::PutInit(_) => true,
        _ => false,
    }
}

/// Whether a call only looks.
pub(super) fn reads(call: &Call) -> bool {
    matches!(call, Call::Transact(_)) && !changes(call)
}
