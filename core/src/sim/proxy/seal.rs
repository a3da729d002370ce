//! Steps the machine of the seal: HEAD, judge, forward under one condition, read the reply.
//!
//! It is stepped anew from what is known whenever an answer comes, so a world keeps no machine:
//! before HEAD only the write, after it the write and its condition.

use super::super::judge::End;
use super::super::mechanism::{Condition as Sealing, Etag as Makes};
use super::super::message::{Answer, Sight, Write};
use super::super::stage::Stage;
use super::super::told::Told;
use super::super::who::Name;
use crate::check::Presented;
use crate::seal::{
    self, ClientCondition, Condition, Etag, Headed, NotApplied, Object, Outcome, Profile, Reply,
    Sealed, Stamp, Step,
};
use crate::verdict::{Fault, Reason, Rejection, Verdict};

/// How often a store may say "again": the store here never does.
const AGAIN_MAX: u8 = 1;

impl Stage<'_> {
    /// What HEAD found decides whether a write goes on, and under which condition.
    pub(super) fn seals(&mut self, proxy: u8, write: Write, sight: Sight) {
        let outcome = match self.headed(&write, object(&sight)) {
            Some(Step::Forward(forward)) => {
                if let Some(etag) = number(forward.condition()) {
                    self.tell(Told::Seals(proxy, write.by));
                    let if_match = Some(etag);
                    self.sends_on(proxy, Write { if_match, ..write });
                    return;
                }
                Outcome::NotApplied(NotApplied::CannotBeSealed)
            }
            Some(Step::Done(outcome)) => outcome,
            Some(Step::Head(_) | Step::Prove(_)) => Outcome::Unknown(None),
            // Without a token there is nothing to leave on the object.
            None => Outcome::NotApplied(NotApplied::Rejected(Rejection {
                reason: Reason::NoGrant,
                mark: sight.mark,
            })),
        };
        self.counts_out(proxy, write.token, End::NeverLeft);
        match outcome {
            Outcome::NotApplied(NotApplied::Rejected(rejection)) => {
                self.follow(proxy, write, Verdict::Reject(rejection), false);
            }
            Outcome::NotApplied(NotApplied::OriginCondition) => {
                self.tell(Told::ConditionFails(write));
                self.answer(proxy, write.by, write.seq, Answer::Condition);
            }
            _ => self.follow(proxy, write, Fault::Unreachable.into(), false),
        }
    }

    /// What the store's reply to a sealed write means.
    pub(super) fn sealed_answer(&self, write: &Write, answer: Answer) -> Answer {
        let found = Object {
            etag: write.if_match.and_then(tag),
            generation: None,
            stamp: None,
        };
        let status = match answer {
            Answer::Stored { .. } => 200,
            Answer::Condition => 412,
            Answer::Rejected { .. } => 409,
            Answer::NotNow => 503,
        };
        let Some(Step::Forward(forward)) = self.headed(write, found) else {
            return Answer::NotNow;
        };
        match forward.replied(Reply::Status(status)) {
            Step::Done(Outcome::Applied | Outcome::NotApplied(NotApplied::Refused(_))) => answer,
            Step::Done(Outcome::NotApplied(NotApplied::OriginCondition)) => Answer::Condition,
            // Whether it was applied is not known: the holder must look.
            _ => Answer::NotNow,
        }
    }

    fn headed(&self, write: &Write, object: Object) -> Option<Step<'static>> {
        let named = self.scenario.mechanism.named;
        let profile = match self.scenario.mechanism.condition {
            Sealing::Sealed(Makes::ByContent) => Profile::S3,
            _ => Profile::Azure,
        };
        let sealed = seal::Write {
            presented: Presented {
                token: write.token?,
                holder: named.then(|| Name::holder(write.by).text()),
            },
            nonce: nonce(write),
            client: ClientCondition::default(),
            deletes: false,
            // A proxy keeps nothing of an earlier attempt.
            attempted_before: false,
            profile,
        };
        match Sealed::start(sealed, AGAIN_MAX) {
            Step::Head(head) => Some(head.headed(Headed::Found(object))),
            other => Some(other),
        }
    }
}

/// Which of whose writes.
fn nonce(write: &Write) -> u64 {
    u64::from(write.by) << 8 | u64::from(write.seq)
}

fn object(sight: &Sight) -> Object {
    let stamp = sight.mark.map(|token| Stamp {
        token,
        holder: sight.by.map(|by| Name::holder(by).text().to_owned()),
        // Nobody looks for a write of his own here: no reply leaves open whether it was applied.
        nonce: u64::MAX,
    });
    Object {
        etag: tag(sight.etag),
        generation: None,
        stamp,
    }
}

fn tag(etag: u16) -> Option<Etag> {
    Etag::parse(&format!("\"{etag}\""))
}

fn number(condition: &Condition) -> Option<u16> {
    match condition {
        Condition::Match(etag) => etag.as_str().trim_matches('"').parse().ok(),
        Condition::Generation(_) | Condition::Absent => None,
    }
}
