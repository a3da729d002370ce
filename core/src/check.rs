//! May this request pass? The two rules of judgement.
//!
//! *Ours*: we issue the tokens, so only the token that equals the record's grant is admitted.
//! *External*: tokens come from elsewhere, so all that is known is the highest one seen.
//!
//! Refuses to know where records are kept, what time it is and what a request looks like.

use crate::machine::{Change, Decision, Operation, Seen};
use crate::moment::Moment;
use crate::record::{Grant, Record};
use crate::token::Token;
use crate::verdict::{Admission, Fault, Reason, Rejection, Verdict};
use core::convert::Infallible;
use serde::Deserialize;

/// What a request presents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Presented<'a> {
    /// Its token.
    pub token: Token,
    /// The holder it claims to be; an unnamed holder never equals a named one.
    pub holder: Option<&'a str>,
}

/// Whether a request writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// It does, or may.
    Write,
    /// It does not: it is judged like a write but never raises the mark.
    Read,
}

/// Whose tokens they are, and what follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Fencegate grants them.
    Ours {
        /// What a lease that ended means for its token.
        after_expiry: AfterExpiry,
    },
    /// Somebody else does.
    External(External),
}

/// What becomes of a token whose lease has ended while nobody else was granted one. The stricter
/// is the greater.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
#[serde(rename_all = "snake_case")]
pub enum AfterExpiry {
    /// It is good until somebody else is granted: nothing newer can be overwritten.
    #[default]
    AdmitUntilSuperseded,
    /// It ends with the lease.
    Refuse,
}

/// How external tokens are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct External {
    /// How far a token's number, or its epoch, may rise at once; `None`: any.
    pub jump_max: Option<u64>,
    /// Whether a mark that was left by an unnamed holder is bound by the first named one
    /// (and an unnamed one may come again). That gives up `equal_token_one_holder`.
    pub unnamed_may_share: bool,
}

/// The question whether a request may pass.
#[derive(Clone, Copy, Debug)]
pub struct Check<'a> {
    /// What it presents.
    pub presented: Presented<'a>,
    /// Whether it writes.
    pub access: Access,
    /// How it is judged.
    pub judgement: Judgement,
    /// The generation of the configuration that asks.
    pub generation: u32,
}

impl Operation for Check<'_> {
    type Change = Change;
    type Outcome = Verdict;
    type Plan = Infallible;

    fn decide(&self, seen: &Seen<'_>, now: Moment) -> Decision<Self> {
        let record = match current(seen, self.generation) {
            Ok(record) => record,
            Err(fault) => return Decision::Done(fault.into()),
        };
        match self.judgement {
            Judgement::Ours { after_expiry } => {
                Decision::Done(self.judge_ours(record, after_expiry, now))
            }
            Judgement::External(external) => self.judge_external(record, external),
        }
    }

    fn drawn(&self, plan: Infallible, _: Token, _: Moment) -> (Change, Verdict) {
        match plan {}
    }
}

impl Check<'_> {
    fn judge_ours(
        &self,
        record: Option<&Record<&str>>,
        after_expiry: AfterExpiry,
        now: Moment,
    ) -> Verdict {
        match confirm(self.presented, record, self.generation) {
            Err(rejection) => Verdict::Reject(rejection),
            Ok(grant) if after_expiry == AfterExpiry::Refuse && now >= grant.ends => {
                reject(Reason::LeaseEnded, Some(self.presented.token))
            }
            Ok(_) => admit(Some(self.presented.token)),
        }
    }

    fn judge_external(&self, record: Option<&Record<&str>>, external: External) -> Decision<Self> {
        let Some(record) = record else {
            return self.raise(None);
        };
        let mark = Some(record.token);
        let token = self.presented.token;
        if token < record.token {
            return Decision::Done(reject(Reason::Stale, mark));
        }
        if token > record.token {
            return match external.jump_max {
                Some(max) if jump(record.token, token) > max => {
                    Decision::Done(reject(Reason::JumpTooFar, mark))
                }
                _ => self.raise(mark),
            };
        }
        match (record.holder, self.presented.holder) {
            (Some(bound), Some(holder)) if bound == holder => Decision::Done(admit(mark)),
            (None, None) if external.unnamed_may_share => Decision::Done(admit(mark)),
            // The mark stays where it is; it only gets its holder.
            (None, Some(_)) if external.unnamed_may_share => self.raise(mark),
            _ => Decision::Done(reject(Reason::HeldByAnother, mark)),
        }
    }

    /// Makes the presented token the mark, unless the request is only a read.
    fn raise(&self, mark: Option<Token>) -> Decision<Self> {
        let Presented { token, holder } = self.presented;
        if self.access == Access::Read {
            return Decision::Done(admit(mark));
        }
        let change = Change {
            record: Record {
                token,
                holder: holder.map(str::to_owned),
                generation: self.generation,
                grant: None,
            },
            spend: None,
            queue: None,
        };
        let admission = Admission {
            mark: Some(token),
            advanced: mark != Some(token),
        };
        Decision::Store(change, Verdict::Admit(admission))
    }
}

/// How far `to` is above `from`: in numbers within an epoch, else in epochs.
pub(crate) fn jump(from: Token, to: Token) -> u64 {
    if from.epoch() == to.epoch() {
        to.number().saturating_sub(from.number())
    } else {
        u64::from(to.epoch().saturating_sub(from.epoch()))
    }
}

/// The record, unless a newer configuration wrote it.
///
/// # Errors
/// [`Fault::Superseded`]: this configuration must not decide any more.
pub(crate) fn current<'a, 's>(
    seen: &'a Seen<'s>,
    generation: u32,
) -> Result<Option<&'a Record<&'s str>>, Fault> {
    match &seen.record {
        Some(record) if record.generation > generation => Err(Fault::Superseded),
        record => Ok(record.as_ref()),
    }
}

/// Whether `presented` is what was granted last and not given back: the heart of the rule *ours*.
/// Whether the lease still runs is left to the caller.
///
/// # Errors
/// The first of the contract's reasons that applies.
pub(crate) fn confirm<'r, 's>(
    presented: Presented<'_>,
    record: Option<&'r Record<&'s str>>,
    generation: u32,
) -> Result<&'r Grant<&'s str>, Rejection> {
    let Some(record) = record else {
        return Err(rejection(Reason::NoGrant, None));
    };
    let mark = Some(record.token);
    if presented.token < record.token {
        return Err(rejection(Reason::Stale, mark));
    }
    if presented.token > record.token {
        return Err(rejection(Reason::NeverIssued, mark));
    }
    // A grant of an older generation may have been for other requests than today's rules map here.
    let grant = match &record.grant {
        Some(grant) if record.generation == generation => grant,
        _ => return Err(rejection(Reason::NoGrant, mark)),
    };
    if grant.released {
        return Err(rejection(Reason::Released, mark));
    }
    if record.holder.is_none() || record.holder != presented.holder {
        return Err(rejection(Reason::HeldByAnother, mark));
    }
    Ok(grant)
}

const fn rejection(reason: Reason, mark: Option<Token>) -> Rejection {
    Rejection { reason, mark }
}

const fn reject(reason: Reason, mark: Option<Token>) -> Verdict {
    Verdict::Reject(rejection(reason, mark))
}

const fn admit(mark: Option<Token>) -> Verdict {
    Verdict::Admit(Admission {
        mark,
        advanced: false,
    })
}
