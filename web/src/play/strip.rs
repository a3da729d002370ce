//! One of the runs that are shown beside each other.

use super::edit::Edit;
use super::run::Run;
use super::subject::Subject;
use super::track::Track;
use fencegate_core::sim::timeline::BranchId;
use std::rc::Rc;

/// The most runs beside each other.
pub const STRIPS_MAX: usize = 4;

/// A subject, its run, and which branch of it is shown.
#[derive(Clone, Debug)]
pub struct Strip {
    /// What is played.
    pub subject: Subject,
    /// Every branch of it.
    pub run: Rc<Run>,
    /// The branch that is shown.
    pub branch: BranchId,
}

impl Strip {
    /// A subject, played, on its first branch. `None`: it cannot be played.
    #[must_use]
    pub fn of(subject: Subject) -> Option<Self> {
        Some(Self {
            subject,
            run: Rc::new(Run::new(&subject).ok()?),
            branch: 0,
        })
    }

    /// The same after a fork, on the branch that came of it. `None`: it cannot be forked.
    #[must_use]
    pub fn with(&self, edit: Edit) -> Option<Self> {
        let run = self.run.with(edit)?;
        Some(Self {
            branch: run.branches() - 1,
            run: Rc::new(run),
            ..*self
        })
    }

    /// The same on another branch; `None`: there is no such branch.
    #[must_use]
    pub fn on_branch(&self, branch: BranchId) -> Option<Self> {
        (branch < self.run.branches()).then(|| Self {
            run: Rc::clone(&self.run),
            branch,
            ..*self
        })
    }

    /// What is shown of it.
    #[must_use]
    pub fn track(&self) -> &Rc<Track> {
        self.run.track(self.branch)
    }
}
