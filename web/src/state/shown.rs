//! What is shown beside each other, in one order and on one axis.

use crate::link::{LinkError, Moment};
use crate::play::axis::Axis;
use crate::play::edit::Edit;
use crate::play::run::Run;
use crate::play::strip::Strip;
use crate::play::subject::Subject;
use crate::play::together::Together;
use crate::scene::Scene;
use fencegate_core::sim::scenario::ScenarioError;
use fencegate_core::sim::timeline::BranchId;
use std::rc::Rc;

/// One to four runs, and their picture.
#[derive(Clone, Debug)]
pub struct Shown {
    strips: Vec<Strip>,
    /// Their steps in one order.
    pub together: Rc<Together>,
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
    pub fn opening() -> Self {
        Self::told(Subject::opening()).expect("the stories can be played")
    }

    /// One subject.
    ///
    /// # Errors
    /// It cannot be played.
    pub fn told(subject: Subject) -> Result<Self, LinkError> {
        let strip = played(subject).map_err(|_| LinkError::CannotBePlayed)?;
        Ok(Self::of(vec![strip]))
    }

    /// What a moment names.
    ///
    /// # Errors
    /// It cannot be played, or one of its edits is not possible.
    pub fn again(moment: &Moment) -> Result<Self, LinkError> {
        let strips = moment.shown.iter().map(|(subject, edits, branch)| {
            let mut run = Run::new(subject).map_err(|_| LinkError::CannotBePlayed)?;
            for edit in edits {
                run = run.with(*edit).ok_or(LinkError::Damaged)?;
            }
            let branch = usize::from(*branch);
            if branch >= run.branches() {
                return Err(LinkError::Damaged);
            }
            Ok(Strip {
                subject: *subject,
                run: Rc::new(run),
                branch,
            })
        });
        Ok(Self::of(strips.collect::<Result<_, _>>()?))
    }

    fn of(strips: Vec<Strip>) -> Self {
        let together = Together::of(strips.iter().map(|strip| &**strip.track()));
        let delay_ms = strips[0].track().scenario.net.delay_ms;
        let axis = Axis::of(&together, delay_ms);
        let scenes = (0..).zip(&strips).map(|(index, strip)| {
            let place = |step| together.place(index, step);
            Rc::new(Scene::of(strip.track(), &axis, strips.len() > 1, place))
        });
        Self {
            scenes: scenes.collect(),
            together: Rc::new(together),
            axis: Rc::new(axis),
            strips,
        }
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

    /// The same with something else in the first place.
    ///
    /// # Errors
    /// It cannot be played.
    pub fn instead(&self, subject: Subject) -> Result<Self, ScenarioError> {
        let mut strips = self.strips.clone();
        strips[0] = played(subject)?;
        Ok(Self::of(strips))
    }

    /// The same with one more.
    ///
    /// # Errors
    /// It cannot be played.
    pub fn beside(&self, subject: Subject) -> Result<Self, ScenarioError> {
        let mut strips = self.strips.clone();
        strips.push(played(subject)?);
        Ok(Self::of(strips))
    }

    /// The same with one more: another branch of the first run. `None`: there is no such branch.
    #[must_use]
    pub fn beside_branch(&self, branch: BranchId) -> Option<Self> {
        let mut strips = self.strips.clone();
        let mut strip = strips[0].clone();
        if branch >= strip.run.branches() {
            return None;
        }
        strip.branch = branch;
        strips.push(strip);
        Some(Self::of(strips))
    }

    /// The same without the run at this index; the last one stays.
    #[must_use]
    pub fn without(&self, index: usize) -> Self {
        let mut strips = self.strips.clone();
        if strips.len() > 1 && index < strips.len() {
            strips.remove(index);
        }
        Self::of(strips)
    }

    /// The same with another branch of the first run; one that is not there changes nothing.
    #[must_use]
    pub fn on_branch(&self, branch: BranchId) -> Self {
        let mut strips = self.strips.clone();
        if branch < strips[0].run.branches() {
            strips[0].branch = branch;
        }
        Self::of(strips)
    }

    /// The same after a fork of the first run, which is shown then. `None`: it cannot be forked.
    #[must_use]
    pub fn with_edit(&self, edit: Edit) -> Option<Self> {
        let mut strips = self.strips.clone();
        let run = strips[0].run.with(edit)?;
        strips[0].branch = run.branches() - 1;
        strips[0].run = Rc::new(run);
        Some(Self::of(strips))
    }
}

fn played(subject: Subject) -> Result<Strip, ScenarioError> {
    Ok(Strip {
        subject,
        run: Rc::new(Run::new(&subject)?),
        branch: 0,
    })
}
