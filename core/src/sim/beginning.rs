//! The beginning of a scenario: a world in which nothing happened yet.

use super::clock::{Clock, Millis};
use super::dice;
use super::keeper::{Keeper, Numbers};
use super::mechanism::Issuer as Keeps;
use super::scenario::Scenario;
use super::witness::Witness;
use super::world::{Doing, Holder, Issuer, Life, Proxy, Store, World};
use crate::start::Start;
use crate::tenure::{Caution, Tenure};
use crate::window::Knowledge;
use core::time::Duration;

impl World {
    /// The beginning of a scenario.
    #[must_use]
    pub fn new(scenario: &Scenario, seed: u64) -> Self {
        let mechanism = &scenario.mechanism;
        let clock = Clock::new(0, 0);
        let before = mechanism.first_token.saturating_sub(1);
        let holders = scenario.holders.iter().map(|plan| {
            let clock = Clock::new(plan.clock_offset_ms, plan.clock_rate_ppm);
            let begins = if mechanism.lock.is_by_walls() {
                clock.wall(plan.starts_ms)
            } else {
                clock.mono(plan.starts_ms)
            };
            Holder {
                life: Life::Runs,
                stalled: false,
                clock,
                tenure: Tenure::new(Caution {
                    rate_error_ppm: plan.rate_error_ppm,
                    slack: Duration::from_millis(plan.slack_ms.into()),
                }),
                token: None,
                turn: 0,
                requests: 0,
                writes: 0,
                line: 0,
                doing: Doing::Next(begins),
                renews_at: None,
                stuck: None,
                sight: None,
            }
        });
        Self {
            now: 0,
            begun: 0,
            issuer: Issuer {
                life: Life::Runs,
                clock,
                keeper: Keeper::default(),
                known: Knowledge::default(),
                numbers: numbers(scenario, &clock, before, 0, seed),
                snapshot: None,
                waiting: Vec::new(),
                watchers: Vec::new(),
                plug: None,
            },
            store: Store::default(),
            proxies: (0..scenario.proxies)
                .map(|_| Proxy {
                    life: Life::Runs,
                    clock,
                    keeper: Keeper::default(),
                    starts: 0,
                    stalled: false,
                    known: Knowledge::default(),
                    waiting: Vec::new(),
                    in_flight: Vec::new(),
                })
                .collect(),
            holders: holders.collect(),
            messages: Vec::new(),
            links: Vec::new(),
            next_message: 1,
            witness: Witness::default(),
        }
    }
}

/// The numbers of an issuer that starts now, for the `start`th time.
pub(super) fn numbers(
    scenario: &Scenario,
    clock: &Clock,
    before: u64,
    now: Millis,
    seed: u64,
) -> Numbers {
    let counter = Numbers::Counter {
        epoch: 0,
        last: before,
    };
    if scenario.mechanism.issuer != Keeps::Memory {
        return counter;
    }
    let wall = Duration::from_nanos(clock.wall(now).nanos());
    // A base that a story can tell: the seed's, but small.
    let base = before.saturating_add(dice::roll(seed, now.into()) & 0xff);
    Start::new(wall, clock.mono(now), base).map_or(counter, Numbers::Start)
}
