//! Every law at this instant, and where it was broken.

use super::icon;
use super::look::Look;
use super::pen::{Name, Pen};
use super::still::shown;
use crate::play::standing::Standing;
use crate::state::Action;
use crate::words::Text;
use fencegate_core::sim::laws::Law;

pub(crate) fn laws(look: &Look, pen: &mut Pen) {
    let stamp = [shown(&look.state), look.state.head.place, 0, 0];
    pen.still(look, stamp, draw);
}

fn draw(look: &Look, pen: &mut Pen, _: usize) {
    let strips = look.state.shown.strips().len();
    pen.el("section", "laws card", |pen| {
        look.heading(pen, Text::Laws);
        pen.el("table", "", |pen| {
            pen.el("thead", "", |pen| {
                pen.el("tr", "", |pen| {
                    look.column(pen, look.text(Text::Law));
                    for index in 0..strips {
                        look.column(pen, look.run(index));
                    }
                });
            });
            pen.el("tbody", "", |pen| {
                for (law, _) in Law::ALL {
                    pen.el("tr", "", |pen| row(look, pen, law));
                }
            });
        });
    });
}

fn row(look: &Look, pen: &mut Pen, law: Law) {
    pen.el("td", "", |pen| {
        pen.line("b", "", look.words.law_name(law));
        pen.space();
        pen.line("span", "", look.words.law(law));
    });
    for index in 0..look.state.shown.strips().len() {
        stands(look, pen, index, law);
    }
}

fn stands(look: &Look, pen: &mut Pen, index: usize, law: Law) {
    let track = look.state.shown.strip(index).track();
    let standing = Standing::of(track, look.state.step(index), law);
    let (step, class, sign) = match standing {
        Standing::Holds => (0, "", icon::TICK),
        Standing::Again(step) => (step, "", icon::TICK),
        Standing::Broken(step) => (step, "broken", icon::CROSS),
    };
    let text = look.words.standing(standing, track.time(step));
    pen.el("td", class, |pen| {
        if look.state.shown.strips().len() > 1 {
            // A narrow screen has no columns.
            pen.attr(Name::DataOf, look.run(index));
        }
        if step == 0 {
            pen.icon(sign);
            pen.say(text);
        } else {
            pen.sign(look, ("link", sign), text, Action::ToStep(index, step));
        }
    });
}
