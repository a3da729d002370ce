//! The player's beat: a frame after another, or an event after another where motion is not wanted.
//! Dropping it ends it, so that a paused page runs no timer at all.

use super::hear::Act;
use crate::state::Action;
use gloo::render::{AnimationFrame, request_animation_frame};
use gloo::timers::callback::Interval;
use std::cell::RefCell;
use std::rc::Rc;

/// How long each event is shown where motion is not wanted.
const EVENT_MS: u32 = 1_400;

/// A beat that ends when it is dropped.
pub(super) enum Beat {
    /// Frames.
    Frames {
        _next: Rc<RefCell<Option<AnimationFrame>>>,
    },
    /// Events.
    Events { _each: Interval },
}

/// Begins to beat.
pub(super) fn beat(act: Act) -> Beat {
    if wants_less_motion() {
        return Beat::Events {
            _each: Interval::new(EVENT_MS, move || act.emit(Action::Beat.into())),
        };
    }
    let next = Rc::new(RefCell::new(None));
    ask(&next, None, act);
    Beat::Frames { _next: next }
}

/// Asks for the next frame. The frame knows its place only weakly: with the beat it is gone.
fn ask(place: &Rc<RefCell<Option<AnimationFrame>>>, before: Option<f64>, act: Act) {
    let weak = Rc::downgrade(place);
    let frame = request_animation_frame(move |now| {
        if let Some(before) = before {
            act.emit(Action::Tick(now - before).into());
        }
        if let Some(place) = weak.upgrade() {
            ask(&place, Some(now), act);
        }
    });
    *place.borrow_mut() = Some(frame);
}

/// Whether the visitor's system asks for less motion.
pub(crate) fn wants_less_motion() -> bool {
    let query = gloo::utils::window().match_media("(prefers-reduced-motion: reduce)");
    query.ok().flatten().is_some_and(|query| query.matches())
}
