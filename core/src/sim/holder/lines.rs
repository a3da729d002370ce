//! The lines of a script, one by one.

use super::super::clock::Millis;
use super::super::mechanism::{Check, Condition};
use super::super::message::{Edit, Payload, Write};
use super::super::scenario::{Draft, Op};
use super::super::stage::{ANSWER_MS, Stage};
use super::super::told::Told;
use super::super::who::Who;
use super::super::world::Doing;
use crate::moment::millis_down;
use crate::token::Token;

impl Stage<'_> {
    /// The main timer went off: the next line begins, bytes leave, or something is asked again.
    pub(super) fn goes_on(&mut self, index: u8) {
        let Some(holder) = self.world.holder(index) else {
            return;
        };
        match holder.doing {
            Doing::Next(_) => self.begins_line(index),
            Doing::Asking(_) => self.asks(index, true),
            Doing::Reading(_) => {
                self.tell(Told::Repeats(index));
                self.reads(index);
            }
            Doing::Fencing(_) if self.line(index) == Some(Op::Fence { insists: false }) => {
                self.tell(Told::GoesUnfenced(index));
                self.next_line(index);
            }
            Doing::Fencing(_) => self.claims(index),
            Doing::Releasing(_) => self.releases(index),
            Doing::Flushing(write, due) => {
                let late = millis_down(self.reading(index).since(due));
                let late = Millis::try_from(late).unwrap_or(Millis::MAX);
                self.tell(Told::BytesLeave(write, late));
                let tries = self.plan(index).map_or(0, |plan| plan.tries);
                self.sends_write(index, write, tries);
            }
            Doing::Writing(write, _, tries) => self.writes_again(index, write, tries),
            Doing::Finished | Doing::Stopped => {}
        }
    }

    fn writes_again(&mut self, index: u8, write: Write, tries: u8) {
        match tries.checked_sub(1) {
            Some(left) if self.may_write(index) || self.is_blind(index) => {
                self.tell(Told::Repeats(index));
                self.sends_write(index, write, left);
            }
            _ => {
                self.tell(Told::GivesUp(index));
                let back = self.plan(index).is_some_and(|plan| plan.comes_back);
                self.stops(index, (back, true));
            }
        }
    }

    fn may_write(&self, index: u8) -> bool {
        let Some(plan) = self.plan(index) else {
            return false;
        };
        let holder = self.world.holder(index);
        holder.is_some_and(|it| it.thinks(self.scenario, plan.stops_at_expiry, self.world.now))
    }

    /// The line is done: the next one begins at once.
    pub(super) fn next_line(&mut self, index: u8) {
        let now = self.reading(index);
        if let Some(holder) = self.holder(index) {
            holder.line = holder.line.saturating_add(1);
            holder.doing = Doing::Next(now);
        }
    }

    pub(super) fn line(&self, index: u8) -> Option<Op> {
        let line = self.world.holder(index)?.line;
        self.plan(index)?.script.get(usize::from(line)).copied()
    }

    fn begins_line(&mut self, index: u8) {
        match self.line(index) {
            None => {
                self.tell(Told::Done(index));
                self.does(index, Doing::Finished);
                self.stops(index, (false, true));
            }
            Some(Op::Acquire) if self.scenario.mechanism.lock.ttl_ms() == 0 => {
                self.starts_unasked(index, None);
            }
            Some(Op::Acquire) => self.asks(index, false),
            Some(Op::PickToken | Op::Read) => self.reads(index),
            Some(Op::Work { ms }) => {
                self.tell(Told::Works(index, ms));
                self.next_line(index);
                let then = self.later(index, ms);
                self.does(index, Doing::Next(then));
            }
            Some(Op::Put { draft, flush_ms }) => self.puts(index, draft, flush_ms),
            Some(Op::Fence { .. }) => self.claims(index),
            Some(Op::Release) => self.releases(index),
        }
    }

    /// Nobody is asked: it just begins to think that it may write.
    pub(super) fn starts_unasked(&mut self, index: u8, token: Option<Token>) {
        let turn = self.world.witness.granted(index, token);
        if let Some(holder) = self.holder(index) {
            holder.turn = turn;
            holder.token = token.or(holder.token);
        }
        let told = token.map_or(Told::Gets(index, None, 0), |token| {
            Told::Picks(index, token)
        });
        self.tell(told);
        self.next_line(index);
    }

    /// Asks for the lease; `again` with the same request id.
    pub(super) fn asks(&mut self, index: u8, again: bool) {
        let asked = self.reading(index);
        let until = self.later(index, ANSWER_MS);
        let Some(holder) = self.holder(index) else {
            return;
        };
        if !again {
            holder.requests = holder.requests.saturating_add(1);
        }
        let request = holder.requests;
        holder.doing = Doing::Asking(until);
        self.tell(Told::Asks(index, again));
        let acquire = Payload::Acquire { request, asked };
        self.send(Who::Holder(index), Who::Issuer, acquire);
    }

    fn reads(&mut self, index: u8) {
        let until = self.later(index, ANSWER_MS);
        self.does(index, Doing::Reading(until));
        self.tell(Told::Reads(index));
        let door = self.scenario.door(index);
        self.send(Who::Holder(index), door, Payload::Read { by: index });
    }

    /// Looks at the lease, and then starts to write: the bytes leave later.
    fn puts(&mut self, index: u8, draft: Draft, flush_ms: Millis) {
        let Some(plan) = self.plan(index) else {
            return;
        };
        let (careful, back) = (plan.stops_at_expiry, plan.comes_back);
        let has_lock = self.scenario.mechanism.lock.ttl_ms() > 0;
        let now = self.reading(index);
        let holder = self.world.holder(index);
        let held = holder.is_some_and(|holder| holder.tenure.may_write(now).is_some());
        if has_lock && !held {
            if careful {
                self.tell(Told::MayNotWrite(index));
                self.stops(index, (back, false));
                return;
            }
            self.tell(Told::Ignores(index));
        }
        let left = self.left_ms(index).filter(|_| has_lock && careful);
        self.tell(Told::StartsWriting(index, draft, left));
        let token = self.carried(index);
        let as_read = matches!(self.scenario.mechanism.condition, Condition::AsRead(_));
        let flushed = self.later(index, flush_ms);
        let Some(holder) = self.holder(index) else {
            return;
        };
        holder.writes = holder.writes.saturating_add(1);
        let mine = Edit::Put(Some(index));
        let sight = holder.sight;
        let seen = |half: usize| {
            let half = sight.and_then(|sight| sight.halves.get(half).copied());
            Edit::Put(half.flatten())
        };
        let edits = match draft {
            Draft::Whole => [mine, mine],
            Draft::Half => [mine, Edit::Put(None)],
            Draft::First => [mine, Edit::Keep],
            Draft::Second => [Edit::Keep, mine],
            Draft::Same => [seen(0), seen(1)],
        };
        let write = Write {
            by: index,
            turn: holder.turn,
            token,
            seq: holder.writes,
            edits,
            base: sight.map(|sight| sight.version),
            if_match: sight.filter(|_| as_read).map(|sight| sight.etag),
            start: 0,
        };
        holder.doing = Doing::Flushing(write, flushed);
    }

    fn claims(&mut self, index: u8) {
        let until = self.later(index, ANSWER_MS);
        self.does(index, Doing::Fencing(until));
        let Some(holder) = self.world.holder(index) else {
            return;
        };
        let (Some(token), turn) = (holder.token, holder.turn) else {
            return;
        };
        self.tell(Told::Claims(index, token));
        let place = match self.scenario.mechanism.check {
            Check::Store | Check::StoreByClaim => Who::Store,
            _ => self.scenario.door(index),
        };
        let claim = Payload::Claim {
            by: index,
            token,
            turn,
        };
        self.send(Who::Holder(index), place, claim);
    }

    fn releases(&mut self, index: u8) {
        let until = self.later(index, ANSWER_MS);
        let now = self.reading(index);
        let Some(holder) = self.holder(index) else {
            return;
        };
        let _ = holder.tenure.release_sent(now);
        holder.renews_at = None;
        holder.turn = 0;
        holder.doing = Doing::Releasing(until);
        let Some(token) = holder.token else {
            self.next_line(index);
            return;
        };
        self.tell(Told::Releases(index));
        self.send(Who::Holder(index), Who::Issuer, Payload::Release { token });
    }
}
