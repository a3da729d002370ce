//! What a visitor may let happen to an actor or to a message, at this very state.

use fencegate_core::sim::clock::Millis;
use fencegate_core::sim::event::{Accident, MessageId, What};
use fencegate_core::sim::scenario::Scenario;
use fencegate_core::sim::who::Who;
use fencegate_core::sim::world::{Life, World};

/// By how much a message is delayed, a link slowed and a clock set.
pub const DELAY_MS: Millis = 5_000;
const STEP_MS: i32 = 60_000;
/// A clock that gains, or loses, a tenth.
const DRIFT_PPM: i32 = 100_000;

/// What may befall an actor now, the likeliest first.
#[must_use]
pub fn of_actor(scenario: &Scenario, world: &World, who: Who) -> Vec<What> {
    let mut found = lives(world, who);
    if who == Who::Issuer {
        found.extend([Accident::Break, Accident::Snapshot, Accident::Restore]);
    }
    found.extend(disks(world, who));
    if world.life(who) == Some(Life::Runs) && who != Who::Store {
        let clocks = [STEP_MS, -STEP_MS].map(|by_ms| Accident::StepClock { who, by_ms });
        let rates = [DRIFT_PPM, -DRIFT_PPM].map(|rate_ppm| Accident::Drift { who, rate_ppm });
        found.extend(clocks.into_iter().chain(rates));
    }
    for other in neighbours(scenario, who) {
        for (from, to) in [(who, other), (other, who)] {
            found.push(if world.is_cut(from, to) {
                Accident::Heal { from, to }
            } else {
                Accident::Cut { from, to }
            });
        }
    }
    found.into_iter().map(What::Accident).collect()
}

/// What may happen to a message that is under way now; nothing if it is not.
#[must_use]
pub fn of_message(world: &World, id: MessageId) -> Vec<What> {
    if !world.messages.iter().any(|message| message.id == id) {
        return Vec::new();
    }
    let delay = What::Delay {
        message: id,
        by_ms: DELAY_MS,
    };
    vec![
        What::Lose(id),
        delay,
        What::Duplicate(id),
        What::Deliver(id),
    ]
}

fn lives(world: &World, who: Who) -> Vec<Accident> {
    let restart = |with_memory| Accident::Restart { who, with_memory };
    match world.life(who) {
        None => Vec::new(),
        Some(Life::Paused) => vec![Accident::Resume(who), Accident::Crash(who)],
        Some(Life::Crashed) => vec![restart(true), restart(false)],
        Some(Life::Runs) => {
            let pause = |clock_stops| Accident::Pause { who, clock_stops };
            vec![
                pause(false),
                pause(true),
                Accident::Crash(who),
                restart(false),
            ]
        }
    }
}

fn disks(world: &World, who: Who) -> Option<Accident> {
    let stalled = match who {
        Who::Store => world.store.stalled,
        Who::Holder(index) => world.holder(index)?.stalled,
        Who::Issuer | Who::Proxy(_) => return None,
    };
    Some(if stalled {
        Accident::Unstall(who)
    } else {
        Accident::Stall(who)
    })
}

/// Whom an actor exchanges messages with.
fn neighbours(scenario: &Scenario, who: Who) -> Vec<Who> {
    let holders = (0..scenario.holders.len()).filter_map(|index| u8::try_from(index).ok());
    let proxies = || (0..scenario.proxies).map(Who::Proxy);
    match who {
        Who::Holder(index) => vec![Who::Issuer, scenario.door(index)],
        Who::Issuer => holders.map(Who::Holder).chain(proxies()).collect(),
        Who::Store if scenario.proxies > 0 => proxies().collect(),
        Who::Store => holders.map(Who::Holder).collect(),
        Who::Proxy(_) => holders
            .filter(|index| scenario.door(*index) == who)
            .map(Who::Holder)
            .chain([Who::Store, Who::Issuer])
            .collect(),
    }
}
