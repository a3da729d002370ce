//! What may befall an actor, a link or a machine, at any step.

use super::beginning;
use super::event::{Accident, Native};
use super::keeper::{GENERATION, Keeper, Numbers, RESOURCE};
use super::mechanism::Issuer as Keeps;
use super::message::Payload;
use super::stage::Stage;
use super::told::Told;
use super::who::{NOBODY, Who};
use super::world::{Doing, Life, Link, World};
use crate::drain::Drain;
use crate::lease::{Break, Broken};
use crate::tenure::{Caution, Tenure};
use crate::window::Knowledge;
use core::time::Duration;

/// The process ends.
pub(super) fn crash(world: &mut World, who: Who) {
    live(world, who, Life::Crashed);
}

fn live(world: &mut World, who: Who, life: Life) {
    let place = match who {
        Who::Issuer => Some(&mut world.issuer.life),
        Who::Store => Some(&mut world.store.life),
        Who::Proxy(index) => world
            .proxies
            .get_mut(usize::from(index))
            .map(|it| &mut it.life),
        Who::Holder(index) => world
            .holders
            .get_mut(usize::from(index))
            .map(|it| &mut it.life),
    };
    if let Some(place) = place {
        *place = life;
    }
}

impl Stage<'_> {
    pub(super) fn befall(&mut self, accident: Accident) {
        if let Accident::Resume(who) = accident
            && self.world.life(who) != Some(Life::Paused)
        {
            let is_off = self.world.life(who) == Some(Life::Crashed);
            self.tell(if is_off {
                Told::StaysOff(who)
            } else {
                Told::Nothing
            });
            return;
        }
        self.tell(Told::Befell(accident));
        match accident {
            Accident::Pause { who, clock_stops } => {
                if self.world.life(who) == Some(Life::Runs) {
                    live(self.world, who, Life::Paused);
                    self.suspend(who, clock_stops);
                }
            }
            Accident::Resume(who) => {
                live(self.world, who, Life::Runs);
                self.suspend(who, false);
            }
            Accident::Crash(who) => crash(self.world, who),
            Accident::Restart { who, with_memory } => self.restart(who, with_memory),
            Accident::Cut { from, to }
            | Accident::Heal { from, to }
            | Accident::Slow { from, to, .. }
            | Accident::LoseNext { from, to }
            | Accident::DuplicateNext { from, to } => self.befall_link(from, to, accident),
            Accident::Stall(who) => self.stall(who),
            Accident::Unstall(who) => self.unstall(who),
            Accident::StepClock { who, by_ms } => {
                if let Some(clock) = self.clock(who) {
                    clock.step(by_ms);
                }
            }
            Accident::Drift { who, rate_ppm } => {
                let now = self.world.now;
                if let Some(clock) = self.clock(who) {
                    clock.drift(now, rate_ppm);
                }
            }
            Accident::Snapshot => {
                let issuer = &mut self.world.issuer;
                issuer.snapshot = Some((issuer.keeper.clone(), issuer.numbers));
            }
            Accident::Restore => self.restore(),
            Accident::Break => self.break_lease(),
            Accident::Native(native) => self.befall_natively(native),
        }
    }

    /// Changes a link; one that is as usual afterwards is not kept.
    fn befall_link(&mut self, from: Who, to: Who, accident: Accident) {
        let usual = Link {
            from,
            to,
            cut: false,
            slow_ms: 0,
            loses: 0,
            doubles: 0,
        };
        let mut link = self.link_if_odd(from, to).map_or(usual, |link| *link);
        match accident {
            Accident::Cut { .. } => link.cut = true,
            Accident::Heal { .. } => link.cut = false,
            Accident::Slow { by_ms, .. } => link.slow_ms = by_ms,
            Accident::LoseNext { .. } => link.loses = link.loses.saturating_add(1),
            Accident::DuplicateNext { .. } => link.doubles = link.doubles.saturating_add(1),
            _ => {}
        }
        let links = &mut self.world.links;
        links.retain(|it| it.from != from || it.to != to);
        if link != usual {
            let at = links.partition_point(|it| *it < link);
            links.insert(at, link);
        }
    }

    fn clock(&mut self, who: Who) -> Option<&mut super::clock::Clock> {
        match who {
            Who::Issuer => Some(&mut self.world.issuer.clock),
            // The store measures nothing.
            Who::Store => None,
            Who::Proxy(index) => self.proxy(index).map(|it| &mut it.clock),
            Who::Holder(index) => self.holder(index).map(|it| &mut it.clock),
        }
    }

    fn suspend(&mut self, who: Who, stops: bool) {
        let now = self.world.now;
        if let Some(clock) = self.clock(who) {
            clock.suspend(now, stops);
        }
    }

    fn stall(&mut self, who: Who) {
        match who {
            Who::Store => self.world.store.stalled = true,
            Who::Proxy(index) => {
                if let Some(proxy) = self.proxy(index) {
                    proxy.stalled = true;
                }
            }
            Who::Holder(index) => {
                if let Some(holder) = self.holder(index) {
                    holder.stalled = true;
                }
            }
            Who::Issuer => {}
        }
    }

    fn unstall(&mut self, who: Who) {
        match who {
            Who::Store => {
                self.world.store.stalled = false;
                for (from, write) in core::mem::take(&mut self.world.store.stuck) {
                    self.store_writes(from, write);
                }
            }
            Who::Holder(index) => {
                if let Some(holder) = self.holder(index) {
                    holder.stalled = false;
                }
                self.flush(index);
            }
            Who::Proxy(index) => self.unsticks(index),
            Who::Issuer => {}
        }
    }

    /// What stuck in a holder's buffers goes out, whatever the holder thinks by now.
    fn flush(&mut self, index: u8) {
        let stuck = self.holder(index).and_then(|holder| holder.stuck.take());
        if let Some(write) = stuck {
            self.tell(Told::BytesLeave(write, 0));
            let door = self.scenario.door(index);
            self.send(Who::Holder(index), door, Payload::Write(write));
            let idle = self.world.holder(index).map(|holder| holder.doing);
            if idle == Some(Doing::Stopped) {
                // It hears the answer, and does nothing more.
                let again = self.later(index, super::stage::ANSWER_MS);
                self.does(index, Doing::Writing(write, again, 0));
            }
        }
    }

    fn restart(&mut self, who: Who, with_memory: bool) {
        if self.world.life(who) != Some(Life::Crashed) {
            crash(self.world, who);
        }
        live(self.world, who, Life::Runs);
        if with_memory {
            return;
        }
        match who {
            Who::Issuer => self.restart_issuer(),
            Who::Store => {}
            Who::Proxy(index) => {
                if let Some(proxy) = self.proxy(index) {
                    proxy.keeper.record = None;
                    proxy.keeper.drain = Drain::default();
                    proxy.starts = proxy.starts.saturating_add(1);
                    proxy.stalled = false;
                    proxy.known = Knowledge::default();
                    proxy.waiting.clear();
                    // Nobody counts these out any more: where they are counted beside the issuer's
                    // record they end with the bound.
                    proxy.in_flight.clear();
                }
            }
            Who::Holder(index) => self.restart_holder(index),
        }
    }

    fn restart_issuer(&mut self) {
        let now = self.world.now;
        let issuer = &mut self.world.issuer;
        issuer.waiting.clear();
        issuer.watchers.clear();
        issuer.known = Knowledge::default();
        if self.scenario.mechanism.issuer == Keeps::Memory {
            issuer.keeper = Keeper::default();
            let clock = issuer.clock;
            let before = self.scenario.mechanism.first_token.saturating_sub(1);
            let numbers = beginning::numbers(self.scenario, &clock, before, now, self.seed);
            self.world.issuer.numbers = numbers;
            let witness = &mut self.world.witness;
            witness.start = witness.start.saturating_add(1);
        }
    }

    fn restart_holder(&mut self, index: u8) {
        let now = self.reading(index);
        let Some(plan) = self.plan(index) else {
            return;
        };
        let caution = Caution {
            rate_error_ppm: plan.rate_error_ppm,
            slack: Duration::from_millis(plan.slack_ms.into()),
        };
        if let Some(holder) = self.holder(index) {
            holder.tenure = Tenure::new(caution);
            holder.token = None;
            holder.turn = 0;
            holder.line = 0;
            holder.doing = Doing::Next(now);
            holder.renews_at = None;
            holder.stuck = None;
            holder.sight = None;
            holder.stalled = false;
        }
    }

    fn restore(&mut self) {
        let issuer = &mut self.world.issuer;
        let Some((keeper, numbers)) = issuer.snapshot.clone() else {
            return;
        };
        issuer.keeper = keeper;
        issuer.numbers = numbers;
        issuer.waiting.clear();
        issuer.watchers.clear();
        if self.scenario.mechanism.issuer == Keeps::DurableWithEpoch
            && let Numbers::Counter { epoch, .. } = &mut issuer.numbers
        {
            *epoch = epoch.saturating_add(1);
        }
    }

    fn break_lease(&mut self) {
        let now = self.world.issuer.clock.mono(self.world.now);
        let lock_delay_ms = self.scenario.mechanism.lock.lock_delay_ms();
        let before = self.world.issuer.keeper.holder();
        let outcome = self.run(
            Who::Issuer,
            now,
            Break {
                resource: RESOURCE,
                lock_delay: Duration::from_millis(lock_delay_ms.into()),
                generation: GENERATION,
            },
        );
        let mark = match outcome {
            Broken::Done { mark } => Some(mark),
            _ => None,
        };
        if mark.is_some() {
            let turn = self.world.witness.granted(NOBODY, mark);
            if self.scenario.mechanism.check.is_raised_by_grants() {
                self.world.witness.raise_floor(turn);
            }
        }
        self.tell(Told::Broke(before, mark));
        self.aborts_everywhere();
    }

    fn befall_natively(&mut self, native: Native) {
        match native {
            Native::AbortTransaction => {
                self.break_lease();
                // The coordinator writes a marker with the new epoch to the broker.
                let token = self.world.issuer.keeper.mark();
                let turn = self.world.witness.turns();
                if let Some(token) = token {
                    let by = NOBODY;
                    let claim = Payload::Claim { by, token, turn };
                    self.send(Who::Issuer, Who::Store, claim);
                }
            }
            Native::CloseSession(index) => {
                let token = self.world.issuer.keeper.mark();
                let held = self.world.issuer.keeper.holder() == Some(index);
                if let Some(token) = token.filter(|_| held) {
                    let _ = self.release(index, token);
                }
            }
            Native::OtherKeys(many) => {
                if let Numbers::Counter { last, .. } = &mut self.world.issuer.numbers {
                    *last = last.saturating_add(many.into());
                }
            }
            Native::DeleteLeaseObject => {
                let with = matches!(
                    self.scenario.dialect(),
                    super::dialect::Dialect::Kubernetes {
                        with_incarnation: true
                    }
                );
                let issuer = &mut self.world.issuer;
                issuer.keeper = Keeper {
                    version: issuer.keeper.version.wrapping_add(1),
                    ..Keeper::default()
                };
                if let Numbers::Counter { epoch, last } = &mut issuer.numbers {
                    *last = 0;
                    *epoch = epoch.saturating_add(u32::from(with));
                }
            }
            Native::FlushBuffers(index) => self.flush(index),
        }
    }
}
