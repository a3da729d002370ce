//! One member: a process that can be started again with what it knew.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::disk::Disk;
use crate::process::{Process, Signal};

#[derive(Debug)]
pub(super) struct Member {
    command: Command,
    log: PathBuf,
    process: Option<Process>,
    disk: Option<Disk>,
}

impl Member {
    pub(super) fn new(command: Command, folder: &Path, index: usize) -> Self {
        Self {
            command,
            log: folder.join(format!("member-{index}.log")),
            process: None,
            disk: None,
        }
    }

    /// Its disk can be slowed down from the next start on.
    pub(super) fn with_disk(mut self) -> io::Result<Self> {
        self.disk = Some(Disk::under(&mut self.command)?);
        Ok(self)
    }

    /// Starts it; the number of its process.
    pub(super) fn start(&mut self) -> io::Result<u32> {
        let log: File = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.log)?;
        self.command
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log);
        let process = Process::start(&mut self.command)?;
        let number = process.number();
        self.process = Some(process);
        if let Some(disk) = &mut self.disk {
            disk.started()?;
        }
        Ok(number)
    }

    pub(super) fn replace_command(&mut self, command: Command) -> io::Result<()> {
        self.command = command;
        if self.disk.is_some() {
            self.disk = Some(Disk::under(&mut self.command)?);
        }
        Ok(())
    }

    pub(super) fn kill(&mut self) -> io::Result<()> {
        self.process.take().ok_or_else(gone)?.kill()
    }

    pub(super) fn freeze(&self) -> io::Result<()> {
        self.process.as_ref().ok_or_else(gone)?.freeze()
    }

    pub(super) fn signal(&self, signal: Signal) -> io::Result<()> {
        self.process.as_ref().ok_or_else(gone)?.signal(signal)
    }

    pub(super) fn has_ended(&mut self) -> io::Result<bool> {
        let process = self.process.as_mut().ok_or_else(gone)?;
        Ok(process.wait(Duration::ZERO)?.is_some())
    }

    pub(super) fn runs(&self) -> bool {
        self.process.is_some()
    }

    pub(super) fn slow_down(&self, delay: Duration) -> io::Result<()> {
        let disk = self.disk.as_ref();
        let disk = disk.ok_or_else(|| io::Error::other("the disk was not to be slowed down"))?;
        disk.delay(delay);
        Ok(())
    }

    pub(super) fn log_tail(&self) -> String {
        let log = fs::read(&self.log).unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(15)..].join("\n")
    }
}

fn gone() -> io::Error {
    io::Error::other("this member does not run")
}
