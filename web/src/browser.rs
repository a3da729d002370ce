//! The only folder that names the browser's own types. It turns its events into actions, and
//! what the state says into the browser's own state.

pub(crate) mod fields;

use crate::state::{Action, State};
use yew::prelude::*;

/// Everything that goes on between the page and its browser.
#[hook]
pub(crate) fn use_browser(state: &State, act: &Callback<Action>) {
    let _ = (state, act);
}
