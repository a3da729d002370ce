//! The keys, and what they do.

use super::{Action, State};

/// What a key does.
#[must_use]
pub fn action(state: &State, key: &str, _shift: bool) -> Option<Action> {
    (key == " ").then_some(Action::Play(!state.playing))
}

/// Whether a key does anything.
#[must_use]
pub fn is_for(key: &str, _shift: bool) -> bool {
    key == " "
}
