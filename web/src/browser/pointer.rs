//! Where a pointer is along an element.

use web_sys::Element;
use yew::{PointerEvent, TargetCast};

/// Where it was pressed, in pixels of a picture that is so wide. The element keeps the pointer
/// until it is let go.
pub(crate) fn pressed(event: &PointerEvent, width: i32) -> Option<f64> {
    let target: Element = event.target_dyn_into()?;
    let _ = target.set_pointer_capture(event.pointer_id());
    along(event, width)
}

/// Where it is dragged to; `None`: it is not pressed.
pub(crate) fn dragged(event: &PointerEvent, width: i32) -> Option<f64> {
    if event.buttons() & 1 == 0 {
        return None;
    }
    along(event, width)
}

/// A picture that stands on its side is longer than it is wide: then time goes down.
fn along(event: &PointerEvent, width: i32) -> Option<f64> {
    let target: Element = event.target_dyn_into()?;
    let frame = target.get_bounding_client_rect();
    let (from, long, at) = if frame.height() > frame.width() {
        (frame.top(), frame.height(), event.client_y())
    } else {
        (frame.left(), frame.width(), event.client_x())
    };
    (long > 0.0).then(|| (f64::from(at) - from) / long * f64::from(width))
}
