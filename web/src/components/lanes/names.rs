//! Whose lane it is, and what its own clock says.

use super::Ink;
use crate::components::Look;
use crate::state::{Action, Chosen};
use crate::words::Sign;
use fencegate_core::sim::clock::{Clock, Millis};
use fencegate_core::sim::who::Who;
use fencegate_core::sim::world::{Life, World};
use yew::prelude::*;

/// The names beside the lanes.
pub(super) fn names(look: &Look<'_>, ink: &Ink) -> Html {
    let state = look.state;
    let world = state
        .shown
        .strip(ink.strip)
        .track()
        .world(state.step(ink.strip));
    let now = state.now();
    let name = |lane: &crate::scene::lanes::Lane| {
        let who = lane.who;
        let chosen = ink.strip == 0 && state.chosen == Some(Chosen::Actor(who));
        let choose = Action::Choose((!chosen).then_some(Chosen::Actor(who)));
        let class = match world.life(who) {
            Some(Life::Paused) => "actor paused",
            Some(Life::Crashed) => "actor crashed",
            _ => "actor",
        };
        html! {
            <button {class} aria-expanded={if chosen { "true" } else { "false" }}
                disabled={ink.strip > 0} onclick={ink.go(choose)}>
                <b>{ ink.sign(Sign::Actor(who)) }</b>
                { for clock(world, who).map(|clock| readings(ink, clock, now)) }
            </button>
        }
    };
    html! { <div class="names">{ for ink.scene.lanes.iter().map(name) }</div> }
}

/// What a clock says, and by how much the wall clock is off.
fn readings(ink: &Ink, clock: &Clock, now: Millis) -> Html {
    let right = Clock::new(0, 0).wall(now);
    let off = i64::from(millis(clock.wall(now).nanos())) - i64::from(millis(right.nanos()));
    let off = i32::try_from(off).unwrap_or(i32::MAX);
    html! {
        <>
            <small>{ ink.sign(says(clock, now)) }</small>
            { for (off != 0).then(|| html! { <small>{ ink.sign(Sign::WallOff(off)) }</small> }) }
        </>
    }
}

/// What a clock says.
pub(in crate::components) fn says(clock: &Clock, now: Millis) -> Sign {
    let says = millis(clock.mono(now).nanos());
    if clock.is_stopped() {
        Sign::Frozen(says)
    } else {
        Sign::Clock(says)
    }
}

/// The clocks that somebody has; the store measures nothing.
pub(in crate::components) fn clock(world: &World, who: Who) -> Option<&Clock> {
    match who {
        Who::Issuer => Some(&world.issuer.clock),
        Who::Store => None,
        Who::Proxy(index) => world.proxies.get(usize::from(index)).map(|it| &it.clock),
        Who::Holder(index) => world.holder(index).map(|it| &it.clock),
    }
}

fn millis(nanos: u64) -> Millis {
    Millis::try_from(nanos / 1_000_000).unwrap_or(Millis::MAX)
}
