//! Snapshots: saved while the cluster runs, put back while it stands.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use super::options::{name, program};
use super::{Etcd, EtcdError};

/// As whom a cluster comes back from a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restored {
    /// Under its old number: nothing but its revisions, which fell, tells it from what it was.
    AsItself,
    /// Under a number of its own, as etcd's documentation advises.
    AsAnother,
}

impl Etcd {
    /// Saves what a member has to `file`.
    ///
    /// # Errors
    /// When etcdctl cannot.
    pub fn save(&self, member: usize, file: &Path) -> Result<(), EtcdError> {
        let mut command = Command::new(program("etcdctl")?);
        command.env("ETCDCTL_API", "3");
        command.args(["--endpoints", &format!("http://{}", self.control(member))]);
        said(command.args(["snapshot", "save"]).arg(file).output()?)
    }

    /// Kills every member and brings all of them back with what is in `file`.
    ///
    /// # Errors
    /// When etcdctl cannot, or the cluster does not become ready.
    pub fn restore(&mut self, file: &Path, restored: Restored) -> Result<(), EtcdError> {
        for member in &mut self.members {
            if member.runs() {
                member.kill()?;
            }
        }
        if restored == Restored::AsAnother {
            self.layout.token.push('-');
        }
        for index in 0..self.nodes() {
            let _ = fs::remove_dir_all(self.data(index));
            self.put_back(index, file)?;
            let command = self.layout.command(index)?;
            self.members[index].replace_command(command)?;
        }
        for index in 0..self.nodes() {
            self.run(index)?;
        }
        self.wait_until_ready()
    }

    fn put_back(&self, index: usize, file: &Path) -> Result<(), EtcdError> {
        // In later versions, another program does it.
        let program = program("etcdutl").or_else(|_| program("etcdctl"))?;
        let mut command = Command::new(program);
        command.env("ETCDCTL_API", "3");
        command.args(["snapshot", "restore"]).arg(file);
        command.args(["--name", &name(index)]);
        command.arg("--data-dir").arg(self.data(index));
        command.args(["--initial-cluster", &self.layout.cluster()]);
        command.args(["--initial-cluster-token", &self.layout.token]);
        command.args([
            "--initial-advertise-peer-urls",
            &self.layout.peer_url(index),
        ]);
        said(command.output()?)
    }
}

fn said(output: Output) -> Result<(), EtcdError> {
    match output.status.success() {
        true => Ok(()),
        false => {
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            Err(EtcdError::Refused(text))
        }
    }
}
