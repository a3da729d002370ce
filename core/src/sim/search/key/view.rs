//! A world as numbers, with each holder at its place.
//!
//! Every part is taken apart field by field, so that a new field cannot be forgotten here.

use super::super::super::clock::{Clock, Millis};
use super::super::super::keeper::{Keeper, Numbers};
use super::super::super::scenario::Scenario;
use super::super::super::who::{NOBODY, Name, Who};
use super::super::super::witness::Witness;
use super::super::super::world::World;
use super::super::hash::Mix;
use super::{Beliefs, HOLDERS_MAX, Keys, Places, Rules, place};
use crate::moment::Moment;
use crate::record::Record;
use crate::token::Token;
use core::time::Duration;

mod actors;
mod known;
mod wire;

const MILLION: u64 = 1_000_000;
/// What a wall clock is ahead of true time by, when nothing is off.
const WALL_NANOS: u64 = 1_000_000_000_000;

/// A world that is looked at.
pub(super) struct View<'w> {
    scenario: &'w Scenario,
    world: &'w World,
    keys: &'w Keys,
    rules: Rules,
    versions: Vec<u64>,
}

/// Puts numbers into a hash.
pub(super) struct Pen<'p> {
    pub(super) mix: Mix,
    places: &'p Places,
}

impl<'p> Pen<'p> {
    const fn new(places: &'p Places) -> Self {
        Self {
            mix: Mix::new(),
            places,
        }
    }

    #[inline]
    const fn put(&mut self, word: u64) {
        self.mix.put(word);
    }

    /// Up to eight small numbers at once.
    #[inline]
    const fn small(&mut self, bytes: [u8; 8]) {
        self.put(u64::from_le_bytes(bytes));
    }

    const fn token(&mut self, token: Option<Token>) {
        match token {
            None => self.put(u64::MAX),
            Some(token) => {
                self.put(token.number());
                self.put(token.epoch() as u64);
            }
        }
    }

    fn holder(&self, index: u8) -> u8 {
        place(self.places, index)
    }

    fn maybe(&self, index: Option<u8>) -> u8 {
        index.map_or(u8::MAX, |index| self.holder(index))
    }

    fn who(&self, who: Who) -> u8 {
        match who {
            Who::Issuer => 0,
            Who::Store => 1,
            Who::Proxy(index) => index.saturating_add(8),
            Who::Holder(index) => self.holder(index).saturating_add(16),
        }
    }

    /// What comes in no order: a sum has none either.
    fn set(&mut self, keys: impl Iterator<Item = u128>) {
        let none = (0_u64, 0_u128);
        let (many, sum) = keys.fold(none, |(many, sum), key| {
            (many.wrapping_add(1), sum.wrapping_add(key))
        });
        self.put(many);
        self.mix.put_both(sum);
    }
}

impl<'w> View<'w> {
    pub(super) fn new(scenario: &'w Scenario, world: &'w World, keys: &'w Keys) -> Self {
        let versions = if keys.rules.window {
            known::versions(world)
        } else {
            Vec::new()
        };
        Self {
            scenario,
            world,
            keys,
            rules: keys.rules,
            versions,
        }
    }

    /// What each holder does and believes, which does not depend on anybody's name.
    pub(super) fn beliefs(&self) -> Beliefs {
        let here: Places = [0; HOLDERS_MAX];
        let mut beliefs = [0; HOLDERS_MAX];
        for ((index, holder), belief) in (0_u8..).zip(&self.world.holders).zip(&mut beliefs) {
            let mut pen = Pen::new(&here);
            self.belief(&mut pen, index, holder);
            *belief = pen.mix.finish();
        }
        beliefs
    }

