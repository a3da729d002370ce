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
    let mut found = Vec::new();
    let mut put = |accident| found.push(What::Accident(accident));
    for accident in lives(world, who) {
        put(accident);
    }
    if who == Who::Issuer {
        for accident in [Accident::Break, Accident::Snapshot, Accident::Restore] {
            put(accident);
        }
    }
    if let Some(accident) = disk(world, who) {
        put(accident);
    }
    if world.life(who) == Some(Life::Runs) && who != Who::Store {
        for by_ms in [STEP_MS, -STEP_MS] {
            put(Accident::StepClock { who, by_ms });
        }
        for rate_ppm in [DRIFT_PPM, -DRIFT_PPM] {
            put(Accident::Drift { who, rate_ppm });
        }
    }
    for other in neighbours(scenario, who) {
        for (from, to) in [(who, other), (other, who)] {
            put(if world.is_cut(from, to) {
                Accident::Heal { from, to }
            } else {
                Accident::Cut { from, to }
            });
        }
    }
    found
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

fn disk(world: &World, who: Who) -> Option<Accident> {
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
    let mut found = Vec::new();
    let meets = |holder| match who {
        Who::Issuer => true,
        Who::Holder(_) => false,
        Who::Proxy(_) | Who::Store => scenario.door(holder) == who,
    };
    for (holder, _) in (0..).zip(&scenario.holders) {
        if meets(holder) {
            found.push(Who::Holder(holder));
        }
    }
    match who {
        Who::Holder(index) => found.extend([Who::Issuer, scenario.door(index)]),
        Who::Proxy(_) => found.extend([Who::Store, Who::Issuer]),
        Who::Issuer | Who::Store => {
            for proxy in 0..scenario.proxies {
                found.push(Who::Proxy(proxy));
            }
        }
    }
    found
}
