//! Where everything stands.

use super::Look;
use super::caption::caption;
use super::compare::compare;
use super::dialog::dialog;
use super::el::{el, say};
use super::faults::menus;
use super::gallery::gallery;
use super::guard::guard;
use super::guide::guide;
use super::header::{footer, header, notice};
use super::icon;
use super::laws::laws;
use super::log::log;
use super::nodes::nodes;
use super::player::player;
use super::press::{Press, choice};
use super::still::{shown, still};
use super::strips::strips;
use crate::state::{Action, View};
use crate::words::Text;
use yew::prelude::*;

pub(crate) fn page(look: &Look<'_>) -> Html {
    let state = look.state;
    let class = match (state.embedded, state.view) {
        (true, _) => "page embedded view-lanes",
        (_, View::Lanes) => "page view-lanes",
        (_, View::Nodes) => "page view-nodes",
        (_, View::Log) => "page view-log",
    };
    let stamp = [shown(state), state.head.place, state.embedded.into(), 0];
    let mut side = vec![el("div", "actors", vec![nodes(look, 0)]), caption(look)];
    let mut main = vec![still(look, stamp, headline)];
    if !state.embedded {
        main.push(still(look, [state.view as usize, 0, 0, 0], views));
        side.push(menus(look));
    }
    main.extend([strips(look), player(look), el("div", "side", side)]);
    if state.embedded {
        let all = vec![notice(look), el("main", "", main), dialog(look)];
        return el("div", class, all);
    }
    main.extend([
        laws(look),
        log(look),
        guard(look),
        compare(look),
        guide(look),
        gallery(look),
    ]);
    let theme = [state.theme as usize, 0, 0, 0];
    let all = vec![
        notice(look),
        still(look, [0; 4], header),
        el("main", "", main),
        still(look, theme, footer),
        dialog(look),
    ];
    el("div", class, all)
}

/// What the picture shows, and the button that stops it.
fn headline(look: &Look<'_>) -> Html {
    let is_fenced = look.state.is_fenced();
    let text = if is_fenced {
        Text::TurnFencingOff
    } else {
        Text::TurnFencingOn
    };
    let says = look.words.headline(look.state.track(), look.state.step(0));
    let mut all = vec![el("h1", "", vec![say(says)])];
    if !look.state.embedded {
        let fence = Press::new(look.text(text), Action::Fence(!is_fenced));
        all.push(fence.looks("main", icon::SHIELD).draw(look));
    }
    el("div", "headline", all)
}

/// What a narrow screen shows.
fn views(look: &Look<'_>) -> Html {
    let mut all = Vec::new();
    for view in View::ALL {
        let text = match view {
            View::Lanes => Text::Lanes,
            View::Nodes => Text::Nodes,
            View::Log => Text::Log,
        };
        let press = Press::new(look.text(text), Action::View(view));
        all.push(press.pressed(look.state.view == view));
    }
    el("div", "views", vec![choice(look, Text::Views, all)])
}
