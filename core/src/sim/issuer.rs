//! The lease service: the operations of [`crate::lease`] over one record.

mod waits;

pub(super) use waits::RATE;

use super::clock::Millis;
use super::keeper::{GENERATION, Numbers, RESOURCE};
use super::mechanism::Tokens;
use super::message::Payload;
use super::stage::Stage;
use super::told::Told;
use super::who::{Name, Who};
use super::world::{Life, WaitingGrant, World};
use super::{accident, dice};
use crate::check::Presented;
use crate::drain::{DrainedGrant, Grants};
use crate::lease::{Acquire, Acquired, NotGranted, Owned, Release, Renew};
use crate::moment::{Moment, millis_down, millis_up};
use crate::tenure::Left;
use crate::token::Token;
use core::time::Duration;

/// A timer of the issuer.
enum Chime {
    Plug(u8),
    Waiting(WaitingGrant),
    Watch,
}

impl World {
    /// When the issuer's next timer goes off.
    #[must_use]
    pub fn issuer_due(&self) -> Option<Millis> {
        self.issuer_chime().map(|(at, _)| at)
    }

    /// The timer that goes off next; of those that are due together the first one here.
    fn issuer_chime(&self) -> Option<(Millis, Chime)> {
        let issuer = &self.issuer;
        let mut next = issuer.plug.map(|(holder, at)| (at, Chime::Plug(holder)));
        let mut rings = |at: Option<Millis>, chime| {
            if let Some(at) = at
                && next.as_ref().is_none_or(|(first, _)| at < *first)
            {
                next = Some((at, chime));
            }
        };
        if issuer.life == Life::Runs {
            for grant in &issuer.waiting {
                rings(issuer.clock.when(grant.until), Chime::Waiting(*grant));
            }
            if let Some(grant) = issuer.keeper.grant()
                && !issuer.watchers.is_empty()
            {
                rings(issuer.clock.when(grant.free), Chime::Watch);
            }
        }
        next
    }
}

const fn ms(millis: Millis) -> Duration {
    Duration::from_millis(millis as u64)
}

fn down(span: Duration) -> Millis {
    Millis::try_from(millis_down(span)).unwrap_or(Millis::MAX)
}

