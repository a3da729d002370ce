//! What is known of the authority's record, and what is counted beside it, as numbers.

use super::super::super::super::clock::Clock;
use super::super::super::super::mechanism::{Check, WindowFlaw};
use super::super::super::super::message::Payload;
use super::super::super::super::who::Name;
use super::super::super::super::world::World;
use super::{Pen, View};
use crate::drain::Drain;
use crate::window::{Init, Instants, Knowledge, Known, Reading};
use core::time::Duration;

/// Every version of the record that somebody still knows of, in order. Versions are compared with
/// each other only, so which one it is in this order is all that matters.
pub(super) fn versions(world: &World) -> Vec<u64> {
    let knowing = world.proxies.iter().map(|proxy| &proxy.known);
    let knowing = knowing.chain([&world.issuer.known]);
    let known = knowing.flat_map(|it| [Some(it.version), it.header.map(|(header, _)| header)]);
    let told = world.messages.iter().flat_map(|it| match &it.payload {
        Payload::Told { reading, .. } => [Some(reading.version), Some(reading.header)],
        _ => [None, None],
    });
    let own = [Some(u64::from(world.issuer.keeper.version))];
    let mut versions: Vec<u64> = known.chain(told).chain(own).flatten().collect();
    versions.sort_unstable();
    versions.dedup();
    versions
}

impl View<'_> {
    /// Which version it is.
    pub(super) fn version(&self, version: u64) -> u64 {
        if self.rules.restores {
            // One that is set back is counted up again, past those that were known.
            return version;
        }
        let at = self.versions.binary_search(&version);
        at.unwrap_or_default() as u64
    }

    /// What a proxy reads on its clocks, or takes itself to read.
    pub(super) fn proxy_reads(&self, clock: &Clock) -> (u64, u64) {
        let now = self.world.now;
        let mono = clock.mono(now).nanos();
        match self.scenario.mechanism.check {
            Check::Window(window) if window.flaw == Some(WindowFlaw::MonotonicOnly) => (mono, mono),
            _ => (mono, clock.wall(now).nanos()),
        }
    }

    pub(super) fn instants(&self, pen: &mut Pen<'_>, (mono, wall): (u64, u64), at: Instants) {
        pen.put(self.since(mono, at.mono));
        pen.put(self.since(wall, at.wall));
    }

    /// Since when it is known. Past its trust it stays so, unless a clock is set back.
    pub(super) fn stamp(
        &self,
        pen: &mut Pen<'_>,
        knowledge: &Knowledge<Name>,
        (mono, wall): (u64, u64),
    ) {
        let (Some(stamp), Some(init)) = (knowledge.stamp, knowledge.init) else {
            return;
        };
        let is_old = mono >= stamp.mono.after(init.trust).nanos()
            || wall >= stamp.wall.after(init.trust).nanos();
        if is_old && !self.rules.signed {
            pen.put(u64::MAX);
        } else {
            self.instants(pen, (mono, wall), stamp);
        }
    }

    /// What is known but for when it was asked for, by somebody whose clock reads `mono`.
    pub(super) fn knowledge(&self, pen: &mut Pen<'_>, knowledge: &Knowledge<Name>, mono: u64) {
        let Knowledge {
            init,
            header,
            version,
            record,
            stamp,
            learned,
        } = knowledge;
        pen.small([
            init.is_some().into(),
            header.is_some().into(),
            stamp.is_some().into(),
            learned.is_some().into(),
            0,
            0,
            0,
            0,
        ]);
        let wait = init.map_or(Duration::ZERO, |init| init.wait);
        if let Some(init) = init {
            self.init(pen, init);
        }
        if let Some((header, heard)) = header {
            pen.put(self.version(*header));
            if self.rules.restores {
                pen.put(self.since(mono, *heard));
            }
        }
        pen.put(self.version(*version));
        self.known(pen, record.as_ref());
        let settled = record.is_none_or(|record| record.settled);
        if let Some(learned) = learned
            && !settled
        {
            pen.put(self.until(mono, learned.after(wait)));
        }
    }

    pub(super) fn reading(&self, pen: &mut Pen<'_>, reading: &Reading<Name>) {
        let Reading {
            init,
            header,
            version,
            record,
        } = reading;
        self.init(pen, init);
        pen.put(self.version(*header));
        pen.put(self.version(*version));
        self.known(pen, record.as_ref());
    }

    fn init(&self, pen: &mut Pen<'_>, init: &Init) {
        let Init {
            revision,
            epoch,
            // The scenario's, always.
            trust: _,
            wait: _,
        } = init;
        pen.put(*revision);
        pen.put((*epoch).into());
    }

    fn known(&self, pen: &mut Pen<'_>, known: Option<&Known<Name>>) {
        let Some(Known {
            token,
            holder,
            released,
            settled,
        }) = known
        else {
            pen.put(u64::MAX);
            return;
        };
        pen.token(Some(*token));
        let holder = pen.maybe(holder.and_then(Name::as_holder));
        pen.small([holder, (*released).into(), (*settled).into(), 0, 0, 0, 0, 0]);
    }

    /// The writes that are counted, by somebody whose clock reads `reads`.
    pub(super) fn drain(&self, pen: &mut Pen<'_>, drain: &Drain, reads: u64) {
        let bound_ms = self.scenario.mechanism.drain_ms.unwrap_or(0);
        let bound = Duration::from_millis(bound_ms.into());
        pen.token(drain.mark());
        pen.token(drain.pending());
        for flight in drain.flights() {
            let ends = flight.superseded.map(|at| at.after(bound));
            if ends.is_some_and(|end| end.nanos() <= reads) {
                // Nobody waits for it any more.
                continue;
            }
            pen.token(Some(flight.token));
            pen.put(u64::from(flight.open) << 1 | u64::from(flight.unresolved));
            pen.put(ends.map_or(u64::MAX, |end| self.until(reads, end)));
        }
    }
}
