//! Keeps the playhead in sight: the picture scrolls when it is about to leave. A menu that was opened
//! in the picture comes into sight.

use crate::state::State;
use std::rc::Rc;
use web_sys::{
    Element, ScrollBehavior, ScrollIntoViewOptions, ScrollLogicalPosition, ScrollToOptions, window,
};

/// How near to the edge the playhead may come, and where it is put then: parts of the view.
const NEAR: f64 = 0.12;
const PUT: f64 = 0.6;

/// Whether the playhead is at the same place of the same picture.
pub(super) fn looks_the_same(one: &State, other: &State) -> bool {
    let place = |state: &State| (state.head.place, Rc::as_ptr(&state.shown), state.view);
    place(one) == place(other)
}

fn found(selector: &str) -> Option<Element> {
    window()?.document()?.query_selector(selector).ok()?
}

/// Shows the menu, if one is open, and scrolls no further than it must.
pub(super) fn show_menu() {
    if let Some(menu) = found(".menu") {
        let how = ScrollIntoViewOptions::new();
        how.set_block(ScrollLogicalPosition::Nearest);
        menu.scroll_into_view_with_scroll_into_view_options(&how);
    }
}

/// Scrolls, if the playhead is about to leave.
pub(super) fn keep_in_sight() {
    let (Some(roll), Some(head)) = (found(".roll"), found(".playhead")) else {
        return;
    };
    let (view, line) = (
        roll.get_bounding_client_rect(),
        head.get_bounding_client_rect(),
    );
    let to = ScrollToOptions::new();
    // A playhead that lies flat belongs to a picture in which time goes down.
    let (by, long) = if line.width() > line.height() {
        let by = needed(line.top() - view.top(), view.height());
        to.set_top(by);
        (by, view.height())
    } else {
        let by = needed(line.left() - view.left(), view.width());
        to.set_left(by);
        (by, view.width())
    };
    // Near places are scrolled to as the stylesheet says; nobody follows a way over many.
    if by.abs() > long {
        to.set_behavior(ScrollBehavior::Instant);
    }
    if by != 0.0 {
        roll.scroll_by_with_scroll_to_options(&to);
    }
}

/// By how much to scroll, if the playhead is so far into a view that is so long.
fn needed(at: f64, long: f64) -> f64 {
    if at < long * NEAR * 2.0 || at > long * (1.0 - NEAR) {
        at - long * PUT
    } else {
        0.0
    }
}
