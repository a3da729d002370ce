//! What is shown beside each other, in one order and on one axis.

use crate::link::{LinkError, Moment};
use crate::play::axis::Axis;
use crate::play::edit::Edit;
use crate::play::strip::Strip;
use crate::play::subject::Subject;
use crate::play::together::Together;
use crate::play::track::Track;
use crate::scene::Scene;
use crate::scene::along::Along;
use fencegate_core::sim::timeline::BranchId;
use std::rc::Rc;

/// One to four runs, and their picture.
#[derive(Clone, Debug)]
pub struct Shown {
    strips: Vec<Strip>,
    /// Their steps in one order.
    pub together: Together,
    /// That order on a line.
    pub axis: Rc<Axis>,
    /// The picture of each.
    pub scenes: Vec<Rc<Scene>>,
}

impl Shown {
    /// What the page opens on.
    ///
    /// # Panics
    /// Never: the stories can be played, which a test shows.
    #[must_use]
    pub fn opening() -> Rc<Self> {
        Self::told(Subject::opening()).expect("the stories can be played")
    }

    /// One subject.
    ///
    /// # Errors
    /// It cannot be played.
    pub fn told(subject: Subject) -> Result<Rc<Self>, LinkError> {
        let strip = Strip::of(subject).ok_or(LinkError::CannotBePlayed)?;
        Ok(Self::of(vec![strip]))
    }

    /// What a moment names.
    ///
    /// # Errors
    /// It cannot be played, or one of its edits is not possible.
    pub fn again(moment: &Moment) -> Result<Rc<Self>, LinkError> {
        let mut strips = Vec::new();
        for (subject, edits, branch) in &moment.shown {
            let mut strip = Strip::of(*subject).ok_or(LinkError::CannotBePlayed)?;
            for edit in edits {
                strip = strip.with(*edit).ok_or(LinkError::Damaged)?;
            }
            let strip = strip.on_branch(usize::from(*branch));
            strips.push(strip.ok_or(LinkError::Damaged)?);
        }
        Ok(Self::of(strips))
    }

    fn of(strips: Vec<Strip>) -> Rc<Self> {
        let tracks: Vec<&Track> = strips.iter().map(|strip| &**strip.track()).collect();
        let together = Together::of(&tracks);
        let delay_ms = strips[0].track().scenario.net.delay_ms;
        let axis = Axis::of(&together, delay_ms);
        let mut scenes = Vec::new();
        for (index, strip) in strips.iter().enumerate() {
            let along = Along::of(&axis, &together, index);
            let scene = Scene::of(strip.track(), &along, strips.len() > 1);
            scenes.push(Rc::new(scene));
        }
        Rc::new(Self {
            strips,
            together,
            axis: Rc::new(axis),
            scenes,
        })
    }

    /// The runs; there is at least one.
    #[must_use]
    pub fn strips(&self) -> &[Strip] {
        &self.strips
    }

    /// The run at this index, or the first one.
    #[must_use]
    pub fn strip(&self, index: usize) -> &Strip {
        self.strips.get(index).unwrap_or(&self.strips[0])
    }

    /// The place of the moment that says most of the first run.
    #[must_use]
    pub fn key(&self) -> usize {
        self.together.place(0, self.strips[0].track().key())
    }

    /// The same with something else in the first place. `None`: it cannot be played.
    #[must_use]
    pub fn instead(&self, subject: Subject) -> Option<Rc<Self>> {
        Some(self.with_first(Strip::of(subject)?))
    }

    fn with_first(&self, first: Strip) -> Rc<Self> {
        let mut strips = self.strips.clone();
        strips[0] = first;
        Self::of(strips)
    }

    /// The same with one more.
    #[must_use]
    pub fn beside(&self, strip: Strip) -> Rc<Self> {
        let mut strips = self.strips.clone();
        strips.push(strip);
        Self::of(strips)
    }

    /// The same without the run at this index; the last one stays.
    #[must_use]
    pub fn without(&self, index: usize) -> Rc<Self> {
        let mut strips = self.strips.clone();
        if strips.len() > 1 && index < strips.len() {
            strips.remove(index);
        }
        Self::of(strips)
    }

    /// The same with another branch of the first run; one that is not there changes nothing.
    #[must_use]
    pub fn on_branch(&self, branch: BranchId) -> Rc<Self> {
        let first = &self.strips[0];
        self.with_first(first.on_branch(branch).unwrap_or_else(|| first.clone()))
    }

    /// The same after a fork of the first run, which is shown then. `None`: it cannot be forked.
    #[must_use]
    pub fn with_edit(&self, edit: Edit) -> Option<Rc<Self>> {
        Some(self.with_first(self.strips[0].with(edit)?))
    }
}
