//! All that can happen next, and what it leads to.

use super::{Expiry, Flaw, Job, Looks, OnTheWay, Place, R, World, place, request};
use crate::explore::{Broken, Model, broken};
use fencegate_core::check::{Access, Presented};
use fencegate_core::lease::Owned;
use fencegate_core::quorum::{
    Call, CallError, Heard, Known, LeaseId, LockChange, Outcome, Reply, Step, Wanted,
};
use fencegate_core::token::Token;
use fencegate_core::verdict::Verdict;
use fencegate_core::window::{Decided, Question, Whose};
use std::time::Duration;

/// One thing that happens. Numbers are a proxy, then a request on its way.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Move {
    /// The clocks of the proxies and of the store advance so much.
    Tick([u64; 2], u64),
    /// A job begins at a proxy.
    Begin(usize, usize),
    Look(usize),
    Serve(usize, usize),
    /// The same, and the call comes once more, later.
    ServeAndCopy(usize, usize),
    Deliver(usize, usize),
    /// Nobody knows whether it was done.
    Lose(usize, usize),
    Wake(usize, usize),
    /// A call that nobody waits for is done.
    ServeGhost(usize),
    Expire(LeaseId),
    /// A request with this token is admitted to write.
    Write(Token),
    Restart(usize),
    Reload(usize),
    Wipe,
}

impl Model for World {
    type Move = Move;

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for first in [1, 2] {
            for second in [1, 2] {
                match self.setup.expiry == Expiry::InTime {
                    true => moves.extend([1, 2].map(|store| Move::Tick([first, second], store))),
                    false => moves.push(Move::Tick([first, second], 0)),
                }
            }
        }
        for side in 0..2 {
            self.moves_of(side, &mut moves);
        }
        moves.extend((0..self.ghosts.len()).map(Move::ServeGhost));
        let ends = self
            .store
            .leases
            .iter()
            .filter(|(_, lease)| match self.setup.expiry {
                Expiry::Never => false,
                Expiry::AnyTime => true,
                Expiry::InTime => lease.left == 0,
            });
        moves.extend(ends.map(|(lease, _)| Move::Expire(*lease)));
        if self.left.wipes > 0 {
            moves.push(Move::Wipe);
        }
        moves
    }

    fn after(&self, step: Move) -> Result<Self, Broken> {
        let mut next = self.clone();
        match step {
            Move::Tick(by, store) => {
                for (side, by) in next.sides.iter_mut().zip(by) {
                    side.clock += by;
                }
                for lease in next.store.leases.values_mut() {
                    lease.left = lease.left.saturating_sub(store);
                }
            }
            Move::Begin(side, job) => next.begin(side, job)?,
            Move::Look(side) if next.setup.looks == Looks::AtOnce => next.look_at_once(side)?,
            Move::Look(side) => next.start(side, None, request(Wanted::Look, 99))?,
            Move::Serve(side, flow) => drop(next.serve(side, flow)?),
            Move::ServeAndCopy(side, flow) => {
                next.left.copies -= 1;
                let call = next.serve(side, flow)?;
                next.ghosts.push(call);
            }
            Move::Deliver(side, flow) => next.deliver(side, flow)?,
            Move::Lose(side, flow) => {
                next.left.losses -= 1;
                next.lose(side, flow)?;
            }
            Move::Wake(side, flow) => next.wake(side, flow)?,
            Move::ServeGhost(ghost) => {
                let call = next.ghosts.remove(ghost);
                let _ = next.store.call(R, &call);
                next.done_at_store()?;
            }
            Move::Expire(lease) => next.store.expire(lease),
            Move::Write(token) => next.truth.floor = next.truth.floor.max(Some(token)),
            Move::Restart(side) => {
                next.left.restarts -= 1;
                next.restart(side);
            }
            Move::Reload(side) => {
                next.left.reloads -= 1;
                next.sides[side].generation += 1;
                next.restart(side);
            }
            Move::Wipe => {
                next.left.wipes -= 1;
                next.store.wipe();
            }
        }
        next.tidy();
        Ok(next)
    }

    fn look(&self) -> Result<(), Broken> {
        for side in 0..2 {
            for (token, holder) in &self.truth.issued {
                if self.admits(side, *token, holder) && Some(*token) < self.truth.floor {
                    let how = format!("{token} after {:?}", self.truth.floor);
                    return Err(broken("stale_never_admitted", how));
                }
                let other = if *holder == "a" { "b" } else { "a" };
                if self.admits(side, *token, other) {
                    return Err(broken("equal_token_one_holder", format!("{token}")));
                }
            }
        }
        self.lock_goes_with_its_lease()
    }
}

