//! A member's disk, slowed down: each `fsync` and `fdatasync` of it takes as long as is said here.
//!
//! etcd makes its system calls itself, so that no library can be put between. The kernel can:
//! it holds such a call until somebody who was told of it lets it go on (seccomp's user notification,
//! Linux 5.5, without root).

#[cfg(target_os = "linux")]
mod held;

use std::io;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The disk of one member.
#[derive(Debug)]
pub(super) struct Disk {
    delay: Arc<Delay>,
    #[cfg(target_os = "linux")]
    told: std::os::unix::net::UnixStream,
}

/// By how much each write is delayed now.
#[derive(Debug, Default)]
struct Delay(AtomicU64);

impl Delay {
    fn now(&self) -> Duration {
        Duration::from_micros(self.0.load(Ordering::Relaxed))
    }
}

impl Disk {
    /// From now on, what `command` starts has such a disk.
    #[cfg(target_os = "linux")]
    pub(super) fn under(command: &mut Command) -> io::Result<Self> {
        let delay = Arc::default();
        let told = held::hold(command)?;
        Ok(Self { delay, told })
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn under(_: &mut Command) -> io::Result<Self> {
        Err(io::Error::other("only Linux can slow down a disk"))
    }

    /// The command was started.
    pub(super) fn started(&mut self) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        held::let_go(&self.told, Arc::clone(&self.delay))?;
        Ok(())
    }

    pub(super) fn delay(&self, delay: Duration) {
        let micros = u64::try_from(delay.as_micros()).unwrap_or(u64::MAX);
        self.delay.0.store(micros, Ordering::Relaxed);
    }
}
