//! A check that its proxy could not answer from memory.

use super::call::Put;
use super::{At, Flow, Landed, Outcome, Sitting, Stale, Step, Wanted};
use crate::check::{Check, Judgement};
use crate::machine::{Decision, Operation};
use crate::quorum::heard::InForce;
use crate::quorum::kept::{Kept, Number};
use crate::quorum::transaction::LockChange;
use crate::verdict::{Admission, Verdict};
use crate::window::{Decided, Question, Whose};

impl Flow {
    pub(super) fn check(self, in_force: InForce, at: &mut At<'_>) -> Step {
        let Wanted::Check {
            bearer,
            access,
            whose,
        } = &self.request.wanted
        else {
            return self.read(at);
        };
        let (token, whose) = (bearer.token, *whose);
        let unsettled = |kept: &Kept| kept.token == token && !kept.settled;
        if self.raises == Some(token) && at.known.kept().is_some_and(unsettled) && !self.sat_out {
            return match self.settle(token, at) {
                Ok(settled) => settled.judge(at),
                Err(step) => step,
            };
        }
        let question = Question {
            presented: bearer.presented(),
            access: *access,
            whose,
            arrived: self.request.arrived,
        };
        match at
            .known
            .decide_asked(&question, self.asked, at.heard, at.terms, at.now)
        {
            Decided::Done(verdict) => self.checked(verdict),
            Decided::Settling(until) => Step::SitOut(Sitting { flow: self }, until),
            Decided::Ask if at.known.may_be_covered(at.heard) => Step::Stale(Stale { flow: self }),
            Decided::Ask => self.read(at),
            Decided::Raise => self.raise(in_force, at),
        }
    }

    fn checked(self, verdict: Verdict) -> Step {
        let advanced = self.landed == Landed::Yes && self.raises.is_some();
        self.done(Outcome::Verdict(match verdict {
            Verdict::Admit(admission) => Verdict::Admit(Admission {
                advanced,
                ..admission
            }),
            other => other,
        }))
    }

    /// Makes a token from elsewhere the mark.
    fn raise(mut self, in_force: InForce, at: &mut At<'_>) -> Step {
        let Wanted::Check {
            bearer,
            access,
            whose: Whose::External(external),
        } = &self.request.wanted
        else {
            return self.read(at);
        };
        let check = Check {
            presented: bearer.presented(),
            access: *access,
            judgement: Judgement::External(*external),
            generation: at.terms.generation,
        };
        let seen = at.known.seen(in_force.init.epoch, at.now.mono);
        match check.decide(&seen, at.now.mono) {
            Decision::Done(verdict) => self.checked(verdict),
            Decision::Draw(never) => match never {},
            Decision::Store(change, _) => {
                let kept = self.kept(change, at);
                let mark = at.known.kept().map(|kept| kept.token);
                // A mark that only gets its holder stays where it is.
                self.raises = (mark != Some(kept.token)).then_some(kept.token);
                let put = Put {
                    kept: &kept,
                    number: Number::Restated,
                    lock_since: None,
                    lock: LockChange::Keep,
                };
                self.put(&put, at)
            }
        }
    }
}
