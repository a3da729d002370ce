//! The events as a table: the text alternative of the picture.

use super::Look;
use super::el::{el, say, with};
use super::icon;
use super::press::Press;
use super::still::{shown, still};
use crate::state::Action;
use crate::words::Text;
use fencegate_core::sim::told::Explained;
use yew::prelude::*;

pub(crate) fn log(look: &Look<'_>) -> Html {
    let state = look.state;
    still(look, [shown(state), state.head.place, 0, 0], draw)
}

fn draw(look: &Look<'_>) -> Html {
    let mut all = vec![look.heading(Text::Log)];
    for (index, strip) in look.state.shown.strips().iter().enumerate() {
        let mut heads = Vec::new();
        for text in [Text::When, Text::Who, Text::What, Text::Breaks] {
            heads.push(look.column(look.text(text)));
        }
        let mut rows = Vec::new();
        for (step, event) in (1..).zip(&strip.track().events) {
            rows.push(row(look, index, step, event));
        }
        let name = say(look.words.subject(&strip.subject));
        let table = vec![
            el("caption", "", vec![name]),
            el("thead", "", vec![el("tr", "", heads)]),
            el("tbody", "", rows),
        ];
        all.push(el("div", "scrolls", vec![el("table", "", table)]));
    }
    el("section", "log", all)
}

fn row(look: &Look<'_>, strip: usize, step: usize, event: &Explained) -> Html {
    let dialect = look.state.shown.strip(strip).track().scenario.dialect();
    let is_here = look.state.step(strip) == step;
    let at = Press::new(look.words.instant(event.at), Action::ToStep(strip, step));
    let mut broken = Vec::new();
    for law in &event.broken {
        let name = say(look.words.law_name(*law));
        broken.push(el("span", "", vec![icon::is_right(false), name]));
    }
    let cells = vec![
        el("td", "", vec![at.draw(look)]),
        el("td", "", vec![say(look.words.who(event.who))]),
        el("td", "", vec![say(look.words.sentence(event, dialect))]),
        el("td", "broken", broken),
    ];
    let here = if is_here { "step" } else { "" };
    with("tr", "", "aria-current", here.into(), cells)
}
