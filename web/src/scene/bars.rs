//! What lasts: leases in truth and in belief, pauses and crashes, and two holders at once.

use super::lanes::{self, Lane};
use super::spans::{self, Span};
use crate::play::axis::Axis;
use crate::play::track::Track;
use fencegate_core::sim::clock::Millis;
use fencegate_core::sim::who::Who;
use fencegate_core::sim::world::{Life, World};
use fencegate_core::token::Token;

/// What a bar means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The holder has the lease, in truth.
    Lease(Option<Token>),
    /// The holder believes that it may write.
    Belief,
    /// The process stands still.
    Paused,
    /// There is no process.
    Crashed,
}

/// Something that lasts, on one lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    /// Whose.
    pub who: Who,
    /// The middle of its lane.
    pub y: f64,
    /// From here.
    pub from_px: f64,
    /// To there.
    pub to_px: f64,
    /// What it means.
    pub meaning: Meaning,
    /// From when to when, in true time.
    pub span: Span,
}

/// More than one holder believed: across these lanes.
#[derive(Clone, Debug, PartialEq)]
pub struct Bracket {
    /// From here.
    pub from_px: f64,
    /// To there.
    pub to_px: f64,
    /// The middle of the upper lane, and of the lower one.
    pub lanes_px: (f64, f64),
    /// How many.
    pub holders: usize,
    /// How long.
    pub lasts_ms: Millis,
}

/// Every bar of a track.
#[must_use]
pub fn of(track: &Track, axis: &Axis, lanes: &[Lane]) -> Vec<Bar> {
    let _ = (track, axis, lanes, Life::Runs);
    Vec::new()
}

/// Every stretch in which more than one holder believed.
#[must_use]
pub fn brackets(track: &Track, axis: &Axis, lanes: &[Lane]) -> Vec<Bracket> {
    let _ = (
        track,
        axis,
        lanes,
        spans::of(track, |_: &World| false, |_| None),
        lanes::LANE_PX,
    );
    Vec::new()
}
