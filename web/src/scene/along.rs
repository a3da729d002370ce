//! Where the steps of one track are on the axis, in whole pixels.

use crate::play::axis::Axis;
use crate::play::together::Together;
use fencegate_core::sim::clock::Millis;

/// The steps of a track along an axis.
pub struct Along<'a> {
    /// The axis.
    pub axis: &'a Axis,
    steps: Vec<i32>,
}

impl<'a> Along<'a> {
    /// The steps of the track at an index of an order, on the order's axis.
    #[must_use]
    pub fn of(axis: &'a Axis, together: &Together, track: usize) -> Self {
        let mut steps = vec![whole(axis.x_of_place(0))];
        for place in together.places(track) {
            steps.push(whole(axis.x_of_place(place)));
        }
        Self { axis, steps }
    }

    /// Where a step is; the last one for those behind it.
    #[must_use]
    pub fn step(&self, step: usize) -> i32 {
        let last = self.steps.last();
        *self.steps.get(step).or(last).unwrap_or(&0)
    }

    /// Where a true time is between a step and the next: of the events of one instant, each has a
    /// place of its own.
    #[must_use]
    pub fn after(&self, step: usize, at: Millis) -> i32 {
        let (from, to) = (self.step(step), self.step(step + 1));
        whole(self.axis.x_of_time(at)).clamp(from, to)
    }
}

/// The nearest whole pixel.
#[must_use]
pub fn whole(px: f64) -> i32 {
    px.round_ties_even() as i32
}

/// How long a line is that goes so far right and down: whole pixels, at least one.
#[must_use]
pub fn length(dx: i32, dy: i32) -> i32 {
    f64::from(dx * dx + dy * dy).sqrt().max(1.0) as i32
}
