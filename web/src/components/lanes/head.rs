//! What moves in a frame: the veil over the future, the playhead, and what is left of a lease.

use super::Ink;
use crate::components::{Look, svg};
use crate::scene::along::whole;
use crate::scene::belief;
use crate::scene::lanes::TOP_PX;
use crate::words::Sign;
use fencegate_core::sim::who::Who;
use yew::prelude::*;

/// The veil over the future.
pub(super) fn veil(look: &Look<'_>, ink: &Ink) -> Html {
    let x = at(look);
    let size = (ink.scene.width - x, ink.scene.height);
    svg::bar("veil", (x, 0), size)
}

/// The playhead, and the countdowns.
pub(super) fn head(look: &Look<'_>, ink: &Ink) -> Html {
    let x = at(look);
    let handle = format!("M{x} {}l-8 -10v-12h16v12zV{}", TOP_PX - 2, ink.scene.height);
    html! { <>{ for countdowns(look, ink, x) }{ svg::path("playhead", handle) }</> }
}

fn at(look: &Look<'_>) -> i32 {
    whole(look.state.head.x(&look.state.shown.axis))
}

fn countdowns(look: &Look<'_>, ink: &Ink, x: i32) -> Vec<Html> {
    let (track, now) = (look.state.shown.strip(ink.strip).track(), look.state.now());
    let world = track.world(look.state.step(ink.strip));
    let left = |lane: &crate::scene::lanes::Lane| {
        let Who::Holder(index) = lane.who else {
            return None;
        };
        let ends = belief::lease(&track.scenario, world, index)?.ends?;
        let left = ends.checked_sub(now).filter(|left| *left > 0)?;
        Some(svg::text(
            "left",
            (x + 6, lane.y - 6),
            ink.sign(Sign::Left(left)),
        ))
    };
    ink.scene.lanes.iter().filter_map(left).collect()
}
