//! What moves in a frame: the veil over the future, the playhead, and what is left of a lease.

use super::Ink;
use crate::components::pen::Pen;
use crate::scene::along::whole;
use crate::scene::belief;
use crate::scene::lanes::TOP_PX;
use crate::words::Sign;
use fencegate_core::sim::who::Who;

/// The veil over the future.
pub(super) fn veil(ink: &Ink<'_>, pen: &mut Pen) {
    let x = at(ink);
    pen.bar("veil", (x, 0), (ink.scene.width - x, ink.scene.height));
}

/// The playhead, and the countdowns.
pub(super) fn head(ink: &Ink<'_>, pen: &mut Pen) {
    let x = at(ink);
    pen.el("g", "", |pen| countdowns(ink, pen, x));
    let numbers = [x, TOP_PX - 2, ink.scene.height];
    pen.through("playhead", "M# #l-8 -10v-12h16v12zV#", &numbers);
}

fn at(ink: &Ink<'_>) -> i32 {
    let state = &ink.look.state;
    whole(state.head.x(&state.shown.axis))
}

fn countdowns(ink: &Ink<'_>, pen: &mut Pen, x: i32) {
    let (now, world) = (ink.look.state.now(), ink.track.world(ink.step()));
    for lane in &ink.scene.lanes {
        let Who::Holder(index) = lane.who else {
            continue;
        };
        let lease = belief::lease(&ink.track.scenario, world, index);
        let left = lease.and_then(|lease| lease.ends?.checked_sub(now));
        if let Some(left @ 1..) = left {
            let text = ink.sign(Sign::Left(left));
            pen.label("left", (x + 6, lane.y - 6), text);
        }
    }
}
