//! What is true of this step only: its event, and what is under way.

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

/// The event of a step, brought out, and the messages that are under way at it.
pub(super) fn now(ink: &Ink, track: &Track, step: usize, chosen: usize) -> Vec<Html> {
    let scene = &ink.scene;
    let mut drawn = Vec::new();
    if let (Some(event), Some(tick)) = (track.led_to(step), scene.ticks.get(step)) {
        let at = (tick.x, lanes::y_of(&scene.lanes, event.who));
        let ring = "M0 -15A15 15 0 0 1 0 15A15 15 0 0 1 0 -15z";
        drawn.push(svg::glyph("ring", at, ring));
    }
    for arrow in &scene.arrows {
        let ended = arrow.ended();
        if arrow.sent <= step && ended.is_none_or(|ended| step < ended) {
            drawn.push(under_way(ink, arrow, chosen));
        } else if ended == Some(step) {
            drawn.push(brought_out(arrow::class(arrow), arrow::shapes(ink, arrow)));
        }
    }
    for mark in scene.marks.iter().filter(|mark| mark.step == step) {
        drawn.push(brought_out(mark::class(mark), mark::shapes(ink, mark)));
    }
    drawn
}

fn brought_out(class: &'static str, shapes: Vec<Html>) -> Html {
    html! { <g class={classes!("now", class)}>{ for shapes }</g> }
}

/// A message that is under way can be chosen, in the run that can be edited.
fn under_way(ink: &Ink, arrow: &Arrow, chosen: usize) -> Html {
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
