//! Asks the core about a situation. Only what comes before a judgement is decided here: whether
//! there are a token and a holder to judge.

use crate::state::{Rule, Situation};
use core::time::Duration;
use fencegate_core::check::{Access, AfterExpiry, Check, External, Judgement, Presented};
use fencegate_core::drive::{Authority, drive};
use fencegate_core::machine::{Change, NotStored, Seen};
use fencegate_core::moment::Moment;
use fencegate_core::queue::Queue;
use fencegate_core::record::{Grant, Record};
use fencegate_core::spent::Spent;
use fencegate_core::token::{Token, TokenError};
use fencegate_core::verdict::{Fault, Verdict};

/// What becomes of the write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The core's verdict on this token.
    Judged(Token, Verdict),
    /// It carries no token.
    TokenRequired,
    /// It names no holder, and the rule *external* asks for one.
    HolderRequired,
    /// What it carries is not a token.
    Malformed(TokenError),
    /// What the visitor typed as the mark is not a token, so there is nothing to judge by.
    UnclearMark(TokenError),
}

/// Decides on the write.
#[must_use]
pub fn judge(situation: &Situation) -> Answer {
    let mark = match read(&situation.mark) {
        Ok(mark) => mark,
        Err(error) => return Answer::UnclearMark(error),
    };
    let token = match read(&situation.token) {
        Ok(Some(token)) => token,
        Ok(None) => return Answer::TokenRequired,
        Err(error) => return Answer::Malformed(error),
    };
    let holder = situation.holder.name();
    if situation.rule == Rule::External && holder.is_none() {
        return Answer::HolderRequired;
    }
    let check = Check {
        presented: Presented { token, holder },
        access: Access::Write,
        judgement: judgement(situation.rule),
        generation: GENERATION,
    };
    let mut store = OneRecord(mark.map(|mark| record(mark, situation)));
    Answer::Judged(token, drive(&mut store, check, 0))
}

/// The mark, where there is one and it can be read.
#[must_use]
pub fn mark(situation: &Situation) -> Option<Token> {
    read(&situation.mark).ok().flatten()
}

/// The one generation of the page's configuration.
const GENERATION: u32 = 1;

fn read(text: &str) -> Result<Option<Token>, TokenError> {
    match text.trim() {
        "" => Ok(None),
        typed => Token::parse(typed.as_bytes()).map(Some),
    }
}

const fn judgement(rule: Rule) -> Judgement {
    match rule {
        Rule::Ours => Judgement::Ours {
            after_expiry: AfterExpiry::AdmitUntilSuperseded,
        },
        Rule::External => Judgement::External(External {
            jump_max: None,
            unnamed_may_share: false,
        }),
    }
}

fn record(token: Token, situation: &Situation) -> Record {
    let lease = Grant {
        request_id: None,
        ttl: Duration::from_secs(10),
        ends: Moment::default().after(Duration::from_secs(10)),
        free: Moment::default().after(Duration::from_secs(10)),
        released: situation.released,
    };
    Record {
        token,
        holder: situation.bound.name().map(str::to_owned),
        generation: GENERATION,
        grant: (situation.rule == Rule::Ours).then_some(lease),
    }
}

/// The least authority: one record, and nobody else who writes it.
struct OneRecord(Option<Record>);

impl Authority for OneRecord {
    type Change = Change;
    type Version = ();

    fn now(&self) -> Moment {
        Moment::default()
    }

    fn load(&mut self) -> Result<(Seen<'_>, ()), Fault> {
        let seen = Seen {
            record: self.0.as_ref().map(Record::borrowed),
            spent: Spent::default(),
            queue: Queue::default(),
        };
        Ok((seen, ()))
    }

    fn draw(&mut self) -> Result<Token, Fault> {
        Err(Fault::IssuerBehind)
    }

    fn store(&mut self, change: &Change, (): &()) -> Result<(), NotStored> {
        self.0 = Some(change.record.clone());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Action, Holder, Preset};
    use fencegate_core::verdict::{Admission, Reason, Rejection};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn token(number: u64) -> Token {
        Token::new(0, number).expect("not zero")
    }

    fn reason(answer: Answer) -> Option<Reason> {
        match answer {
            Answer::Judged(_, Verdict::Reject(Rejection { reason, .. })) => Some(reason),
            _ => None,
        }
    }

    fn raised_to(answer: Answer) -> Option<Token> {
        match answer {
            Answer::Judged(_, Verdict::Admit(Admission { mark, advanced })) if advanced => mark,
            _ => None,
        }
    }

    #[test]
    fn the_presets_show_what_they_say() {
        for (preset, expected) in [
            (Preset::OldLeader, Some(Reason::Stale)),
            (Preset::NewLeader, None),
            (Preset::BorrowedToken, Some(Reason::HeldByAnother)),
            (Preset::InventedToken, Some(Reason::NeverIssued)),
            (Preset::HigherFromElsewhere, None),
        ] {
            let answer = judge(&preset.situation());
            assert!(matches!(answer, Answer::Judged(..)), "{preset:?}");
            assert_eq!(reason(answer), expected, "{preset:?}");
        }
        let elsewhere = judge(&Preset::HigherFromElsewhere.situation());
        assert_eq!(raised_to(elsewhere), Some(token(9)));
    }

    #[test]
    fn a_store_that_has_seen_nothing_admits_only_tokens_from_elsewhere() {
        let empty = Situation::opening().after(Action::Mark(String::new()));
        assert_eq!(reason(judge(&empty)), Some(Reason::NoGrant));
        let elsewhere = empty.after(Action::Rule(Rule::External));
        assert_eq!(raised_to(judge(&elsewhere)), Some(token(7)));
    }

    #[test]
    fn a_released_token_is_over() {
        let released = Preset::NewLeader.situation().after(Action::Released(true));
        assert_eq!(reason(judge(&released)), Some(Reason::Released));
    }

    #[test]
    fn without_a_token_or_a_holder_nothing_is_judged() {
        let opening = Situation::opening();
        let answer = |action| judge(&opening.after(action));
        assert_eq!(answer(Action::Token(" ".to_owned())), Answer::TokenRequired);
        assert_eq!(
            answer(Action::Token("007".to_owned())),
            Answer::Malformed(TokenError::LeadingZero)
        );
        assert_eq!(
            answer(Action::Mark("-1".to_owned())),
            Answer::UnclearMark(TokenError::NotDecimal)
        );
        let unnamed = opening
            .after(Action::Rule(Rule::External))
            .after(Action::Holder(Holder::Unnamed));
        assert_eq!(judge(&unnamed), Answer::HolderRequired);
    }
}
