//! What lies over the page, as the browser's own dialog: it takes the focus and keeps it, and gives
//! it back when it goes.

use wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlElement};

/// Opens it, and tells what had the focus.
pub(super) fn open() -> Option<HtmlElement> {
    let document = gloo::utils::document();
    let before = document.active_element()?.dyn_into().ok();
    let dialog = document.query_selector("dialog").ok()??;
    // It fails only where it is open already.
    let _ = dialog.dyn_into::<HtmlDialogElement>().ok()?.show_modal();
    before
}