    /// The key of the whole, with the holders at these places.
    pub(super) fn key(&self, faults: u8, places: &Places, beliefs: &Beliefs) -> u128 {
        let World {
            now,
            begun: _,
            issuer,
            store,
            proxies,
            holders,
            messages,
            links,
            next_message: _,
            witness,
        } = self.world;
        let mut pen = Pen::new(places);
        pen.put(faults.into());
        if self.rules.absolute {
            pen.put((*now).into());
        }
        self.issuer(&mut pen, issuer);
        self.store(&mut pen, store);
        for proxy in proxies {
            self.proxy(&mut pen, proxy);
        }
        for to in 0_u8..5 {
            let mut all = (0_u8..).zip(holders.iter().zip(beliefs));
            if let Some((_, (holder, belief))) = all.find(|(index, _)| pen.holder(*index) == to) {
                pen.mix.put_both(*belief);
                self.writes(&mut pen, holder);
            }
        }
        pen.set(messages.iter().map(|it| self.message(places, it)));
        pen.set(links.iter().map(|it| wire::link(places, it)));
        self.witness(&mut pen, witness);
        pen.mix.finish()
    }

    /// How long until then, or since then, in nanoseconds by whichever clock it is.
    fn span(&self, now: u64, then: u64, since: bool) -> u64 {
        let span = then.wrapping_sub(now) as i64;
        let past = if since || self.rules.signed {
            i64::try_from(self.rules.far).map_or(i64::MIN, i64::saturating_neg)
        } else {
            0
        };
        span.max(past) as u64
    }

    fn until(&self, reads: u64, then: Moment) -> u64 {
        self.span(reads, then.nanos(), false)
    }

    fn since(&self, reads: u64, then: Moment) -> u64 {
        self.span(reads, then.nanos(), true)
    }

    fn millis(&self, then: Millis) -> u64 {
        self.span(self.world.now.into(), then.into(), false)
    }

    /// What a holder reads on the clock that its leases are measured with.
    fn holder_reads(&self, index: u8) -> u64 {
        let holder = self.world.holder(index);
        holder.map_or(0, |it| it.reads(self.scenario, self.world.now).nanos())
    }

    /// What every wall clock would read that is not off.
    fn wall_reads(&self) -> u64 {
        let now = u64::from(self.world.now).saturating_mul(MILLION);
        now.saturating_add(WALL_NANOS)
    }

    /// What the record's times count from.
    fn record_reads(&self) -> u64 {
        if self.rules.by_walls {
            self.wall_reads()
        } else {
            self.world.issuer.clock.mono(self.world.now).nanos()
        }
    }

    fn clock(&self, pen: &mut Pen<'_>, clock: &Clock) {
        let now = self.world.now;
        let rate = clock.rate_ppm();
        let odd = u64::from(rate < 0) << 40 | u64::from(clock.is_stopped()) << 41;
        pen.put(u64::from(rate.unsigned_abs()) | odd);
        if self.rules.walls {
            pen.put(clock.wall(now).nanos().wrapping_sub(self.wall_reads()));
            // Of a clock that stands: what it will be set to when it goes on.
            let mut awake = *clock;
            awake.suspend(now, false);
            pen.put(awake.wall(now).nanos().wrapping_sub(self.wall_reads()));
        }
    }

    fn record(&self, pen: &mut Pen<'_>, record: Option<&Record<Name>>) {
        let Some(Record {
            token,
            holder,
            generation: _,
            grant,
        }) = record
        else {
            pen.put(u64::MAX);
            return;
        };
        pen.token(Some(*token));
        let holder = pen.maybe(holder.and_then(Name::as_holder));
        let Some(grant) = grant else {
            pen.small([holder, 0, 0, 0, 0, 0, 0, 0]);
            return;
        };
        let released = u8::from(grant.released).saturating_add(1);
        pen.small([holder, released, 0, 0, 0, 0, 0, 0]);
        let reads = self.record_reads();
        let mut id = [0_u8; 8];
        let text = grant.request_id.map_or("", Name::text);
        for (to, byte) in id.iter_mut().zip(text.bytes()) {
            *to = byte;
        }
        pen.small(id);
        pen.put(self.until(reads, grant.ends));
        pen.put(self.until(reads, grant.free));
    }

