//! A played story as a picture: shapes with places and meanings, without a colour or an element.
//!
//! ```text
//!   Track + Axis --> Scene: lanes, bars, arrows, marks, brackets   (lanes over true time)
//!   World at an instant --> Nodes: actors, belief, what is under way (the same instant)
//! ```
//!
//! It refuses to know how a shape looks: components draw a meaning as they like.

pub mod arrows;
pub mod bars;
pub mod lanes;
pub mod marks;
pub mod nodes;
pub mod spans;

use crate::play::axis::Axis;
use crate::play::track::Track;
use arrows::Arrow;
use bars::{Bar, Bracket};
use lanes::Lane;
use marks::Mark;

/// The picture of one track.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// How wide it is, in pixels.
    pub width: f64,
    /// How high it is, in pixels.
    pub height: f64,
    /// Who has a lane, from the top down.
    pub lanes: Vec<Lane>,
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
    /// The picture of a track on an axis; `place` tells the place of a step in the common order.
    #[must_use]
    pub fn of(track: &Track, axis: &Axis, place: impl Fn(usize) -> usize) -> Self {
        let lanes = lanes::of(&track.scenario);
        let x_of_step = |step| axis.x_of_place(place(step));
        Self {
            width: axis.width(),
            height: lanes::height(&lanes),
            bars: bars::of(track, axis, &lanes),
            brackets: bars::brackets(track, axis, &lanes),
            arrows: arrows::of(track, axis, &lanes, &x_of_step),
            marks: marks::of(track, &lanes, &x_of_step),
            lanes,
        }
    }
}
