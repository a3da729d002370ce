//! The axis: where which true time is, and where it is broken.

use super::along::{Along, whole};
use crate::play::axis::Axis;
use crate::play::track::Track;
use fencegate_core::sim::clock::Millis;

/// How far two times that are written out are apart.
const LABEL_PX: i32 = 62;

/// A step on the axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tick {
    /// Where.
    pub x: i32,
    /// Its true time.
    pub at: Millis,
    /// Whether there is room to write it.
    pub written: bool,
}

/// A stretch in which nothing happens, shorter in the picture than in truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// From here.
    pub from_px: i32,
    /// To there.
    pub to_px: i32,
    /// How long it is in truth.
    pub lasts_ms: Millis,
}

/// Every step of a track.
#[must_use]
pub fn of(track: &Track, along: &Along<'_>) -> Vec<Tick> {
    let (mut free, mut last) = (0, None);
    let mut ticks = Vec::new();
    for step in 0..=track.last() {
        let (x, at) = (along.step(step), track.time(step));
        let written = last != Some(at) && free <= x;
        if written {
            (free, last) = (x + LABEL_PX, Some(at));
        }
        ticks.push(Tick { x, at, written });
    }
    ticks
}

/// Every broken gap of an axis.
#[must_use]
pub fn gaps(axis: &Axis) -> Vec<Gap> {
    let mut gaps = Vec::new();
    for gap in axis.breaks() {
        gaps.push(Gap {
            from_px: whole(gap.from_px),
            to_px: whole(gap.to_px),
            lasts_ms: gap.lasts_ms,
        });
    }
    gaps
}
