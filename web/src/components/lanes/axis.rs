//! The axis and what the lanes stand on.

use super::Ink;
use crate::browser::hear::On;
use crate::browser::pointer;
use crate::components::numbered::numbered;
use crate::components::pen::{Name, Pen};
use crate::play::axis::Axis;
use crate::scene::lanes::TOP_PX;
use crate::scene::ticks::Gap;
use crate::state::Action;
use crate::words::Sign;
use std::rc::Rc;

/// Where the axis itself is.
const AXIS_PX: i32 = TOP_PX - 8;

/// The axis, the lanes' lines and the gaps.
pub(super) fn lines(ink: &Ink<'_>, pen: &mut Pen) {
    let scene = ink.scene;
    for gap in &scene.gaps {
        let size = (gap.to_px - gap.from_px, scene.height - TOP_PX);
        pen.bar("gap", (gap.from_px, TOP_PX), size);
        let middle = i32::midpoint(gap.from_px, gap.to_px);
        let lasts = ink.sign(Sign::Gap(gap.lasts_ms));
        pen.label("skipped", (middle, AXIS_PX - 20), lasts);
    }
    let mut rulers = String::new();
    for lane in &scene.lanes {
        rulers.push_str(&numbered("M0 #H#", &[lane.y, scene.width]));
    }
    pen.path("ruler", rulers);
    pen.path("axis", axis(ink));
    for tick in &scene.ticks {
        let in_gap = |gap: &Gap| (gap.from_px + 1..gap.to_px).contains(&tick.x);
        if tick.written && !scene.gaps.iter().any(in_gap) {
            let at = ink.sign(Sign::At(tick.at));
            pen.label("time", (tick.x, AXIS_PX - 6), at);
        }
    }
}

/// A line with a tick for each step, and a zigzag where it is broken.
fn axis(ink: &Ink<'_>) -> String {
    let mut d = numbered("M0 #", &[AXIS_PX]);
    for gap in &ink.scene.gaps {
        let middle = i32::midpoint(gap.from_px, gap.to_px);
        d.push_str(&numbered("H#l4 -6l6 12l6 -12l6 12l4 -6", &[middle - 13]));
    }
    d.push_str(&numbered("H#", &[ink.scene.width]));
    for tick in &ink.scene.ticks {
        d.push_str(&numbered("M# #v8", &[tick.x, AXIS_PX - 4]));
    }
    d
}

/// What takes a click or a drag on the axis: the playhead goes there.
pub(super) fn seek(ink: &Ink<'_>, pen: &mut Pen) {
    let (look, width) = (ink.look, ink.scene.width);
    let axis = &look.state.shown.axis;
    pen.el("rect", "seek", |pen| {
        pen.attr(Name::Width, numbered("#", &[width]));
        pen.attr(Name::Height, numbered("#", &[TOP_PX]));
        let to = axis.clone();
        let down = move |event: &_| seek_to(&to, pointer::pressed(event, width)?);
        pen.hear(look, On::Press, Box::new(down));
        let to = axis.clone();
        let moved = move |event: &_| seek_to(&to, pointer::dragged(event, width)?);
        pen.hear(look, On::Move, Box::new(moved));
    });
}

fn seek_to(axis: &Axis, x: f64) -> Option<Rc<Action>> {
    Some(Rc::new(Action::Seek(axis.place_at(x))))
}
