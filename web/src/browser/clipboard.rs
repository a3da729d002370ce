//! The clipboard.

use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::Closure;

/// Copies a text, and then tells so. A browser that does not allow it leaves the text on the page.
pub(super) fn copy(text: &str, done: impl FnOnce() + 'static) {
    let clipboard = gloo::utils::window().navigator().clipboard();
    // It is not there where the page comes over plain HTTP from afar.
    if AsRef::<JsValue>::as_ref(&clipboard).is_undefined() {
        return;
    }
    let told = Closure::once(move |_: JsValue| done());
    let refused = Closure::once(|_: JsValue| {});
    let _ = clipboard.write_text(text).then2(&told, &refused);
    told.forget();
    refused.forget();
}
