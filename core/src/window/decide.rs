//! May this request pass, as far as this proxy knows?
//!
//! What cannot change any more is answered from memory at any age: a lower token stays stale, a
//! released one stays released, a token's holder stays its holder. What can is answered only from
//! fresh knowledge, and "never issued" only from a read that was sent after the request arrived:
//! the token may have been granted elsewhere since any earlier one.

use super::clock::{Instants, RateError};
use super::knowledge::{Init, Knowledge, Known};
use crate::check::{Access, Presented};
use crate::moment::Moment;
use crate::token::Token;
use crate::verdict::{Admission, Reason, Rejection, Verdict};

/// Whose tokens they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Granted by us: only the mark itself is admitted.
    Ours,
    /// Granted elsewhere: a higher one raises the mark.
    External,
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
    pub(super) fn decide_on<T: Clone + AsRef<str>>(
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
        if mark == Some(token) {
            return match knowledge.settles(rate) {
                Some(settled) if fresh && now.mono >= settled => admitted(mark),
                Some(settled) if fresh => Decided::Settling(settled),
                _ => Decided::Ask,
            };
        }
        match self.whose {
            Whose::External if self.access == Access::Write => Decided::Raise,
            Whose::External if fresh => admitted(mark),
            Whose::Ours if fresh && asked_since => match mark {
                None => rejected(Reason::NoGrant, None),
                Some(_) => rejected(Reason::NeverIssued, mark),
            },
            _ => Decided::Ask,
        }
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
        let bound = record.holder.as_ref().map(AsRef::as_ref);
        (bound.is_none() || bound != holder).then_some(Reason::HeldByAnother)
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
