//! The sliders: which parameters a story has, and what they may be.

use super::subject::Subject;
use fencegate_core::sim::stories::Parameters;
use std::ops::RangeInclusive;

/// A parameter of a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// How long a lease runs, in milliseconds.
    Lease,
    /// How long the pause, the stall or the cut lasts, in milliseconds.
    Pause,
    /// By how many millionths a clock is too fast or too slow.
    Drift,
    /// How long a message takes, in milliseconds.
    Delay,
}

impl Parameter {
    /// Every parameter.
    pub const ALL: [Self; 4] = [Self::Lease, Self::Pause, Self::Drift, Self::Delay];

    /// What it may be.
    #[must_use]
    pub const fn range(self) -> RangeInclusive<i32> {
        match self {
            Self::Lease | Self::Pause => 1_000..=90_000,
            Self::Drift => -300_000..=300_000,
            Self::Delay => 1..=2_000,
        }
    }

    /// From one value to the next.
    #[must_use]
    pub const fn step(self) -> i32 {
        match self {
            Self::Lease | Self::Pause => 500,
            Self::Drift => 5_000,
            Self::Delay => 1,
        }
    }

    /// What it is.
    #[must_use]
    pub fn of(self, parameters: &Parameters) -> i32 {
        let ms = match self {
            Self::Drift => return parameters.drift_ppm,
            Self::Lease => parameters.lease_ms,
            Self::Pause => parameters.pause_ms,
            Self::Delay => parameters.delay_ms,
        };
        i32::try_from(ms).unwrap_or(i32::MAX)
    }

    /// The parameters with this one set to the nearest value that it may have.
    #[must_use]
    pub fn set(self, parameters: &Parameters, value: i32) -> Parameters {
        let value = value.clamp(*self.range().start(), *self.range().end());
        let ms = value.unsigned_abs();
        let mut next = *parameters;
        match self {
            Self::Lease => next.lease_ms = ms,
            Self::Pause => next.pause_ms = ms,
            Self::Drift => next.drift_ppm = value,
            Self::Delay => next.delay_ms = ms,
        }
        next
    }
}

impl Subject {
    /// Whether the sliders allow these parameters, or the story is told with them.
    #[must_use]
    pub fn allows(&self, parameters: &Parameters) -> bool {
        let told = self.story().parameters;
        Parameter::ALL.iter().all(|parameter| {
            let value = parameter.of(parameters);
            parameter.range().contains(&value) || value == parameter.of(&told)
        })
    }

    /// Whether a parameter makes any difference to this story.
    #[must_use]
    pub fn depends_on(&self, parameter: Parameter) -> bool {
        let told = self.story().parameters;
        let other = match parameter.of(&told) {
            0 => parameter.step(),
            value => value / 2,
        };
        let changed = parameter.set(&told, other);
        self.story().build(&changed) != self.story().build(&told)
    }
}
