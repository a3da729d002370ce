//! Every event that may be next.
//!
//! Time passes with events only. A timer goes off at its instant, never late: a process that is
//! late is paused, and that is a fault. A message comes at its instant; in an asynchronous network
//! also at that of any later event. So instants that no timer and no message marks are not
//! tried: of dense time this is a part, and the part in which something can be noticed.

use super::super::clock::Millis;
use super::super::event::{Accident, Event, What};
use super::super::message::MessageId;
use super::super::scenario::Scenario;
use super::super::schedule;
use super::super::who::Who;
use super::super::world::{Life, World};
use super::bounds::{Bounds, Network};
use super::dead::{is_done, revives};

/// A message that is due then comes at any instant, or never.
pub(super) const HELD: Millis = 1 << 31;

/// An event that may be next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The event.
    pub event: Event,
    /// Whether it is a fault, of which there may be only so many.
    pub is_fault: bool,
}

/// Every event that may be next, with so many faults left.
#[must_use]
pub fn next_events(
    scenario: &Scenario,
    world: &World,
    bounds: &Bounds,
    faults_left: u8,
) -> Vec<Choice> {
    let mut choices = Vec::new();
    list(scenario, world, bounds, faults_left, &mut choices);
    choices
}

pub(super) fn list(
    scenario: &Scenario,
    world: &World,
    bounds: &Bounds,
    faults_left: u8,
    choices: &mut Vec<Choice>,
) {
    choices.clear();
    let now = world.now;
    for (at, what) in schedule::timers(scenario, world) {
        let at = at.max(now);
        let event = Event { at, what };
        let is_fault = false;
        choices.push(Choice { event, is_fault });
    }
    let first_timer = choices.iter().map(|choice| choice.event.at).min();
    let first = match bounds.network {
        Network::Asynchronous => first_timer,
        Network::Punctual => {
            let due = schedule::messages(world).filter(|(due, _)| *due < HELD);
            let due = due.map(|(due, _)| due.max(now)).min();
            due.into_iter().chain(first_timer).min()
        }
    };
    choices.retain(|choice| Some(choice.event.at) == first);
    let may_fail = faults_left > 0;
    let mut add = |at, what, is_fault| {
        let event = Event { at, what };
        choices.push(Choice { event, is_fault });
    };
    for (due, what) in schedule::messages(world) {
        let is_held = due >= HELD;
        let at = if is_held { now } else { due.max(now) };
        let comes = match bounds.network {
            _ if is_held => true,
            Network::Punctual => Some(at) == first,
            Network::Asynchronous => first.is_none_or(|timer| at <= timer),
        };
        if !comes {
            continue;
        }
        add(at, what, false);
        let What::Deliver(id) = what else {
            continue;
        };
        let mut messages = world.messages.iter();
        let twice = messages.any(|it| it.id == id && it.may_come_twice());
        if may_fail && bounds.doubles && twice {
            add(at, What::Duplicate(id), true);
        }
        // In an asynchronous network a lost message is one that never comes.
        if may_fail && bounds.network == Network::Punctual && !is_held {
            if bounds.loses {
                add(at, What::Lose(id), true);
            }
            if bounds.delays {
                add(now, held(id), true);
            }
        }
    }
    if may_fail {
        for accident in &bounds.accidents {
            let wasted = is_wasted(world, bounds, *accident);
            if happens(world, *accident) && !is_free(world, *accident) && !wasted {
                add(now, What::Accident(*accident), true);
            }
        }
    }
    repairs(world, bounds, |accident| {
        add(now, What::Accident(accident), false);
    });
    if let Some(until) = bounds.until_ms {
        choices.retain(|choice| choice.event.at <= until);
    }
}

const fn held(message: MessageId) -> What {
    What::Delay {
        message,
        by_ms: HELD,
    }
}

/// Whether an accident can happen, and changes anything.
fn happens(world: &World, accident: Accident) -> bool {
    let link = |from: Who, to: Who| {
        let mut links = world.links.iter();
        links.find(|link| link.from == from && link.to == to)
    };
    match accident {
        Accident::Pause { who, .. } => world.life(who) == Some(Life::Runs),
        Accident::Crash(who) => world.life(who) != Some(Life::Crashed),
        Accident::Cut { from, to } => !world.is_cut(from, to),
        Accident::Slow { from, to, by_ms } => {
            link(from, to).map_or(0, |link| link.slow_ms) != by_ms
        }
        Accident::Stall(who) => is_stalled(world, who) == Some(false),
        Accident::Drift { who, rate_ppm } => rate(world, who) != Some(rate_ppm),
        Accident::Restore => world.issuer.snapshot.is_some(),
        Accident::Restart { .. }
        | Accident::LoseNext { .. }
        | Accident::DuplicateNext { .. }
        | Accident::StepClock { .. }
        | Accident::Snapshot
        | Accident::Break
        | Accident::Native(_) => true,
        // What ends another accident is offered where there is one to end.
        Accident::Resume(_) | Accident::Heal { .. } | Accident::Unstall(_) => false,
    }
}

/// Nothing that befalls a holder matters when it is done, unless it may begin anew.
fn is_wasted(world: &World, bounds: &Bounds, accident: Accident) -> bool {
    let [Who::Holder(index), Who::Holder(other)] = accident.about() else {
        return false;
    };
    index == other && world.holder(index).is_some_and(is_done) && !revives(bounds, index)
}

/// To start again what crashed is no fault.
fn is_free(world: &World, accident: Accident) -> bool {
    match accident {
        Accident::Restart { who, .. } => world.life(who) == Some(Life::Crashed),
        _ => false,
    }
}

fn is_stalled(world: &World, who: Who) -> Option<bool> {
    match who {
        Who::Store => Some(world.store.stalled),
        Who::Holder(index) => world.holder(index).map(|holder| holder.stalled),
        Who::Proxy(index) => {
            let proxy = world.proxies.get(usize::from(index));
            proxy.map(|proxy| proxy.stalled)
        }
        Who::Issuer => None,
    }
}

fn rate(world: &World, who: Who) -> Option<i32> {
    match who {
        Who::Issuer => Some(world.issuer.clock.rate_ppm()),
        Who::Store => None,
        Who::Proxy(index) => {
            let proxy = world.proxies.get(usize::from(index))?;
            Some(proxy.clock.rate_ppm())
        }
        Who::Holder(index) => Some(world.holder(index)?.clock.rate_ppm()),
    }
}

/// What ends the accidents that there are.
fn repairs(world: &World, bounds: &Bounds, mut add: impl FnMut(Accident)) {
    let proxies = (0_u8..).zip(&world.proxies);
    let holders = (0_u8..).zip(&world.holders);
    let everybody = [Who::Issuer, Who::Store]
        .into_iter()
        .chain(proxies.map(|(index, _)| Who::Proxy(index)))
        .chain(holders.map(|(index, _)| Who::Holder(index)));
    for who in everybody {
        if world.life(who) == Some(Life::Paused) {
            add(Accident::Resume(who));
        }
        if is_stalled(world, who) == Some(true) {
            add(Accident::Unstall(who));
        }
    }
    for link in &world.links {
        let (from, to) = (link.from, link.to);
        if link.cut {
            add(Accident::Heal { from, to });
        }
        if link.slow_ms > 0 {
            let by_ms = 0;
            add(Accident::Slow { from, to, by_ms });
        }
    }
    let restarts = bounds.accidents.iter();
    for restart in restarts.filter(|accident| is_free(world, **accident)) {
        add(*restart);
    }
}
