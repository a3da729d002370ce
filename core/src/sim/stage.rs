//! One event at work on a world: what every actor's part needs.

use super::clock::Millis;
use super::event::{Event, What};
use super::message::{Fate, Message, Payload};
use super::scenario::Scenario;
use super::told::Told;
use super::who::Who;
use super::world::{Holder, Life, Link, Proxy, World};
use super::{dice, laws};

/// How long anybody waits for an answer before asking again.
pub(super) const ANSWER_MS: Millis = 1_000;

/// A world while it takes an event.
pub(super) struct Stage<'s> {
    pub(super) scenario: &'s Scenario,
    pub(super) seed: u64,
    pub(super) world: &'s mut World,
    pub(super) told: &'s mut Vec<Told>,
}

impl World {
    /// Takes one event. Any event is taken in any state: one that does not fit changes nothing
    /// but the time. What is worth telling of it goes to `told`.
    pub fn step(&mut self, scenario: &Scenario, seed: u64, event: &Event, told: &mut Vec<Told>) {
        self.now = self.now.max(event.at);
        let planned = scenario.accidents.get(usize::from(self.begun));
        let is_planned = planned.is_some_and(|planned| {
            event.at >= planned.at_ms && event.what == What::Accident(planned.accident)
        });
        self.begun = self.begun.saturating_add(u16::from(is_planned));
        Stage {
            scenario,
            seed,
            world: self,
            told,
        }
        .take(event.what);
    }
}

impl Event {
    /// Whose event it is: who takes the message, whose timer it is, whom it befalls.
    #[must_use]
    pub fn who(&self, world: &World) -> Option<Who> {
        match self.what {
            What::Timer(who) => Some(who),
            What::Accident(accident) => accident.about().first().copied(),
            What::Deliver(id)
            | What::Lose(id)
            | What::Duplicate(id)
            | What::Delay { message: id, .. } => {
                let mut messages = world.messages.iter();
                messages.find(|message| message.id == id).map(|it| it.to)
            }
        }
    }
}

