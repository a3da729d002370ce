//! Every word of the page, in one place.

use crate::judge::Answer;
use crate::state::{Holder, Preset, Rule, Situation};
use core::cmp::Ordering;
use fencegate_core::token::{Token, TokenError};
use fencegate_core::verdict::{Admission, Fault, Reason, Rejection, Verdict};

pub(crate) const NAME: &str = "Fencegate";
pub(crate) const TITLE: &str = "Is this write still allowed?";
pub(crate) const LEAD: &str = "A worker that paused for too long does not know that it was replaced. \
    So every write carries the fencing token of its lease, and the proxy before the store compares \
    it with the highest token that the store has seen: the mark.";
pub(crate) const CASES: &str = "Cases to try";
pub(crate) const WRITE: &str = "The write carries";
pub(crate) const STORE: &str = "The store saw";
pub(crate) const TOKEN: &str = "Token";
pub(crate) const MARK: &str = "Mark";
pub(crate) const HOLDER: &str = "Holder";
pub(crate) const BOUND: &str = "Its holder";
pub(crate) const TOKEN_HINT: &str = "Empty: none";
pub(crate) const MARK_HINT: &str = "Empty: nothing yet";
pub(crate) const RELEASED: &str = "Its lease was given back";
pub(crate) const UNNAMED: &str = "nobody named";
pub(crate) const RULE: &str = "Who issues the tokens?";
pub(crate) const VERDICT: &str = "Verdict";
pub(crate) const ZONES: &str = "Where the token stands";
pub(crate) const EXCHANGE: &str = "On the wire";
pub(crate) const REQUEST: &str = "Request";
pub(crate) const RESPONSE: &str = "Answer";
pub(crate) const FOOT: &str =
    "Decided in your browser by the code that runs in the proxy. Nothing is sent anywhere.";

pub(crate) const fn holder(holder: Holder) -> &'static str {
    match holder.name() {
        Some(name) => name,
        None => UNNAMED,
    }
}

pub(crate) const fn rule(rule: Rule) -> (&'static str, &'static str) {
    match rule {
        Rule::Ours => ("Fencegate", "only the token of the last grant passes"),
        Rule::External => ("Somebody else", "a token at or above the mark passes"),
    }
}

pub(crate) const fn preset(preset: Preset) -> &'static str {
    match preset {
        Preset::OldLeader => "The old leader wakes up",
        Preset::NewLeader => "The new leader writes",
        Preset::BorrowedToken => "A borrowed token",
        Preset::InventedToken => "An invented token",
        Preset::HigherFromElsewhere => "A higher token from elsewhere",
    }
}

pub(crate) fn lower(what: &str) -> String {
    format!("{what}: one lower")
}

pub(crate) fn higher(what: &str) -> String {
    format!("{what}: one higher")
}

/// What the rule says of tokens below, at and above the mark: a heading and a line.
pub(crate) fn zone(rule: Rule, place: Ordering, mark: Token) -> (String, &'static str) {
    match place {
        Ordering::Less => (format!("below {mark}"), "stale, always"),
        Ordering::Equal => (format!("equals {mark}"), "passes for its holder only"),
        Ordering::Greater => (
            format!("above {mark}"),
            match rule {
                Rule::Ours => "was never granted",
                Rule::External => "passes and becomes the mark",
            },
        ),
    }
}

pub(crate) fn here(token: Token) -> String {
    format!("token {token} is here")
}

/// How the answer is shown, besides its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// The write passes.
    Admitted,
    /// It does not.
    Rejected,
    /// There is nothing to judge.
    Unclear,
}

/// An answer in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// How it is shown.
    pub tone: Tone,
    /// In one word.
    pub title: &'static str,
    /// The status code of the answer and its phrase; `None` where there is no answer.
    pub status: Option<(u16, &'static str)>,
    /// The stable reason that programs read; empty where there is none.
    pub reason: &'static str,
    /// Why, in one sentence.
    pub why: String,
    /// The mark that is shown to the caller.
    pub mark: Option<Token>,
}

/// Says an answer.
#[must_use]
pub fn say(answer: Answer, situation: &Situation) -> Said {
    match answer {
        Answer::Judged(token, Verdict::Admit(admission)) => admitted(token, admission, situation),
        Answer::Judged(token, Verdict::Reject(rejection)) => rejected(token, rejection, situation),
        Answer::Judged(_, Verdict::Undecided(fault)) => undecided(fault),
        Answer::TokenRequired => refused(
            428,
            "token_required",
            "This resource is guarded: a write without a token is not let through.".to_owned(),
        ),
        Answer::HolderRequired => refused(
            428,
            "holder_required",
            "Tokens come from elsewhere here, so a write must also name its holder.".to_owned(),
        ),
        Answer::Malformed(error) => refused(400, "malformed", sentence(error)),
        Answer::UnclearMark(error) => Said {
            tone: Tone::Unclear,
            title: "Nothing to judge by",
            status: None,
            reason: "",
            why: format!("The mark cannot be read: {error}."),
            mark: None,
        },
    }
}

