//! One write under the seal, from HEAD to its outcome.
//!
//! Each state takes only its own answer. How often the store says "again" is bounded.

use super::condition::{ClientCondition, Condition};
use super::etag::Etag;
use super::profile::{Meaning, Profile, Reply};
use crate::check::Presented;
use crate::token::Token;
use crate::verdict::{Fault, Reason, Rejection};

/// What a write leaves on the object, as metadata.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// Its token.
    pub token: Token,
    /// Its holder.
    pub holder: Option<String>,
    /// Drawn for this one write, so that it can be recognized.
    pub nonce: u64,
}

/// An object as HEAD finds it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Object {
    /// Its ETag.
    pub etag: Option<Etag>,
    /// Its generation, where the store has such.
    pub generation: Option<u64>,
    /// What the last write left; `None`: it was written without a token.
    pub stamp: Option<Stamp>,
}

/// The answer to HEAD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Headed {
    /// The object.
    Found(Object),
    /// There is none.
    Absent,
    /// It cannot be told: no answer, no leave to read, or metadata that does not verify.
    Fault(Fault),
}

/// A write to be sealed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write<'a> {
    /// What it presents.
    pub presented: Presented<'a>,
    /// Its nonce.
    pub nonce: u64,
    /// The client's own condition.
    pub client: ClientCondition,
    /// Whether it deletes: an absent object is then left alone.
    pub deletes: bool,
    /// Whether an earlier attempt at this same write may have been applied.
    pub attempted_before: bool,
    /// What kind of store it goes to.
    pub profile: Profile,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was applied.
    Applied,
    /// It was not, and never will be.
    NotApplied(NotApplied),
    /// It may have been applied, or still be: look before writing again. With the reason for which
    /// the last attempt was not, where it was not.
    Unknown(Option<NotApplied>),
}

/// Why a write was not applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotApplied {
    /// The object bears a token that stands against it.
    Rejected(Rejection),
    /// The client's condition does not hold, or the object changed since HEAD.
    OriginCondition,
    /// There is nothing to delete.
    NotThere,
    /// The store refused it, with this status.
    Refused(u16),
    /// The object has no tag that a condition can rely on, or the store knows no conditions.
    CannotBeSealed,
    /// The store kept saying "again".
    Contended,
    /// The object cannot be read.
    Undecided(Fault),
}

/// What the driver must do next.
#[derive(Clone, Debug)]
#[must_use]
pub enum Step<'a> {
    /// Send HEAD.
    Head(Head<'a>),
    /// Forward the write under this condition, once.
    Forward(Forward<'a>),
    /// Send HEAD to find out whether the write was applied.
    Prove(Prove),
    /// Nothing more.
    Done(Outcome),
}

/// Waits for the answer to HEAD.
#[derive(Clone, Debug)]
pub struct Head<'a> {
    write: Write<'a>,
    again_left: u8,
}

/// Waits for the store's reply to the write.
#[derive(Clone, Debug)]
pub struct Forward<'a> {
    head: Head<'a>,
    condition: Condition,
}

/// Waits for the answer to a HEAD that may find the write.
#[derive(Clone, Debug)]
pub struct Prove {
    nonce: u64,
    token: Token,
    why: Option<NotApplied>,
}

/// A write that is sealed: where it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sealed;

impl Sealed {
    /// Starts `write`; the store may say "again" `again_max` times.
    pub const fn start(write: Write<'_>, again_max: u8) -> Step<'_> {
        Step::Head(Head {
            write,
            again_left: again_max,
        })
    }
}

const fn not_applied<'a>(why: NotApplied) -> Step<'a> {
    Step::Done(Outcome::NotApplied(why))
}

impl<'a> Head<'a> {
    /// Takes the answer, and judges.
    pub fn headed(self, answer: Headed) -> Step<'a> {
        let object = match answer {
            Headed::Fault(fault) => return self.ends(NotApplied::Undecided(fault)),
            Headed::Absent => None,
            Headed::Found(object) => Some(object),
        };
        let stamp = object.as_ref().and_then(|object| object.stamp.as_ref());
        if self.write.attempted_before && stamp.is_some_and(|stamp| self.is_this_write(stamp)) {
            return Step::Done(Outcome::Applied);
        }
        if let Some(rejection) = stamp.and_then(|stamp| self.rejection(stamp)) {
            return self.ends(NotApplied::Rejected(rejection));
        }
        let etag = object.as_ref().and_then(|object| object.etag.as_ref());
        let condition = match &object {
            None if self.write.deletes && self.write.client.if_match.is_none() => {
                return self.ends(NotApplied::NotThere);
            }
            None => Some(Condition::Absent),
            Some(object) => self.condition(object),
        };
        if !self.write.client.holds(object.is_some(), etag) {
            return self.ends(NotApplied::OriginCondition);
        }
        match condition {
            None => self.ends(NotApplied::CannotBeSealed),
            Some(condition) => Step::Forward(Forward {
                head: self,
                condition,
            }),
        }
    }