impl Stage<'_> {
    pub(super) fn take(&mut self, what: What) {
        match what {
            What::Deliver(id) => {
                if let Some(message) = self.remove(id) {
                    self.deliver(message);
                }
            }
            What::Duplicate(id) => {
                if let Some(message) = self.remove(id) {
                    if message.may_come_twice() {
                        self.comes_again(&message);
                    }
                    self.deliver(message);
                }
            }
            What::Lose(id) => {
                if let Some(message) = self.remove(id) {
                    self.lost(&message);
                }
            }
            What::Delay { message, by_ms } => {
                let found = self.world.messages.iter_mut().find(|it| it.id == message);
                self.world.witness.disturbed();
                if let Some(message) = found {
                    message.due = message.due.saturating_add(by_ms);
                    let told = Told::Delayed(message.from, message.to, by_ms);
                    self.tell(told);
                }
            }
            What::Timer(who) => self.timer(who),
            What::Accident(accident) => {
                self.world.witness.disturbed();
                self.befall(accident);
            }
        }
        self.remember();
    }

    /// A copy is on its way as well.
    fn comes_again(&mut self, message: &Message) {
        let (from, to) = (message.from, message.to);
        self.tell(Told::CameTwice(from, to));
        if let (Who::Proxy(proxy), Payload::Write(write)) = (from, &message.payload) {
            self.sent_twice(proxy, write);
        }
        self.post(from, to, message.payload, Fate::Arrives);
    }

    fn deliver(&mut self, message: Message) {
        let cut = self.world.is_cut(message.from, message.to);
        if cut || self.world.life(message.to) != Some(Life::Runs) {
            self.lost(&message);
            return;
        }
        match message.to {
            Who::Issuer => self.issuer_takes(message.from, message.payload),
            Who::Store => self.store_takes(message.from, message.payload),
            Who::Proxy(index) => self.proxy_takes(index, message.from, message.payload),
            Who::Holder(index) => self.holder_takes(index, message.payload),
        }
    }

    fn lost(&mut self, message: &Message) {
        self.world.witness.disturbed();
        let cut = self.world.is_cut(message.from, message.to);
        self.tell(Told::LostMessage(message.from, message.to, cut));
    }

    fn remove(&mut self, id: u16) -> Option<Message> {
        let at = self.world.messages.iter().position(|it| it.id == id)?;
        Some(self.world.messages.remove(at))
    }

    pub(super) fn tell(&mut self, told: Told) {
        self.told.push(told);
    }

    /// Sends a message; what the network has in mind for it comes from the seed and the link.
    pub(super) fn send(&mut self, from: Who, to: Who, payload: Payload) {
        let fate = self.fate(from, to);
        self.post(from, to, payload, fate);
    }

    fn post(&mut self, from: Who, to: Who, payload: Payload, fate: Fate) {
        let world = &mut *self.world;
        let net = &self.scenario.net;
        let id = world.next_message;
        world.next_message = id.wrapping_add(1);
        let spread = u64::from(net.jitter_ms).saturating_add(1);
        let jitter = dice::roll(self.seed, id.into()).checked_rem(spread);
        let jitter = Millis::try_from(jitter.unwrap_or(0)).unwrap_or(0);
        let slow = world.links.iter().find(|it| it.from == from && it.to == to);
        let due = [net.delay_ms, jitter, slow.map_or(0, |link| link.slow_ms)]
            .into_iter()
            .fold(world.now, Millis::saturating_add);
        world.messages.push(Message {
            id,
            from,
            to,
            sent: world.now,
            due,
            fate,
            payload,
        });
    }

    fn fate(&mut self, from: Who, to: Who) -> Fate {
        let id = self.world.next_message;
        let net = &self.scenario.net;
        let chance = dice::roll(!self.seed, id.into())
            .checked_rem(1_000)
            .unwrap_or(0);
        let lost = u64::from(net.lost_per_mille);
        let twice = lost.saturating_add(net.twice_per_mille.into());
        if let Some(link) = self.link_if_odd(from, to) {
            if let Some(left) = link.loses.checked_sub(1) {
                link.loses = left;
                return Fate::IsLost;
            }
            if let Some(left) = link.doubles.checked_sub(1) {
                link.doubles = left;
                return Fate::ComesTwice;
            }
        }
        if chance < lost {
            Fate::IsLost
        } else if chance < twice {
            Fate::ComesTwice
        } else {
            Fate::Arrives
        }
    }

    pub(super) fn link_if_odd(&mut self, from: Who, to: Who) -> Option<&mut Link> {
        let links = &mut self.world.links;
        links.iter_mut().find(|it| it.from == from && it.to == to)
    }

    pub(super) fn holder(&mut self, index: u8) -> Option<&mut Holder> {
        self.world.holders.get_mut(usize::from(index))
    }

    pub(super) fn proxy(&mut self, index: u8) -> Option<&mut Proxy> {
        self.world.proxies.get_mut(usize::from(index))
    }

    /// Brings what the witness remembers of the state up to date.
    fn remember(&mut self) {
        let wanted = self.is_wanted();
        let since = self.world.witness.wanted_since;
        self.world.witness.wanted_since = wanted.then(|| since.unwrap_or(self.world.now));
    }

    /// Whether somebody who can reach the issuer wants the lease, and nobody who runs has it.
    fn is_wanted(&self) -> bool {
        let world = &*self.world;
        if world.issuer.life != Life::Runs {
            return false;
        }
        let reaches = |index: u8| {
            let who = Who::Holder(index);
            !world.is_cut(who, Who::Issuer) && !world.is_cut(Who::Issuer, who)
        };
        let wants = (0_u8..).zip(&world.holders).any(|(index, holder)| {
            holder.life == Life::Runs && holder.is_asking() && reaches(index)
        });
        wants && laws::believers(self.scenario, world).next().is_none()
    }
}
