//! What a visitor lets happen: a fork of a branch, and one event at its beginning.

use fencegate_core::sim::clock::Millis;
use fencegate_core::sim::event::{Accident, Native, What};
use fencegate_core::sim::scenario::Scenario;
use fencegate_core::sim::who::Who;

/// The most edits of a run.
pub const EDITS_MAX: usize = 32;

/// A fork and the event that it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The branch that is forked.
    pub branch: u8,
    /// After so many of its events.
    pub step: u16,
    /// When, in true time: at that step or between it and the next.
    pub at: Millis,
    /// What happens then.
    pub what: What,
}

impl Edit {
    /// Whether all whom it is about are there.
    #[must_use]
    pub fn fits(&self, scenario: &Scenario) -> bool {
        let about = match self.what {
            What::Timer(who) => [who, who],
            What::Accident(Accident::Native(
                Native::CloseSession(by) | Native::FlushBuffers(by),
            )) => [Who::Holder(by), Who::Holder(by)],
            What::Accident(accident) => accident.about(),
            // A message that is not under way changes nothing.
            _ => return true,
        };
        scenario.has(about[0]) && scenario.has(about[1])
    }
}
