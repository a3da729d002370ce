//! A real etcd of one or more members, each of which can be killed, stopped, cut off and slowed down.
//!
//! `FENCEGATE_ETCD` names the binary, beside which etcdctl lies; `make test` sets it. The data lies in
//! a temporary folder that goes away with the cluster; when a test fails, the ends of the logs are
//! printed first. It is started with etcd's own settings, so that what is seen here is what a
//! user will see.
//!
//! ```text
//!   options       how it is started        member    one process
//!   links         what lies between the members, so that one can be cut off
//!   call          its JSON gateway          backup    snapshots: saved, put back
//!   certificates  for TLS                   users     users and roles, switched on
//!   disk          a member's disk, slowed down
//!   operate       the operator's commands
//!   keys          what is in it, past every proxy
//! ```

mod backup;
mod call;
mod certificates;
mod disk;
mod keys;
mod links;
mod member;
mod operate;
mod options;
mod ports;
mod users;

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

pub use backup::Restored;
pub use call::{call, call_with, call_within};
pub use certificates::Certificates;
pub use options::Options;
pub use users::User;

use crate::http::Answer;
use crate::process::Signal;
use links::Links;
use member::Member;
use options::Layout;

/// How long a cluster may take to serve, and to have a leader again.
const READY_MAX: Duration = Duration::from_secs(20);

