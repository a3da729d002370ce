//! The colours, remembered on this device only.

use crate::state::Theme;
use web_sys::Storage;

const KEY: &str = "fencegate-theme";

fn storage() -> Option<Storage> {
    // A browser may forbid it; then nothing is remembered.
    gloo::utils::window().local_storage().ok().flatten()
}

const fn name(theme: Theme) -> Option<&'static str> {
    match theme {
        Theme::System => None,
        Theme::Light => Some("light"),
        Theme::Dark => Some("dark"),
    }
}

/// What was chosen before.
pub(super) fn remembered() -> Theme {
    let text = storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
    let known = |theme: &Theme| name(*theme) == text.as_deref();
    Theme::ALL.into_iter().find(known).unwrap_or_default()
}

/// Shows the page in these colours, and remembers them.
pub(super) fn show(theme: Theme) {
    let root = gloo::utils::document_element();
    // Neither can fail for a reason that a visitor could mend.
    let _ = match name(theme) {
        Some(name) => root.set_attribute("data-theme", name),
        None => root.remove_attribute("data-theme"),
    };
    if let Some(storage) = storage() {
        let _ = match name(theme) {
            Some(name) => storage.set_item(KEY, name),
            None => storage.remove_item(KEY),
        };
    }
}
