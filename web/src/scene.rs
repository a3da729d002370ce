//! A played story as a picture: shapes with places and meanings, without a colour or an element.
//!
//! ```text
//!   Track + Axis --> Scene: lanes, bars, arrows, marks, brackets   (lanes over true time)
//!   World at an instant --> Nodes: actors, belief, what is under way (the same instant)
//! ```
//!
//! Places are whole pixels: x along true time, y across the lanes. It refuses to know how a shape
//! looks, and which way up the picture stands: components draw a meaning as they like.

pub mod along;
pub mod arrows;
pub mod bars;
pub mod belief;
pub mod lanes;
pub mod marks;
pub mod nodes;
pub mod spans;
pub mod ticks;

use crate::play::track::Track;
use along::Along;
use arrows::Arrow;
use bars::{Bar, Bracket};
use lanes::Lane;
use marks::Mark;
use ticks::{Gap, Tick};

/// The picture of one track.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// How wide it is, in pixels.
    pub width: i32,
    /// How high it is, in pixels.
    pub height: i32,
    /// How high one lane is, in pixels.
    pub lane_px: i32,
    /// Who has a lane, from the top down.
    pub lanes: Vec<Lane>,
    /// Where each step is.
    pub ticks: Vec<Tick>,
    /// Where true time is shorter in the picture than it is.
    pub gaps: Vec<Gap>,
    /// Leases in truth and in belief, pauses, crashes.
    pub bars: Vec<Bar>,
    /// How long more than one holder believed.
    pub brackets: Vec<Bracket>,
    /// The messages.
    pub arrows: Vec<Arrow>,
    /// What happened at an instant.
    pub marks: Vec<Mark>,
}

impl Scene {
    /// The picture of a track along an axis. With `compact` it is lower, since others are beside it.
    #[must_use]
    pub fn of(track: &Track, along: &Along<'_>, compact: bool) -> Self {
        let lane_px = if compact {
            lanes::LANE_COMPACT_PX
        } else {
            lanes::LANE_PX
        };
        let lanes = lanes::of(&track.scenario, lane_px);
        let bars = bars::of(track, along, &lanes);
        Self {
            width: along::whole(along.axis.width()),
            height: lanes.last().map_or(0, |lane| lane.y) + lane_px / 2,
            lane_px,
            ticks: ticks::of(track, along),
            gaps: ticks::gaps(along.axis),
            brackets: bars::brackets(track, along, &bars),
            bars,
            arrows: arrows::of(track, along, &lanes),
            marks: marks::of(track, along, &lanes),
            lanes,
        }
    }
}
