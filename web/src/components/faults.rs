//! What shall befall whom: a menu for each actor and each message under way, beside clicking in
//! the picture; and the branches that came of it.

use super::Look;
use super::press::{Press, choice};
use super::still::{shown, still};
use crate::play::faults;
use crate::scene::lanes;
use crate::state::{Action, Chosen};
use crate::words::Text;
use fencegate_core::sim::who::Who;
use yew::prelude::*;

pub(crate) fn menus(look: &Look<'_>) -> Html {
    let state = look.state;
    let chosen = match state.chosen {
        None => 0,
        Some(Chosen::Message(id)) => 0x1_0000 + usize::from(id),
        Some(Chosen::Actor(Who::Issuer)) => 1,
        Some(Chosen::Actor(Who::Store)) => 2,
        Some(Chosen::Actor(Who::Proxy(index))) => 0x100 + usize::from(index),
        Some(Chosen::Actor(Who::Holder(index))) => 0x200 + usize::from(index),
    };
    still(look, [shown(state), state.head.place, chosen, 0], draw)
}

fn draw(look: &Look<'_>) -> Html {
    let track = look.state.track();
    let world = track.world(look.state.step(0));
    let actors = lanes::of(&track.scenario, lanes::LANE_PX)
        .into_iter()
        .map(|lane| {
            let name = look.words.who(lane.who);
            (name, Chosen::Actor(lane.who))
        });
    let messages = world.messages.iter().map(|message| {
        let name = look.words.message(message);
        (name, Chosen::Message(message.id))
    });
    html! {
        <section class="menus">
            <h2>{ look.text(Text::Faults) }</h2>
            <div class="row">{ for actors.chain(messages).map(|(name, chosen)| whose(look, name, chosen)) }</div>
            { menu(look) }
            { branches(look) }
        </section>
    }
}

fn whose(look: &Look<'_>, name: String, chosen: Chosen) -> Html {
    let is_open = look.state.chosen == Some(chosen);
    let next = (!is_open).then_some(chosen);
    Press::new(name, Action::Choose(next))
        .pressed(is_open)
        .draw(look)
}

fn menu(look: &Look<'_>) -> Html {
    let track = look.state.track();
    let world = track.world(look.state.step(0));
    let found = match look.state.chosen {
        None => return Html::default(),
        Some(Chosen::Actor(who)) => faults::of_actor(&track.scenario, world, who),
        Some(Chosen::Message(id)) => faults::of_message(world, id),
    };
    html! {
        <div class="menu">
            <p class="soft">{ look.text(Text::FaultsLead) }</p>
            { for found.into_iter().map(|what| {
                Press::new(look.words.fault(what), Action::Befall(what)).draw(look)
            }) }
        </div>
    }
}

/// Every branch, and each of them beside the one that is shown.
fn branches(look: &Look<'_>) -> Html {
    let strip = look.state.strip();
    if strip.run.branches() < 2 {
        return Html::default();
    }
    let mut all = Vec::new();
    for branch in 0..strip.run.branches() {
        let name = look.words.branch(strip.run.fork(branch));
        let is_shown = branch == strip.branch;
        all.push(Press::new(name, Action::Branch(branch)).pressed(is_shown));
        if !is_shown {
            let beside = Press::new(look.text(Text::Beside), Action::BesideBranch(branch));
            all.push(beside.looks("link", ""));
        }
    }
    choice(look, look.text(Text::Branches), all)
}
