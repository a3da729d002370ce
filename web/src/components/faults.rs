//! What shall befall whom: a menu for each actor and each message under way, beside clicking in
//! the picture; and the branches that came of it.

use super::look::Look;
use super::pen::Pen;
use super::still::shown;
use crate::play::faults;
use crate::scene::lanes;
use crate::state::{Action, Chosen};
use crate::words::Text;
use fencegate_core::sim::who::Who;

pub(crate) fn menus(look: &Look, pen: &mut Pen) {
    let state = &look.state;
    let chosen = match state.chosen {
        None => 0,
        Some(Chosen::Message(id)) => 0x1_0000 + usize::from(id),
        Some(Chosen::Actor(Who::Issuer)) => 1,
        Some(Chosen::Actor(Who::Store)) => 2,
        Some(Chosen::Actor(Who::Proxy(index))) => 0x100 + usize::from(index),
        Some(Chosen::Actor(Who::Holder(index))) => 0x200 + usize::from(index),
    };
    pen.still(look, [shown(state), state.head.place, chosen, 0], draw);
}

fn draw(look: &Look, pen: &mut Pen, _: usize) {
    let track = look.state.track();
    pen.el("section", "menus", |pen| {
        look.heading(pen, Text::Faults);
        pen.el("div", "row", |pen| {
            for lane in lanes::of(&track.scenario, lanes::LANE_PX) {
                let name = look.words.who(lane.who);
                menu_of(look, pen, name, Chosen::Actor(lane.who));
            }
        });
        pen.el("div", "row", |pen| {
            for message in &track.world(look.state.step(0)).messages {
                let name = look.words.message(message);
                menu_of(look, pen, name, Chosen::Message(message.id));
            }
        });
        if let Some(chosen) = look.state.chosen {
            menu(look, pen, chosen);
        } else {
            pen.nothing();
        }
        if look.state.strip().run.branches() > 1 {
            branches(look, pen);
        } else {
            pen.nothing();
        }
    });
}

/// The button that opens, or closes, a menu.
fn menu_of(look: &Look, pen: &mut Pen, name: String, chosen: Chosen) {
    let is_open = look.state.chosen == Some(chosen);
    let next = (!is_open).then_some(chosen);
    pen.switch(look, is_open, name, Action::Choose(next));
}

fn menu(look: &Look, pen: &mut Pen, chosen: Chosen) {
    let track = look.state.track();
    let world = track.world(look.state.step(0));
    let found = match chosen {
        Chosen::Actor(who) => faults::of_actor(&track.scenario, world, who),
        Chosen::Message(id) => faults::of_message(world, id),
    };
    pen.el("div", "menu", |pen| {
        look.line(pen, "p", "soft", Text::FaultsLead);
        for what in found {
            pen.press(look, look.words.fault(what), Action::Befall(what));
        }
    });
}

/// Every branch, and each of them beside the one that is shown.
fn branches(look: &Look, pen: &mut Pen) {
    let strip = look.state.strip();
    let name = |branch| look.words.branch(strip.run.fork(branch));
    let all = 0..strip.run.branches();
    pen.choice(look, Text::Branches, |pen| {
        for branch in all.clone() {
            let is_shown = branch == strip.branch;
            pen.switch(look, is_shown, name(branch), Action::Branch(branch));
        }
        for branch in all {
            if branch != strip.branch {
                let beside = look.of(Text::Beside, &name(branch));
                pen.sign(look, ("link", ""), beside, Action::BesideBranch(branch));
            }
        }
    });
}
