//! The axis and what the lanes stand on.

use super::Ink;
use crate::browser::pointer;
use crate::components::{Look, svg};
use crate::scene::lanes::TOP_PX;
use crate::scene::ticks::Gap;
use crate::state::Action;
use crate::words::Sign;
use std::fmt::Write;
use yew::prelude::*;

/// Where the axis itself is.
const AXIS_PX: i32 = TOP_PX - 8;

/// The axis, the lanes' lines and the gaps.
pub(super) fn lines(ink: &Ink) -> Vec<Html> {
    let scene = &ink.scene;
    let mut drawn = Vec::new();
    for gap in &scene.gaps {
        let size = (gap.to_px - gap.from_px, scene.height - TOP_PX);
        drawn.push(svg::bar("gap", (gap.from_px, TOP_PX), size));
        let middle = i32::midpoint(gap.from_px, gap.to_px);
        let lasts = ink.sign(Sign::Gap(gap.lasts_ms));
        drawn.push(svg::text("skipped", (middle, AXIS_PX - 20), lasts));
    }
    let mut rulers = String::new();
    for lane in &scene.lanes {
        let _ = write!(rulers, "M0 {}H{}", lane.y, scene.width);
    }
    drawn.push(svg::path("ruler", rulers));
    drawn.push(svg::path("axis", axis(ink)));
    for tick in &scene.ticks {
        let in_gap = |gap: &Gap| (gap.from_px + 1..gap.to_px).contains(&tick.x);
        if tick.written && !scene.gaps.iter().any(in_gap) {
            let at = ink.sign(Sign::At(tick.at));
            drawn.push(svg::text("time", (tick.x, AXIS_PX - 6), at));
        }
    }
    drawn
}

/// A line with a tick for each step, and a zigzag where it is broken.
fn axis(ink: &Ink) -> String {
    let mut d = format!("M0 {AXIS_PX}");
    for gap in &ink.scene.gaps {
        let middle = i32::midpoint(gap.from_px, gap.to_px);
        let _ = write!(d, "H{}l4 -6l6 12l6 -12l6 12l4 -6", middle - 13);
    }
    let _ = write!(d, "H{}", ink.scene.width);
    for tick in &ink.scene.ticks {
        let _ = write!(d, "M{} {}v8", tick.x, AXIS_PX - 4);
    }
    d
}

/// What takes a click or a drag on the axis: the playhead goes there.
pub(super) fn seek(look: &Look<'_>, ink: &Ink) -> Html {
    let (axis, width) = (look.state.shown.axis.clone(), ink.scene.width);
    let to = look.act.reform(move |x| Action::Seek(axis.place_at(x)));
    let pressed = to.clone();
    let down = Callback::from(move |event: PointerEvent| {
        if let Some(x) = pointer::pressed(&event, width) {
            pressed.emit(x);
        }
    });
    let moved = Callback::from(move |event: PointerEvent| {
        if let Some(x) = pointer::dragged(&event, width) {
            to.emit(x);
        }
    });
    html! {
        <rect class="seek" width={width.to_string()} height={TOP_PX.to_string()}
            onpointerdown={down} onpointermove={moved} />
    }
}
