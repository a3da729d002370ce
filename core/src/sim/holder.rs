//! A holder: runs its script, believes what its tenure lets it believe, and answers to answers.

mod answers;
mod lines;

use super::clock::Millis;
use super::mechanism::Tokens;
use super::message::{Payload, Write};
use super::scenario::{HolderPlan, OnRefusal, Scenario};
use super::stage::{ANSWER_MS, Stage};
use super::told::Told;
use super::who::Who;
use super::world::{Doing, Holder, Life};
use crate::moment::{Moment, millis_down};
use crate::tenure::{Left, RenewAnswer, Turn, Why};
use crate::token::Token;
use core::time::Duration;

/// A timer of a holder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Chime {
    /// What it does goes on.
    Main,
    /// It renews.
    Renew,
    /// Its tenure may be over.
    Deadline,
}

/// The timer of a holder that goes off next, and when.
pub(super) fn due(scenario: &Scenario, index: u8, holder: &Holder) -> Option<(Millis, Chime)> {
    let plan = scenario.plan(index)?;
    if holder.life != Life::Runs {
        return None;
    }
    let main = match holder.doing {
        Doing::Flushing(..) if holder.stalled => None,
        Doing::Next(at)
        | Doing::Asking(at)
        | Doing::Reading(at)
        | Doing::Fencing(at)
        | Doing::Releasing(at)
        | Doing::Flushing(_, at)
        | Doing::Writing(_, at, _) => Some((at, Chime::Main)),
        Doing::Finished | Doing::Stopped => None,
    };
    let renew = holder.renews_at.filter(|_| !holder.stalled);
    let renew = renew.map(|at| (at, Chime::Renew));
    let deadline = holder.tenure.deadline().filter(|_| plan.stops_at_expiry);
    let deadline = deadline.map(|at| (at, Chime::Deadline));
    let (at, chime) = [main, renew, deadline].into_iter().flatten().min()?;
    let at = if scenario.mechanism.lock.is_by_walls() {
        holder.clock.when_wall(at)
    } else {
        holder.clock.when(at)
    };
    Some((at?, chime))
}

