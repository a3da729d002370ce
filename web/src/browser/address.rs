//! The page's address: what it is opened with, and the moment behind its `#`.

use super::hear::Act;
use crate::state::{Action, Arrival};
use gloo::events::EventListener;
use wasm_bindgen::JsValue;

/// What the page is opened with.
#[must_use]
pub fn arrival() -> Arrival {
    let location = gloo::utils::window().location();
    let query = location.search().unwrap_or_default();
    let query = query.trim_start_matches('?');
    let value = |name: &str| {
        let mut pairs = query
            .split('&')
            .map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        pairs
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value.to_owned())
    };
    Arrival {
        fragment: fragment(),
        embedded: value("embed").is_some(),
        language: value("lang").unwrap_or_default(),
        theme: super::theme::remembered(),
    }
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
