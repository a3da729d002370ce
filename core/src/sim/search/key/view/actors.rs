//! The actors, as numbers.

use super::super::super::super::world::{Doing, Holder, Issuer, Known, Proxy, Store, WaitingGrant};
use super::super::super::dead::is_done;
use super::{Pen, View, wire};
use crate::moment::Moment;
use crate::tenure::Tenure;

impl View<'_> {
    pub(super) fn issuer(&self, pen: &mut Pen<'_>, issuer: &Issuer) {
        let Issuer {
            life,
            clock,
            keeper,
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
        self.keeper(pen, keeper);
        self.numbers(pen, numbers);
        if let Some((keeper, numbers)) = snapshot {
            self.keeper(pen, keeper);
            self.numbers(pen, numbers);
        }
        let reads = self.record_reads();
        for grant in waiting {
            let WaitingGrant {
                to,
                asked,
                token,
                turn,
                arrived,
                until,
            } = grant;
            pen.token(Some(*token));
            pen.small([pen.holder(*to), *turn, 0, 0, 0, 0, 0, 0]);
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
        self.keeper(pen, keeper);
        pen.token(*sealed);
        for (from, write) in stuck {
            pen.put(pen.who(*from).into());
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
            known,
            waiting,
            in_flight,
        } = proxy;
        let count = (waiting.len() as u8, in_flight.len() as u8);
        pen.small([
            *life as u8,
            known.is_some().into(),
            count.0,
            count.1,
            0,
            0,
            0,
            0,
        ]);
        self.clock(pen, clock);
        self.keeper(pen, keeper);
        if let Some(Known { record, mono, wall }) = known {
            // What is known of it serves to compare tokens; its times are the authority's affair.
            self.record(pen, record.as_ref(), false);
            pen.put(self.since(clock.mono(self.world.now).nanos(), *mono));
            pen.put(self.since(clock.wall(self.world.now).nanos(), *wall));
        }
        for write in waiting {
            wire::write(pen, write);
        }
        let mut writes: Vec<[u8; 3]> = in_flight
            .iter()
            .map(|(by, turn, seq)| [pen.holder(*by), *turn, *seq])
            .collect();
        writes.sort_unstable();
        for [by, turn, seq] in writes {
            pen.small([by, turn, seq, 0, 0, 0, 0, 0]);
        }
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

/// Whether it is active or releasing, and with which token; until when is a timer.
fn tenure_kind(pen: &mut Pen<'_>, tenure: &Tenure) {
    // At the beginning of time nothing is over yet.
    let dawn = Moment::default();
    pen.token(tenure.may_write(dawn));
    pen.token(tenure.release_unknown(dawn));
}