impl Stage<'_> {
    pub(super) fn timer(&mut self, who: Who) {
        let Who::Holder(index) = who else {
            if who == Who::Issuer {
                self.issuer_timer();
            }
            return;
        };
        let found = self.world.holder(index);
        let Some((_, chime)) = found.and_then(|holder| due(self.scenario, index, holder)) else {
            return;
        };
        match chime {
            Chime::Main => self.goes_on(index),
            // Whoever wakes up late may find both due: a renewal then would prolong a lease that
            // nobody believes in any more.
            Chime::Renew if !self.is_past_its_end(index) => self.renews(index),
            Chime::Renew | Chime::Deadline => {
                let now = self.reading(index);
                let turn = self
                    .holder(index)
                    .and_then(|holder| holder.tenure.tick(now));
                self.turned(index, turn);
            }
        }
    }

    /// Whether a careful holder's deadline has passed.
    fn is_past_its_end(&self, index: u8) -> bool {
        let careful = self.plan(index).is_some_and(|plan| plan.stops_at_expiry);
        let deadline = self.world.holder(index).and_then(|it| it.tenure.deadline());
        careful && deadline.is_some_and(|deadline| deadline <= self.reading(index))
    }

    /// What a holder reads on the clock that its leases are measured with.
    pub(super) fn reading(&self, index: u8) -> Moment {
        let holder = self.world.holder(index);
        holder.map_or_else(Moment::default, |it| {
            it.reads(self.scenario, self.world.now)
        })
    }

    pub(super) fn plan(&self, index: u8) -> Option<&HolderPlan> {
        self.scenario.plan(index)
    }

    pub(super) fn does(&mut self, index: u8, doing: Doing) {
        if let Some(holder) = self.holder(index) {
            holder.doing = doing;
        }
    }

    /// When a holder will look again, so long from now.
    pub(super) fn later(&self, index: u8, ms: Millis) -> Moment {
        self.reading(index).after(Duration::from_millis(ms.into()))
    }

    fn renews(&mut self, index: u8) {
        let third = self
            .scenario
            .mechanism
            .lock
            .ttl_ms()
            .checked_div(3)
            .unwrap_or(0);
        let next = self.later(index, third.max(1));
        let asked = self.reading(index);
        let Some(holder) = self.holder(index) else {
            return;
        };
        holder.renews_at = Some(next);
        let Some(token) = holder.token else {
            return;
        };
        self.tell(Told::Renews(index));
        let renew = Payload::Renew { token, asked };
        self.send(Who::Holder(index), Who::Issuer, renew);
    }

    /// Takes the answer to a renewal, or to the question whether it was lost.
    fn renewed(&mut self, index: u8, asked: Moment, answer: RenewAnswer) {
        let now = self.reading(index);
        let turn = self
            .holder(index)
            .and_then(|holder| holder.tenure.renewed(asked, answer, now));
        let careless = self.plan(index).is_some_and(|plan| !plan.stops_at_expiry);
        match answer {
            RenewAnswer::Kept(_) if turn.is_none() => self.tell(Told::Kept(index)),
            // Even who never looks at the clock hears a clear no.
            RenewAnswer::Lost if turn.is_none() && careless => self.told_lost(index),
            _ if turn.is_none() => self.tell(Told::TooLate(Who::Holder(index))),
            _ => {}
        }
        self.turned(index, turn);
    }

    fn told_lost(&mut self, index: u8) {
        let Some(token) = self.world.holder(index).and_then(|holder| holder.token) else {
            return;
        };
        let thinks = self.world.holder(index).is_some_and(|it| it.turn > 0);
        if !thinks {
            self.tell(Told::TooLate(Who::Holder(index)));
        } else {
            self.turned(index, Some(Turn::Stopped(token, Why::Lost)));
        }
    }

    /// Follows its tenure.
    pub(super) fn turned(&mut self, index: u8, turn: Option<Turn>) {
        let Some(Turn::Stopped(token, why)) = turn else {
            return;
        };
        if why == Why::Released {
            return;
        }
        self.tell(Told::Stops(index, token, why));
        let back = self.plan(index).is_some_and(|plan| plan.comes_back);
        self.stops(index, (back, false));
    }

    /// Ends its turn; with `back` it begins its script again.
    fn stops(&mut self, index: u8, (back, refused): (bool, bool)) {
        let now = self.reading(index);
        let goes_on = self.is_blind(index);
        let Some(holder) = self.holder(index) else {
            return;
        };
        let _ = holder.tenure.renewed(now, RenewAnswer::Lost, now);
        holder.turn = 0;
        holder.renews_at = None;
        holder.stuck = match holder.doing {
            Doing::Flushing(write, _) if holder.stalled => Some(write),
            Doing::Writing(write, ..) => Some(write),
            _ => holder.stuck,
        };
        holder.doing = match holder.doing {
            _ if back => {
                holder.line = 0;
                Doing::Next(now)
            }
            Doing::Finished => Doing::Finished,
            // What is under way cannot be called back; its answer is still heard.
            Doing::Writing(write, at, tries) if !refused => {
                Doing::Writing(write, at, if goes_on { tries } else { 0 })
            }
            _ => Doing::Stopped,
        };
    }

    /// Whether its client repeats a refused write by itself, whatever the holder thinks.
    pub(super) fn is_blind(&self, index: u8) -> bool {
        let policy = self.plan(index).map(|plan| plan.on_refusal);
        matches!(policy, Some(OnRefusal::Retry | OnRefusal::NextToken))
    }

    /// A holder's write or claim was refused as too old.
    fn is_refused(&mut self, index: u8, mark: Option<Token>) {
        let Some(plan) = self.plan(index) else {
            return;
        };
        let policy = plan.on_refusal;
        let writing = self.world.holder(index).map(|holder| holder.doing);
        match (policy, writing) {
            (OnRefusal::Renounce, _) => {
                self.tell(Told::RefusedRenounces(index));
                self.stops(index, (true, true));
            }
            (OnRefusal::Retry, Some(Doing::Writing(write, _, tries))) if tries > 0 => {
                self.tell(Told::RefusedRetries(index));
                let again = self.later(index, ANSWER_MS);
                self.does(index, Doing::Writing(write, again, tries));
            }
            (OnRefusal::NextToken, Some(Doing::Writing(write, _, tries))) if tries > 0 => {
                self.picks_next(index, write, tries, mark);
            }
            _ => {
                self.tell(Told::RefusedStops(index, mark));
                self.stops(index, (false, true));
            }
        }
        if let Some(holder) = self.holder(index) {
            // What was refused is not kept in a buffer.
            holder.stuck = None;
        }
    }

    fn picks_next(&mut self, index: u8, write: Write, tries: u8, mark: Option<Token>) {
        let next = mark.and_then(|mark| {
            let number = mark.number().checked_add(1)?;
            Token::new(mark.epoch(), number)
        });
        let Some(token) = next else {
            self.stops(index, (false, true));
            return;
        };
        self.tell(Told::RefusedPicks(index, token));
        if let Some(holder) = self.holder(index) {
            holder.token = Some(token);
        }
        let write = Write {
            token: Some(token),
            ..write
        };
        let tries = tries.saturating_sub(1);
        self.sends_write(index, write, tries);
    }

    /// The bytes leave.
    pub(super) fn sends_write(&mut self, index: u8, write: Write, tries: u8) {
        let again = self.later(index, ANSWER_MS);
        self.does(index, Doing::Writing(write, again, tries));
        let door = self.scenario.door(index);
        self.send(Who::Holder(index), door, Payload::Write(write));
    }

    /// The token that a write of this holder carries.
    fn carried(&self, index: u8) -> Option<Token> {
        match self.scenario.mechanism.tokens {
            Tokens::None => None,
            _ => self.world.holder(index).and_then(|holder| holder.token),
        }
    }

    /// For how long it may believe from now on.
    fn left_ms(&self, index: u8) -> Option<Millis> {
        let until = self.world.holder(index)?.tenure.deadline()?;
        let left = until.since(self.reading(index));
        Millis::try_from(millis_down(left)).ok()
    }

    /// A holder gets a lease.
    fn gets(&mut self, index: u8, (token, turn): (Token, u8), asked: Moment, left: Left) {
        let now = self.reading(index);
        let third = self
            .scenario
            .mechanism
            .lock
            .ttl_ms()
            .checked_div(3)
            .unwrap_or(0);
        let renews_at = self.later(index, third.max(1));
        let Some(plan) = self.scenario.plan(index) else {
            return;
        };
        let Some(holder) = self.holder(index) else {
            return;
        };
        let started = holder.tenure.granted(token, asked, left, now);
        if started.is_none() && plan.stops_at_expiry {
            self.tell(Told::ArrivedDead(index));
            self.asks(index, false);
            return;
        }
        holder.token = Some(token);
        holder.turn = turn;
        holder.renews_at = plan.renews.then_some(renews_at);
        let told = self.carried(index);
        let left_ms = self.left_ms(index).filter(|_| plan.stops_at_expiry);
        self.tell(Told::Gets(index, told, left_ms.unwrap_or(0)));
        self.next_line(index);
    }
}
