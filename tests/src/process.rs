//! Children that never outlive the program that started them.
//!
//! A [`Process`] is stopped when it is dropped, so also when a test panics: first asked (SIGTERM,
//! after a SIGCONT in case it was frozen), then killed. For a Ctrl-C, which runs no destructors,
//! [`end_all_on_signal`] does the same by a list of what is running.

use std::fs;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

pub use rustix::process::Signal;
use rustix::process::{Pid, WaitOptions, kill_process, waitpid};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// How long a child may take to end after it was asked to.
const GRACE: Duration = Duration::from_secs(3);

static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// A running child, and no longer than this value lives.
#[derive(Debug)]
pub struct Process {
    child: Child,
    pid: Pid,
}

impl Process {
    /// Starts the command.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let child = command.spawn()?;
        let pid = Pid::from_child(&child);
        running.push(pid);
        Ok(Self { child, pid })
    }

    /// The child itself, to take its pipes.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Sends a signal, for instance [`Signal::STOP`].
    ///
    /// # Errors
    /// When the child has ended.
    pub fn signal(&self, signal: Signal) -> io::Result<()> {
        kill_process(self.pid, signal).map_err(io::Error::from)
    }

    /// Freezes the child (SIGSTOP), and waits until each of its threads stands still: on a busy computer
    /// some go on for a moment.
    ///
    /// # Errors
    /// When the child has ended, or does not stand still within three seconds.
    pub fn freeze(&self) -> io::Result<()> {
        self.signal(Signal::STOP)?;
        let start = Instant::now();
        while !self.stands_still()? {
            if start.elapsed() > GRACE {
                return Err(io::ErrorKind::TimedOut.into());
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }

    fn stands_still(&self) -> io::Result<bool> {
        for thread in fs::read_dir(format!("/proc/{}/task", self.number()))? {
            // A thread may end meanwhile.
            let stat = fs::read_to_string(thread?.path().join("stat")).unwrap_or_default();
            let state = stat.rsplit(')').next().unwrap_or_default().trim_start();
            if !state.is_empty() && !state.starts_with('T') {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The child's number.
    pub fn number(&self) -> u32 {
        self.child.id()
    }

    /// Kills the child, which cannot object, and waits for its end.
    ///
    /// # Errors
    /// When it has ended, or the operating system cannot say.
    pub fn kill(&mut self) -> io::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Waits for the child's own end; `None` when it still runs after `limit`.
    ///
    /// # Errors
    /// When the operating system cannot say.
    pub fn wait(&mut self, limit: Duration) -> io::Result<Option<ExitStatus>> {
        let start = Instant::now();
        loop {
            let ended = self.child.try_wait()?;
            if ended.is_some() || start.elapsed() >= limit {
                return Ok(ended);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Ends the child: asks first, then kills. Nothing happens when it has ended already.
    pub fn stop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.signal(Signal::TERM).ok();
            self.signal(Signal::CONT).ok();
            if !matches!(self.wait(GRACE), Ok(Some(_))) {
                self.child.kill().ok();
            }
        }
        self.child.wait().ok();
        RUNNING
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .retain(|pid| *pid != self.pid);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stop();
    }
}

/// From now on SIGINT and SIGTERM end every child, then do `last`, and end this program with the
/// exit code that it returns.
///
/// # Errors
/// When the handler cannot be set.
pub fn end_all_on_signal(last: impl FnOnce() -> i32 + Send + 'static) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    std::thread::spawn(move || {
        signals.forever().next();
        // The list stays locked, so that nothing is started any more.
        let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        for pid in running.iter() {
            kill_process(*pid, Signal::KILL).ok();
            waitpid(Some(*pid), WaitOptions::empty()).ok();
        }
        std::process::exit(last());
    });
    Ok(())
}

/// Blocks until SIGINT or SIGTERM arrives.
///
/// # Errors
/// When the handler cannot be set.
pub fn wait_for_stop_signal() -> io::Result<()> {
    Signals::new([SIGINT, SIGTERM])?.forever().next();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frozen_child_is_gone_when_its_value_is() {
        let process = Process::start(Command::new("sleep").arg("60")).expect("a child");
        let pid = process.pid;
        process.signal(Signal::STOP).expect("frozen");
        let start = Instant::now();
        drop(process);
        assert!(start.elapsed() < GRACE, "it ended when it was asked");
        assert!(
            rustix::process::test_kill_process(pid).is_err(),
            "nobody has that number"
        );
    }
}
