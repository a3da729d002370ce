//! Whose lane it is, and what its own clock says.

use super::Ink;
use crate::components::pen::{Name, Pen};
use crate::scene::lanes::Lane;
use crate::state::{Action, Chosen};
use crate::words::Sign;
use fencegate_core::sim::clock::{Clock, Millis};
use fencegate_core::sim::who::Who;
use fencegate_core::sim::world::{Life, World};

/// The names beside the lanes.
pub(super) fn names(ink: &Ink<'_>, pen: &mut Pen) {
    pen.el("div", "names", |pen| {
        for lane in &ink.scene.lanes {
            name(ink, pen, lane);
        }
    });
}

fn name(ink: &Ink<'_>, pen: &mut Pen, lane: &Lane) {
    let (who, state) = (lane.who, &ink.look.state);
    let world = ink.track.world(ink.step());
    let chosen = ink.strip == 0 && state.chosen == Some(Chosen::Actor(who));
    let choose = (!chosen).then_some(Chosen::Actor(who));
    let class = match world.life(who) {
        Some(Life::Paused) => "actor paused",
        Some(Life::Crashed) => "actor crashed",
        _ => "actor",
    };
    pen.el("button", class, |pen| {
        pen.attr(Name::Expanded, if chosen { "true" } else { "false" });
        if ink.strip > 0 {
            pen.attr(Name::Disabled, "disabled");
        }
        pen.click(ink.look, Action::Choose(choose));
        pen.line("b", "", ink.sign(Sign::Actor(who)));
        if let Some(clock) = clock(world, who) {
            readings(ink, pen, clock, state.now());
        }
    });
}

/// What a clock says, and by how much the wall clock is off.
fn readings(ink: &Ink<'_>, pen: &mut Pen, clock: &Clock, now: Millis) {
    pen.line("small", "", ink.sign(says(clock, now)));
    let right = Clock::new(0, 0).wall(now);
    let off = i64::from(millis(clock.wall(now).nanos())) - i64::from(millis(right.nanos()));
    let off = i32::try_from(off).unwrap_or(i32::MAX);
    if off != 0 {
        pen.line("small", "", ink.sign(Sign::WallOff(off)));
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