fn admitted(token: Token, admission: Admission, situation: &Situation) -> Said {
    let holder = holder(situation.holder);
    let why = match (situation.rule, admission.advanced) {
        (Rule::Ours, _) => format!("Token {token} is what {holder} was granted last."),
        (Rule::External, true) => {
            format!("No higher token than {token} was seen: it becomes the mark.")
        }
        (Rule::External, false) => {
            format!("Token {token} is the mark, and {holder} is its holder.")
        }
    };
    Said {
        tone: Tone::Admitted,
        title: "Admitted",
        status: Some((200, phrase(200))),
        reason: "",
        why,
        mark: admission.mark,
    }
}

fn rejected(token: Token, rejection: Rejection, situation: &Situation) -> Said {
    let mark = rejection
        .mark
        .map_or_else(String::new, |mark| mark.to_string());
    let why = match rejection.reason {
        Reason::Stale => {
            format!("Token {token} is below the mark {mark}: somebody newer was here.")
        }
        Reason::NoGrant => {
            "Nothing is granted for this resource: acquire a lease first.".to_owned()
        }
        Reason::NeverIssued => {
            format!("Token {token} is above {mark}, the last that was granted: nobody issued it.")
        }
        Reason::JumpTooFar => {
            format!("Token {token} is further above the mark {mark} than is allowed.")
        }
        Reason::Released => format!("Token {token} is over: its holder gave the lease back."),
        Reason::HeldByAnother => format!(
            "Token {token} is bound to {}, and this write comes from {}.",
            holder(situation.bound),
            holder(situation.holder)
        ),
        Reason::LeaseEnded => format!("The lease of token {token} has ended."),
    };
    Said {
        mark: rejection.mark,
        ..refused(rejection.reason.status(), rejection.reason.word(), why)
    }
}

fn undecided(fault: Fault) -> Said {
    let why = "What the store has seen cannot be told now, so nothing is let through.";
    refused(Fault::STATUS, fault.word(), why.to_owned())
}

fn refused(status: u16, reason: &'static str, why: String) -> Said {
    Said {
        tone: Tone::Rejected,
        title: "Rejected",
        status: Some((status, phrase(status))),
        reason,
        why,
        mark: None,
    }
}

fn sentence(error: TokenError) -> String {
    let mut text = format!("{error}.");
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

const fn phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        409 => "Conflict",
        412 => "Precondition Failed",
        428 => "Precondition Required",
        _ => "Service Unavailable",
    }
}

/// The write as the proxy gets it.
pub(crate) fn request(situation: &Situation) -> String {
    let mut text = "PUT /jobs/1/result HTTP/1.1\nHost: store.example".to_owned();
    let token = situation.token.trim();
    if !token.is_empty() {
        text.push_str("\nFencing-Token: ");
        text.push_str(token);
    }
    if let Some(name) = situation.holder.name() {
        text.push_str("\nFencing-Holder: ");
        text.push_str(name);
    }
    text
}

/// What its sender gets back.
pub(crate) fn response(said: &Said, situation: &Situation) -> String {
    let Some((status, phrase)) = said.status else {
        return "(none)".to_owned();
    };
    let mut text = format!("HTTP/1.1 {status} {phrase}");
    if let Some(mark) = said.mark {
        text.push_str(&format!("\nFencing-Token-Mark: {mark}"));
    }
    if said.tone == Tone::Admitted {
        text.push_str("\n\n(the store's own answer)");
        return text;
    }
    text.push_str("\nContent-Type: application/problem+json\n\n");
    text.push_str(&format!("{{ \"reason\": \"{}\"", said.reason));
    if said.mark.is_some() {
        text.push_str(&format!(
            "\n, \"presented\": \"{}\"",
            situation.token.trim()
        ));
    }
    if let Some(mark) = said.mark {
        text.push_str(&format!("\n, \"current\": \"{mark}\""));
    }
    text.push_str("\n, \"outcome\": \"not_applied\" }");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::judge;
    use crate::state::Action;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_opening_is_stale() {
        let opening = Situation::opening();
        let said = say(judge(&opening), &opening);
        assert_eq!(said.status, Some((412, "Precondition Failed")));
        assert_eq!(said.reason, "stale");
        assert_eq!(
            said.why,
            "Token 7 is below the mark 8: somebody newer was here."
        );
        assert!(response(&said, &opening).contains("Fencing-Token-Mark: 8"));
    }

    #[test]
    fn every_answer_is_one_sentence() {
        let texts = ["", "0", "007", "7", "8", "9", "1.7", "-1"];
        for rule in [Rule::Ours, Rule::External] {
            for (token, mark) in texts.iter().flat_map(|a| texts.iter().map(move |b| (a, b))) {
                let situation = Situation::opening()
                    .after(Action::Rule(rule))
                    .after(Action::Token((*token).to_owned()))
                    .after(Action::Mark((*mark).to_owned()));
                let why = say(judge(&situation), &situation).why;
                assert!(why.ends_with('.') && !why.contains(". "), "{why}");
                assert!(!why.starts_with(char::is_lowercase), "{why}");
            }
        }
    }
}