impl World {
    fn moves_of(&self, at: usize, moves: &mut Vec<Move>) {
        let side = &self.sides[at];
        for job in 0..self.begun.len() {
            if !self.begun[job] && self.request(job).is_some() {
                moves.push(Move::Begin(at, job));
            }
        }
        if self.setup.looks != Looks::None && side.flows.iter().all(|it| it.job.is_some()) {
            moves.push(Move::Look(at));
        }
        for (number, on_the_way) in side.flows.iter().enumerate() {
            match &on_the_way.place {
                Place::Calling {
                    calling,
                    call,
                    reply,
                    ..
                } => {
                    match reply {
                        Some(_) => moves.push(Move::Deliver(at, number)),
                        None => moves.push(Move::Serve(at, number)),
                    }
                    if self.left.losses > 0 && !calling.is_read() {
                        moves.push(Move::Lose(at, number));
                    }
                    if self.left.copies > 0 && reply.is_none() && changes(call) {
                        moves.push(Move::ServeAndCopy(at, number));
                    }
                }
                Place::Sitting(_, until) if side.now().mono >= *until || self.has(Flaw::NoWait) => {
                    moves.push(Move::Wake(at, number));
                }
                Place::Sitting(..) => {}
            }
        }
        if self.left.restarts > 0 {
            moves.push(Move::Restart(at));
        }
        if self.left.reloads > 0 {
            moves.push(Move::Reload(at));
        }
        let higher = |token: &&Token| Some(**token) > self.truth.floor;
        for token in self.truth.issued.keys().filter(higher) {
            if self.admits(at, *token, self.truth.issued[token]) {
                moves.push(Move::Write(*token));
            }
        }
    }

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

    /// Whether a write would be admitted from memory.
    fn admits(&self, side: usize, token: Token, holder: &str) -> bool {
        let side = &self.sides[side];
        let question = Question {
            presented: Presented {
                token,
                holder: Some(holder),
            },
            access: Access::Write,
            whose: Whose::Ours,
            arrived: side.now(),
        };
        let decided = side
            .known
            .decide(&question, &side.heard, &side.terms(), side.now());
        matches!(decided, Decided::Done(Verdict::Admit(_)))
    }

    fn begin(&mut self, side: usize, job: usize) -> Result<(), Broken> {
        self.begun[job] = true;
        if let Job::Release(of) = self.setup.jobs[job] {
            // Who asks for that believes no more.
            self.truth.believes.remove(&of);
        }
        match self.request(job) {
            Some(request) => self.start(side, Some(job), request),
            None => Ok(()),
        }
    }

    fn start(
        &mut self,
        side: usize,
        job: Option<usize>,
        request: fencegate_core::quorum::Request,
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
                Place::Calling { calling, call, .. } => calling.is_read() || !changes(call),
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

    fn serve(&mut self, side: usize, flow: usize) -> Result<Call, Broken> {
        let Place::Calling { call, reply, .. } = &mut self.sides[side].flows[flow].place else {
            unreachable!("only calls are served");
        };
        *reply = Some(self.store.call(R, call));
        let call = call.clone();
        self.done_at_store()?;
        Ok(call)
    }

    fn deliver(&mut self, side: usize, flow: usize) -> Result<(), Broken> {
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
            && reply == Ok(Reply::KeptAlive(true))
            && let Some(Job::Renew(of)) = it.job.map(|job| self.setup.jobs[job])
        {
            let leased = fencegate_core::lease::Leased {
                token: self.truth.granted[&of],
                left: Duration::from_secs(self.setup.ttl),
            };
            let outcome = Outcome::Renewed(Owned::Done(leased));
            return self.ended(side, it.job, it.floor, &outcome);
        }
        let reply = reply.as_ref().map_err(|error| *error);
        let step = self.sides[side].at(now, |at| calling.answered(sent, reply, at));
        self.goes_on(side, (it.job, it.floor), step)
    }

    fn lose(&mut self, side: usize, flow: usize) -> Result<(), Broken> {
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

    fn wake(&mut self, side: usize, flow: usize) -> Result<(), Broken> {
        let it = self.sides[side].flows.remove(flow);
        let Place::Sitting(sitting, until) = it.place else {
            unreachable!("only who sits is woken");
        };
        let mut now = self.sides[side].now();
        now.mono = now.mono.max(until);
        let step = self.sides[side].at(now, |at| sitting.woken(at));
        self.goes_on(side, (it.job, it.floor), step)
    }

    /// What it knows is forgotten, and what it had sent may be done yet.
    fn restart(&mut self, side: usize) {
        let it = &mut self.sides[side];
        it.heard = Heard::default();
        it.known = Known::default();
        for flow in it.flows.drain(..) {
            if let Place::Calling {
                call, reply: None, ..
            } = flow.place
                && changes(&call)
            {
                self.ghosts.push(call);
            }
        }
    }

    /// What can have no effect any more goes.
    fn tidy(&mut self) {
        let Self { ghosts, store, .. } = self;
        let at = store.marks.get(R).map_or(0, |mark| mark.at);
        let init = store.init.as_ref().map_or(0, |init| init.at);
        ghosts.retain(|call| match call {
            Call::Transact(it) => {
                let puts = match it.lock {
                    LockChange::Put(lease) => store.leases.contains_key(&lease),
                    _ => true,
                };
                puts && it.mark_at.is_none_or(|mark| mark == at)
                    && (store.ignores_init || it.init == init)
            }
            Call::PutInit(put) => put.over == init,
            _ => false,
        });
        ghosts.sort_unstable();
    }
}

/// Whether a call that comes late, or again, can do anything.
fn changes(call: &Call) -> bool {
    match call {
        Call::Transact(it) => it.mark.is_some() || it.lock != LockChange::Keep,
        Call::PutInit(_) => true,
        _ => false,
    }
}
