//! The only module that names the browser's own types. It turns its events into plain values.

use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::{Callback, Event, InputEvent, TargetCast};

/// Emits the text of the field that was typed into.
pub(crate) fn on_typed(text: Callback<String>) -> Callback<InputEvent> {
    text.reform(|event: InputEvent| event.target_unchecked_into::<HtmlInputElement>().value())
}

/// Emits which option of a select was chosen, counted from 0; where none is, a number past them all.
pub(crate) fn on_chosen(index: Callback<usize>) -> Callback<Event> {
    index.reform(|event: Event| {
        let select = event.target_unchecked_into::<HtmlSelectElement>();
        usize::try_from(select.selected_index()).unwrap_or(usize::MAX)
    })
}

/// Emits whether a checkbox is checked.
pub(crate) fn on_checked(checked: Callback<bool>) -> Callback<Event> {
    checked.reform(|event: Event| event.target_unchecked_into::<HtmlInputElement>().checked())
}