impl Stage<'_> {
    pub(super) fn issuer_takes(&mut self, from: Who, payload: Payload) {
        match (from, payload) {
            (Who::Holder(index), Payload::Acquire { request, asked }) => {
                self.acquire(index, request, asked);
            }
            (Who::Holder(index), Payload::Renew { token, asked }) => {
                self.renew(index, token, asked);
            }
            (Who::Holder(index), Payload::Release { token }) => {
                let answer = self.release(index, token);
                self.send(Who::Issuer, Who::Holder(index), answer);
            }
            (Who::Proxy(index), Payload::Ask { asked }) => {
                self.tell(Told::Tells(index, self.world.issuer.keeper.mark()));
                let reading = self.linearizable_read();
                let told = Payload::Told { asked, reading };
                self.send(Who::Issuer, Who::Proxy(index), told);
            }
            (_, Payload::Claimed { .. }) => self.tell(Told::Marked),
            _ => self.tell(Told::Nothing),
        }
    }

    /// The clock that the issuer measures leases with; where every wall does, it is the asker's.
    pub(super) fn lease_now(&self, asked: Moment) -> Moment {
        if self.scenario.mechanism.lock.is_by_walls() {
            asked
        } else {
            self.world.issuer.clock.mono(self.world.now)
        }
    }

    fn acquire(&mut self, index: u8, request: u8, asked: Moment) {
        let now = self.lease_now(asked);
        let lock = self.scenario.mechanism.lock;
        let drain = self.scenario.mechanism.drain_ms.unwrap_or(0);
        let quarantine = ms(lock.lock_delay_ms().max(drain));
        if let Numbers::Start(start) = &self.world.issuer.numbers
            && start.closed_for(quarantine, now).is_some()
        {
            self.not_now(index);
            return;
        }
        let keeper = &self.world.issuer.keeper;
        let (before, mark) = (keeper.holder(), keeper.mark());
        match self.asks_for_grant(index, request, now) {
            Grants::Answered(Acquired::Granted { leased, .. }) => {
                let token = self.renumbered(leased.token, mark == Some(leased.token));
                let resumed = mark == Some(token);
                let grant = self.raised((index, request, asked), token, now, (before, resumed));
                self.tell(Told::Grants(index, token, down(leased.left), resumed));
                self.answers_or_sits_out(grant, leased.left, resumed);
                self.aborts_everywhere();
            }
            Grants::Draining { retry_after } => {
                // Nobody is told its token yet.
                let Some(token) = self.world.issuer.keeper.mark() else {
                    return;
                };
                let resumed = mark == Some(token);
                let grant = self.raised((index, request, asked), token, now, (before, resumed));
                self.tell(Told::Grants(index, token, lock.ttl_ms(), resumed));
                self.waits_until(grant, now.after(retry_after));
                self.aborts_everywhere();
            }
            Grants::Answered(Acquired::NotGranted(NotGranted::Held { retry_after, .. })) => {
                let retry_ms = Millis::try_from(millis_up(retry_after)).unwrap_or(Millis::MAX);
                self.tell(Told::Held(index, before, retry_ms));
                let issuer = &mut self.world.issuer;
                if self.scenario.dialect().has_watches() && !issuer.watchers.contains(&index) {
                    issuer.watchers.push(index);
                    self.tell(Told::Queued(index));
                }
                self.send(Who::Issuer, Who::Holder(index), Payload::Held { retry_ms });
            }
            Grants::Answered(Acquired::NotGranted(_)) => self.over(index),
            Grants::Answered(Acquired::Undecided(_)) => self.not_now(index),
        }
    }

    /// A request for the lease, which is drained first where writes are counted.
    fn asks_for_grant(&mut self, index: u8, request: u8, now: Moment) -> Grants {
        let lock = self.scenario.mechanism.lock;
        let id = Name::request(request).text();
        let acquire = Acquire {
            resource: RESOURCE,
            holder: Name::holder(index).text(),
            request_id: Some(id),
            expect_mark: None,
            ttl: ms(lock.ttl_ms()),
            lock_delay: ms(lock.lock_delay_ms()),
            generation: GENERATION,
        };
        match self.scenario.mechanism.drain_at(Who::Issuer) {
            None => Grants::Answered(self.run(Who::Issuer, now, acquire)),
            Some(bound) => self.beside(Who::Issuer, now, DrainedGrant::new(acquire, id, bound)),
        }
    }

    /// What a grant means to everybody else, if it is not one that was made before.
    fn raised(
        &mut self,
        (index, request, asked): (u8, u8, Moment),
        token: Token,
        now: Moment,
        (before, resumed): (Option<u8>, bool),
    ) -> WaitingGrant {
        self.world.issuer.watchers.retain(|it| *it != index);
        if !resumed && before.is_some_and(|before| before != index) {
            self.pull_plug_of(before);
        }
        let turn = if resumed {
            self.world.witness.turns()
        } else {
            self.world.witness.granted(index, Some(token))
        };
        WaitingGrant {
            to: index,
            asked,
            request,
            token,
            turn,
            arrived: now,
            until: now,
        }
    }

    fn over(&mut self, index: u8) {
        self.tell(Told::GrantEnded(index));
        self.send(Who::Issuer, Who::Holder(index), Payload::Over);
    }

    fn not_now(&mut self, index: u8) {
        self.tell(Told::NotNow(Who::Issuer));
        self.send(Who::Issuer, Who::Holder(index), Payload::NotNow);
    }

    /// Puts a random number in the token's place, where a test wants to see the lessons vanish.
    fn renumbered(&mut self, token: Token, resumed: bool) -> Token {
        if self.scenario.mechanism.tokens != Tokens::Random || resumed {
            return token;
        }
        let turns = self.world.witness.turns();
        let number = dice::roll(self.seed, turns.into()) & 0xffff;
        let random = Token::new(0, number.saturating_add(1)).unwrap_or(token);
        if let Some(record) = &mut self.world.issuer.keeper.record {
            record.token = random;
        }
        random
    }

    fn pull_plug_of(&mut self, before: Option<u8>) {
        let (Some(victim), Some(after)) = (before, self.scenario.mechanism.stonith_ms) else {
            return;
        };
        let at = self.world.now.saturating_add(after);
        self.world.issuer.plug = Some((victim, at));
        self.tell(Told::WillPull(victim, after));
    }

    pub(super) fn renewal(&self, index: u8, token: Token) -> Renew<'static> {
        let lock = self.scenario.mechanism.lock;
        Renew {
            presented: Presented {
                token,
                holder: Some(Name::holder(index).text()),
            },
            ttl: ms(lock.ttl_ms()),
            lock_delay: ms(lock.lock_delay_ms()),
            generation: GENERATION,
        }
    }

    fn renew(&mut self, index: u8, token: Token, asked: Moment) {
        let now = self.lease_now(asked);
        let answer = match self.run(Who::Issuer, now, self.renewal(index, token)) {
            Owned::Done(leased) => {
                self.tell(Told::Keeps(index, down(leased.left)));
                let left = Left {
                    waited: Duration::ZERO,
                    left: leased.left,
                };
                Payload::Kept { asked, left }
            }
            Owned::Lost(lost) => {
                self.tell(Told::SaysLost(index, lost.reason));
                Payload::Lost
            }
            Owned::Undecided(_) => Payload::NotNow,
        };
        self.send(Who::Issuer, Who::Holder(index), answer);
    }

    /// Gives a lease back, and says what to answer.
    pub(super) fn release(&mut self, index: u8, token: Token) -> Payload {
        let now = self.world.issuer.clock.mono(self.world.now);
        let release = Release {
            presented: Presented {
                token,
                holder: Some(Name::holder(index).text()),
            },
            writes_answered: true,
            generation: GENERATION,
        };
        match self.run(Who::Issuer, now, release) {
            Owned::Done(()) => {
                self.tell(Told::Released(index));
                Payload::Released
            }
            Owned::Lost(lost) => {
                self.tell(Told::SaysLost(index, lost.reason));
                Payload::Lost
            }
            Owned::Undecided(_) => Payload::NotNow,
        }
    }

    pub(super) fn issuer_timer(&mut self) {
        match self.world.issuer_chime() {
            None => {}
            Some((_, Chime::Plug(victim))) => {
                self.world.issuer.plug = None;
                self.tell(Told::Pulled(victim));
                accident::crash(self.world, Who::Holder(victim));
            }
            Some((_, Chime::Waiting(grant))) => self.looks_again(&grant),
            Some((_, Chime::Watch)) => {
                let next = self.world.issuer.watchers.remove(0);
                self.tell(Told::WatchFires(next));
                self.send(Who::Issuer, Who::Holder(next), Payload::Watch);
            }
        }
    }
}
