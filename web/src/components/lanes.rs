//! The lanes over true time. What does not move between two events is drawn once; a frame moves
//! the veil over the future, the playhead and the clocks.

mod arrow;
mod axis;
mod bars;
mod head;
mod mark;
pub(super) mod names;
mod now;

use super::look::Look;
use super::numbered::numbered;
use super::pen::{Name, Pen};
use crate::play::track::Track;
use crate::scene::Scene;
use crate::scene::lanes::LANE_PX;
use crate::words::Sign;
use std::rc::Rc;

/// What a drawing of one strip needs.
struct Ink<'a> {
    look: &'a Look,
    strip: usize,
    track: &'a Track,
    scene: &'a Scene,
}

impl<'a> Ink<'a> {
    fn of(look: &'a Look, strip: usize) -> Self {
        let shown = &look.state.shown;
        Self {
            look,
            strip,
            track: shown.strip(strip).track(),
            scene: &shown.scenes[strip],
        }
    }

    fn sign(&self, sign: Sign) -> String {
        let dialect = self.track.scenario.dialect();
        self.look.words.sign(sign, dialect)
    }

    fn step(&self) -> usize {
        self.look.state.step(self.strip)
    }
}

/// The picture of one run.
pub(crate) fn lanes(look: &Look, pen: &mut Pen, strip: usize) {
    let ink = Ink::of(look, strip);
    let address = Rc::as_ptr(&look.state.shown.scenes[strip]) as usize;
    let at_step = [address, ink.step(), now::chosen(look.state.chosen), 1];
    let class = if ink.scene.lane_px < LANE_PX {
        "strip compact"
    } else {
        "strip"
    };
    pen.el("div", class, |pen| {
        names::names(&ink, pen);
        pen.el("svg", "lanes", |pen| {
            pen.attr(Name::Role, "img");
            pen.attr(Name::Label, ink.sign(Sign::Lanes));
            let size = [ink.scene.width, ink.scene.height];
            pen.attr(Name::Style, numbered("--w:#px;--h:#px", &size));
            pen.el("g", "flip", |pen| {
                pen.still_of(look, [address, strip, 0, 0], strip, ground);
                pen.still_of(look, at_step, strip, now::under_way);
                head::veil(&ink, pen);
                head::head(&ink, pen);
                pen.still_of(look, at_step, strip, now::event);
                axis::seek(&ink, pen);
            });
        });
    });
}

/// The whole story, which is the same at every step.
fn ground(look: &Look, pen: &mut Pen, strip: usize) {
    let ink = Ink::of(look, strip);
    pen.el("g", "", |pen| {
        axis::lines(&ink, pen);
        bars::bars(&ink, pen);
        for arrow in &ink.scene.arrows {
            arrow::arrow(&ink, pen, arrow);
        }
        bars::brackets(&ink, pen);
        for mark in &ink.scene.marks {
            mark::mark(&ink, pen, mark);
        }
    });
}

/// The hatchings, once for all pictures.
pub(crate) fn patterns(pen: &mut Pen) {
    pen.el("svg", "patterns", |pen| {
        pen.attr(Name::Hidden, "true");
        hatch(pen, "hatch", "hatch", "M-1 7L7 -1M-1 1L1 -1M5 7L7 5");
        hatch(pen, "ghost", "hatch ghost", "M-1 -1L7 7M-1 5L1 7M5 -1L7 1");
    });
}

fn hatch(pen: &mut Pen, id: &'static str, class: &'static str, d: &'static str) {
    pen.el("pattern", "", |pen| {
        pen.attr(Name::Id, id);
        pen.attr(Name::Width, "6");
        pen.attr(Name::Height, "6");
        pen.attr(Name::PatternUnits, "userSpaceOnUse");
        pen.path(class, d);
    });
}
