//! What stands in a field, and where the page is.

use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement};

/// The number that the slider of an event was set to; `None`: it is none.
pub(crate) fn number(event: &Event) -> Option<i32> {
    let field: HtmlInputElement = event.target()?.unchecked_into();
    let number = field.value_as_number();
    (!number.is_nan()).then_some(number as i32)
}

/// Where the page is, without what stands behind the `#`.
#[cfg(target_arch = "wasm32")]
pub(crate) fn address() -> String {
    let window = web_sys::window();
    let whole = window.and_then(|it| it.location().href().ok());
    let whole = whole.unwrap_or_default();
    whole.split('#').next().unwrap_or_default().to_owned()
}

/// No page is anywhere outside of a browser.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn address() -> String {
    String::new()
}
