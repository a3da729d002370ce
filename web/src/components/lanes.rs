//! The lanes over true time. What does not move between two events is drawn once; a frame moves
//! the veil over the future, the playhead and the clocks.

mod arrow;
mod axis;
mod bars;
mod head;
mod mark;
pub(super) mod names;
mod now;

use super::still::Still;
use super::{Look, svg};
use crate::scene::Scene;
use crate::state::Action;
use crate::words::{Sign, Tongue};
use fencegate_core::sim::dialect::Dialect;
use std::rc::Rc;
use yew::prelude::*;

/// What a drawing of one strip needs, and may keep.
#[derive(Clone)]
struct Ink {
    scene: Rc<Scene>,
    strip: usize,
    dialect: Dialect,
    words: Tongue,
    act: Callback<Action>,
}

impl Ink {
    fn of(look: &Look<'_>, strip: usize) -> Self {
        Self {
            scene: look.state.shown.scenes[strip].clone(),
            strip,
            dialect: look.state.shown.strip(strip).track().scenario.dialect(),
            words: look.words.clone(),
            act: look.act.clone(),
        }
    }

    fn sign(&self, sign: Sign) -> String {
        self.words.sign(sign, self.dialect)
    }

    fn go(&self, action: Action) -> Callback<MouseEvent> {
        self.act.reform(move |_| action.clone())
    }

    fn to_step(&self, step: usize) -> Callback<MouseEvent> {
        self.go(Action::ToStep(self.strip, step))
    }
}

/// The picture of one run.
pub(crate) fn lanes(look: &Look<'_>, strip: usize) -> Html {
    let ink = Ink::of(look, strip);
    let (width, height) = (ink.scene.width, ink.scene.height);
    let label = ink.sign(Sign::Lanes);
    html! {
        <div class={if ink.scene.lane_px < crate::scene::lanes::LANE_PX { "strip compact" } else { "strip" }}>
            { names::names(look, &ink) }
            <svg class="lanes" role="img" aria-label={label}
                style={format!("--w:{width}px;--h:{height}px")}>
                <g class="flip">
                    { ground(&ink) }
                    { at_step(look, &ink, now::under_way) }
                    { head::veil(look, &ink) }
                    { head::head(look, &ink) }
                    { at_step(look, &ink, now::event) }
                    { axis::seek(look, &ink) }
                </g>
            </svg>
        </div>
    }
}

/// The whole story, which is the same at every step.
fn ground(ink: &Ink) -> Html {
    let stamp = [Rc::as_ptr(&ink.scene) as usize, ink.strip, 0, 0];
    let ink = ink.clone();
    let draw = move || {
        html! {
            <g>
                { for axis::lines(&ink) }
                { for bars::bars(&ink) }
                { for ink.scene.arrows.iter().map(|arrow| arrow::arrow(&ink, arrow)) }
                { for bars::brackets(&ink) }
                { for ink.scene.marks.iter().map(|mark| mark::mark(&ink, mark)) }
            </g>
        }
    };
    html! { <Still {stamp} draw={Rc::new(draw) as Rc<dyn Fn() -> Html>} /> }
}

/// What is true of one step only, from the track and the step, and the message that is chosen.
fn at_step(look: &Look<'_>, ink: &Ink, part: now::Part) -> Html {
    let step = look.state.step(ink.strip);
    let chosen = now::chosen(look.state.chosen);
    let stamp = [Rc::as_ptr(&ink.scene) as usize, step, chosen, 1];
    let track = look.state.shown.strip(ink.strip).track().clone();
    let ink = ink.clone();
    let draw = move || html! { <g>{ for part(&ink, &track, step, chosen) }</g> };
    html! { <Still {stamp} draw={Rc::new(draw) as Rc<dyn Fn() -> Html>} /> }
}

/// The hatchings, once for all pictures.
pub(crate) fn patterns() -> Html {
    let hatch = |id: &'static str, class: &'static str, d: &'static str| {
        html! {
            <pattern {id} width="6" height="6" patternUnits="userSpaceOnUse">
                { svg::path(class, d.to_owned()) }
            </pattern>
        }
    };
    html! {
        <svg class="patterns" aria-hidden="true">
            { hatch("hatch", "hatch", "M-1 7L7 -1M-1 1L1 -1M5 7L7 5") }
            { hatch("ghost", "hatch ghost", "M-1 -1L7 7M-1 5L1 7M5 -1L7 1") }
        </svg>
    }
}
