//! Keeps the playhead in sight: the picture scrolls when it is about to leave.

use crate::state::State;
use web_sys::window;
use yew::prelude::*;

/// How near to the edge the playhead may come, and where it is put then: parts of the view.
const NEAR: f64 = 0.12;
const PUT: f64 = 0.6;

/// Looks after each step, and whenever something else is shown.
#[hook]
pub(crate) fn use_scroll(state: &State) {
    let shown = std::rc::Rc::as_ptr(&state.shown) as usize;
    use_effect_with((state.head.place, shown, state.view), |_| keep_in_sight());
}

fn keep_in_sight() {
    let found = |selector| window()?.document()?.query_selector(selector).ok()?;
    let (Some(roll), Some(head)) = (found(".roll"), found(".playhead")) else {
        return;
    };
    let (view, line) = (
        roll.get_bounding_client_rect(),
        head.get_bounding_client_rect(),
    );
    // A playhead that lies flat belongs to a picture in which time goes down.
    if line.width() > line.height() {
        let by = needed(line.top() - view.top(), view.height());
        roll.set_scroll_top(roll.scroll_top() + by);
    } else {
        let by = needed(line.left() - view.left(), view.width());
        roll.set_scroll_left(roll.scroll_left() + by);
    }
}

/// By how much to scroll.
fn needed(at: f64, long: f64) -> i32 {
    if at < long * NEAR * 2.0 || at > long * (1.0 - NEAR) {
        (at - long * PUT) as i32
    } else {
        0
    }
}
