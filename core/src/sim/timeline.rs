//! Time travel: a log, a snapshot now and then, and branches.
//!
//! Nothing is ever discarded: an edit makes a branch, and the old future stays.

use super::event::Event;
use super::laws::{self, Law};
use super::scenario::{Scenario, ScenarioError};
use super::schedule;
use super::told::{Explained, Told};
use super::who::Who;
use super::world::World;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A snapshot is kept at every so many events.
const EVERY: usize = 32;

/// The number of a branch; the first is 0.
pub type BranchId = usize;

/// A scenario with a seed, and every branch of what happened.
#[derive(Clone, Debug)]
pub struct Timeline {
    scenario: Scenario,
    seed: u64,
    branches: Vec<Branch>,
}

/// One line of events. Its states are shared with the branches that are like it up to there.
#[derive(Clone, Debug)]
pub struct Branch {
    name: String,
    from: Option<(BranchId, usize)>,
    log: Vec<Event>,
    /// State `k * EVERY`, for each k; the beginning is the first.
    snapshots: Vec<Rc<World>>,
    end: Rc<World>,
}

/// What is needed to tell it all again: the form in which a run is kept and sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The version of this form: [`super::scenario::VERSION`].
    #[serde(deserialize_with = "super::scenario::supported")]
    pub version: u8,
    /// The beginning.
    pub scenario: Scenario,
    /// The network's seed.
    pub seed: u64,
    /// What happened.
    pub log: Vec<Event>,
}

impl Timeline {
    /// A timeline at its beginning, with one branch named `main`.
    ///
    /// # Errors
    /// A scenario that cannot be played.
    pub fn new(scenario: Scenario, seed: u64) -> Result<Self, ScenarioError> {
        scenario.check()?;
        let world = Rc::new(World::new(&scenario, seed));
        let main = Branch {
            name: "main".to_owned(),
            from: None,
            log: Vec::new(),
            snapshots: vec![Rc::clone(&world)],
            end: world,
        };
        Ok(Self {
            scenario,
            seed,
            branches: vec![main],
        })
    }

    /// A timeline of what is kept of a run.
    ///
    /// # Errors
    /// A scenario that cannot be played.
    pub fn of(run: Run) -> Result<Self, ScenarioError> {
        let mut timeline = Self::new(run.scenario, run.seed)?;
        for event in run.log {
            timeline.take(0, event);
        }
        Ok(timeline)
    }

    /// What is to be kept of a branch; `None`: there is no such branch.
    #[must_use]
    pub fn run(&self, branch: BranchId) -> Option<Run> {
        Some(Run {
            version: super::scenario::VERSION,
            scenario: self.scenario.clone(),
            seed: self.seed,
            log: self.branches.get(branch)?.log.clone(),
        })
    }

    /// The scenario.
    #[must_use]
    pub const fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The seed.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Every branch, in the order in which they were made.
    #[must_use]
    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// The state after `n` events, or the last one if there are fewer; `None`: no such branch.
    #[must_use]
    pub fn at(&self, branch: BranchId, n: usize) -> Option<World> {
        let branch = self.branches.get(branch)?;
        if n >= branch.log.len() {
            return Some(World::clone(&branch.end));
        }
        let nearest = n.checked_div(EVERY)?;
        let mut world = World::clone(branch.snapshots.get(nearest)?);
        let from = nearest.saturating_mul(EVERY);
        let mut told = Vec::new();
        for event in branch.log.get(from..n)? {
            world.step(&self.scenario, self.seed, event, &mut told);
            told.clear();
        }
        Some(world)
    }

    /// What the schedule proposes at the end of a branch; `None`: its story is over.
    #[must_use]
    pub fn proposed(&self, branch: BranchId) -> Option<Event> {
        schedule::next(&self.scenario, &self.branches.get(branch)?.end)
    }

    /// Takes what the schedule proposes; `None`: the story is over.
    pub fn advance(&mut self, branch: BranchId) -> Option<Explained> {
        let event = self.proposed(branch)?;
        self.take(branch, event)
    }

    /// Adds an event at the end of a branch, whatever it is. One that is dated before the end
    /// happens at the end. `None`: no such branch.
    pub fn take(&mut self, branch: BranchId, event: Event) -> Option<Explained> {
        let branch = self.branches.get_mut(branch)?;
        let event = Event {
            at: event.at.max(branch.end.now),
            ..event
        };
        let before = broken(&self.scenario, &branch.end);
        let end = Rc::make_mut(&mut branch.end);
        let explained = explain(&self.scenario, self.seed, end, &event, &before);
        branch.log.push(event);
        if branch.log.len().checked_rem(EVERY) == Some(0) {
            branch.snapshots.push(Rc::clone(&branch.end));
        }
        Some(explained)
    }

    /// Plays a branch to the end of its story, `events_max` events at most, and explains it.
    pub fn play(&mut self, branch: BranchId, events_max: usize) -> Vec<Explained> {
        let mut story = Vec::new();
        while story.len() < events_max
            && let Some(explained) = self.advance(branch)
        {
            story.push(explained);
        }
        story
    }

    /// Explains the event that led to state `n` (from 1); `None`: there is none.
    #[must_use]
    pub fn explained(&self, branch: BranchId, n: usize) -> Option<Explained> {
        let before = n.checked_sub(1)?;
        let event = self.branches.get(branch)?.log.get(before)?;
        let mut world = self.at(branch, before)?;
        let broken = broken(&self.scenario, &world);
        let (scenario, seed) = (&self.scenario, self.seed);
        Some(explain(scenario, seed, &mut world, event, &broken))
    }

    /// Makes a branch that is like another one up to its state `n`; `None`: no such branch.
    pub fn fork(&mut self, branch: BranchId, n: usize, name: &str) -> Option<BranchId> {
        let old = self.branches.get(branch)?;
        let n = n.min(old.log.len());
        let kept = n.checked_div(EVERY)?.saturating_add(1);
        let new = Branch {
            name: name.to_owned(),
            from: Some((branch, n)),
            log: old.log.get(..n)?.to_vec(),
            snapshots: old.snapshots.get(..kept)?.to_vec(),
            end: Rc::new(self.at(branch, n)?),
        };
        self.branches.push(new);
        self.branches.len().checked_sub(1)
    }
}

impl Branch {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The branch and the state that it was made from.
    #[must_use]
    pub const fn from(&self) -> Option<(BranchId, usize)> {
        self.from
    }

    /// What happened.
    #[must_use]
    pub fn log(&self) -> &[Event] {
        &self.log
    }

    /// The state after all of it.
    #[must_use]
    pub fn end(&self) -> &World {
        &self.end
    }
}

/// The laws that do not hold.
fn broken(scenario: &Scenario, world: &World) -> Vec<Law> {
    let broken = laws::broken(scenario, world);
    broken.map(|(law, _)| law).collect()
}

/// Takes an event and explains it; `before` are the laws that did not hold.
fn explain(
    scenario: &Scenario,
    seed: u64,
    world: &mut World,
    event: &Event,
    before: &[Law],
) -> Explained {
    let who = event.who(world);
    let mut told = Vec::new();
    world.step(scenario, seed, event, &mut told);
    let mut broken = broken(scenario, world);
    broken.retain(|law| !before.contains(law));
    Explained {
        at: world.now,
        who: who.unwrap_or(Who::Store),
        stake: told.iter().find_map(Told::stake),
        told,
        broken,
    }
}
