//! The events as a table: the text alternative of the picture.

use super::look::Look;
use super::pen::{Name, Pen};
use super::still::shown;
use crate::state::Action;
use crate::words::Text;
use fencegate_core::sim::told::Explained;

pub(crate) fn log(look: &Look, pen: &mut Pen) {
    let stamp = [shown(&look.state), look.state.head.place, 0, 0];
    pen.still(look, stamp, draw);
}

fn draw(look: &Look, pen: &mut Pen, _: usize) {
    pen.el("section", "log", |pen| {
        look.heading(pen, Text::Log);
        for strip in 0..look.state.shown.strips().len() {
            pen.el("div", "scrolls", |pen| table(look, pen, strip));
        }
    });
}

fn table(look: &Look, pen: &mut Pen, index: usize) {
    let strip = look.state.shown.strip(index);
    pen.el("table", "", |pen| {
        pen.line("caption", "", look.run(index));
        pen.el("thead", "", |pen| {
            pen.el("tr", "", |pen| {
                for text in [Text::When, Text::Who, Text::What, Text::Breaks] {
                    look.column(pen, look.text(text));
                }
            });
        });
        pen.el("tbody", "", |pen| {
            for (step, event) in (1..).zip(&strip.track().events) {
                row(look, pen, (index, step), event);
            }
        });
    });
}

fn row(look: &Look, pen: &mut Pen, (strip, step): (usize, usize), event: &Explained) {
    let dialect = look.state.shown.strip(strip).track().scenario.dialect();
    pen.el("tr", "", |pen| {
        if look.state.step(strip) == step {
            pen.attr(Name::Current, "step");
        }
        pen.el("td", "", |pen| {
            let at = look.words.instant(event.at);
            pen.press(look, at, Action::ToStep(strip, step));
        });
        pen.line("td", "", look.words.who(event.who));
        pen.line("td", "", look.words.sentence(event, dialect));
        pen.el("td", "broken", |pen| {
            for law in &event.broken {
                pen.el("span", "", |pen| {
                    pen.is_right(false);
                    pen.say(look.words.law_name(*law));
                });
            }
        });
    });
}