    /// A record, and what is counted beside it by somebody whose clock reads `reads`.
    fn keeper(&self, pen: &mut Pen<'_>, keeper: &Keeper, reads: u64) {
        let Keeper {
            record,
            version: _,
            spent,
            drain,
            settled,
            highest,
        } = keeper;
        self.record(pen, record.as_ref());
        self.drain(pen, drain, reads);
        pen.put((settled.is_some() && *settled == keeper.mark()).into());
        // Whether there ever was one decides whether an empty place is a forgotten one.
        if self.rules.needs.marks {
            pen.token(*highest);
        } else {
            pen.put(highest.is_some().into());
        }
        let whose = spent.iter().filter_map(|print| self.keys.spent.get(print));
        let mut whose: Vec<u64> = whose
            .map(|(holder, request)| u64::from(pen.holder(*holder)) << 8 | u64::from(*request))
            .collect();
        whose.sort_unstable();
        pen.put(whose.len() as u64);
        for one in whose {
            pen.put(one);
        }
    }

    fn numbers(&self, pen: &mut Pen<'_>, numbers: &Numbers) {
        match numbers {
            Numbers::Counter { epoch, last } => {
                pen.put((*epoch).into());
                pen.put(*last);
            }
            Numbers::Start(start) => {
                pen.token(start.draw().ok().map(|(token, _)| token));
                let now = self.world.issuer.clock.mono(self.world.now);
                let mechanism = &self.scenario.mechanism;
                let drain = mechanism.drain_ms.unwrap_or(0);
                let quarantine = mechanism.lock.lock_delay_ms().max(drain);
                for wait in [0, quarantine] {
                    let wait = Duration::from_millis(wait.into());
                    let left = start.closed_for(wait, now).unwrap_or_default();
                    pen.put(u64::try_from(left.as_nanos()).unwrap_or(u64::MAX));
                }
            }
        }
    }

    fn witness(&self, pen: &mut Pen<'_>, witness: &Witness) {
        let Witness {
            grants,
            start,
            floor,
            landed,
            sealed,
            bound,
            was_whole,
            wanted_since,
            breaches,
        } = witness;
        let needs = self.rules.needs;
        // A state that breaks a law differs from the same one that does not: it is not judged
        // if it was met before. Who broke it is all one.
        let broken = breaches.iter().map(|breach| 1 << breach.law as u32);
        let broken = broken.fold(0_u32, |mask, bit| mask | bit) & needs.laws;
        pen.put(broken.into());
        let floor = if needs.floor { *floor } else { 0 };
        let landed = if needs.landed { *landed } else { 0 };
        let whole = needs.whole && *was_whole;
        pen.small([
            grants.len() as u8,
            *start,
            floor,
            landed,
            whole.into(),
            0,
            0,
            0,
        ]);
        if needs.stops || needs.whole {
            // Who was granted last, and who was before that who is somebody else: enough to know
            // of everybody whether somebody else was granted since.
            let somebody = (1_u8..)
                .zip(grants)
                .map(|(turn, given)| (turn, given.holder));
            let somebody = somebody.filter(|(_, holder)| *holder != NOBODY);
            let last = somebody.clone().last();
            let before = somebody.filter(|(_, holder)| last.is_some_and(|it| it.1 != *holder));
            for one in [last, before.last()] {
                let (turn, holder) = one.map_or((0, u8::MAX), |(turn, it)| (turn, pen.holder(it)));
                pen.small([turn, holder, 0, 0, 0, 0, 0, 0]);
            }
        }
        if needs.tokens {
            for given in grants {
                pen.token(given.token);
                pen.put(given.start.into());
            }
        }
        if needs.marks {
            pen.token(*sealed);
        }
        if needs.bound {
            let mut bound: Vec<(Token, u8)> = bound
                .iter()
                .map(|(token, by)| (*token, pen.holder(*by)))
                .collect();
            bound.sort_unstable();
            for (token, by) in bound {
                pen.token(Some(token));
                pen.put(by.into());
            }
        }
        if needs.wanted {
            let bound = self.scenario.mechanism.takeover_bound_ms();
            let age = |since| {
                self.world
                    .now
                    .saturating_sub(since)
                    .min(bound.saturating_add(1))
            };
            pen.put(wanted_since.map_or(u64::MAX, |since| age(since).into()));
        }
    }
}