/// Why there is no etcd.
#[derive(Debug, thiserror::Error)]
pub enum EtcdError {
    /// The environment variable does not name a file.
    #[error("FENCEGATE_ETCD names no {0}: run `make test`, or `./setup etcd` first")]
    Missing(&'static str),
    /// It ended, or did not serve in time; with the ends of the logs.
    #[error("etcd did not become ready; the logs end:\n{0}")]
    NotReady(String),
    /// A program of etcd's said no.
    #[error("{0}")]
    Refused(String),
    /// Files or sockets.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A running cluster. Dropping it stops every member and removes the data.
#[derive(Debug)]
pub struct Etcd {
    members: Vec<Member>,
    links: Option<Links>,
    layout: Layout,
    certificates: Option<Certificates>,
    folder: TempDir,
}

impl Etcd {
    /// Starts a cluster of so many members and waits until each of them serves.
    ///
    /// # Errors
    /// See [`EtcdError`].
    pub fn start(nodes: usize) -> Result<Self, EtcdError> {
        Self::start_with(Options::of(nodes))
    }

    /// Like [`Self::start`], with options.
    ///
    /// # Errors
    /// See [`EtcdError`].
    pub fn start_with(options: Options) -> Result<Self, EtcdError> {
        let mut last = None;
        // Between finding a port and using it, somebody else may take it.
        for _ in 0..3 {
            match Self::try_start(&options) {
                Ok(etcd) => return Ok(etcd),
                Err(error @ EtcdError::NotReady(_)) => last = Some(error),
                Err(error) => return Err(error),
            }
        }
        Err(last.unwrap_or_else(|| EtcdError::NotReady(String::new())))
    }

    fn try_start(options: &Options) -> Result<Self, EtcdError> {
        let folder = tempfile::tempdir()?;
        let certificates = match options.tls {
            true => Some(Certificates::write(folder.path())?),
            false => None,
        };
        let (layout, links) = Layout::of(options, folder.path())?;
        let mut etcd = Self {
            members: Vec::new(),
            links,
            layout,
            certificates,
            folder,
        };
        for index in 0..options.nodes {
            let command = etcd.layout.command(index)?;
            let member = Member::new(command, etcd.folder.path(), index);
            etcd.members.push(match options.slow_disk {
                true => member.with_disk()?,
                false => member,
            });
        }
        for index in 0..options.nodes {
            etcd.run(index)?;
        }
        etcd.wait_until_ready()?;
        Ok(etcd)
    }

    /// How many members there are, running or not.
    pub fn nodes(&self) -> usize {
        self.members.len()
    }

    /// Where a member serves clients: with TLS, where the options ask for that.
    pub fn address(&self, member: usize) -> SocketAddr {
        self.layout.clients[member]
    }

    /// Where each of them serves clients.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.layout.clients.clone()
    }

    /// Where a member serves whoever looks after it, always without TLS: the tests.
    pub fn control(&self, member: usize) -> SocketAddr {
        self.layout.controls[member]
    }

    /// The certificates, where there is TLS.
    pub fn certificates(&self) -> Option<&Certificates> {
        self.certificates.as_ref()
    }

    /// Calls a member's JSON gateway.
    ///
    /// # Errors
    /// When there is no answer within ten seconds.
    pub fn call(&self, member: usize, path: &str, body: &Value) -> io::Result<Answer> {
        call(self.control(member), path, body)
    }

    /// Kills a member, as by `kill -9`.
    ///
    /// # Errors
    /// When it does not run.
    pub fn kill(&mut self, member: usize) -> io::Result<()> {
        self.members[member].kill()
    }

    /// Starts a member that was killed, with its data. It need not be ready yet.
    ///
    /// # Errors
    /// See [`EtcdError`].
    pub fn restart(&mut self, member: usize) -> Result<(), EtcdError> {
        self.run(member)
    }

    /// Freezes a member: it keeps its connections and does nothing.
    ///
    /// # Errors
    /// When it does not run.
    pub fn stop(&self, member: usize) -> io::Result<()> {
        self.members[member].freeze()
    }

    /// Lets a frozen member go on.
    ///
    /// # Errors
    /// When it does not run.
    pub fn resume(&self, member: usize) -> io::Result<()> {
        self.members[member].signal(Signal::CONT)
    }

    /// Cuts a member off from all others, both ways: nothing gets through, and nobody is told. Clients
    /// still reach it.
    ///
    /// # Panics
    /// When the cluster was started without links.
    pub fn cut_off(&self, member: usize) {
        let links = self.links.as_ref().expect("a cluster with links");
        links.cut_off(member);
    }

    /// Undoes [`Self::cut_off`]: what was on the way arrives late.
    ///
    /// # Panics
    /// When the cluster was started without links.
    pub fn reconnect(&self, member: usize) {
        let links = self.links.as_ref().expect("a cluster with links");
        links.reconnect(member);
    }

    /// Delays each write of a member to its disk by so much; zero: no longer.
    ///
    /// # Errors
    /// When the cluster was not started with [`Options::slow_disk`].
    pub fn slow_down(&self, member: usize, delay: Duration) -> io::Result<()> {
        self.members[member].slow_down(delay)
    }

    /// The member that leads, in the highest term that any member that answers knows of.
    pub fn leader(&self) -> Option<usize> {
        let leads = |member: usize| {
            let status = self.status(member)?;
            let number = |value: &Value| value.as_str()?.parse::<u64>().ok();
            let leads = status["leader"] == status["header"]["member_id"];
            let term = number(&status["raftTerm"]).or_else(|| number(&status["raft_term"]));
            term.filter(|_| leads).map(|term| (term, member))
        };
        let leader = (0..self.nodes()).filter_map(leads).max();
        leader.map(|(_, member)| member)
    }

    /// Waits for a leader among the members that are not in `without`.
    ///
    /// # Errors
    /// When there is none in time.
    pub fn wait_for_leader(&self, without: &[usize]) -> Result<usize, EtcdError> {
        let start = Instant::now();
        while start.elapsed() < READY_MAX {
            match self.leader() {
                Some(leader) if !without.contains(&leader) => return Ok(leader),
                _ => std::thread::sleep(Duration::from_millis(20)),
            }
        }
        Err(EtcdError::NotReady(self.log_tails()))
    }

    /// Waits until each member that runs serves what takes a majority.
    ///
    /// # Errors
    /// When one does not in time.
    pub fn wait_until_ready(&mut self) -> Result<(), EtcdError> {
        let start = Instant::now();
        for member in 0..self.nodes() {
            while !self.serves(member) {
                if !self.members[member].has_ended()? && start.elapsed() < READY_MAX {
                    std::thread::sleep(Duration::from_millis(10));
                } else {
                    return Err(EtcdError::NotReady(self.log_tails()));
                }
            }
        }
        Ok(())
    }

    /// Whether a member answers a reading that takes a majority.
    pub fn serves(&self, member: usize) -> bool {
        let body = json!({ "key": "cmVhZHk=" });
        let answer = call_within(self.control(member), "/v3/kv/range", &body, LOOK);
        // With users on, it is as ready when it asks who is there.
        answer.is_ok_and(|answer| answer.status == 200 || answer.status == 400)
    }

    /// What a member says of itself; `None`: it does not answer within 0.3 s.
    pub fn status(&self, member: usize) -> Option<Value> {
        let path = "/v3/maintenance/status";
        let answer = call_within(self.control(member), path, &json!({}), LOOK).ok()?;
        (answer.status == 200).then(|| answer.json())
    }

    /// The version of etcd, like `3.4.23`.
    ///
    /// # Errors
    /// When the first member does not answer.
    pub fn version(&self) -> io::Result<String> {
        let status = self.call(0, "/v3/maintenance/status", &json!({}))?.json();
        let version = status["version"].as_str().map(str::to_owned);
        version.ok_or_else(|| io::Error::other("it does not say"))
    }

    /// The last lines of each member's log.
    pub fn log_tails(&self) -> String {
        let tails = self.members.iter().map(Member::log_tail);
        tails.collect::<Vec<_>>().join("\n---\n")
    }

    fn run(&mut self, member: usize) -> Result<(), EtcdError> {
        let process = self.members[member].start()?;
        if let Some(links) = &self.links {
            links.belongs_to(process, member);
        }
        Ok(())
    }

    fn data(&self, member: usize) -> &Path {
        &self.layout.data[member]
    }
}

/// How long a member may take to say how it is: one that is frozen never does.
const LOOK: Duration = Duration::from_millis(300);

impl Drop for Etcd {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("--- the ends of etcd's logs ---\n{}\n---", self.log_tails());
        }
        // Killed, since nothing of them is needed any more; all of them before anybody is waited for.
        for member in &mut self.members {
            member.signal(Signal::KILL).ok();
        }
    }
}
