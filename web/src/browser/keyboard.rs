//! The keyboard, for the whole page.

use super::hear::Act;
use crate::state::{Action, keys};
use gloo::events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

/// What uses the keys itself.
const FIELDS: &str = "input, select, textarea, button, a, summary, dialog";

/// Takes the keys that mean something here, until it is dropped.
pub(super) fn listen(act: Act) -> EventListener {
    let options = EventListenerOptions::enable_prevent_default();
    let body = gloo::utils::document();
    EventListener::new_with_options(&body, "keydown", options, move |event| {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else {
            return;
        };
        if event.ctrl_key() || event.alt_key() || event.meta_key() {
            return;
        }
        let (key, shift) = (event.key(), event.shift_key());
        if keys::key(&key, shift).is_some() && !is_in_a_field(event, &key) {
            event.prevent_default();
            act.emit(Action::Key(key, shift).into());
        }
    })
}

/// Whether the key means something to what has the focus. Letters mean nothing to buttons.
fn is_in_a_field(event: &KeyboardEvent, key: &str) -> bool {
    let target = event.target();
    let Some(element) = target.as_ref().and_then(|it| it.dyn_ref::<Element>()) else {
        return false;
    };
    let within = element.closest(FIELDS).ok().flatten();
    let Some(field) = within else {
        return false;
    };
    let takes_letters = matches!(&*field.tag_name(), "INPUT" | "SELECT" | "TEXTAREA");
    key != "Escape" && (takes_letters || matches!(key, " " | "Enter"))
}
