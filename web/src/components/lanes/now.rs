//! What is true of one step only: its event, and what is under way.

use super::{Ink, arrow, mark};
use crate::components::look::Look;
use crate::components::pen::Pen;
use crate::scene::arrows::Arrow;
use crate::scene::lanes;
use crate::state::{Action, Chosen};

const RING: &str = "M0 -17A17 17 0 0 1 0 17A17 17 0 0 1 0 -17z";

/// The message that is chosen, as a number: none is 0.
pub(super) fn chosen(chosen: Option<Chosen>) -> usize {
    match chosen {
        Some(Chosen::Message(id)) => usize::from(id) + 1,
        _ => 0,
    }
}

/// The event of a step, and what came of it.
pub(super) fn event(look: &Look, pen: &mut Pen, strip: usize) {
    let ink = Ink::of(look, strip);
    let (scene, step) = (ink.scene, ink.step());
    pen.el("g", "", |pen| {
        if let (Some(event), Some(tick)) = (ink.track.led_to(step), scene.ticks.get(step)) {
            let at = (tick.x, lanes::y_of(&scene.lanes, event.who));
            pen.glyph("ring", at, RING);
        }
        for arrow in &scene.arrows {
            if arrow.ended() == Some(step) {
                brought_out(&ink, pen, arrow);
            }
        }
        for mark in &scene.marks {
            if mark.step == step {
                pen.el("g", "now", |pen| {
                    pen.el("g", mark::class(mark), |pen| mark::shapes(&ink, pen, mark));
                });
            }
        }
    });
}

/// The messages that are under way at a step.
pub(super) fn under_way(look: &Look, pen: &mut Pen, strip: usize) {
    let ink = Ink::of(look, strip);
    let step = ink.step();
    pen.el("g", "", |pen| {
        for arrow in &ink.scene.arrows {
            if arrow.sent <= step && arrow.ended().is_none_or(|ended| step < ended) {
                flying(&ink, pen, arrow);
            }
        }
    });
}

fn brought_out(ink: &Ink<'_>, pen: &mut Pen, arrow: &Arrow) {
    pen.el("g", "now", |pen| {
        pen.el("g", arrow::class(arrow), |pen| {
            arrow::shapes(ink, pen, arrow);
        });
    });
}

/// A message that is under way can be chosen, in the run that can be edited.
fn flying(ink: &Ink<'_>, pen: &mut Pen, arrow: &Arrow) {
    let message = Some(Chosen::Message(arrow.message));
    let action = if ink.strip == 0 {
        Action::Choose(message)
    } else {
        Action::ToStep(ink.strip, arrow.sent)
    };
    let class = if ink.look.state.chosen == message {
        "flying chosen"
    } else {
        "flying"
    };
    let title = arrow::title(ink, arrow);
    pen.clickable(ink.look, class, title, action, |pen| {
        brought_out(ink, pen, arrow);
    });
}
