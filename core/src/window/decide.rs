//! May this request pass, as far as this proxy knows?
//!
//! What cannot change any more is answered from memory at any age: a lower token stays stale, a
//! released one stays released, a token's holder stays its holder. What can is answered only from
//! fresh knowledge, and "never issued" only from a read that was sent after the request arrived:
//! the token may have been granted elsewhere since any earlier one.

use super::clock::{Instants, RateError};
use super::knowledge::{Init, Knowledge, Known};
use crate::check::{Access, External, Presented, jump};
use crate::moment::Moment;
use crate::token::Token;
use crate::verdict::{Admission, Reason, Rejection, Verdict};

/// Whose tokens they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Whose {
    /// Granted by us: only the mark itself is admitted.
    Ours,
    /// Granted elsewhere: a higher one raises the mark.
    External(External),
}

/// A request to be judged by what is known.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// What it presents.
    pub presented: Presented<'a>,
    /// Whether it writes.
    pub access: Access,
    /// Whose tokens they are.
    pub whose: Whose,
    /// When it arrived.
    pub arrived: Instants,
}

/// What is known of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided {
    /// The answer.
    Done(Verdict),
    /// The authority must be asked, for this request.
    Ask,
    /// The mark is the request's own, but others may still trust an older one until then.
    Settling(Moment),
    /// The mark must be raised first, and then be learned.
    Raise,
}

impl Question<'_> {
    /// Judges it by `knowledge` at `now`. The clocks are to be read last.
    pub fn decide<T: Clone + AsRef<str>>(
        &self,
        knowledge: &Knowledge<T>,
        rate: RateError,
        now: Instants,
    ) -> Decided {
        let sent_since =
            |stamp: Instants| stamp.mono > self.arrived.mono && stamp.wall >= self.arrived.wall;
        let asked_since = knowledge.stamp.is_some_and(sent_since);
        self.decide_on(knowledge, asked_since, rate, now)
    }

    /// The same, where `asked_since` says whether the knowledge is from a read that was sent after
    /// the request arrived.
    pub(crate) fn decide_on<T: Clone + AsRef<str>>(
        &self,
        knowledge: &Knowledge<T>,
        asked_since: bool,
        rate: RateError,
        now: Instants,
    ) -> Decided {
        let token = self.presented.token;
        let record = knowledge.record.as_ref();
        let mark = record.map(|record| record.token);
        if let Some(record) = record
            && let Some(reason) = self.surely_rejected(record, knowledge.init)
        {
            return rejected(reason, mark);
        }
        let fresh = knowledge.is_fresh(now);
        let settled = match knowledge.settles(rate) {
            Some(settles) if now.mono < settles => Decided::Settling(settles),
            _ => admitted(mark),
        };
        match self.whose {
            Whose::External(external) if self.raises(external, knowledge) => Decided::Raise,
            _ if !fresh => Decided::Ask,
            _ if mark == Some(token) => settled,
            Whose::External(external) if self.is_near(external, mark) => admitted(mark),
            _ if !asked_since => Decided::Ask,
            Whose::External(_) => rejected(Reason::JumpTooFar, mark),
            Whose::Ours if mark.is_none() => rejected(Reason::NoGrant, None),
            Whose::Ours => rejected(Reason::NeverIssued, mark),
        }
    }

    /// Whether a token from elsewhere is to become the mark, or to give the mark a holder.
    fn raises<T>(&self, external: External, knowledge: &Knowledge<T>) -> bool {
        let Presented { token, holder } = self.presented;
        match &knowledge.record {
            _ if self.access == Access::Read || knowledge.init.is_none() => false,
            None => true,
            Some(record) if record.token == token => record.holder.is_none() && holder.is_some(),
            Some(record) => self.is_near(external, Some(record.token)),
        }
    }

    /// Whether the token is not too far above `mark`; the mark only rises, so it is then not too far
    /// above what the mark is by now.
    fn is_near(&self, external: External, mark: Option<Token>) -> bool {
        let jump = mark.map_or(0, |mark| jump(mark, self.presented.token));
        external.jump_max.is_none_or(|max| jump <= max)
    }

    /// What no later knowledge can change.
    fn surely_rejected<T: AsRef<str>>(
        &self,
        record: &Known<T>,
        init: Option<Init>,
    ) -> Option<Reason> {
        let Presented { token, holder } = self.presented;
        if token < record.token {
            return Some(Reason::Stale);
        }
        if token > record.token {
            return None;
        }
        let of_earlier_start = init.is_some_and(|init| token.epoch() < init.epoch);
        if self.whose == Whose::Ours && of_earlier_start {
            return Some(Reason::NoGrant);
        }
        if record.released {
            return Some(Reason::Released);
        }
        match (&record.holder, self.whose) {
            (Some(bound), _) if Some(bound.as_ref()) == holder => None,
            (None, Whose::External(external)) if external.unnamed_may_share => None,
            _ => Some(Reason::HeldByAnother),
        }
    }
}

const fn admitted(mark: Option<Token>) -> Decided {
    Decided::Done(Verdict::Admit(Admission {
        mark,
        advanced: false,
    }))
}

const fn rejected(reason: Reason, mark: Option<Token>) -> Decided {
    Decided::Done(Verdict::Reject(Rejection { reason, mark }))
}
