//! Where a pointer is along an element.

use wasm_bindgen::JsCast;
use web_sys::{Element, Event, PointerEvent};

/// Where it was pressed, in pixels of a picture that is so wide. The element keeps the pointer
/// until it is let go.
pub(crate) fn pressed(event: &Event, width: i32) -> Option<f64> {
    let (target, pointer) = of(event)?;
    let _ = target.set_pointer_capture(pointer.pointer_id());
    along(&target, pointer, width)
}

/// Where it is dragged to; `None`: it is not pressed.
pub(crate) fn dragged(event: &Event, width: i32) -> Option<f64> {
    let (target, pointer) = of(event)?;
    if pointer.buttons() & 1 == 0 {
        return None;
    }
    along(&target, pointer, width)
}

/// The element and the pointer of an event that is a pointer's.
fn of(event: &Event) -> Option<(Element, &PointerEvent)> {
    Some((event.target()?.unchecked_into(), event.unchecked_ref()))
}

/// A picture that stands on its side is longer than it is wide: then time goes down.
fn along(target: &Element, pointer: &PointerEvent, width: i32) -> Option<f64> {
    let frame = target.get_bounding_client_rect();
    let (from, long, at) = if frame.height() > frame.width() {
        (frame.top(), frame.height(), pointer.client_y())
    } else {
        (frame.left(), frame.width(), pointer.client_x())
    };
    (long > 0.0).then(|| (f64::from(at) - from) / long * f64::from(width))
}
