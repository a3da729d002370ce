//! A subject, played to its end, with every branch that the visitor forked.

use super::edit::{EDITS_MAX, Edit};
use super::subject::{SEED, Subject};
use super::track::Track;
use fencegate_core::sim::clock::Millis;
use fencegate_core::sim::event::{Event, What};
use fencegate_core::sim::scenario::ScenarioError;
use fencegate_core::sim::timeline::{BranchId, Timeline};
use std::rc::Rc;

/// The most events of a branch: a story has some hundred.
const EVENTS_MAX: usize = 2_000;

/// A subject, played.
#[derive(Clone, Debug)]
pub struct Run {
    timeline: Timeline,
    edits: Vec<Edit>,
    tracks: Vec<Rc<Track>>,
}

impl Run {
    /// Plays a subject to the end of its story.
    ///
    /// # Errors
    /// The scenario cannot be played.
    pub fn new(subject: &Subject) -> Result<Self, ScenarioError> {
        let mut timeline = Timeline::new(subject.scenario(), SEED)?;
        timeline.play(0, EVENTS_MAX);
        let tracks = vec![Rc::new(Track::of(&timeline, 0))];
        Ok(Self {
            timeline,
            edits: Vec::new(),
            tracks,
        })
    }

    /// The edits, oldest first: edit `n` made branch `n + 1`.
    #[must_use]
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// When and for what a branch was forked; the first one was not.
    #[must_use]
    pub fn fork(&self, branch: BranchId) -> Option<(Millis, What)> {
        let edit = self.edits.get(branch.checked_sub(1)?)?;
        Some((edit.at, edit.what))
    }

    /// How many branches there are.
    #[must_use]
    pub const fn branches(&self) -> usize {
        self.tracks.len()
    }

    /// A branch, or the first one.
    ///
    /// # Panics
    /// Never: there is a first branch.
    #[must_use]
    pub fn track(&self, branch: BranchId) -> &Rc<Track> {
        self.tracks.get(branch).unwrap_or(&self.tracks[0])
    }

    /// Forks a branch and lets something happen there; nothing is discarded. `None`: there are as
    /// many edits as there may be, there is no such branch, or nobody whom it could befall.
    #[must_use]
    pub fn with(&self, edit: Edit) -> Option<Self> {
        if self.edits.len() >= EDITS_MAX || !edit.fits(self.timeline.scenario()) {
            return None;
        }
        let mut next = self.clone();
        let forked = next
            .timeline
            .fork(edit.branch.into(), edit.step.into(), "")?;
        let event = Event {
            at: edit.at,
            what: edit.what,
        };
        next.timeline.take(forked, event)?;
        next.timeline.play(forked, EVENTS_MAX);
        next.tracks.push(Rc::new(Track::of(&next.timeline, forked)));
        next.edits.push(edit);
        Some(next)
    }
}
