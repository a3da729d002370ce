//! The store: a report in two halves, and whatever it checks itself.

use super::laws::Law;
use super::mechanism::{Check, Condition, Etag};
use super::message::{Answer, Edit, Half, Payload, Sight, Write};
use super::stage::Stage;
use super::told::Told;
use super::who::Who;
use super::witness::Breach;
use super::world::Store;
use crate::check::Access;
use crate::verdict::{Admission, Rejection, Verdict};

/// Each half as a digit: the same bytes have the same ETag.
fn content_etag(halves: [Half; 2]) -> u16 {
    let digit = |half: Half| half.map_or(0, |by| u16::from(by).saturating_add(1));
    halves.into_iter().fold(0_u16, |sum, half| {
        sum.saturating_mul(8).saturating_add(digit(half))
    })
}

impl Store {
    /// The ETag of the report.
    #[must_use]
    pub fn etag(&self, condition: Condition) -> u16 {
        match condition {
            Condition::AsRead(Etag::ByContent) | Condition::Sealed(Etag::ByContent) => {
                content_etag(self.halves)
            }
            _ => self.version,
        }
    }
}

impl Stage<'_> {
    pub(super) fn store_takes(&mut self, from: Who, payload: Payload) {
        let mechanism = &self.scenario.mechanism;
        match payload {
            Payload::Read { by } => {
                let store = &self.world.store;
                let mark = match mechanism.condition {
                    Condition::Sealed(_) => store.sealed,
                    _ => store.keeper.mark(),
                };
                let sight = Sight {
                    version: store.version,
                    etag: store.etag(mechanism.condition),
                    halves: store.halves,
                    mark,
                    by: store.last_by,
                };
                self.tell(Told::Answers(by));
                self.send(Who::Store, from, Payload::Shown { by, sight });
            }
            Payload::Claim { by, token, turn } => {
                let verdict = self.judge(Who::Store, (by, Some(token)), Access::Write);
                self.claimed(Who::Store, (by, token, turn), verdict);
            }
            Payload::Write(write) if self.world.store.stalled => {
                self.world.store.stuck.push((from, write));
                self.tell(Told::Sticks(write.by));
            }
            Payload::Write(write) => self.store_writes(from, write),
            _ => self.tell(Told::Nothing),
        }
    }

    /// Judges, checks its own condition, and writes: nothing comes between.
    pub(super) fn store_writes(&mut self, from: Who, write: Write) {
        let answer = self.stored(&write);
        let answer = Payload::Answer {
            by: write.by,
            seq: write.seq,
            start: write.start,
            answer,
        };
        self.send(Who::Store, from, answer);
    }

    fn stored(&mut self, write: &Write) -> Answer {
        let access = match self.scenario.mechanism.check {
            Check::Store => Some(Access::Write),
            // Only a claim raises.
            Check::StoreByClaim => Some(Access::Read),
            _ => None,
        };
        if let Some(access) = access {
            match self.judge(Who::Store, (write.by, write.token), access) {
                Verdict::Reject(Rejection { reason, mark }) => {
                    let witness = &mut self.world.witness;
                    witness.refused(write.by, write.turn, write.token, mark);
                    self.tell(Told::Rejects(Who::Store, *write, reason, mark));
                    return Answer::Rejected { reason, mark };
                }
                Verdict::Undecided(_) => {
                    self.tell(Told::CannotTell(Who::Store, *write));
                    return Answer::NotNow;
                }
                Verdict::Admit(Admission { mark, .. }) => {
                    let witness = &mut self.world.witness;
                    witness.admitted(write.by, write.turn, write.token, false);
                    self.tell(Told::Admits(Who::Store, *write, mark));
                }
            }
        }
        if self.has_sequence(write) {
            self.tell(Told::KnowsSequence(write.by, write.seq));
            return Answer::Stored {
                version: self.world.store.version,
            };
        }
        let etag = self.world.store.etag(self.scenario.mechanism.condition);
        if write.if_match.is_some_and(|expected| expected != etag) {
            self.tell(Told::ConditionFails(*write));
            return Answer::Condition;
        }
        if self.scenario.mechanism.check == Check::Nowhere {
            // Nobody looked: whatever comes is let through.
            let witness = &mut self.world.witness;
            witness.admitted(write.by, write.turn, write.token, false);
        }
        self.lands(write);
        Answer::Stored {
            version: self.world.store.version,
        }
    }

    /// Whether the producer's sequence was here already.
    fn has_sequence(&mut self, write: &Write) -> bool {
        if !self.scenario.dialect().has_sequences() {
            return false;
        }
        let sequences = &mut self.world.store.sequences;
        match sequences.iter_mut().find(|(by, _)| *by == write.by) {
            Some((_, last)) if *last >= write.seq => true,
            Some((_, last)) => {
                *last = write.seq;
                false
            }
            None => {
                sequences.push((write.by, write.seq));
                false
            }
        }
    }

    /// The write is stored.
    fn lands(&mut self, write: &Write) {
        self.watch_landing(write);
        let store = &mut self.world.store;
        let over = store.last_by;
        for (half, edit) in store.halves.iter_mut().zip(write.edits) {
            if let Edit::Put(put) = edit {
                *half = put;
            }
        }
        store.version = store.version.wrapping_add(1);
        store.last_by = Some(write.by);
        if let Condition::Sealed(_) = self.scenario.mechanism.condition {
            store.sealed = write.token;
        }
        let halves = store.halves;
        self.world.witness.wrote(halves, write.by, write.turn);
        let told = Told::Stores(write.by, write.edits, over, halves);
        self.tell(told);
    }

    /// What the witness makes of a write that lands.
    fn watch_landing(&mut self, write: &Write) {
        let store = &self.world.store;
        let witness = &mut self.world.witness;
        let newest = witness.grant(witness.landed).copied();
        let breach = |law, against| Breach {
            law,
            by: write.by,
            against,
            token: write.token,
            held_against: newest.and_then(|given| given.token),
        };
        if write.turn < witness.landed {
            let against = newest.map(|given| given.holder);
            witness.note(breach(Law::NoDualWrite, against));
            if let Condition::Sealed(_) = self.scenario.mechanism.condition {
                witness.note(breach(Law::SealedAtTheOrigin, against));
            }
        }
        let unseen = write.base.is_some_and(|base| base != store.version);
        if unseen && store.last_by.is_some_and(|last| last != write.by) {
            witness.note(breach(Law::NoLostUpdate, store.last_by));
        }
        witness.landed = witness.landed.max(write.turn);
        if let Condition::Sealed(_) = self.scenario.mechanism.condition {
            witness.sealed = witness.sealed.max(write.token);
        }
    }
}
