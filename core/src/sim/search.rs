//! Looks for what can go wrong: every order of events within stated bounds, shortest first.
//!
//! ```text
//!   Scenario without its accidents, Bounds, laws
//!      |
//!      v      next_events       World::step       key
//!   layer d ------------> events ----------> worlds ---> met before? forget it : layer d + 1
//!      |                                       |
//!      \--- none left: Exhausted               \--- a law does not hold: Found, with the events
//! ```
//!
//! A search is a value: [`Search::step`] does some of the work and says how far it is, so that a
//! page stays alive, shows progress and can stop. It has no threads, no clock and no randomness.
//! It goes layer by layer, so a trace that it finds has as few events as any.
//!
//! What it remembers of a state that it has met is a key of 128 bits (`hash.rs` states the risk)
//! and one word that says how it was reached; whole worlds are kept of two layers only.

mod bounds;
mod dead;
mod hash;
mod key;
mod next;
mod question;
mod trace;
mod visited;
mod weight;

pub use bounds::{Bounds, Network};
pub use next::{Choice, next_events};
pub use question::{Kind, Question, all_laws};

use super::event::Event;
use super::laws::{Judge, Law, Violation};
use super::message::Fate;
use super::scenario::{Net, Scenario, ScenarioError};
use super::told::Told;
use super::world::World;
use key::Keys;
use std::collections::VecDeque;
use trace::Link;
use visited::Visited;
use weight::weight;

/// The seed of what is left to chance: nothing, but where a start draws its base.
pub const SEED: u64 = 1;

/// A search, somewhere on its way.
#[derive(Clone, Debug)]
pub struct Search {
    scenario: Scenario,
    bounds: Bounds,
    laws: Vec<(Law, Judge)>,
    start: World,
    keys: Keys,
    visited: Visited,
    /// How each state was reached; the first is the start.
    links: Vec<Link>,
    /// States that were met and not yet left, in the order in which they were met.
    open: VecDeque<Open>,
    /// The first state of the layer after this one.
    layer_ends: usize,
    depth: usize,
    steps: u64,
    outside: u64,
    bytes_max: usize,
    states_max: usize,
    verdict: Option<Verdict>,
    choices: Vec<Choice>,
    told: Vec<Told>,
}

/// A state that was not left yet.
#[derive(Clone, Debug)]
struct Open {
    world: World,
    number: usize,
    faults: u8,
}

/// What came of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A law does not hold at the end of this.
    Found(Found),
    /// None of the laws was seen broken, but not every state within the bounds was looked at.
    NoneWithin {
        /// How many were.
        states: usize,
        /// Everything that takes so many events was looked at.
        depth: usize,
    },
    /// In no state within the bounds is one of the laws broken.
    Exhausted {
        /// How many states there are.
        states: usize,
        /// How many events the farthest one takes.
        depth: usize,
    },
}

/// A way to break a law: an ordinary log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The law.
    pub law: Law,
    /// What breaks it.
    pub violation: Violation,
    /// What happens. It plays in a [`super::timeline::Timeline`] of [`Search::scenario`].
    pub trace: Vec<Event>,
    /// How many of these are faults.
    pub faults: u8,
}

/// How far a search is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// How many states were met.
    pub states: usize,
    /// How many events the newest of them take.
    pub depth: usize,
    /// How many events were tried.
    pub steps: u64,
    /// How many of those led outside of the bounds.
    pub outside: u64,
    /// How many states were met and not yet left.
    pub open: usize,
    /// About how many bytes it has needed at most.
    pub bytes: usize,
    /// What came of it; `None`: not done.
    pub verdict: Option<Verdict>,
}

impl Search {
    /// A search from the beginning of a scenario, without its accidents, for any of these laws.
    ///
    /// # Errors
    /// A scenario that cannot be played, or bounds that name somebody who is not there.
    pub fn new(scenario: &Scenario, bounds: Bounds, laws: &[Law]) -> Result<Self, ScenarioError> {
        let scenario = searched(scenario);
        let world = World::new(&scenario, SEED);
        Self::from(&scenario, world, bounds, laws)
    }

    /// A search from any state of a scenario.
    ///
    /// # Errors
    /// A scenario that cannot be played, or bounds that name somebody who is not there.
    pub fn from(
        scenario: &Scenario,
        mut start: World,
        bounds: Bounds,
        laws: &[Law],
    ) -> Result<Self, ScenarioError> {
        let scenario = searched(scenario);
        scenario.check()?;
        bounds.check(&scenario)?;
        for message in &mut start.messages {
            message.fate = Fate::Arrives;
        }
        let keys = Keys::new(&scenario, &bounds, laws);
        let mut visited = Visited::new();
        visited.insert(keys.key(&scenario, &start, 0));
        let open = Open {
            world: start.clone(),
            number: 0,
            faults: 0,
        };
        let mut search = Self {
            scenario,
            bounds,
            laws: Law::ALL
                .into_iter()
                .filter(|(law, _)| laws.contains(law))
                .collect(),
            start,
            keys,
            visited,
            links: vec![Link::START],
            open: VecDeque::from([open]),
            layer_ends: 1,
            depth: 0,
            steps: 0,
            outside: 0,
            bytes_max: 0,
            states_max: usize::MAX,
            verdict: None,
            choices: Vec::new(),
            told: Vec::new(),
        };
        let start = search.start.clone();
        search.judge(&start, 0, 0);
        Ok(search)
    }

