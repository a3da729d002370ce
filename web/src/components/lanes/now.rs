//! What is true of one step only: its event, and what is under way.

use super::{Ink, arrow, mark};
use crate::components::svg;
use crate::play::track::Track;
use crate::scene::arrows::Arrow;
use crate::scene::lanes;
use crate::state::{Action, Chosen};
use yew::prelude::*;

/// The message that is chosen, as a number: none is 0.
pub(super) fn chosen(chosen: Option<Chosen>) -> usize {
    match chosen {
        Some(Chosen::Message(id)) => usize::from(id) + 1,
        _ => 0,
    }
}

/// Draws a part of what is true of a step, in front of the rest or behind the veil.
pub(super) type Part = fn(&Ink, &Track, usize, usize) -> Vec<Html>;

/// The event of a step, and what came of it.
pub(super) fn event(ink: &Ink, track: &Track, step: usize, _: usize) -> Vec<Html> {
    let scene = &ink.scene;
    let mut drawn = Vec::new();
    if let (Some(event), Some(tick)) = (track.led_to(step), scene.ticks.get(step)) {
        let at = (tick.x, lanes::y_of(&scene.lanes, event.who));
        let ring = "M0 -17A17 17 0 0 1 0 17A17 17 0 0 1 0 -17z";
        drawn.push(svg::glyph("ring", at, ring));
    }
    let ended = |arrow: &&Arrow| arrow.ended() == Some(step);
    for arrow in scene.arrows.iter().filter(ended) {
        drawn.push(brought_out(arrow::class(arrow), arrow::shapes(ink, arrow)));
    }
    for mark in scene.marks.iter().filter(|mark| mark.step == step) {
        drawn.push(brought_out(mark::class(mark), mark::shapes(ink, mark)));
    }
    drawn
}

/// The messages that are under way at a step.
pub(super) fn under_way(ink: &Ink, _: &Track, step: usize, chosen: usize) -> Vec<Html> {
    let is_under_way =
        |arrow: &&Arrow| arrow.sent <= step && arrow.ended().is_none_or(|ended| step < ended);
    let arrows = ink.scene.arrows.iter().filter(is_under_way);
    arrows.map(|arrow| flying(ink, arrow, chosen)).collect()
}

fn brought_out(class: &'static str, shapes: Vec<Html>) -> Html {
    svg::group("now", vec![svg::group(class, shapes)])
}

/// A message that is under way can be chosen, in the run that can be edited.
fn flying(ink: &Ink, arrow: &Arrow, chosen: usize) -> Html {
    let is_chosen = chosen == usize::from(arrow.message) + 1;
    let onclick = if ink.strip == 0 {
        ink.go(Action::Choose(Some(Chosen::Message(arrow.message))))
    } else {
        ink.to_step(arrow.sent)
    };
    let class = if is_chosen { "flying chosen" } else { "flying" };
    let shapes = vec![brought_out(arrow::class(arrow), arrow::shapes(ink, arrow))];
    svg::clickable(class, arrow::title(ink, arrow), onclick, shapes)
}
