//! Grants that are made and not yet answered: older writes are under way, or others trust older
//! knowledge. How long is decided by the machines alone, which are asked again when it may be over.
//!
//! Whoever drains answers 503 and is asked again under the request id; here the asking waits with
//! the issuer, which puts it to the same machine.

use super::super::mechanism::{Check, Window, WindowFlaw};
use super::super::message::Payload;
use super::super::stage::Stage;
use super::super::told::Told;
use super::super::who::{Name, Who};
use super::super::world::{Life, WaitingGrant};
use super::down;
use crate::drain::Grants;
use crate::lease::{Acquired, Owned};
use crate::machine::NotStored;
use crate::moment::Moment;
use crate::tenure::Left;
use crate::window::{Init, Instants, Known, RateError, Reading, SettleStep, Settling, SitOut};
use core::time::Duration;

/// What clocks may differ is in the wait of a scenario already.
pub(in super::super) const RATE: RateError = RateError { ppm: 0 };
/// How often the record is read again before an answer is given up: nobody comes between here.
const READS_MAX: u8 = 2;

impl Stage<'_> {
    /// Answers a grant, or lets it sit out what others may still trust.
    pub(super) fn answers_or_sits_out(
        &mut self,
        grant: WaitingGrant,
        left: Duration,
        resumed: bool,
    ) {
        let Check::Window(window) = self.scenario.mechanism.check else {
            self.forget(&grant);
            self.answer_grant(&grant, left);
            return;
        };
        let step = if resumed && window.flaw == Some(WindowFlaw::ResumedAtOnce) {
            self.takes_the_wait_to_be_over(&grant)
        } else {
            self.sits_out(&grant)
        };
        match step {
            SettleStep::SitOut(_, until) => self.waits_until(grant, until),
            SettleStep::Answer(_) => {
                self.forget(&grant);
                self.answer_grant(&grant, left);
            }
            _ => self.over(grant.to),
        }
    }

    /// Puts a grant to the machine of the window, which looks at the clock and at what is known.
    fn sits_out(&mut self, grant: &WaitingGrant) -> SettleStep {
        let mut step = SettleStep::ReadAgain;
        for _ in 0..=READS_MAX {
            let now = self.issuer_reads();
            step = match step {
                SettleStep::ReadAgain => {
                    let reading = self.linearizable_read();
                    let known = &mut self.world.issuer.known;
                    let _ = known.learn(now, &reading, now);
                    SitOut::new(grant.token).woken(known, RATE, now)
                }
                SettleStep::Settle(settling) => settling.stored(self.puts_settled(settling)),
                SettleStep::SitOut(..) | SettleStep::Answer(_) => break,
            };
        }
        step
    }

    /// The step that must not be taken before the other one: see [`WindowFlaw::ResumedAtOnce`].
    fn takes_the_wait_to_be_over(&mut self, grant: &WaitingGrant) -> SettleStep {
        let settling = Settling {
            token: grant.token,
            version: self.world.issuer.keeper.version.into(),
        };
        settling.stored(self.puts_settled(settling))
    }

    fn puts_settled(&mut self, settling: Settling) -> Result<(), NotStored> {
        let keeper = &mut self.world.issuer.keeper;
        if u64::from(keeper.version) != settling.version {
            return Err(NotStored::Conflict);
        }
        keeper.settled = Some(settling.token);
        keeper.version = keeper.version.wrapping_add(1);
        Ok(())
    }

    fn issuer_reads(&self) -> Instants {
        let clock = self.world.issuer.clock;
        Instants {
            mono: clock.mono(self.world.now),
            wall: clock.wall(self.world.now),
        }
    }

    /// What a linearizable read finds now.
    pub(super) fn linearizable_read(&self) -> Reading<Name> {
        let issuer = &self.world.issuer;
        let keeper = &issuer.keeper;
        let epoch = issuer.numbers.epoch();
        let (trust_ms, wait_ms) = match self.scenario.mechanism.check {
            Check::Window(Window {
                trust_ms, wait_ms, ..
            }) => (trust_ms, wait_ms),
            _ => (0, 0),
        };
        let known = keeper.record.as_ref().map(|record| Known {
            token: record.token,
            holder: record.holder,
            released: record.grant.as_ref().is_some_and(|grant| grant.released),
            settled: keeper.settled == Some(record.token),
        });
        Reading {
            init: Init {
                revision: epoch.into(),
                epoch,
                trust: Duration::from_millis(trust_ms.into()),
                wait: Duration::from_millis(wait_ms.into()),
            },
            header: keeper.version.into(),
            version: keeper.version.into(),
            record: known,
        }
    }

    fn forget(&mut self, grant: &WaitingGrant) {
        let waiting = &mut self.world.issuer.waiting;
        waiting.retain(|it| it.token != grant.token);
    }

    /// Keeps a grant until its machine is asked again; one that is repeated meanwhile is answered
    /// once, to the latest asking.
    pub(super) fn waits_until(&mut self, grant: WaitingGrant, until: Moment) {
        self.forget(&grant);
        let wait = down(until.since(grant.arrived));
        let older = self.older_under_way(&grant);
        self.tell(Told::GrantWaits(grant.to, grant.token, wait, older));
        let grant = WaitingGrant { until, ..grant };
        self.world.issuer.waiting.push(grant);
    }

    /// How many older writes are counted, to be told: one that nobody knows the end of is one.
    fn older_under_way(&self, grant: &WaitingGrant) -> u8 {
        let flights = self.world.issuer.keeper.drain.flights().iter();
        let older = flights.filter(|flight| flight.token < grant.token);
        let open = older.map(|flight| flight.open.max(1));
        let count = open.fold(0, u16::saturating_add);
        u8::try_from(count).unwrap_or(u8::MAX)
    }

    fn answer_grant(&mut self, grant: &WaitingGrant, left: Duration) {
        let waited = self.lease_now(grant.asked).since(grant.arrived);
        if self.scenario.mechanism.check.is_raised_by_grants() {
            self.world.witness.raise_floor(grant.turn);
        }
        let granted = Payload::Granted {
            token: grant.token,
            turn: grant.turn,
            asked: grant.asked,
            left: Left { waited, left },
        };
        self.send(Who::Issuer, Who::Holder(grant.to), granted);
    }

    /// Asks its machine again: its time has come, or something was counted out.
    pub(super) fn looks_again(&mut self, grant: &WaitingGrant) {
        let now = self.lease_now(grant.asked);
        if self.scenario.mechanism.drain_at(Who::Issuer).is_none() {
            self.is_woken(grant, now);
            return;
        }
        match self.asks_for_grant(grant.to, grant.request, now) {
            Grants::Draining { retry_after } => {
                let until = now.after(retry_after);
                let mut waiting = self.world.issuer.waiting.iter_mut();
                if let Some(it) = waiting.find(|it| *it == grant) {
                    it.until = until;
                }
            }
            Grants::Answered(Acquired::Granted { leased, .. }) => {
                self.forget(grant);
                self.tell(Told::GrantAnswered(grant.to, grant.token));
                self.answer_grant(grant, leased.left);
            }
            Grants::Answered(_) => {
                self.forget(grant);
                self.over(grant.to);
            }
        }
    }

    /// A grant that sat out the window: its lease starts with the answer.
    fn is_woken(&mut self, grant: &WaitingGrant, now: Moment) {
        let step = self.sits_out(grant);
        if let SettleStep::SitOut(_, until) = step {
            let mut waiting = self.world.issuer.waiting.iter_mut();
            if let Some(it) = waiting.find(|it| *it == grant) {
                it.until = until;
            }
            return;
        }
        self.forget(grant);
        let renewed = self.run(Who::Issuer, now, self.renewal(grant.to, grant.token));
        match (step, renewed) {
            (SettleStep::Answer(token), Owned::Done(leased)) => {
                self.tell(Told::GrantAnswered(grant.to, token));
                self.answer_grant(grant, leased.left);
            }
            _ => self.over(grant.to),
        }
    }

    /// A write was counted out beside the issuer's record: perhaps a grant waited for it.
    pub(in super::super) fn drained(&mut self) {
        if self.world.issuer.life != Life::Runs {
            return;
        }
        for grant in self.world.issuer.waiting.clone() {
            self.looks_again(&grant);
        }
    }
}
