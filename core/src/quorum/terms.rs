//! How a proxy is configured, as far as the authority is concerned.

use crate::window::RateError;
use core::time::Duration;

/// How a proxy is configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The generation of its configuration, at least 1.
    pub generation: u32,
    /// A hash of how it maps requests to resources.
    pub mapping: u64,
    /// How long nothing is granted after this proxy learned of an init of another epoch or
    /// generation: leases of before may go on.
    pub quarantine: Duration,
    /// How long after a lease's end nobody else is granted.
    pub lock_delay: Duration,
    /// How far the rates of clocks can be trusted.
    pub rate: RateError,
    /// The window that it expects when it first reads init; `None`: any.
    pub window: Option<Duration>,
}

/// The shortest lease of the store, in seconds.
const LEASE_SECONDS_MIN: u64 = 2;

impl Terms {
    /// For how many seconds the store's own lease must run, so that a holder who was told `ttl` is
    /// outlasted, and the lock delay after it.
    #[must_use]
    pub fn lease_seconds(&self, ttl: Duration) -> u64 {
        seconds(self.rate.outlast(ttl).saturating_add(self.lock_delay))
    }
}

/// A lease of the store's that runs at least that long, in seconds.
pub(super) fn seconds(span: Duration) -> u64 {
    let begun = u64::from(span.subsec_nanos() > 0);
    span.as_secs().saturating_add(begun).max(LEASE_SECONDS_MIN)
}
