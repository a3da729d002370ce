//! Where everything stands.

use super::caption::caption;
use super::compare::compare;
use super::dialog::dialog;
use super::faults::menus;
use super::gallery::gallery;
use super::guard::guard;
use super::guide::guide;
use super::header::{footer, header, notice};
use super::icon;
use super::laws::laws;
use super::log::log;
use super::look::Look;
use super::nodes::nodes;
use super::pen::Pen;
use super::player::player;
use super::still::shown;
use super::strips::strips;
use crate::state::{Action, View};
use crate::words::Text;
use yew::Html;

/// The page.
pub(crate) fn page(look: &Look) -> Html {
    let state = &look.state;
    let class = match (state.embedded, state.view) {
        (true, _) => "page embedded view-lanes",
        (_, View::Lanes) => "page view-lanes",
        (_, View::Nodes) => "page view-nodes",
        (_, View::Log) => "page view-log",
    };
    Pen::written(|pen| {
        pen.el("div", class, |pen| {
            notice(look, pen);
            if !state.embedded {
                let story = look.state.strip().subject.story;
                pen.still(look, [story, 0, 0, 0], header);
            }
            pen.el("main", "", |pen| main(look, pen));
            if !state.embedded {
                pen.still(look, [state.theme as usize, 0, 0, 0], footer);
            }
            dialog(look, pen);
        });
    })
}

fn main(look: &Look, pen: &mut Pen) {
    let state = &look.state;
    let stamp = [shown(state), state.head.place, state.embedded.into(), 0];
    pen.still(look, stamp, headline);
    if !state.embedded {
        pen.still(look, [state.view as usize, 0, 0, 0], views);
    }
    strips(look, pen);
    player(look, pen);
    pen.el("div", "side", |pen| {
        pen.el("div", "actors", |pen| nodes(look, pen));
        caption(look, pen);
        if !state.embedded {
            menus(look, pen);
        }
    });
    if !state.embedded {
        for part in [laws, log, guard, compare, guide, gallery] {
            part(look, pen);
        }
    }
}

/// What the picture shows, and the button that stops it.
fn headline(look: &Look, pen: &mut Pen, _: usize) {
    let is_fenced = look.state.is_fenced();
    let text = if is_fenced {
        Text::TurnFencingOff
    } else {
        Text::TurnFencingOn
    };
    pen.el("div", "headline", |pen| {
        let says = look.words.headline(look.state.track(), look.state.step(0));
        pen.line("h1", "", says);
        if !look.state.embedded {
            let (text, action) = (look.text(text), Action::Fence(!is_fenced));
            pen.sign(look, ("main", icon::SHIELD), text, action);
        }
    });
}

/// What a narrow screen shows.
fn views(look: &Look, pen: &mut Pen, _: usize) {
    pen.el("div", "views", |pen| {
        pen.choice(look, Text::Views, |pen| {
            for view in View::ALL {
                let text = match view {
                    View::Lanes => Text::Lanes,
                    View::Nodes => Text::Nodes,
                    View::Log => Text::Log,
                };
                let is_on = look.state.view == view;
                pen.switch(look, is_on, look.text(text), Action::View(view));
            }
        });
    });
}
