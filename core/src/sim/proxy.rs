//! A proxy before the store: judges what passes, and sends it on.

mod window;

use super::accident::NOBODY;
use super::issuer::CONFLICTS_MAX;
use super::keeper::{Desk, GENERATION, Keeper};
use super::mechanism::{Check as Where, Condition, Mechanism};
use super::message::{Answer, Payload, Sight, Write};
use super::stage::Stage;
use super::told::Told;
use super::who::{Name, Who};
use super::world::Life;
use crate::check::{Access, Check, External, Judgement, Presented};
use crate::drive::drive;
use crate::moment::Moment;
use crate::token::Token;
use crate::verdict::{Admission, Fault, Reason, Rejection, Verdict};

/// Tokens from elsewhere; nothing is given up where holders are named.
pub(super) const fn external(mechanism: &Mechanism) -> Judgement {
    Judgement::External(External {
        jump_max: None,
        // Where nobody says who he is, an equal token is anybody's.
        unnamed_may_share: !mechanism.named,
    })
}

/// Asks a keeper whether a holder may, with the core's own check.
pub(super) fn judge(
    (keeper, now): (&mut Keeper, Moment),
    (by, token): (u8, Option<Token>),
    access: Access,
    judgement: Judgement,
) -> Verdict {
    let named = !matches!(
        judgement,
        Judgement::External(External {
            unnamed_may_share: true,
            ..
        })
    );
    let Some(token) = token else {
        // No token where one is required: in HTTP a 428.
        return Verdict::Reject(Rejection {
            reason: Reason::NoGrant,
            mark: keeper.mark(),
        });
    };
    let mut desk = Desk {
        now,
        keeper,
        numbers: None,
    };
    let check = Check {
        presented: Presented {
            token,
            holder: named.then(|| Name::holder(by).text()),
        },
        access,
        judgement,
        generation: GENERATION,
    };
    drive(&mut desk, check, CONFLICTS_MAX)
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
            (Who::Store, Payload::Answer { by, seq, answer }) => {
                self.is_over(proxy, (by, seq));
                self.tell(Told::Passes(proxy));
                self.answer(proxy, by, seq, answer);
                self.drained();
            }
            (
                Who::Issuer,
                Payload::Told {
                    asked,
                    asked_wall,
                    record,
                },
            ) => self.learns(proxy, (asked, asked_wall), record),
            _ => self.tell(Told::Nothing),
        }
    }

    fn proxy_judges(&mut self, proxy: u8, write: Write) {
        let by = (write.by, write.token);
        let lock = self.scenario.mechanism.lock;
        match self.scenario.mechanism.check {
            Where::Nowhere | Where::Store | Where::StoreByClaim => {
                self.let_through(proxy, write);
            }
            Where::Proxy => {
                let runs = self.world.issuer.life == Life::Runs;
                let now = self.world.issuer.clock.mono(self.world.now);
                let judgement = Judgement::Ours {
                    after_expiry: lock.after_expiry(),
                };
                let keeper = &mut self.world.issuer.keeper;
                let verdict = if runs {
                    judge((keeper, now), by, Access::Write, judgement)
                } else {
                    Verdict::Undecided(Fault::Unreachable)
                };
                self.follow(proxy, write, verdict, false);
            }
            Where::ProxyAtFirstWrite => {
                let judgement = external(&self.scenario.mechanism);
                let Some(it) = self.proxy(proxy) else {
                    return;
                };
                let blind = it.keeper.record.is_none() && it.keeper.highest.is_some();
                let keeper = (&mut it.keeper, Moment::default());
                let verdict = judge(keeper, by, Access::Write, judgement);
                self.follow(proxy, write, verdict, blind);
            }
            Where::Window(window) => self.judge_by_window(proxy, write, window),
        }
    }

    /// Does what the verdict says.
    pub(super) fn follow(&mut self, proxy: u8, write: Write, verdict: Verdict, blind: bool) {
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

    /// One write that was sent on is over: one, since the same write may have been sent twice.
    fn is_over(&mut self, proxy: u8, (by, seq): (u8, u8)) {
        if let Some(it) = self.proxy(proxy) {
            let mut writes = it.in_flight.iter();
            if let Some(at) = writes.position(|other| (other.0, other.2) == (by, seq)) {
                it.in_flight.remove(at);
            }
        }
    }

    fn answer(&mut self, proxy: u8, by: u8, seq: u8, answer: Answer) {
        let payload = Payload::Answer { by, seq, answer };
        self.send(Who::Proxy(proxy), Who::Holder(by), payload);
    }

    /// Sends a write on; with the seal the store is looked at first.
    fn let_through(&mut self, proxy: u8, write: Write) {
        let Some(it) = self.proxy(proxy) else {
            return;
        };
        it.in_flight.push((write.by, write.turn, write.seq));
        if let Condition::Sealed(_) = self.scenario.mechanism.condition {
            if let Some(it) = self.proxy(proxy) {
                it.waiting.push(write);
            }
            self.tell(Told::LooksUp(proxy, write));
            let read = Payload::Read { by: write.by };
            self.send(Who::Proxy(proxy), Who::Store, read);
        } else {
            self.send(Who::Proxy(proxy), Who::Store, Payload::Write(write));
        }
    }

    /// The store shows the report: to a write that is to be sealed, or to a reader.
    fn proxy_sees(&mut self, proxy: u8, by: u8, sight: Sight) {
        let Some(it) = self.proxy(proxy) else {
            return;
        };
        let sealing = it.waiting.iter().position(|write| write.by == by);
        if let Some(at) = sealing {
            let write = it.waiting.remove(at);
            self.seals(proxy, write, sight);
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

    fn seals(&mut self, proxy: u8, write: Write, sight: Sight) {
        if sight.mark > write.token {
            self.is_over(proxy, (write.by, write.seq));
            let verdict = Verdict::Reject(Rejection {
                reason: Reason::Stale,
                mark: sight.mark,
            });
            self.follow(proxy, write, verdict, false);
            return;
        }
        let write = Write {
            if_match: Some(sight.etag),
            ..write
        };
        self.tell(Told::Seals(proxy, write.by));
        self.send(Who::Proxy(proxy), Who::Store, Payload::Write(write));
    }

    fn proxy_claims(&mut self, proxy: u8, (by, token, turn): (u8, Token, u8)) {
        let ours = Judgement::Ours {
            after_expiry: self.scenario.mechanism.lock.after_expiry(),
        };
        let now = self.world.issuer.clock.mono(self.world.now);
        let judgement = external(&self.scenario.mechanism);
        let holder = (by, Some(token));
        let verdict = match self.scenario.mechanism.check {
            Where::Proxy => {
                let keeper = &mut self.world.issuer.keeper;
                judge((keeper, now), holder, Access::Write, ours)
            }
            _ => match self.proxy(proxy) {
                None => return,
                Some(it) => {
                    let keeper = (&mut it.keeper, now);
                    judge(keeper, holder, Access::Write, judgement)
                }
            },
        };
        self.claimed(Who::Proxy(proxy), (by, token, turn), verdict);
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
