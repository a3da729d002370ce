//! All that can happen next, and what it leads to.

use super::{Flaw, Kind, Kind2, Message, Move, NOW, OLD, World, aged, now, unit};
use crate::explore::{Broken, Model};
use fencegate_core::moment::Moment;
use fencegate_core::window::{Decided, Instants, Knowledge};
use std::time::Duration;

/// How far a clock gets while true time passes one tick: slow or fast.
const SPEEDS: [(u64, u64); 2] = [(1, 1), (2, 2)];
/// A suspended machine's.
const ASLEEP: (u64, u64) = (0, 1);

impl World {
    fn sends(&self, at: usize, moves: &mut Vec<Move>) {
        let proxy = &self.proxies[at];
        if proxy.messages.len() >= self.setup.messages {
            return;
        }
        moves.push(Move::Send(at, Kind2::Read));
        let raises = self.proxies.iter().flat_map(|proxy| &proxy.messages);
        let raises =
            raises.filter(|message| message.kind == Kind::Raise && message.found.is_none());
        if usize::from(self.mark.token) + raises.count() < self.setup.tokens.into() {
            moves.push(Move::Send(at, Kind2::Raise));
        }
        if self.setup.background && proxy.knowledge.stamp.is_some() {
            moves.push(Move::Send(at, Kind2::Background));
        }
        if !self.setup.asks {
            return;
        }
        let question = self.question(self.answered.max(1), now());
        let decided = question.decide(&self.looked_at(at, self.answered), self.rate(), now());
        if self.answered > 0 && decided == Decided::Ask {
            // The latest answered token: a lower one is stale by then.
            moves.push(Move::Send(at, Kind2::Own(self.answered)));
        }
    }

    fn messages(&self, at: usize, moves: &mut Vec<Move>) {
        for (number, message) in self.proxies[at].messages.iter().enumerate() {
            if message.found.is_none() {
                moves.push(Move::Serve(at, number));
            } else {
                moves.push(Move::Deliver(at, number));
                if self.copies > 0 {
                    moves.push(Move::DeliverCopy(at, number));
                }
            }
            moves.push(Move::Lose(at, number));
        }
    }

    fn send(&mut self, at: usize, kind: Kind2) {
        let kind = match kind {
            Kind2::Read => Kind::Read,
            Kind2::Raise => Kind::Raise,
            Kind2::Own(number) => Kind::Own(number),
            Kind2::Background => Kind::Background,
        };
        let messages = &mut self.proxies[at].messages;
        messages.push(Message {
            kind,
            sent: now(),
            found: None,
        });
        messages.sort_unstable();
    }

    /// The wall clock of a proxy is set back by one unit.
    fn step_back(&mut self, at: usize) {
        let proxy = &mut self.proxies[at];
        let later = |wall: Moment| {
            let nanos = (wall.nanos() + unit(1).nanos()).min(unit(NOW + 1).nanos());
            Moment::from_nanos(nanos)
        };
        if let Some(stamp) = &mut proxy.knowledge.stamp {
            stamp.wall = later(stamp.wall);
        }
        for message in &mut proxy.messages {
            message.sent.wall = later(message.sent.wall);
        }
    }
}

