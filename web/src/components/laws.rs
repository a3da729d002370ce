//! Every law at this instant, and where it was broken.

use super::Look;
use super::el::{el, say, space};
use super::icon;
use super::press::Press;
use super::still::{shown, still};
use crate::play::standing::Standing;
use crate::state::Action;
use crate::words::Text;
use fencegate_core::sim::laws::Law;
use yew::prelude::*;

pub(crate) fn laws(look: &Look<'_>) -> Html {
    let state = look.state;
    still(look, [shown(state), state.head.place, 0, 0], draw)
}

fn draw(look: &Look<'_>) -> Html {
    let strips = look.state.shown.strips().len();
    let mut heads = vec![look.column(look.text(Text::Law))];
    for strip in look.state.shown.strips() {
        heads.push(look.column(look.words.subject(&strip.subject).into()));
    }
    let mut rows = Vec::new();
    for (law, _) in Law::ALL {
        let name = el("b", "", vec![say(look.words.law_name(law))]);
        let says = el("span", "", vec![say(look.words.law(law))]);
        let mut cells = vec![el("td", "", vec![name, space(), says])];
        for index in 0..strips {
            cells.push(stands(look, index, law));
        }
        rows.push(el("tr", "", cells));
    }
    let table = vec![
        el("thead", "", vec![el("tr", "", heads)]),
        el("tbody", "", rows),
    ];
    let all = vec![look.heading(Text::Laws), el("table", "", table)];
    el("section", "laws card", all)
}

fn stands(look: &Look<'_>, index: usize, law: Law) -> Html {
    let track = look.state.shown.strip(index).track();
    let standing = Standing::of(track, look.state.step(index), law);
    let (step, class, sign) = match standing {
        Standing::Holds => (0, "", icon::TICK),
        Standing::Again(step) => (step, "", icon::TICK),
        Standing::Broken(step) => (step, "broken", icon::CROSS),
    };
    let text = look.words.standing(standing, track.time(step));
    let inside = if step == 0 {
        vec![icon::icon(sign), say(text)]
    } else {
        let press = Press::new(text, Action::ToStep(index, step));
        vec![press.looks("link", sign).draw(look)]
    };
    el("td", class, inside)
}
