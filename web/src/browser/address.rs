//! The page's address: what it is opened with, and the moment behind its `#`.

use super::hear::Act;
use crate::state::{Action, Arrival};
use gloo::events::EventListener;
use wasm_bindgen::JsValue;

/// What the page is opened with.
#[must_use]
pub fn arrival() -> Arrival {
    let mut arrival = Arrival {
        fragment: fragment(),
        theme: super::theme::remembered(),
        ..Arrival::default()
    };
    let query = gloo::utils::window().location().search();
    let query = query.unwrap_or_default();
    for pair in query.trim_start_matches('?').split('&') {
        match pair.split_once('=').unwrap_or((pair, "")) {
            ("embed", _) => arrival.embedded = true,
            ("lang", code) => code.clone_into(&mut arrival.language),
            _ => {}
        }
    }
    arrival
}

/// What stands behind the `#`.
fn fragment() -> String {
    let hash = gloo::utils::window().location().hash().unwrap_or_default();
    hash.trim_start_matches('#').to_owned()
}

/// Follows each link within the page until it is dropped.
pub(super) fn listen(act: Act) -> EventListener {
    EventListener::new(&gloo::utils::window(), "hashchange", move |_| {
        act.emit(Action::Follow(fragment()).into());
    })
}

/// Puts a moment behind the `#`, without a new page in the history.
pub(super) fn put(link: &str) {
    let address = format!("#{link}");
    let history = gloo::utils::window().history();
    // Where a frame may not (a sandbox), the link is still shown.
    let _ = history.and_then(|it| it.replace_state_with_url(&JsValue::NULL, "", Some(&address)));
}

/// The whole address.
pub(super) fn whole() -> String {
    gloo::utils::window().location().href().unwrap_or_default()
}
