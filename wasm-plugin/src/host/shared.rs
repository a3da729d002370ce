//! Shared values without their traps.
//!
//! All worker threads share these values, so each write is a compare-and-swap. Hosts disagree on
//! the edges: on Envoy the number 0 overwrites whatever is there, and any other number creates a
//! missing value; elsewhere 0 creates and never overwrites, and no other number does. What is
//! done here is right on each of them.

use super::{Cas, Host, HostError, NotSet};

/// A number that no version has reached: hosts count up from 1.
const NEVER: u32 = u32::MAX;

/// Whether a value was created or was there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Creation {
    /// It is ours.
    Created,
    /// It was there, and is untouched.
    Present,
}

/// Creates a value, unless there is one. `scratch` is overwritten.
///
/// # Errors
/// The host failed, or it has no way to create without overwriting.
pub fn create(
    host: &dyn Host,
    key: &[u8],
    value: &[u8],
    scratch: &mut Vec<u8>,
) -> Result<Creation, HostError> {
    match host.set_shared(key, value, NEVER) {
        Ok(()) => return Ok(Creation::Created),
        Err(NotSet::Failed(error)) => return Err(error),
        Err(NotSet::Mismatch) => {}
    }
    if host.shared(key, scratch)?.is_some() {
        return Ok(Creation::Present);
    }
    // Refused and still missing: a host on which only 0 creates, and 0 never overwrites.
    match host.set_shared(key, value, 0) {
        Ok(()) => Ok(Creation::Created),
        Err(NotSet::Mismatch) => Ok(Creation::Present),
        Err(NotSet::Failed(error)) => Err(error),
    }
}

/// Replaces the value of version `cas`.
///
/// # Errors
/// Another version is there, or the host failed.
pub fn replace(host: &dyn Host, key: &[u8], value: &[u8], cas: Cas) -> Result<(), NotSet> {
    if cas.0 == 0 {
        // A version that cannot be told from "whatever is there" is not one to replace.
        return Err(NotSet::Mismatch);
    }
    #[cfg(feature = "naive-store")]
    return naive(host, key, value);
    #[cfg(not(feature = "naive-store"))]
    host.set_shared(key, value, cas.0)
}

/// What must not be done: overwrites whatever is there, some time after it was read. The hammer
/// is shown to find what follows from it.
#[cfg(feature = "naive-store")]
fn naive(host: &dyn Host, key: &[u8], value: &[u8]) -> Result<(), NotSet> {
    let wait = core::time::Duration::from_micros(100);
    let begin = host.now().map_err(NotSet::Failed)?;
    while host.now().map_err(NotSet::Failed)?.since(begin) < wait {}
    host.set_shared(key, value, 0)
}