    /// Nothing was forwarded by this attempt; an earlier one may have been applied all the same.
    fn ends(&self, why: NotApplied) -> Step<'a> {
        if self.write.attempted_before {
            Step::Done(Outcome::Unknown(Some(why)))
        } else {
            not_applied(why)
        }
    }

    fn is_this_write(&self, stamp: &Stamp) -> bool {
        stamp.token == self.write.presented.token && stamp.nonce == self.write.nonce
    }

    fn rejection(&self, stamp: &Stamp) -> Option<Rejection> {
        let Presented { token, holder } = self.write.presented;
        let bound = stamp.holder.as_deref();
        let reason = if token < stamp.token {
            Reason::Stale
        } else if token == stamp.token && (bound.is_none() || bound != holder) {
            Reason::HeldByAnother
        } else {
            return None;
        };
        let mark = Some(stamp.token);
        Some(Rejection { reason, mark })
    }

    fn condition(&self, object: &Object) -> Option<Condition> {
        if self.write.profile.uses_generations() {
            return object.generation.map(Condition::Generation);
        }
        let etag = object.etag.clone().filter(|etag| !etag.is_weak());
        etag.map(Condition::Match)
    }
}

impl<'a> Forward<'a> {
    /// The condition, in place of whatever the client sent.
    #[must_use]
    pub const fn condition(&self) -> &Condition {
        &self.condition
    }

    /// What the write is to leave on the object.
    #[must_use]
    pub fn stamp(&self) -> Stamp {
        let Presented { token, holder } = self.head.write.presented;
        Stamp {
            token,
            holder: holder.map(str::to_owned),
            nonce: self.head.write.nonce,
        }
    }

    /// Takes the store's reply. Where it leaves open whether the write was applied, it is looked
    /// for once more.
    pub fn replied(self, reply: Reply) -> Step<'a> {
        let absent = self.condition == Condition::Absent;
        let meaning = self.head.write.profile.meaning(reply, absent);
        let before = self.head.write.attempted_before;
        let why = match (meaning, reply) {
            (Meaning::Applied, _) => return Step::Done(Outcome::Applied),
            (Meaning::Unknown, _) => return self.prove(None),
            (Meaning::Again, _) => match self.head.again_left.checked_sub(1) {
                Some(again_left) => {
                    return Step::Head(Head {
                        again_left,
                        ..self.head
                    });
                }
                None => NotApplied::Contended,
            },
            (Meaning::Conflict, _) => NotApplied::OriginCondition,
            (Meaning::Unconditional, _) => NotApplied::CannotBeSealed,
            (Meaning::Refused, Reply::Status(status)) => NotApplied::Refused(status),
            (Meaning::Refused, Reply::None) => return self.prove(None),
        };
        if before {
            // It may be our own earlier attempt that stands in the way of this one.
            self.prove(Some(why))
        } else {
            not_applied(why)
        }
    }

    fn prove(self, why: Option<NotApplied>) -> Step<'a> {
        if self.head.write.deletes {
            // A deletion leaves nothing to be recognized by.
            return Step::Done(Outcome::Unknown(why));
        }
        Step::Prove(Prove {
            nonce: self.head.write.nonce,
            token: self.head.write.presented.token,
            why,
        })
    }
}

impl Prove {
    /// Takes the answer. Only this very write proves anything: another one may have replaced it,
    /// and it may still be on its way.
    #[must_use]
    pub fn headed(self, answer: &Headed) -> Outcome {
        let found = match answer {
            Headed::Found(object) => object.stamp.as_ref(),
            Headed::Absent | Headed::Fault(_) => None,
        };
        match found {
            Some(stamp) if stamp.token == self.token && stamp.nonce == self.nonce => {
                Outcome::Applied
            }
            _ => Outcome::Unknown(self.why),
        }
    }
}
