//! The actors, as numbers.

use super::super::super::super::world::{
    Doing, Forwarded, Holder, Issuer, Proxy, Store, Waiting, WaitingGrant, WaitsOn,
};
use super::super::super::dead::is_done;
use super::{Pen, Places, View, wire};
use crate::moment::Moment;
use crate::tenure::Tenure;

impl View<'_> {
    pub(super) fn issuer(&self, pen: &mut Pen<'_>, issuer: &Issuer) {
        let Issuer {
            life,
            clock,
            keeper,
            known,
            numbers,
            snapshot,
            waiting,
            watchers,
            plug,
        } = issuer;
        pen.small([
            *life as u8,
            waiting.len() as u8,
            watchers.len() as u8,
            0,
            0,
            0,
            0,
            0,
        ]);
        self.clock(pen, clock);
        let reads = self.record_reads();
        self.keeper(pen, keeper, reads);
        self.numbers(pen, numbers);
        if let Some((keeper, numbers)) = snapshot {
            self.keeper(pen, keeper, reads);
            self.numbers(pen, numbers);
        }
        if self.rules.window {
            pen.put(self.version(keeper.version.into()));
            // It waits by what it knows, and trusts none of it.
            let mono = issuer.clock.mono(self.world.now).nanos();
            self.knowledge(pen, known, mono);
        }
        for grant in waiting {
            let WaitingGrant {
                to,
                asked,
                request,
                token,
                turn,
                arrived,
                until,
            } = grant;
            pen.token(Some(*token));
            pen.small([pen.holder(*to), *turn, *request, 0, 0, 0, 0, 0]);
            pen.put(self.since(self.holder_reads(*to), *asked));
            pen.put(self.since(reads, *arrived));
            // To the nanosecond where it is past as well: the earliest is answered first.
            pen.put(self.since(reads, *until));
            let free = keeper.grant().map(|grant| grant.free);
            pen.put(u64::from(free.is_some_and(|free| free < *until)));
        }
        for watcher in watchers {
            pen.put(pen.holder(*watcher).into());
        }
        match plug {
            None => pen.put(0),
            Some((victim, at)) => {
                pen.put(u64::from(pen.holder(*victim)).saturating_add(1));
                pen.put(self.millis(*at));
            }
        }
    }

    pub(super) fn store(&self, pen: &mut Pen<'_>, store: &Store) {
        let Store {
            life,
            stalled,
            halves,
            version,
            last_by,
            keeper,
            sealed,
            stuck,
            sequences,
        } = store;
        let count = (stuck.len() as u8, sequences.len() as u8);
        pen.small([*life as u8, (*stalled).into(), count.0, count.1, 0, 0, 0, 0]);
        if self.rules.halves {
            wire::halves(pen, *halves);
        }
        if self.rules.reads {
            pen.put(u64::from(*version) << 8 | u64::from(pen.maybe(*last_by)));
        }
        self.keeper(pen, keeper, 0);
        pen.token(*sealed);
        for (from, write) in stuck {
            let connected = self.is_connected(*from, write.start);
            pen.small([pen.who(*from), connected, 0, 0, 0, 0, 0, 0]);
            wire::write(pen, write);
        }
        let mut known: Vec<[u8; 2]> = sequences
            .iter()
            .map(|(by, seq)| [pen.holder(*by), *seq])
            .collect();
        known.sort_unstable();
        for [by, seq] in known {
            pen.put(u64::from(by) << 8 | u64::from(seq));
        }
    }

    pub(super) fn proxy(&self, pen: &mut Pen<'_>, proxy: &Proxy) {
        let Proxy {
            life,
            clock,
            keeper,
            // Only whether what is under way is of this start.
            starts: _,
            stalled,
            known,
            waiting,
            in_flight,
        } = proxy;
        let count = (waiting.len() as u8, in_flight.len() as u8);
        let stalled = (*stalled).into();
        pen.small([*life as u8, stalled, count.0, count.1, 0, 0, 0, 0]);
        self.clock(pen, clock);
        let (mono, wall) = self.proxy_reads(clock);
        self.keeper(pen, keeper, mono);
        if self.rules.window {
            self.knowledge(pen, known, mono);
            self.stamp(pen, known, (mono, wall));
        }
        for Waiting { write, on } in waiting {
            wire::write(pen, write);
            match on {
                WaitsOn::Store => pen.put(u64::MAX),
                WaitsOn::Authority { sent, asks_left } => {
                    pen.put((*asks_left).into());
                    self.instants(pen, (mono, wall), *sent);
                }
            }
        }
        let keys = in_flight.iter().map(|it| forwarded(pen.places, it));
        pen.set(keys);
    }

    /// What a holder does and believes; nothing here names another one.
    pub(super) fn belief(&self, pen: &mut Pen<'_>, index: u8, holder: &Holder) {
        if is_done(holder) && !self.keys.revives(index) {
            // It never does anything again.
            pen.put(u64::MAX);
            return;
        }
        let Holder {
            life,
            stalled,
            clock,
            tenure,
            token,
            turn,
            requests,
            writes,
            line,
            doing,
            renews_at,
            stuck,
            sight: _,
        } = holder;
        let kind = match doing {
            Doing::Next(_) => 0,
            Doing::Asking(_) => 1,
            Doing::Reading(_) => 2,
            Doing::Flushing(..) => 3,
            Doing::Writing(_, _, tries) => tries.saturating_add(16),
            Doing::Fencing(_) => 4,
            Doing::Releasing(_) => 5,
            Doing::Finished => 6,
            Doing::Stopped => 7,
        };
        let stalled = u8::from(*stalled).saturating_add(u8::from(stuck.is_some()) << 1);
        let life = *life as u8;
        pen.small([life, stalled, kind, *turn, *requests, *writes, *line, 0]);
        self.clock(pen, clock);
        pen.token(*token);
        let reads = self.holder_reads(index);
        tenure_kind(pen, tenure);
        let main = match doing {
            Doing::Next(at)
            | Doing::Asking(at)
            | Doing::Reading(at)
            | Doing::Fencing(at)
            | Doing::Releasing(at)
            | Doing::Flushing(_, at)
            | Doing::Writing(_, at, _) => Some(*at),
            Doing::Finished | Doing::Stopped => None,
        };
        let timers = [main, *renews_at, tenure.deadline()];
        for at in timers {
            pen.put(at.map_or(u64::MAX, |at| self.until(reads, at)));
        }
        // Of timers that are all past, as after a pause, the earliest goes off first.
        let [main, renew, deadline] = timers;
        let order = [main.cmp(&renew), main.cmp(&deadline), renew.cmp(&deadline)];
        let [first, second, third] = order.map(|it| it as i8 as u8);
        pen.small([first, second, third, 0, 0, 0, 0, 0]);
    }

    /// What a holder saw and writes: this may name others.
    pub(super) fn writes(&self, pen: &mut Pen<'_>, holder: &Holder) {
        if is_done(holder) {
            return;
        }
        match &holder.doing {
            Doing::Flushing(write, _) | Doing::Writing(write, ..) => wire::write(pen, write),
            _ => {}
        }
        if let Some(write) = &holder.stuck {
            wire::write(pen, write);
        }
        match &holder.sight {
            None => pen.put(u64::MAX),
            Some(sight) => wire::sight(pen, sight),
        }
    }
}

/// What a proxy needs of a write that it sent on: to know its answer, and to count it out.
fn forwarded(places: &Places, forwarded: &Forwarded) -> u128 {
    let Forwarded {
        write,
        attempts,
        sticks,
    } = forwarded;
    let mut pen = Pen::new(places);
    if *sticks {
        wire::write(&mut pen, write);
    }
    let by = pen.holder(write.by);
    let sealed = write.if_match.is_some();
    pen.small([
        by,
        write.seq,
        *attempts,
        (*sticks).into(),
        sealed.into(),
        0,
        0,
        0,
    ]);
    pen.put(write.if_match.unwrap_or_default().into());
    pen.token(write.token);
    pen.mix.finish()
}

/// Whether it is active or releasing, and with which token; until when is a timer.
fn tenure_kind(pen: &mut Pen<'_>, tenure: &Tenure) {
    // At the beginning of time nothing is over yet.
    let dawn = Moment::default();
    pen.token(tenure.may_write(dawn));
    pen.token(tenure.release_unknown(dawn));
}
