//! Where everything stands.

use super::Look;
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
    let view = match state.view {
        View::Lanes => "page view-lanes",
        View::Nodes => "page view-nodes",
        View::Log => "page view-log",
    };
    let whole = !state.embedded;
    html! {
        <div class={classes!(view, state.embedded.then_some("embedded"))}>
            { notice(look) }
            if whole { { header(look) } }
            <main>
                { still(look, [shown(state), state.head.place, 0, 0], headline) }
                if whole { { still(look, [state.view as usize, 0, 0, 0], views) } }
                { strips(look) }
                { player(look) }
                <div class="side">
                    <div class="actors">{ nodes(look, 0) }</div>
                    { caption(look) }
                    if whole { { menus(look) } }
                </div>
                if whole {
                    { laws(look) }
                    { log(look) }
                    { guard(look) }
                    { compare(look) }
                    { guide(look) }
                    { gallery(look) }
                }
            </main>
            if whole { { footer(look) } }
            { dialog(look) }
        </div>
    }
}

/// What the picture shows, and the button that stops it.
fn headline(look: &Look<'_>) -> Html {
    let is_fenced = look.state.is_fenced();
    let text = if is_fenced {
        Text::TurnFencingOff
    } else {
        Text::TurnFencingOn
    };
    let fence = Press::new(look.text(text), Action::Fence(!is_fenced)).looks("main", icon::SHIELD);
    html! {
        <div class="headline">
            <h1>{ look.words.headline(look.state.track(), look.state.step(0)) }</h1>
            if !look.state.embedded { { fence.draw(look) } }
        </div>
    }
}

/// What a narrow screen shows.
fn views(look: &Look<'_>) -> Html {
    let all = View::ALL.map(|view| {
        let text = match view {
            View::Lanes => Text::Lanes,
            View::Nodes => Text::Nodes,
            View::Log => Text::Log,
        };
        Press::new(look.text(text), Action::View(view)).pressed(look.state.view == view)
    });
    html! { <div class="views">{ choice(look, look.text(Text::Views), all.into()) }</div> }
}
