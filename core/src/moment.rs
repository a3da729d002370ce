//! An instant on one monotonic clock.
//!
//! Who reads the clock is the caller's affair; here time is only compared and added.

use core::time::Duration;
use serde::{Deserialize, Serialize};

/// Nanoseconds since some origin that only the clock's owner knows.
///
/// Two moments compare only if they come from the same clock. Sums saturate: a lease that
/// would end after the last moment ends at the last moment.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Moment(u64);

impl Moment {
    /// The moment `nanos` nanoseconds after the clock's origin.
    #[must_use]
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// Nanoseconds since the clock's origin.
    #[must_use]
    pub const fn nanos(self) -> u64 {
        self.0
    }

    /// The moment `wait` later.
    #[must_use]
    pub fn after(self, wait: Duration) -> Self {
        Self(self.0.saturating_add(nanos(wait)))
    }

    /// How long from `earlier` to here; nothing if `earlier` is not earlier.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }
}

/// A duration in nanoseconds; the longest, about 584 years, where it is longer.
#[must_use]
pub fn nanos(span: Duration) -> u64 {
    let whole = span.as_secs().saturating_mul(1_000_000_000);
    whole.saturating_add(span.subsec_nanos().into())
}

/// A duration in whole milliseconds, rounded down: for what somebody may rely on.
#[must_use]
pub fn millis_down(span: Duration) -> u64 {
    let whole = span.as_secs().saturating_mul(1_000);
    whole.saturating_add(span.subsec_millis().into())
}

/// A duration in whole milliseconds, rounded up: for how long somebody must wait.
#[must_use]
pub fn millis_up(span: Duration) -> u64 {
    millis_down(span.saturating_add(Duration::from_nanos(999_999)))
}
