//! One of the runs that are shown beside each other.

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
    /// What is shown of it.
    #[must_use]
    pub fn track(&self) -> &Rc<Track> {
        self.run.track(self.branch)
    }
}
