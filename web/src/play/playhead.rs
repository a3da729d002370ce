//! Where the player is.

use super::axis::Axis;

/// A place, and how far it is on the way to the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Playhead {
    /// The place in the common order.
    pub place: usize,
    /// How far the picture is on its way to the next place: 0 to less than 1. No state depends on it.
    pub between: f64,
}

/// How fast the player goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Speed {
    /// For the first time.
    Quarter,
    /// A little slower.
    Half,
    /// As usual.
    #[default]
    Usual,
    /// Faster.
    Double,
    /// To skim.
    Fourfold,
}

/// How far the picture goes in a second at the usual speed.
const PIXELS_A_SECOND: f64 = 72.0;

impl Speed {
    /// Every speed, slowest first.
    pub const ALL: [Self; 5] = [
        Self::Quarter,
        Self::Half,
        Self::Usual,
        Self::Double,
        Self::Fourfold,
    ];

    /// How many times the usual speed.
    #[must_use]
    pub const fn times(self) -> f64 {
        match self {
            Self::Quarter => 0.25,
            Self::Half => 0.5,
            Self::Usual => 1.0,
            Self::Double => 2.0,
            Self::Fourfold => 4.0,
        }
    }
}

impl Playhead {
    /// At a place.
    #[must_use]
    pub const fn at(place: usize) -> Self {
        Self {
            place,
            between: 0.0,
        }
    }

    /// Where it is in the picture.
    #[must_use]
    pub fn x(self, axis: &Axis) -> f64 {
        let from = axis.x_of_place(self.place);
        let to = axis.x_of_place(self.place + 1);
        from + (to - from) * self.between
    }

    /// So many milliseconds later. It stops at the last place.
    #[must_use]
    pub fn after(self, elapsed_ms: f64, speed: Speed, axis: &Axis) -> Self {
        // A tab that slept must not leap.
        let elapsed_ms = elapsed_ms.clamp(0.0, 100.0);
        let mut left = elapsed_ms / 1000.0 * PIXELS_A_SECOND * speed.times();
        let mut head = self;
        while head.place < axis.last_place() {
            let from = head.x(axis);
            let to = axis.x_of_place(head.place + 1);
            if left < to - from {
                let whole = to - axis.x_of_place(head.place);
                head.between = (from + left - axis.x_of_place(head.place)) / whole;
                return head;
            }
            left -= to - from;
            head = Self::at(head.place + 1);
        }
        Self::at(axis.last_place())
    }
}
