//! The seed of a test's dice: printed, so that a run can be repeated.

use std::time::{SystemTime, UNIX_EPOCH};

/// The seed of this run: `FENCEGATE_SEED` if it is set, else a new one; printed in both cases.
///
/// # Panics
/// When `FENCEGATE_SEED` is set to something that is no number.
pub fn announced(test: &str) -> u64 {
    let seed = match std::env::var("FENCEGATE_SEED") {
        Ok(text) => text.parse().expect("FENCEGATE_SEED is a number"),
        // Any number will do; it only has to differ from run to run.
        Err(_) => SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_micros() as u64),
    };
    println!("{test}: FENCEGATE_SEED={seed}");
    seed
}
