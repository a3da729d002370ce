//! One branch, played: every state and what led to it.

use super::kind::Kind;
use fencegate_core::sim::clock::Millis;
use fencegate_core::sim::event::Event;
use fencegate_core::sim::laws::Law;
use fencegate_core::sim::scenario::Scenario;
use fencegate_core::sim::timeline::{BranchId, Timeline};
use fencegate_core::sim::told::Explained;
use fencegate_core::sim::world::World;

/// One branch, played to its end. Step `n` is the state after `n` events; step 0 is the beginning.
#[derive(Clone, Debug)]
pub struct Track {
    /// The scenario.
    pub scenario: Scenario,
    /// The state at each step.
    pub worlds: Vec<World>,
    /// What happened.
    pub log: Vec<Event>,
    /// Event `n` leads from step `n` to step `n + 1`.
    pub events: Vec<Explained>,
}

impl Track {
    /// A branch of a timeline; one that is not there is empty.
    #[must_use]
    pub fn of(timeline: &Timeline, branch: BranchId) -> Self {
        let (mut log, mut worlds, mut events) = (Vec::new(), Vec::new(), Vec::new());
        if let Some(branch) = timeline.branches().get(branch) {
            log.extend_from_slice(branch.log());
        }
        for step in 0..=log.len() {
            worlds.extend(timeline.at(branch, step));
            if step > 0 {
                events.extend(timeline.explained(branch, step));
            }
        }
        Self {
            scenario: timeline.scenario().clone(),
            worlds,
            log,
            events,
        }
    }

    /// The last step.
    #[must_use]
    pub const fn last(&self) -> usize {
        self.events.len()
    }

    /// The state at a step, or the last one.
    ///
    /// # Panics
    /// Never: the beginning is a state.
    #[must_use]
    pub fn world(&self, step: usize) -> &World {
        &self.worlds[step.min(self.worlds.len() - 1)]
    }

    /// What led to a step; nothing led to the beginning.
    #[must_use]
    pub fn led_to(&self, step: usize) -> Option<&Explained> {
        self.events.get(step.checked_sub(1)?)
    }

    /// The true time of a step.
    #[must_use]
    pub fn time(&self, step: usize) -> Millis {
        self.world(step).now
    }

    /// The first step at which a law is broken.
    #[must_use]
    pub fn first_broken(&self) -> Option<usize> {
        self.first(&|event| !event.broken.is_empty())
    }

    /// The step at which this law was broken first.
    #[must_use]
    pub fn broken_at(&self, law: Law) -> Option<usize> {
        self.first(&|event| event.broken.contains(&law))
    }

    /// The next step of a kind after `step`, or the one before it.
    #[must_use]
    pub fn near(&self, step: usize, kind: Kind, forward: bool) -> Option<usize> {
        let is = |at: &usize| self.led_to(*at).is_some_and(|event| kind.fits(event));
        if forward {
            (step + 1..=self.last()).find(is)
        } else {
            (1..step).rev().find(is)
        }
    }

    /// The moment that says most: the law that the story is about is broken, else the data is
    /// corrupted, else a write is refused, else any law is broken, else the last write lands.
    #[must_use]
    pub fn key(&self) -> usize {
        let breaks_the_data = |event: &Explained| {
            let mut laws = event.broken.iter();
            laws.any(|law| Kind::is_of_the_data(*law))
        };
        let promised = self.scenario.breaks.first();
        promised
            .and_then(|law| self.broken_at(*law))
            .or_else(|| self.first(&breaks_the_data))
            .or_else(|| self.near(0, Kind::Rejection, true))
            .or_else(|| self.first_broken())
            .or_else(|| self.near(self.last() + 1, Kind::Write, false))
            .unwrap_or_else(|| self.last())
    }

    /// The first step whose event is such a one.
    fn first(&self, is: &dyn Fn(&Explained) -> bool) -> Option<usize> {
        let mut events = self.events.iter();
        Some(events.position(is)? + 1)
    }
}
