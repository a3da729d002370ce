//! The commands, one a file. Each says what it does, and each can be run again.

pub(crate) mod init;
pub(crate) mod reseed;
pub(crate) mod status;
pub(crate) mod window;

use std::time::{Duration, SystemTime};

/// An epoch for now: the second since 1970, so that it is above those of all earlier days.
fn epoch_now() -> Result<u32, String> {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let seconds = since.map(|since| since.as_secs()).unwrap_or_default();
    match u32::try_from(seconds) {
        Ok(epoch) if epoch > 0 => Ok(epoch),
        _ => Err("the clock of this computer is before 1970 or after 2106: set it right".into()),
    }
}

/// A duration as people write it.
fn millis(span: Duration) -> String {
    format!("{} ms", span.as_millis())
}
