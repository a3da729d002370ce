//! Two clocks read together, and how far their rates can be trusted.

use crate::moment::{Moment, nanos};
use core::time::Duration;
use serde::{Deserialize, Serialize};

/// The two clocks of one machine, read at one instant.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(deny_unknown_fields)]
pub struct Instants {
    /// The monotonic clock: never steps, but stands still while the machine is suspended.
    pub mono: Moment,
    /// The wall clock: goes on meanwhile, but may be stepped.
    pub wall: Moment,
}

impl Instants {
    /// Whether less than `span` has passed since `earlier` by both clocks. A clock that went
    /// backwards proves nothing.
    #[must_use]
    pub fn is_within(self, span: Duration, earlier: Self) -> bool {
        let passed_less = |now: Moment, then: Moment| now >= then && now.since(then) < span;
        passed_less(self.mono, earlier.mono) && passed_less(self.wall, earlier.wall)
    }
}

/// By how many millionths a clock's rate may differ from true time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateError {
    /// Millionths; with 1,000,000 or more no wait is long enough.
    pub ppm: u32,
}

impl RateError {
    /// What is taken of a computer's clock, by proxies and operators alike. A crystal is off by 100
    /// millionths at most, and `ntpd` corrects by 500 at most: what is left is for what a virtual machine
    /// adds. A time server that may correct faster (chrony's `maxslewrate`) must be told not to.
    pub const ASSUMED: Self = Self { ppm: 1_000 };

    /// How long to wait by a clock that may run fast, so that `span` has passed by one that may
    /// run slow: times (1 + r) / (1 - r), rounded up.
    #[must_use]
    pub fn outlast(self, span: Duration) -> Duration {
        let whole = 1_000_000_u64;
        let fast = whole.saturating_add(self.ppm.into());
        let slow = whole.saturating_sub(self.ppm.into());
        let span = nanos(span);
        let wait = span.checked_div(slow).map_or(u64::MAX, |times| {
            // What is over is less than `slow`, so that this product stays far below 2^64.
            let over = span.checked_rem(slow).unwrap_or_default();
            let over = over.saturating_mul(fast);
            let up = u64::from(over.checked_rem(slow) != Some(0));
            let over = over.checked_div(slow).unwrap_or_default();
            times
                .saturating_mul(fast)
                .saturating_add(over)
                .saturating_add(up)
        });
        Duration::from_nanos(wait)
    }
}
