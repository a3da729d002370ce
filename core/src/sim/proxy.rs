//! A proxy before the store: judges what passes, and sends it on.

mod abort;
mod seal;
mod window;

use super::judge::End;
use super::mechanism::{Check as Where, Condition};
use super::message::{Answer, Payload, Sight, Write};
use super::stage::Stage;
use super::told::Told;
use super::who::{NOBODY, Who};
use super::world::{Forwarded, Waiting, WaitsOn};
use crate::drain::{self, DrainedVerdict};
use crate::moment::millis_up;
use crate::token::Token;
use crate::verdict::{Admission, Rejection, Verdict};
use core::time::Duration;

fn up(span: Duration) -> u32 {
    u32::try_from(millis_up(span)).unwrap_or(u32::MAX)
}

impl Stage<'_> {
    pub(super) fn proxy_takes(&mut self, proxy: u8, from: Who, payload: Payload) {
        match (from, payload) {
            (Who::Holder(_), Payload::Write(write)) => self.proxy_judges(proxy, write),
            (Who::Holder(_), Payload::Read { by }) => {
                self.tell(Told::Passes(proxy));
                self.send(Who::Proxy(proxy), Who::Store, Payload::Read { by });
            }
            (Who::Holder(_), Payload::Claim { by, token, turn }) => {
                self.proxy_claims(proxy, (by, token, turn));
            }
            (Who::Store, Payload::Shown { by, sight }) => self.proxy_sees(proxy, by, sight),
            (
                Who::Store,
                Payload::Answer {
                    by,
                    seq,
                    start,
                    answer,
                },
            ) => self.is_over(proxy, (by, seq, start), answer),
            (Who::Issuer, Payload::Told { asked, reading }) => self.learns(proxy, asked, &reading),
            _ => self.tell(Told::Nothing),
        }
    }

    fn proxy_judges(&mut self, proxy: u8, write: Write) {
        let by = (write.by, write.token);
        match self.scenario.mechanism.check {
            Where::Nowhere | Where::Store | Where::StoreByClaim => {
                self.let_through(proxy, write);
            }
            Where::Proxy => {
                let judged = self.judge_write(Who::Issuer, by);
                self.follow_drained(proxy, write, judged, false);
            }
            Where::ProxyAtFirstWrite => {
                let Some(it) = self.proxy(proxy) else {
                    return;
                };
                let mark = it.keeper.mark();
                let blind = mark.is_none() && it.keeper.highest.is_some();
                let judged = self.judge_write(Who::Proxy(proxy), by);
                self.follow_drained(proxy, write, judged, blind);
                self.aborts_at(proxy);
            }
            Where::Window(window) => self.judge_by_window(proxy, write, window),
        }
    }

    fn follow_drained(&mut self, proxy: u8, write: Write, judged: DrainedVerdict, blind: bool) {
        match judged {
            DrainedVerdict::Decided(verdict) => self.follow(proxy, write, verdict, blind),
            DrainedVerdict::Draining { retry_after } => {
                self.tell(Told::WriteWaits(proxy, write, up(retry_after)));
                self.answer(proxy, write.by, write.seq, Answer::NotNow);
            }
        }
    }

    /// Does what the verdict says.
    fn follow(&mut self, proxy: u8, write: Write, verdict: Verdict, blind: bool) {
        let who = Who::Proxy(proxy);
        match verdict {
            Verdict::Admit(Admission { mark, .. }) => {
                let witness = &mut self.world.witness;
                witness.admitted(write.by, write.turn, write.token, blind);
                self.tell(Told::Admits(who, write, mark));
                self.let_through(proxy, write);
            }
            Verdict::Reject(Rejection { reason, mark }) => {
                let witness = &mut self.world.witness;
                witness.refused(write.by, write.turn, write.token, mark);
                self.tell(Told::Rejects(who, write, reason, mark));
                let answer = Answer::Rejected { reason, mark };
                self.answer(proxy, write.by, write.seq, answer);
            }
            Verdict::Undecided(_) => {
                self.tell(Told::CannotTell(who, write));
                self.answer(proxy, write.by, write.seq, Answer::NotNow);
            }
        }
    }

    fn answer(&mut self, proxy: u8, by: u8, seq: u8, answer: Answer) {
        let payload = Payload::Answer {
            by,
            seq,
            start: 0,
            answer,
        };
        self.send(Who::Proxy(proxy), Who::Holder(by), payload);
    }

    /// Sends a write on; with the seal the store is looked at first.
    fn let_through(&mut self, proxy: u8, write: Write) {
        if let Condition::Sealed(_) = self.scenario.mechanism.condition {
            let on = WaitsOn::Store;
            if let Some(it) = self.proxy(proxy) {
                it.waiting.push(Waiting { write, on });
            }
            self.tell(Told::LooksUp(proxy, write));
            let read = Payload::Read { by: write.by };
            self.send(Who::Proxy(proxy), Who::Store, read);
        } else {
            self.sends_on(proxy, write);
        }
    }

    fn sends_on(&mut self, proxy: u8, write: Write) {
        let Some(it) = self.proxy(proxy) else {
            return;
        };
        let (sticks, start) = (it.stalled, it.starts);
        let write = Write { start, ..write };
        it.in_flight.push(Forwarded {
            write,
            attempts: 1,
            sticks,
        });
        if sticks {
            self.tell(Told::SticksInProxy(proxy, write.by));
        } else {
            self.send(Who::Proxy(proxy), Who::Store, Payload::Write(write));
        }
    }

    /// The connection to the store takes bytes again.
    pub(super) fn unsticks(&mut self, proxy: u8) {
        let Some(it) = self.proxy(proxy) else {
            return;
        };
        it.stalled = false;
        let mut left = Vec::new();
        for forwarded in &mut it.in_flight {
            if core::mem::take(&mut forwarded.sticks) {
                left.push(forwarded.write);
            }
        }
        for write in left {
            self.send(Who::Proxy(proxy), Who::Store, Payload::Write(write));
        }
    }

    /// A proxy sent a write once more by itself, and knows so.
    pub(super) fn sent_twice(&mut self, proxy: u8, write: &Write) {
        let of = (write.by, write.seq, write.start);
        if let Some(it) = self.proxy(proxy)
            && let Some(forwarded) = in_flight(&mut it.in_flight, of)
        {
            forwarded.attempts = forwarded.attempts.saturating_add(1);
        }
    }

    /// The store answers one write that was sent on: one, since a holder may have sent it twice.
    fn is_over(&mut self, proxy: u8, of: (u8, u8, u8), answer: Answer) {
        let (by, seq, _) = of;
        let Some(it) = self.proxy(proxy) else {
            return;
        };
        let Some(forwarded) = in_flight(&mut it.in_flight, of).copied() else {
            self.tell(Told::TooLate(Who::Proxy(proxy)));
            return;
        };
        let at = it.in_flight.iter().position(|it| *it == forwarded);
        if let Some(at) = at {
            it.in_flight.remove(at);
        }
        let ended = End::Answered(drain::Answer {
            from_origin: true,
            complete: true,
            attempts: forwarded.attempts.into(),
        });
        self.tell(Told::Passes(proxy));
        let answer = match self.scenario.mechanism.condition {
            Condition::Sealed(_) => self.sealed_answer(&forwarded.write, answer),
            _ => answer,
        };
        self.answer(proxy, by, seq, answer);
        self.counts_out(proxy, forwarded.write.token, ended);
    }

    /// The store shows the report: to a write that is to be sealed, or to a reader.
    fn proxy_sees(&mut self, proxy: u8, by: u8, sight: Sight) {
        let Some(it) = self.proxy(proxy) else {
            return;
        };
        let sealing = |it: &Waiting| it.write.by == by && it.on == WaitsOn::Store;
        if let Some(at) = it.waiting.iter().position(sealing) {
            let waiting = it.waiting.remove(at);
            self.seals(proxy, waiting.write, sight);
            return;
        }
        let mark = match self.scenario.mechanism.check {
            Where::ProxyAtFirstWrite => self.proxy(proxy).and_then(|it| it.keeper.mark()),
            Where::Proxy => self.world.issuer.keeper.mark(),
            _ => sight.mark,
        };
        let sight = Sight { mark, ..sight };
        let shown = Payload::Shown { by, sight };
        self.tell(Told::Passes(proxy));
        self.send(Who::Proxy(proxy), Who::Holder(by), shown);
    }

    fn proxy_claims(&mut self, proxy: u8, claim: (u8, Token, u8)) {
        let (by, token, _) = claim;
        let at = match self.scenario.mechanism.check {
            Where::Proxy => Who::Issuer,
            _ => Who::Proxy(proxy),
        };
        match self.judge_claim(at, (by, Some(token))) {
            DrainedVerdict::Decided(verdict) => self.claimed(Who::Proxy(proxy), claim, verdict),
            DrainedVerdict::Draining { .. } => {
                self.tell(Told::NotNow(Who::Proxy(proxy)));
                self.send(Who::Proxy(proxy), Who::Holder(by), Payload::NotNow);
            }
        }
        self.aborts_at(proxy);
    }

    /// Answers a claim.
    pub(super) fn claimed(&mut self, at: Who, claim: (u8, Token, u8), verdict: Verdict) {
        let (by, token, turn) = claim;
        let to = if by == NOBODY {
            Who::Issuer
        } else {
            Who::Holder(by)
        };
        let raised = match verdict {
            Verdict::Admit(_) => {
                self.world.witness.raise_floor(turn);
                self.tell(Told::Raised(at, by, token));
                true
            }
            Verdict::Reject(Rejection { mark, .. }) => {
                let witness = &mut self.world.witness;
                witness.refused(by, turn, Some(token), mark);
                self.tell(Told::NotRaised(at, by, token, mark));
                false
            }
            Verdict::Undecided(_) => false,
        };
        self.send(at, to, Payload::Claimed { by, raised });
    }
}

/// One of a holder's writes that was sent on: of several that are alike the one that was sent most
/// often, since an answer does not say which of them it answers.
fn in_flight(writes: &mut [Forwarded], of: (u8, u8, u8)) -> Option<&mut Forwarded> {
    let alike = writes.iter_mut();
    let alike = alike.filter(|Forwarded { write, sticks, .. }| {
        (write.by, write.seq, write.start) == of && !sticks
    });
    alike.max_by_key(|it| it.attempts)
}
