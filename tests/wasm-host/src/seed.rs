//! The seed of a test's dice: printed, so that a run can be repeated.

use std::time::{SystemTime, UNIX_EPOCH};

/// The seed that somebody asked for with `FENCEGATE_SEED`.
///
/// # Panics
/// When it is no number.
#[must_use]
pub fn asked() -> Option<u64> {
    let text = std::env::var("FENCEGATE_SEED").ok()?;
    Some(text.parse().expect("FENCEGATE_SEED is a number"))
}

/// A seed that differs from run to run.
#[must_use]
pub fn fresh() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_micros() as u64)
}
