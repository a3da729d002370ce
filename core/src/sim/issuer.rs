//! The lease service: the operations of [`crate::lease`] over one record, and what it waits for.

use super::clock::Millis;
use super::keeper::{Desk, GENERATION, Numbers, RESOURCE};
use super::mechanism::{Check, Tokens, WindowFlaw};
use super::message::Payload;
use super::stage::Stage;
use super::told::Told;
use super::who::{Name, Who};
use super::world::{Life, WaitingGrant, World};
use super::{accident, dice};
use crate::check::Presented;
use crate::drive::drive;
use crate::lease::{Acquire, Acquired, NotGranted, Owned, Release, Renew};
use crate::machine::{Change, Operation};
use crate::moment::{Moment, millis_down, millis_up};
use crate::tenure::Left;
use crate::token::Token;
use core::time::Duration;

/// How many conflicts are judged again; here nobody comes between.
pub(super) const CONFLICTS_MAX: u8 = 3;

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

    fn issuer_chime(&self) -> Option<(Millis, Chime)> {
        let issuer = &self.issuer;
        let plug = issuer.plug.map(|(holder, at)| (at, Chime::Plug(holder)));
        let runs = issuer.life == Life::Runs;
        let waiting = issuer
            .waiting
            .iter()
            .filter_map(|grant| Some((issuer.clock.when(grant.until)?, Chime::Waiting(*grant))));
        let waiting = waiting.filter(|_| runs).min_by_key(|(at, _)| *at);
        let watch = || {
            let grant = issuer.keeper.grant()?;
            Some((issuer.clock.when(grant.free)?, Chime::Watch))
        };
        let watch = (runs && !issuer.watchers.is_empty()).then(watch).flatten();
        [plug, waiting, watch]
            .into_iter()
            .flatten()
            .min_by_key(|(at, _)| *at)
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
            (Who::Proxy(index), Payload::Ask { asked, asked_wall }) => {
                let record = self.world.issuer.keeper.record.clone();
                self.tell(Told::Tells(index, record.as_ref().map(|it| it.token)));
                let told = Payload::Told {
                    asked,
                    asked_wall,
                    record,
                };
                self.send(Who::Issuer, Who::Proxy(index), told);
            }
            (_, Payload::Claimed { .. }) => self.tell(Told::Marked),
            _ => self.tell(Told::Nothing),
        }
    }

    pub(super) fn at_issuer<O: Operation<Change = Change>>(
        &mut self,
        now: Moment,
        operation: O,
    ) -> O::Outcome {
        let issuer = &mut self.world.issuer;
        let mut desk = Desk {
            now,
            keeper: &mut issuer.keeper,
            numbers: Some(&mut issuer.numbers),
        };
        drive(&mut desk, operation, CONFLICTS_MAX)
    }

    /// The clock that the issuer measures leases with; where every wall does, it is the asker's.
    fn lease_now(&self, asked: Moment) -> Moment {
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
        let before = self.world.issuer.keeper.holder();
        let outcome = self.at_issuer(
            now,
            Acquire {
                resource: RESOURCE,
                holder: Name::holder(index).text(),
                request_id: Some(Name::request(request).text()),
                expect_mark: None,
                ttl: ms(lock.ttl_ms()),
                lock_delay: ms(lock.lock_delay_ms()),
                generation: GENERATION,
            },
        );
        match outcome {
            Acquired::Granted { leased, resumed } => {
                let token = self.renumbered(leased.token, resumed);
                self.world.issuer.watchers.retain(|it| *it != index);
                if !resumed && before.is_some_and(|before| before != index) {
                    self.pull_plug_of(before);
                }
                let turn = if resumed {
                    self.world.witness.turns()
                } else {
                    self.world.witness.granted(index, Some(token))
                };
                self.tell(Told::Grants(index, token, down(leased.left), resumed));
                let grant = WaitingGrant {
                    to: index,
                    asked,
                    token,
                    turn,
                    arrived: now,
                    until: now,
                };
                self.answer_or_wait(grant, leased.left, resumed);
            }
            Acquired::NotGranted(NotGranted::Held { retry_after, .. }) => {
                let retry_ms = Millis::try_from(millis_up(retry_after)).unwrap_or(Millis::MAX);
                self.tell(Told::Held(index, before, retry_ms));
                let issuer = &mut self.world.issuer;
                if self.scenario.dialect().has_watches() && !issuer.watchers.contains(&index) {
                    issuer.watchers.push(index);
                    self.tell(Told::Queued(index));
                }
                self.send(Who::Issuer, Who::Holder(index), Payload::Held { retry_ms });
            }
            Acquired::NotGranted(_) => {
                self.tell(Told::GrantEnded(index));
                self.send(Who::Issuer, Who::Holder(index), Payload::Over);
            }
            Acquired::Undecided(_) => self.not_now(index),
        }
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

    /// A grant is answered at once, unless writes of before or knowledge of before must run out.
    fn answer_or_wait(&mut self, mut grant: WaitingGrant, left: Duration, resumed: bool) {
        let mechanism = &self.scenario.mechanism;
        let older = self.older_in_flight(grant.turn);
        let bound = match mechanism.check {
            Check::Window(window)
                if !(resumed && window.flaw == Some(WindowFlaw::ResumedAtOnce)) =>
            {
                window.wait_ms
            }
            _ if older > 0 => mechanism.drain_ms.unwrap_or(0),
            _ => 0,
        };
        let waiting = &mut self.world.issuer.waiting;
        if let Some(earlier) = waiting.iter().find(|it| it.token == grant.token).copied() {
            // Asked again while it waits: the bound runs on, and the answer goes to this asking.
            waiting.retain(|it| it.token != grant.token);
            grant.until = if bound > 0 {
                earlier.until
            } else {
                grant.arrived
            };
        } else if resumed && !(mechanism.drain_ms.is_some() && older > 0) {
            // It was answered before: its wait is over. One that a restart forgot in the middle of
            // its wait has older writes under way still, and waits anew.
            grant.until = grant.arrived;
        } else {
            grant.until = grant.arrived.after(ms(bound));
        }
        if grant.until > grant.arrived {
            let wait = down(grant.until.since(grant.arrived));
            self.tell(Told::GrantWaits(grant.to, grant.token, wait, older));
            self.world.issuer.waiting.push(grant);
        } else {
            self.answer_grant(&grant, left);
        }
    }

    /// How many writes of earlier turns were let through and are not answered.
    fn older_in_flight(&self, turn: u8) -> u8 {
        let proxies = self.world.proxies.iter();
        let writes = proxies.flat_map(|proxy| &proxy.in_flight);
        let older = writes.filter(|(_, its, _)| *its < turn).count();
        u8::try_from(older).unwrap_or(u8::MAX)
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

    /// The wait of a grant is over: its lease starts now.
    fn answer_waiting(&mut self, grant: &WaitingGrant) {
        self.world.issuer.waiting.retain(|it| it != grant);
        // What was not answered within the bound is waited for no more.
        for proxy in &mut self.world.proxies {
            proxy.in_flight.retain(|(_, turn, _)| *turn >= grant.turn);
        }
        let now = self.lease_now(grant.asked);
        match self.at_issuer(now, self.renewal(grant.to, grant.token)) {
            Owned::Done(leased) => {
                self.tell(Told::GrantAnswered(grant.to, grant.token));
                self.answer_grant(grant, leased.left);
            }
            _ => {
                self.tell(Told::GrantEnded(grant.to));
                self.send(Who::Issuer, Who::Holder(grant.to), Payload::Over);
            }
        }
    }

    /// A write was answered: perhaps a grant waited for it.
    pub(super) fn drained(&mut self) {
        if self.scenario.mechanism.drain_ms.is_none() {
            return;
        }
        let waiting = self.world.issuer.waiting.first().copied();
        if let Some(grant) = waiting
            && self.older_in_flight(grant.turn) == 0
        {
            self.answer_waiting(&grant);
        }
    }

    fn renewal(&self, index: u8, token: Token) -> Renew<'static> {
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
        let answer = match self.at_issuer(now, self.renewal(index, token)) {
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
        match self.at_issuer(now, release) {
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
            Some((_, Chime::Waiting(grant))) => self.answer_waiting(&grant),
            Some((_, Chime::Watch)) => {
                let next = self.world.issuer.watchers.remove(0);
                self.tell(Told::WatchFires(next));
                self.send(Who::Issuer, Who::Holder(next), Payload::Watch);
            }
        }
    }
}
