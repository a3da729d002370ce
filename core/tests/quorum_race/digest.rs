//! By what two states are told apart: times as ages, and by no more of them than matters.

use super::{BASE, Expiry, Place, Setup, Side, UNIT, World};
use crate::explore::Wide;
use std::hash::{Hash, Hasher};

/// Hashes times as ages.
struct Aged {
    inner: Wide,
    now: u64,
    /// From which age on it does not matter; `None`: it never does.
    old: Option<u64>,
}

impl Hasher for Aged {
    fn finish(&self) -> u64 {
        self.inner.finish()
    }

    fn write(&mut self, bytes: &[u8]) {
        self.inner.write(bytes);
    }

    fn write_u8(&mut self, word: u8) {
        self.inner.write_u8(word);
    }

    fn write_usize(&mut self, word: usize) {
        self.inner.write_usize(word);
    }

    fn write_u64(&mut self, word: u64) {
        let word = match (word < BASE, self.old) {
            (true, _) => word,
            (false, None) => BASE,
            (false, Some(old)) => {
                let age = (self.now.wrapping_sub(word) as i64) / UNIT as i64;
                BASE | age.clamp(-(old as i64), old as i64) as u64
            }
        };
        self.inner.write_u64(word);
    }
}

impl Side {
    /// All that matters of it: when something was heard of does not, where nothing is contradicted.
    fn digest(&self, setup: &Setup, wide: Wide) -> u128 {
        let in_time = setup.expiry == Expiry::InTime;
        let mut aged = Aged {
            inner: wide,
            now: self.nanos(),
            old: Some(1),
        };
        let in_force = self.heard.in_force.map(|it| (it.init, it.at));
        // No mark is above a header that was heard of, and none falls here.
        (in_force, self.heard.refused, self.heard.agreed).hash(&mut aged);
        self.generation.hash(&mut aged);
        let knowledge = self.known.knowledge();
        (knowledge.init, &knowledge.record, knowledge.version).hash(&mut aged);
        knowledge.stamp.hash(&mut aged);
        if !self.flows.is_empty() {
            // Requests alone look at these; who begins reads them anew.
            knowledge.header.map(|it| it.0).hash(&mut aged);
            (self.known.kept(), self.known.lock()).hash(&mut aged);
        }
        if knowledge.record.as_ref().is_some_and(|it| !it.settled) {
            aged.old = Some(2);
            knowledge.learned.hash(&mut aged);
        }
        for on_the_way in &self.flows {
            (on_the_way.job, on_the_way.floor).hash(&mut aged);
            match &on_the_way.place {
                Place::Calling {
                    calling,
                    call,
                    sent,
                    reply,
                } => {
                    // Where leases have no time, a flow's times are of no use.
                    aged.old = in_time.then_some(setup.ttl);
                    calling.hash(&mut aged);
                    aged.old = Some(if in_time { setup.ttl } else { 1 });
                    (call, sent, reply).hash(&mut aged);
                }
                Place::Sitting(sitting, until) => {
                    aged.old = in_time.then_some(setup.ttl);
                    sitting.hash(&mut aged);
                    aged.old = Some(2);
                    until.hash(&mut aged);
                }
            }
        }
        aged.inner.both()
    }
}

impl Hash for World {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        // The two proxies are alike, unless somebody believes by the clock of one.
        let mut sides = [0, 1].map(|at| {
            let side = &self.sides[at];
            let mut wide = Wide::new();
            for (job, (by, ends)) in &self.truth.believes {
                if *by == at {
                    (job, ends.saturating_sub(side.clock)).hash(&mut wide);
                }
            }
            side.digest(&self.setup, wide)
        });
        sides.sort_unstable();
        sides.hash(hasher);
        self.store.hash(hasher);
        (&self.ghosts, &self.begun, self.left).hash(hasher);
        (self.truth.floor, &self.truth.issued).hash(hasher);
        (&self.truth.attempts, &self.truth.granted).hash(hasher);
    }
}
