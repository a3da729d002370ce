//! The runs beside each other, each under its name where there are several.

use super::icon;
use super::lanes::{lanes, patterns};
use super::look::Look;
use super::pen::Pen;
use super::still::shown;
use crate::state::Action;
use crate::words::Text;
use fencegate_core::sim::laws::Law;

pub(crate) fn strips(look: &Look, pen: &mut Pen) {
    let many = look.state.shown.strips().len();
    let stamp = [shown(&look.state), look.state.head.place, 0, 0];
    // One roll for all, so that they scroll together.
    pen.el("div", "roll", |pen| {
        patterns(pen);
        for strip in 0..many {
            pen.el("div", "run", |pen| {
                if many > 1 {
                    pen.still_of(look, stamp, strip, head);
                }
                lanes(look, pen, strip);
            });
        }
    });
}

/// What a run is, how many laws it breaks, and where it is.
fn head(look: &Look, pen: &mut Pen, index: usize) {
    let strip = look.state.shown.strip(index);
    let name = look.words.subject(&strip.subject);
    let track = strip.track();
    let mut broken = 0;
    for (law, _) in Law::ALL {
        broken += usize::from(track.broken_at(law).is_some());
    }
    let (is_right, fork) = (broken == 0, strip.run.fork(strip.branch));
    pen.el("div", "head", |pen| {
        pen.line("h2", "", name.clone());
        if fork.is_some() {
            pen.line("span", "", look.words.branch(fork));
        }
        pen.el("span", if is_right { "mended" } else { "broken" }, |pen| {
            pen.is_right(is_right);
            pen.say(look.words.breaks(broken));
        });
        let apart = look.of(Text::Apart, &name);
        pen.sign(look, ("bare", icon::CROSS), apart, Action::Apart(index));
        let headline = look.words.headline(track, look.state.step(index));
        pen.line("p", "", headline);
    });
}
