//! What happened at an instant, on somebody's lane.

use super::lanes::{self, Lane};
use crate::play::track::Track;
use fencegate_core::sim::who::Who;
use fencegate_core::token::Token;

/// What a mark means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A write was stored, and nothing was broken by it.
    Stored,
    /// A write was stored that corrupts the data.
    Corrupted,
    /// A write was let through.
    Admitted,
    /// A write was rejected: what it carried, and the mark.
    Rejected(Option<Token>, Option<Token>),
    /// The store's own condition failed.
    Refused,
    /// Somebody could not decide.
    Undecided,
    /// Something befell somebody.
    Fault,
    /// A law was broken here.
    Broken,
}

/// A mark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// On whose lane.
    pub who: Who,
    /// Where.
    pub at_px: (f64, f64),
    /// What it means.
    pub meaning: Meaning,
    /// The step that it belongs to.
    pub step: usize,
}

/// Every mark of a track.
#[must_use]
pub fn of(track: &Track, lanes: &[Lane], x_of_step: &impl Fn(usize) -> f64) -> Vec<Mark> {
    let _ = (track, x_of_step(0), lanes::y_of(lanes, Who::Store));
    Vec::new()
}
