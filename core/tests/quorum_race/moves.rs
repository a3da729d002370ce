//! All that can happen next, and what it leads to.

use super::flows::{changes, reads};
use super::{EXTERNAL, Expiry, Flaw, Job, Looks, Place, R, World, request};
use crate::explore::{Broken, Model, broken};
use fencegate_core::check::{Access, Presented};
use fencegate_core::quorum::{Call, Heard, Known, LeaseId, LockChange, Wanted};
use fencegate_core::token::Token;
use fencegate_core::verdict::Verdict;
use fencegate_core::window::{Decided, Question, Whose};

/// One thing that happens. Numbers are a proxy, then a request on its way.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Move {
    /// The clocks of the proxies and of the store advance so much.
    Tick([u64; 2], u64),
    /// A job begins at a proxy.
    Begin(usize, usize),
    Look(usize),
    Serve(usize, usize),
    /// A leader that was deposed answers.
    ServeByDeposed(usize, usize),
    /// As `Serve`, and the call comes once more, later.
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
    Elect,
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
        if self.left.elections > 0 {
            moves.push(Move::Elect);
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
            Move::ServeByDeposed(side, flow) => next.serve_by_deposed(side, flow),
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
            Move::Expire(lease) => next.expire(lease)?,
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
            Move::Elect => {
                next.left.elections -= 1;
                next.store.elect();
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
                Place::Calling { call, reply, .. } => {
                    match reply {
                        Some(_) => moves.push(Move::Deliver(at, number)),
                        None => moves.push(Move::Serve(at, number)),
                    }
                    if reply.is_none() && self.store.call_deposed(call).is_some() {
                        moves.push(Move::ServeByDeposed(at, number));
                    }
                    if self.left.losses > 0 && !reads(call) {
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

    /// Whether a write would be admitted from memory.
    fn admits(&self, side: usize, token: Token, holder: &str) -> bool {
        let side = &self.sides[side];
        let question = Question {
            presented: Presented {
                token,
                holder: Some(holder),
            },
            access: Access::Write,
            whose: self.whose(),
            arrived: side.now(),
        };
        let decided = side
            .known
            .decide(&question, &side.heard, &side.terms(), side.now());
        matches!(decided, Decided::Done(Verdict::Admit(_)))
    }

    fn whose(&self) -> Whose {
        match self.setup.jobs[0] {
            Job::Write(..) => EXTERNAL,
            _ => Whose::Ours,
        }
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
