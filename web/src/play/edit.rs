//! What a visitor lets happen: a fork of a branch, and one event at its beginning.

use fencegate_core::sim::clock::Millis;
use fencegate_core::sim::event::What;

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
