//! The keys, and what each does. The browser asks here, and the panel behind `?` lists them.

use super::{Action, Direction, Panel, State};
use crate::play::kind::Kind;
use crate::play::playhead::Speed;

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// Plays, or pauses.
    PlayOrPause,
    /// One event back or on.
    Step(Direction),
    /// To what befell somebody, before or after.
    Fault(Direction),
    /// To the beginning.
    Beginning,
    /// To the end.
    End,
    /// To the first broken law.
    ToBroken,
    /// Turns the check of tokens on or off.
    Fence,
    /// Plays at this speed.
    Speed(Speed),
    /// Shows the link to this moment.
    Link,
    /// The next choice of colours.
    Theme,
    /// Shows the keys.
    Help,
    /// Closes what is open.
    Close,
}

/// Every key: its name as browsers give it, and whether it is pressed with shift.
pub const KEYS: [(&str, bool, Key); 19] = [
    (" ", false, Key::PlayOrPause),
    ("ArrowLeft", false, Key::Step(Direction::Back)),
    ("ArrowRight", false, Key::Step(Direction::Forward)),
    ("ArrowLeft", true, Key::Fault(Direction::Back)),
    ("ArrowRight", true, Key::Fault(Direction::Forward)),
    ("Home", false, Key::Beginning),
    ("End", false, Key::End),
    ("b", false, Key::ToBroken),
    ("f", false, Key::Fence),
    ("1", false, Key::Speed(Speed::Quarter)),
    ("2", false, Key::Speed(Speed::Half)),
    ("3", false, Key::Speed(Speed::Usual)),
    ("4", false, Key::Speed(Speed::Double)),
    ("5", false, Key::Speed(Speed::Fourfold)),
    ("l", false, Key::Link),
    ("t", false, Key::Theme),
    // Where `?` is with shift, and where it is not.
    ("?", true, Key::Help),
    ("?", false, Key::Help),
    ("Escape", false, Key::Close),
];

/// What the key with this name does; `None`: nothing.
#[must_use]
pub fn key(name: &str, shift: bool) -> Option<Key> {
    let is_it = |entry: &&(&str, bool, Key)| entry.1 == shift && entry.0.eq_ignore_ascii_case(name);
    KEYS.iter().find(is_it).map(|entry| entry.2)
}

impl Key {
    /// What it does in this state.
    #[must_use]
    pub fn action(self, state: &State) -> Action {
        match self {
            Self::PlayOrPause => Action::Play(!state.playing),
            Self::Step(direction) => Action::Step(direction),
            Self::Fault(direction) => Action::Jump(Kind::Fault, direction),
            Self::Beginning => Action::Seek(0),
            Self::End => Action::Seek(state.shown.together.last()),
            Self::ToBroken => Action::ToBroken,
            Self::Fence => Action::Fence(!state.is_fenced()),
            Self::Speed(speed) => Action::Speed(speed),
            Self::Link => Action::Panel(Some(Panel::Link)),
            Self::Theme => Action::Theme(state.theme.next()),
            Self::Help => Action::Panel(Some(Panel::Keys)),
            Self::Close if state.panel.is_some() => Action::Panel(None),
            Self::Close => Action::Choose(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Theme;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn no_key_has_two_meanings() {
        for (at, (name, shift, does)) in KEYS.iter().enumerate() {
            assert_eq!(key(name, *shift), Some(*does), "{name}, shift: {shift}");
            let earlier = &KEYS[..at];
            assert!(
                !earlier
                    .iter()
                    .any(|other| (other.0, other.1) == (*name, *shift))
            );
        }
        assert_eq!(key("B", false), Some(Key::ToBroken), "with caps lock");
        assert_eq!(key("Enter", false), None);
    }

    #[test]
    fn every_key_does_something() {
        for (name, shift, does) in KEYS {
            let mut state = State::opening().after(&Action::Seek(7));
            state.theme = Theme::Light;
            state.panel = (does == Key::Close).then_some(Panel::Keys);
            if does == Key::Speed(state.speed) {
                state.speed = Speed::Double;
            }
            let next = state.after(&does.action(&state));
            let is_same = format!("{next:?}") == format!("{state:?}");
            assert!(!is_same, "{name}, shift: {shift}");
        }
    }
}
