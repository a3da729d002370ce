//! What the visitor has set, and how each action changes it. No I/O, and no verdict: see
//! [`crate::judge`].

use fencegate_core::token::Token;

/// Everything that one check depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Situation {
    /// Whose tokens they are.
    pub rule: Rule,
    /// The mark, as typed; empty where the store has seen nothing yet.
    pub mark: String,
    /// Whom the mark is bound to.
    pub bound: Holder,
    /// Whether that holder gave its lease back; only the rule *ours* knows leases.
    pub released: bool,
    /// The token of the write, as typed; empty where it carries none.
    pub token: String,
    /// Who writes.
    pub holder: Holder,
}

/// Whose tokens they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Fencegate grants them.
    Ours,
    /// They come from ZooKeeper, a database, ...
    External,
}

/// Who holds, or wants to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// The first worker.
    A,
    /// The second worker.
    B,
    /// A holder without a name.
    Unnamed,
}

/// A situation worth seeing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// A leader wakes up from a pause and does not know that it was replaced.
    OldLeader,
    /// Its successor writes.
    NewLeader,
    /// Another worker presents the successor's token.
    BorrowedToken,
    /// A token that was never granted.
    InventedToken,
    /// A token from elsewhere, higher than all before.
    HigherFromElsewhere,
}

/// What the visitor can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Begin with a preset.
    Begin(Preset),
    /// Set whose tokens they are.
    Rule(Rule),
    /// Type the mark.
    Mark(String),
    /// Step the mark by one.
    StepMark(Direction),
    /// Set whom the mark is bound to.
    Bound(Holder),
    /// Set whether the lease was given back.
    Released(bool),
    /// Type the token.
    Token(String),
    /// Step the token by one.
    StepToken(Direction),
    /// Set who writes.
    Holder(Holder),
}

/// Which way a number goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the next lower number.
    Down,
    /// To the next higher number.
    Up,
}

impl Holder {
    /// Every choice.
    pub const ALL: [Self; 3] = [Self::A, Self::B, Self::Unnamed];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::A => Some("worker-a"),
            Self::B => Some("worker-b"),
            Self::Unnamed => None,
        }
    }
}

impl Preset {
    /// Every preset, in the order of the page.
    pub const ALL: [Self; 5] = [
        Self::OldLeader,
        Self::NewLeader,
        Self::BorrowedToken,
        Self::InventedToken,
        Self::HigherFromElsewhere,
    ];

    /// What it sets. In each of them worker B was here last, with token 8.
    #[must_use]
    pub fn situation(self) -> Situation {
        let (rule, token, holder) = match self {
            Self::OldLeader => (Rule::Ours, "7", Holder::A),
            Self::NewLeader => (Rule::Ours, "8", Holder::B),
            Self::BorrowedToken => (Rule::Ours, "8", Holder::A),
            Self::InventedToken => (Rule::Ours, "9", Holder::A),
            Self::HigherFromElsewhere => (Rule::External, "9", Holder::A),
        };
        Situation {
            rule,
            mark: "8".to_owned(),
            bound: Holder::B,
            released: false,
            token: token.to_owned(),
            holder,
        }
    }
}

impl Situation {
    /// What the page opens on: the story that fencing is for.
    #[must_use]
    pub fn opening() -> Self {
        Preset::OldLeader.situation()
    }

    /// The situation after `action`.
    #[must_use]
    pub fn after(&self, action: Action) -> Self {
        let mut next = self.clone();
        match action {
            Action::Begin(preset) => next = preset.situation(),
            Action::Rule(rule) => next.rule = rule,
            Action::Mark(text) => next.mark = text,
            Action::StepMark(direction) => next.mark = stepped(&self.mark, direction),
            Action::Bound(holder) => next.bound = holder,
            Action::Released(released) => next.released = released,
            Action::Token(text) => next.token = text,
            Action::StepToken(direction) => next.token = stepped(&self.token, direction),
            Action::Holder(holder) => next.holder = holder,
        }
        next
    }
}

/// The text one number on. Nothing is below 1; a text that is no token stays as it is.
fn stepped(text: &str, direction: Direction) -> String {
    let typed = text.trim();
    if typed.is_empty() {
        return match direction {
            Direction::Up => "1".to_owned(),
            Direction::Down => String::new(),
        };
    }
    let Ok(token) = Token::parse(typed.as_bytes()) else {
        return text.to_owned();
    };
    let number = match direction {
        Direction::Up => token.number().saturating_add(1),
        Direction::Down => token.number() - 1,
    };
    Token::new(token.epoch(), number).map_or_else(String::new, |token| token.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn an_action_changes_only_what_it_names() {
        let opening = Situation::opening();
        let next = opening.after(Action::Token("8".to_owned()));
        assert_eq!(next.token, "8");
        assert_eq!(next.after(Action::Token("7".to_owned())), opening);
        assert_eq!(next.after(Action::Begin(Preset::OldLeader)), opening);
    }

    #[test]
    fn a_step_goes_to_the_next_number_of_the_same_epoch() {
        for (text, direction, expected) in [
            ("7", Direction::Up, "8"),
            ("2.41", Direction::Down, "2.40"),
            ("", Direction::Up, "1"),
            ("", Direction::Down, ""),
            ("1", Direction::Down, ""),
            (
                "18446744073709551615",
                Direction::Up,
                "18446744073709551615",
            ),
            ("seven", Direction::Up, "seven"),
        ] {
            assert_eq!(stepped(text, direction), expected, "{text} {direction:?}");
        }
    }
}