impl Model for World {
    type Move = Move;

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        let speeds: &[(u64, u64)] = match self.setup.sleeps {
            true => &[SPEEDS[0], SPEEDS[1], ASLEEP],
            false => &SPEEDS,
        };
        for first in speeds {
            moves.extend(speeds.iter().map(|second| Move::Tick([*first, *second])));
        }
        for at in 0..2 {
            self.sends(at, &mut moves);
            self.messages(at, &mut moves);
            moves.extend((1..=self.mark.token).map(|number| Move::Write(at, number)));
            if self.proxies[at].mark() > 0 {
                moves.push(Move::Answer(at));
                moves.push(Move::Settle(at));
            }
            if self.restarts > 0 {
                moves.push(Move::Restart(at));
            }
            if self.steps > 0 {
                moves.push(Move::StepBack(at));
            }
        }
        moves
    }

    fn after(&self, step: Move) -> Result<Self, Broken> {
        let mut next = self.clone();
        match step {
            Move::Tick(by) => {
                for (proxy, by) in next.proxies.iter_mut().zip(by) {
                    proxy.age(by);
                }
            }
            Move::StepBack(at) => {
                next.steps -= 1;
                next.step_back(at);
            }
            Move::Send(at, kind) => next.send(at, kind),
            Move::Serve(at, number) => next.serve(at, number)?,
            Move::Deliver(at, number) => {
                let message = next.proxies[at].messages.remove(number);
                next.deliver(at, message)?;
            }
            Move::DeliverCopy(at, number) => {
                next.copies -= 1;
                let message = next.proxies[at].messages[number];
                next.deliver(at, message)?;
            }
            Move::Lose(at, number) => {
                next.proxies[at].messages.remove(number);
            }
            Move::Write(at, number) => next.write(at, number)?,
            Move::Answer(at) => next.settle(at, false),
            Move::Settle(at) => next.settle(at, true),
            Move::Restart(at) => {
                next.restarts -= 1;
                next.proxies[at].knowledge = Knowledge::default();
                next.proxies[at].place = 0;
                next.proxies[at].messages.clear();
            }
        }
        next.forget_what_is_old();
        Ok(next)
    }

    fn look(&self) -> Result<(), Broken> {
        self.someone_can_acquire()
    }
}

impl World {
    /// What is too old to be trusted has no use left, however old it is; nor has the time when a
    /// settled mark was learned. (Where a clock is stepped or not looked at, it may come back.)
    fn forget_what_is_old(&mut self) {
        let kept = [
            Flaw::WaitsFromTheSending,
            Flaw::StampsTheArrival,
            Flaw::MonotonicOnly,
            Flaw::WallOnly,
            Flaw::TrustLongerThanWait,
            Flaw::OldAnswerAdmits,
            Flaw::NeverIssuedFromOldMemory,
        ];
        let flaw = self.setup.flaw;
        let ages = flaw.is_none_or(|flaw| !kept.contains(&flaw));
        let exact = ages
            && flaw != Some(Flaw::OlderAnswerOverwrites)
            && flaw != Some(Flaw::FiledUnderNewerVersion);
        let span = Duration::from_secs(self.setup.span);
        let steps = self.steps > 0;
        let old = |sent: Instants| {
            // A wall clock that may be stepped back proves nothing.
            let wall = if steps { now().wall } else { sent.wall };
            ages && !now().is_within(span, Instants { wall, ..sent })
        };
        for proxy in &mut self.proxies {
            for message in proxy
                .messages
                .iter_mut()
                .filter(|message| old(message.sent))
            {
                message.sent = aged(message.sent, (OLD, OLD));
            }
            let knowledge = &mut proxy.knowledge;
            // What tells nothing new, or the same of an older time, is as good as lost.
            let version = knowledge.version;
            proxy.messages.retain(|message| match message.found {
                Some(found) if exact && knowledge.stamp.is_some() => {
                    let same = u64::from(found.version) == version;
                    u64::from(found.version) > version || (same && !old(message.sent))
                }
                _ => true,
            });
            proxy.messages.sort_unstable();
            if exact {
                proxy.place = 0;
            }
            if let Some(stamp) = knowledge.stamp.filter(|stamp| old(*stamp)) {
                knowledge.stamp = Some(aged(stamp, (OLD, OLD)));
            }
            if knowledge.record.is_some_and(|record| record.settled) {
                knowledge.learned = Some(unit(NOW - OLD));
            }
            // The authority never forgets here, so it does not matter when it was heard.
            knowledge.header = knowledge.header.map(|(header, _)| (header, now().mono));
        }
    }
}
