//! What shall befall whom: a menu for each actor and each message under way, beside clicking in
//! the picture; and the branches that came of it.

use super::Look;
use super::el::{el, say};
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
    let mut whose = Vec::new();
    for lane in lanes::of(&track.scenario, lanes::LANE_PX) {
        let name = look.words.who(lane.who);
        whose.push(menu_of(look, name, Chosen::Actor(lane.who)));
    }
    for message in &world.messages {
        let name = look.words.message(message);
        whose.push(menu_of(look, name, Chosen::Message(message.id)));
    }
    let mut all = vec![look.heading(Text::Faults), el("div", "row", whose)];
    all.extend(menu(look));
    all.extend(branches(look));
    el("section", "menus", all)
}

/// The button that opens, or closes, a menu.
fn menu_of(look: &Look<'_>, name: String, chosen: Chosen) -> Html {
    let is_open = look.state.chosen == Some(chosen);
    let next = (!is_open).then_some(chosen);
    Press::new(name, Action::Choose(next))
        .pressed(is_open)
        .draw(look)
}

fn menu(look: &Look<'_>) -> Option<Html> {
    let track = look.state.track();
    let world = track.world(look.state.step(0));
    let found = match look.state.chosen? {
        Chosen::Actor(who) => faults::of_actor(&track.scenario, world, who),
        Chosen::Message(id) => faults::of_message(world, id),
    };
    let lead = say(look.text(Text::FaultsLead));
    let mut all = vec![el("p", "soft", vec![lead])];
    for what in found {
        all.push(Press::new(look.words.fault(what), Action::Befall(what)).draw(look));
    }
    Some(el("div", "menu", all))
}

/// Every branch, and each of them beside the one that is shown.
fn branches(look: &Look<'_>) -> Option<Html> {
    let strip = look.state.strip();
    if strip.run.branches() < 2 {
        return None;
    }
    let (mut all, mut others) = (Vec::new(), Vec::new());
    for branch in 0..strip.run.branches() {
        let name = look.words.branch(strip.run.fork(branch));
        let is_shown = branch == strip.branch;
        if !is_shown {
            let beside = look.of(Text::Beside, &name);
            let beside = Press::new(beside, Action::BesideBranch(branch));
            others.push(beside.looks("link", ""));
        }
        all.push(Press::new(name, Action::Branch(branch)).pressed(is_shown));
    }
    all.append(&mut others);
    Some(choice(look, Text::Branches, all))
}
