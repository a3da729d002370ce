//! What one worker knows of one resource.

use super::heard::{Heard, Said, Standing};
use super::kept::Kept;
use super::seen::seen;
use super::terms::Terms;
use super::transaction::{Answer, Lock};
use crate::machine::Seen;
use crate::moment::Moment;
use crate::verdict::{Fault, Reason, Rejection, Verdict};
use crate::window::{self, Decided, Instants, Knowledge, Learned, Question, Reading, Whose};

/// What one worker knows of one resource. May be forgotten at any time: while its mark is not
/// settled that costs waiting anew.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Known {
    knowledge: Knowledge<String>,
    kept: Option<Kept>,
    at: u64,
    lock: Option<Lock>,
}

impl Known {
    /// Whether a request may pass, as far as is known; needs no allocation. Everything but
    /// [`Decided::Done`] is a flow's affair.
    #[must_use]
    pub fn decide(
        &self,
        question: &Question<'_>,
        heard: &Heard,
        terms: &Terms,
        now: Instants,
    ) -> Decided {
        self.decide_asked(question, None, heard, terms, now)
    }

    /// The same for a request that asked for itself, at `asked`.
    pub(super) fn decide_asked(
        &self,
        question: &Question<'_>,
        asked: Option<Instants>,
        heard: &Heard,
        terms: &Terms,
        now: Instants,
    ) -> Decided {
        match heard.standing(terms) {
            Standing::Refused(Fault::Superseded) => {
                return Decided::Done(Fault::Superseded.into());
            }
            Standing::InForce(_) if self.is_under(heard) => {}
            _ => return Decided::Ask,
        }
        if let Some(kept) = &self.kept {
            if kept.generation > terms.generation {
                return Decided::Done(Fault::Superseded.into());
            }
            let ours = kept.grant.is_some() && kept.generation == terms.generation;
            if question.whose == Whose::Ours && question.presented.token == kept.token && !ours {
                let mark = Some(kept.token);
                let reason = Reason::NoGrant;
                return Decided::Done(Verdict::Reject(Rejection { reason, mark }));
            }
        }
        let Self { knowledge, .. } = self;
        match asked.is_some() && knowledge.stamp >= asked {
            true => question.decide_on(knowledge, true, terms.rate, now),
            false => question.decide(knowledge, terms.rate, now),
        }
    }

    /// Takes the answer, at `now`, to a transaction on `resource` that was sent at `sent` and
    /// compared init's revision with `compared`.
    ///
    /// # Errors
    /// What was read does not verify, or is not the authority that it was.
    pub fn learn(
        &mut self,
        heard: &mut Heard,
        resource: &str,
        (sent, compared): (Instants, u64),
        answer: &Answer,
        terms: &Terms,
        now: Instants,
    ) -> Result<Learned, Fault> {
        let said = Said {
            compared: answer.committed.then_some(compared),
            cluster: answer.cluster,
            header: answer.header,
            init: answer.init.as_ref(),
        };
        let Some(in_force) = heard.hear(sent, said, terms, now)? else {
            return Ok(Learned::Late);
        };
        if !self.is_under(heard) {
            *self = Self::default();
        }
        let (epoch, init) = (in_force.init.epoch, in_force.init.window(in_force.at));
        let kept = match read(answer, resource, epoch) {
            Ok(kept) => kept,
            Err(fault) => {
                self.knowledge.stamp = None;
                return Err(fault);
            }
        };
        let reading = Reading {
            init,
            header: answer.header,
            version: answer.version,
            record: kept.as_ref().map(Kept::window),
        };
        let learned = self.knowledge.learn(sent, &reading, now);
        match learned {
            Learned::Contradiction => return Err(heard.contradicted(epoch)),
            Learned::Late => {}
            Learned::Fresh => {
                self.kept = kept;
                self.at = answer.mark.as_ref().map_or(0, |mark| mark.at);
                self.lock = answer.lock;
            }
        }
        Ok(learned)
    }

    /// Takes a background read, sent at `sent` under `init`, that found `version` for the
    /// resource's group.
    pub fn cover(&mut self, sent: Instants, init: &window::Init, version: u64) {
        self.knowledge.cover(sent, init, version);
    }

    /// Whether it was read under the init in force.
    #[must_use]
    pub fn is_under(&self, heard: &Heard) -> bool {
        self.knowledge.init.is_some() && self.knowledge.init == heard.window()
    }

    /// Whether a background read could make it fresh again.
    #[must_use]
    pub fn may_be_covered(&self, heard: &Heard) -> bool {
        self.knowledge.stamp.is_some() && self.is_under(heard)
    }

    /// What the window knows of it.
    #[must_use]
    pub const fn knowledge(&self) -> &Knowledge<String> {
        &self.knowledge
    }

    /// What is kept; `None`: nothing, or unknown.
    #[must_use]
    pub const fn kept(&self) -> Option<&Kept> {
        self.kept.as_ref()
    }

    /// The revision of the last put of the mark; 0: none.
    pub(super) const fn at(&self) -> u64 {
        self.at
    }

    /// The lock as last read.
    #[must_use]
    pub const fn lock(&self) -> Option<Lock> {
        self.lock
    }

    /// What the operations see of it, under an init of `epoch`.
    pub(super) fn seen(&self, epoch: u32, now: Moment) -> Seen<'_> {
        seen(self.kept.as_ref(), self.lock, epoch, now)
    }
}

fn read(answer: &Answer, resource: &str, epoch: u32) -> Result<Option<Kept>, Fault> {
    let Some(mark) = &answer.mark else {
        return Ok(None);
    };
    let kept = Kept::decode(&mark.bytes, resource, mark.at).map_err(|_| Fault::Garbled)?;
    // No grant is of a later incarnation than the one in force.
    match kept.grant.is_some() && kept.token.epoch() > epoch {
        true => Err(Fault::Garbled),
        false => Ok(Some(kept)),
    }
}
