//! True time as a place in the picture.
//!
//! Time is true to scale where something happens, and broken where nothing does for long: a pause
//! of 35 s beside messages of 10 ms would leave nothing to see of either. Events of one instant
//! stand beside each other, in their order.

use super::together::Together;
use fencegate_core::sim::clock::Millis;

/// How wide a message is that takes as long as messages do.
const MESSAGE_PX: f64 = 44.0;
/// How wide the least step is.
const STEP_PX: f64 = 14.0;
/// A gap that would be wider than this is broken.
const GAP_PX: f64 = 110.0;
/// How wide a broken gap is, and how much wider one of twice the length.
const BREAK_PX: f64 = 64.0;
const BREAK_MORE_PX: f64 = 5.0;
/// What is left free at both ends.
pub const MARGIN_PX: f64 = 24.0;

/// The places of an order on a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// True time and place on the line of each place of the order; the first is the beginning.
    points: Vec<(Millis, f64)>,
    /// The broken gaps: between this point and the next.
    breaks: Vec<usize>,
}

/// A stretch in which nothing happens, shorter in the picture than in truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Break {
    /// From here.
    pub from_px: f64,
    /// To there.
    pub to_px: f64,
    /// How long it is in truth.
    pub lasts_ms: Millis,
}

impl Axis {
    /// The axis of an order, where messages usually take `delay_ms`.
    #[must_use]
    pub fn of(together: &Together, delay_ms: Millis) -> Self {
        let px_per_ms = MESSAGE_PX / f64::from(delay_ms.max(1));
        let mut points = vec![(0, MARGIN_PX)];
        let mut breaks = Vec::new();
        for at in together.times() {
            let (before, x) = points[points.len() - 1];
            let gap_ms = at.saturating_sub(before);
            let wide = f64::from(gap_ms) * px_per_ms;
            let wide = if wide > GAP_PX {
                breaks.push(points.len() - 1);
                // In whole doublings: a logarithm proper would be bytes for nothing that is seen.
                let doublings = ((wide / GAP_PX) as u32).max(1).ilog2();
                BREAK_PX + BREAK_MORE_PX * f64::from(doublings)
            } else {
                wide.max(STEP_PX)
            };
            points.push((at, x + wide));
        }
        Self { points, breaks }
    }

    /// How wide the whole picture is.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.points[self.points.len() - 1].1 + MARGIN_PX
    }

    /// The last place.
    #[must_use]
    pub const fn last_place(&self) -> usize {
        self.points.len() - 1
    }

    /// Where a place of the order is; the last one for those behind it.
    #[must_use]
    pub fn x_of_place(&self, place: usize) -> f64 {
        self.points[place.min(self.last_place())].1
    }

    /// Where a true time is. Of an instant with several places the first.
    #[must_use]
    pub fn x_of_time(&self, at: Millis) -> f64 {
        let after = self.points.partition_point(|(time, _)| *time < at);
        let Some(&(later, right)) = self.points.get(after) else {
            return self.x_of_place(self.last_place());
        };
        if later == at || after == 0 {
            return right;
        }
        let (earlier, left) = self.points[after - 1];
        let part = f64::from(at - earlier) / f64::from(later - earlier);
        left + (right - left) * part
    }

    /// The true time at a spot of the picture.
    #[must_use]
    pub fn time_at(&self, x: f64) -> Millis {
        let after = self.points.partition_point(|(_, px)| *px <= x);
        let (Some(&(later, right)), Some(before)) = (self.points.get(after), after.checked_sub(1))
        else {
            return if after == 0 {
                0
            } else {
                self.points[self.last_place()].0
            };
        };
        let (earlier, left) = self.points[before];
        let part = (x - left) / (right - left);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a part of a u32 that is not negative"
        )]
        let passed = (f64::from(later - earlier) * part) as Millis;
        earlier + passed
    }

    /// The place nearest to a spot of the picture.
    #[must_use]
    pub fn place_at(&self, x: f64) -> usize {
        let after = self.points.partition_point(|(_, px)| *px <= x);
        match after.checked_sub(1) {
            None => 0,
            Some(before) if after > self.last_place() => before,
            Some(before) => {
                let middle = f64::midpoint(self.points[before].1, self.points[after].1);
                if x < middle { before } else { after }
            }
        }
    }

    /// The stretches that are broken.
    pub fn breaks(&self) -> impl Iterator<Item = Break> + '_ {
        self.breaks.iter().map(|&before| Break {
            from_px: self.points[before].1,
            to_px: self.points[before + 1].1,
            lasts_ms: self.points[before + 1].0 - self.points[before].0,
        })
    }

    /// Every place: its true time and where it is.
    #[must_use]
    pub fn points(&self) -> &[(Millis, f64)] {
        &self.points
    }
}
