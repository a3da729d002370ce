//! An actor's clocks beside true time: a monotonic one, and a wall clock that can be stepped.
//!
//! True time is in milliseconds since the story began. A reading is a [`Moment`] of the actor's
//! own clock, and only that is ever shown to a machine.

use crate::moment::Moment;
use serde::{Deserialize, Serialize};

/// Milliseconds of true time since the story began.
pub type Millis = u32;

const MILLION: u64 = 1_000_000;
/// What every wall clock says when the story begins, before its own offset.
const WALL_MS: i64 = 1_000_000;

/// The clocks of one actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// The true time of the last change of rate.
    since: Millis,
    /// What the monotonic clock said then, in nanoseconds.
    reading: u64,
    /// How much faster than true time it runs, in millionths.
    rate_ppm: i32,
    /// Whether it stands still, as a suspended machine's does.
    stopped: bool,
    /// By how much the wall clock is ahead of the monotonic one.
    wall_ahead_ms: i64,
}

impl Clock {
    /// A clock whose wall time is `offset_ms` off.
    #[must_use]
    pub const fn new(offset_ms: i32, rate_ppm: i32) -> Self {
        Self {
            since: 0,
            reading: 0,
            rate_ppm,
            stopped: false,
            wall_ahead_ms: WALL_MS.saturating_add(offset_ms as i64),
        }
    }

    /// The monotonic reading.
    #[must_use]
    pub fn mono(&self, now: Millis) -> Moment {
        if self.stopped {
            return Moment::from_nanos(self.reading);
        }
        let passed = u64::from(now.saturating_sub(self.since)).saturating_mul(self.nanos_per_ms());
        Moment::from_nanos(self.reading.saturating_add(passed))
    }

    /// The wall reading; a wall clock before its own beginning says 0.
    #[must_use]
    pub fn wall(&self, now: Millis) -> Moment {
        shift(self.mono(now), self.wall_ahead_ms)
    }

    /// The true time at which the monotonic clock will say `reading`; `None` while it stands.
    #[must_use]
    pub fn when(&self, reading: Moment) -> Option<Millis> {
        if self.stopped {
            return None;
        }
        let left = reading.nanos().saturating_sub(self.reading);
        let millis = left.div_ceil(self.nanos_per_ms().max(1));
        let millis = u32::try_from(millis).unwrap_or(u32::MAX);
        Some(self.since.saturating_add(millis))
    }

    /// The same for the wall clock.
    #[must_use]
    pub fn when_wall(&self, reading: Moment) -> Option<Millis> {
        self.when(shift(reading, self.wall_ahead_ms.saturating_neg()))
    }

    /// Sets the wall clock forward, or back.
    pub const fn step(&mut self, by_ms: i32) {
        self.wall_ahead_ms = self.wall_ahead_ms.saturating_add(by_ms as i64);
    }

    /// Changes its rate.
    pub fn drift(&mut self, now: Millis, rate_ppm: i32) {
        self.rebase(now);
        self.rate_ppm = rate_ppm;
    }

    /// Stops it, or lets it go on.
    pub fn suspend(&mut self, now: Millis, stopped: bool) {
        self.rebase(now);
        // The wall clock is set right when the machine wakes up; only the monotonic one lost time.
        if self.stopped && !stopped {
            let slept = i64::from(now.saturating_sub(self.since));
            self.wall_ahead_ms = self.wall_ahead_ms.saturating_add(slept);
        }
        self.stopped = stopped;
        self.since = now;
    }

    /// How much faster than true time it runs, in millionths.
    #[must_use]
    pub const fn rate_ppm(&self) -> i32 {
        self.rate_ppm
    }

    fn rebase(&mut self, now: Millis) {
        if !self.stopped {
            self.reading = self.mono(now).nanos();
            self.since = now;
        }
    }

    /// One millisecond has a million nanoseconds, and as many millionths: the rate adds up exactly.
    const fn nanos_per_ms(&self) -> u64 {
        MILLION.saturating_add_signed(self.rate_ppm as i64)
    }
}

fn shift(moment: Moment, by_ms: i64) -> Moment {
    let by = by_ms.saturating_mul(MILLION as i64);
    Moment::from_nanos(moment.nanos().saturating_add_signed(by))
}