    /// The same, giving up after so many states.
    #[must_use]
    pub const fn capped(mut self, states_max: usize) -> Self {
        self.states_max = states_max;
        self
    }

    /// The same, without the symmetry of equal holders: a second opinion on it.
    #[must_use]
    pub fn without_symmetry(mut self) -> Self {
        self.keys = self.keys.without_symmetry();
        self.visited = Visited::new();
        self.visited
            .insert(self.keys.key(&self.scenario, &self.start, 0));
        self
    }

    /// The scenario that is searched: the one that was given, without accidents, and with a
    /// network that leaves nothing to chance.
    #[must_use]
    pub const fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The bounds.
    #[must_use]
    pub const fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// A world without the messages that can change nothing any more.
    #[must_use]
    pub fn without_the_dead(&self, world: &World) -> World {
        let mut world = world.clone();
        dead::forget(&mut world, |index| self.keys.revives(index));
        world
    }

    /// The key under which a state is remembered; states with the same one have the same future.
    #[must_use]
    pub fn key(&self, world: &World, faults: u8) -> u128 {
        let world = self.without_the_dead(world);
        self.keys.key(&self.scenario, &world, faults)
    }

    /// Leaves `budget` states at most, and says how far it is. Once there is a verdict, nothing
    /// more is done.
    pub fn step(&mut self, budget: usize) -> Progress {
        for _ in 0..budget {
            if self.verdict.is_some() {
                break;
            }
            if self.links.len() >= self.states_max {
                let (states, depth) = (self.links.len(), self.depth);
                self.verdict = Some(Verdict::NoneWithin { states, depth });
                break;
            }
            match self.open.pop_front() {
                Some(open) => self.leave(open),
                None => {
                    self.bytes_max = self.bytes_max.max(self.bytes());
                    let (states, depth) = (self.links.len(), self.depth);
                    self.verdict = Some(Verdict::Exhausted { states, depth });
                }
            }
        }
        self.progress()
    }

    /// Searches to the end, or to the cap.
    pub fn run(&mut self) -> Verdict {
        loop {
            if let Some(verdict) = self.step(1 << 16).verdict {
                return verdict;
            }
        }
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress {
            states: self.links.len(),
            depth: self.depth,
            steps: self.steps,
            outside: self.outside,
            open: self.open.len(),
            bytes: self.bytes_max,
            verdict: self.verdict.clone(),
        }
    }

    fn bytes(&self) -> usize {
        let worlds = self.open.iter().step_by(64).map(|open| weight(&open.world));
        let worlds = worlds.fold(0_usize, usize::saturating_add);
        let links = self.links.capacity().saturating_mul(size_of::<Link>());
        let places = self.open.capacity().saturating_mul(size_of::<Open>());
        [links, places, worlds.saturating_mul(64)]
            .into_iter()
            .fold(self.visited.bytes(), usize::saturating_add)
    }

    /// Tries every event that may be next in a state.
    fn leave(&mut self, open: Open) {
        if open.number >= self.layer_ends {
            // Everything of the layer before was left, so all of this one was met.
            self.bytes_max = self.bytes_max.max(self.bytes());
            self.layer_ends = self.links.len();
            self.depth = self.depth.saturating_add(1);
        }
        let Open {
            world,
            number,
            faults,
        } = open;
        let left = self.bounds.faults.saturating_sub(faults);
        let mut choices = core::mem::take(&mut self.choices);
        next::list(&self.scenario, &world, &self.bounds, left, &mut choices);
        // The last one may have the world itself.
        let mut world = Some(world);
        let last = choices.len().saturating_sub(1);
        for (index, choice) in choices.iter().enumerate() {
            let from = if index == last {
                world.take()
            } else {
                world.clone()
            };
            if let Some(from) = from {
                let faults = faults.saturating_add(u8::from(choice.is_fault));
                self.meet(from, choice, Link::new(number, index), faults);
            }
            if self.verdict.is_some() {
                break;
            }
        }
        self.choices = choices;
    }

    /// What a state leads to, if it is inside and new.
    fn meet(&mut self, mut world: World, choice: &Choice, link: Link, faults: u8) {
        self.steps = self.steps.saturating_add(1);
        self.told.clear();
        world.step(&self.scenario, SEED, &choice.event, &mut self.told);
        dead::forget(&mut world, |index| self.keys.revives(index));
        if !self.bounds.hold(&world) {
            self.outside = self.outside.saturating_add(1);
            return;
        }
        if !self
            .visited
            .insert(self.keys.key(&self.scenario, &world, faults))
        {
            return;
        }
        let number = self.links.len();
        self.links.push(link);
        self.judge(&world, number, faults);
        self.open.push_back(Open {
            world,
            number,
            faults,
        });
    }

    fn judge(&mut self, world: &World, number: usize, faults: u8) {
        for (law, judge) in &self.laws {
            if let Err(violation) = judge(&self.scenario, world) {
                self.verdict = Some(Verdict::Found(Found {
                    law: *law,
                    violation,
                    trace: self.trace(number),
                    faults,
                }));
                return;
            }
        }
    }
}

/// The scenario without its accidents, and with a network that leaves nothing to chance.
#[must_use]
pub fn searched(scenario: &Scenario) -> Scenario {
    Scenario {
        accidents: Vec::new(),
        net: Net {
            delay_ms: scenario.net.delay_ms,
            jitter_ms: 0,
            lost_per_mille: 0,
            twice_per_mille: 0,
        },
        ..scenario.clone()
    }
}
