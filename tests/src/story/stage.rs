//! The real processes of the story: a store, an Envoy with two doors to it, and workers. With the
//! authority in etcd there are two such Envoys, A's and B's, and an etcd of three members.
//!
//! The fenced listener has the filter. The plain one is the same without it: the lease service is
//! there all the same (behind the fenced listener), but at the store's door nobody checks.

use std::cell::RefCell;
use std::io::{self, BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::Sender;

use serde::Deserialize;
use tempfile::TempDir;

use super::transcript::Who;
use super::{Authority, Settings, StoryError};
use crate::config::{Config, FENCED, PLAIN};
use crate::envoy::{Envoy, EnvoyError, Options};
use crate::etcd::Etcd;
use crate::http::Request;
use crate::issuer::Issuer;
use crate::origin::Journal;
use crate::process::Process;
use crate::worker::Event;

/// Everything that runs while the story is told. Dropping it stops all of it.
pub(super) struct Stage {
    programs: PathBuf,
    a: Proxy,
    /// B's own, where there are two.
    b: Option<Proxy>,
    etcd: RefCell<Option<Etcd>>,
    pub(super) store: SocketAddr,
    control: SocketAddr,
    _store: Process,
    _folder: TempDir,
}

/// An Envoy with two doors to the store.
pub(super) struct Proxy {
    pub(super) envoy: Envoy,
    pub(super) fenced: SocketAddr,
    pub(super) plain: SocketAddr,
}

/// A worker process; its events arrive at the receiver that belongs to the sender it was given.
pub(super) struct Worker {
    pub(super) process: Process,
}

/// An event and who it happened to.
pub(super) type Said = (Who, Event);

/// What the store says when it is there.
#[derive(Deserialize)]
struct Started {
    address: SocketAddr,
    control: SocketAddr,
}

impl Stage {
    /// Starts everything, and waits until leases are granted.
    pub(super) fn open(settings: &Settings) -> Result<Self, StoryError> {
        let programs = &settings.programs;
        let folder = tempfile::tempdir()?;
        let mut store = Command::new(program(programs, "origin")?);
        store
            .arg("--folder")
            .arg(folder.path().join("objects"))
            .args(["--listen", "127.0.0.1:0"]);
        let mut store = Process::start(store.stdin(Stdio::null()).stdout(Stdio::piped()))?;
        let started = store.child().stdout.take().expect("stdout is piped");
        let mut line = String::new();
        BufReader::new(started).read_line(&mut line)?;
        let started: Started = serde_json::from_str(&line).map_err(io::Error::from)?;

        let etcd = match settings.authority {
            Authority::Memory => None,
            Authority::Etcd => Some(Etcd::start(3)?),
        };
        if let Some(etcd) = &etcd {
            etcd.operate(&["init"])?;
        }
        let config = match &etcd {
            None => Config::example("fencegate")?,
            Some(etcd) => Config::example("etcd")?.with_etcd(etcd),
        };
        let config = config.with_plain_listener().with_store(started.address);
        let open = || Proxy::open(&config, settings.envoy.clone());
        Ok(Self {
            programs: programs.clone(),
            a: open()?,
            b: etcd.is_some().then(open).transpose()?,
            etcd: RefCell::new(etcd),
            store: started.address,
            control: started.control,
            _store: store,
            _folder: folder,
        })
    }

    /// The proxy that a worker goes through.
    pub(super) fn proxy(&self, who: Who) -> &Proxy {
        match (&self.b, who) {
            (Some(b), Who::B) => b,
            _ => &self.a,
        }
    }

    /// Kills the member of etcd that leads.
    pub(super) fn kill_leader(&self) -> Result<(), StoryError> {
        let mut etcd = self.etcd.borrow_mut();
        let nobody = || StoryError::Unexpected("there is no etcd that leads".to_owned());
        let etcd = etcd.as_mut().ok_or_else(nobody)?;
        let leader = etcd.leader().ok_or_else(nobody)?;
        Ok(etcd.kill(leader)?)
    }

    /// Starts a worker that says its events to `events` under the name `who`.
    pub(super) fn worker(
        &self,
        who: Who,
        arguments: &[String],
        events: Sender<Said>,
    ) -> Result<Worker, StoryError> {
        let mut command = Command::new(program(&self.programs, "worker")?);
        command
            .args(arguments)
            .arg("--issuer")
            .arg(self.proxy(who).fenced.to_string());
        let mut process = Process::start(command.stdin(Stdio::null()).stdout(Stdio::piped()))?;
        let lines = BufReader::new(process.child().stdout.take().expect("stdout is piped")).lines();
        std::thread::spawn(move || {
            let known = lines
                .map_while(Result::ok)
                .filter_map(|line| serde_json::from_str(&line).ok());
            for event in known {
                if events.send((who, event)).is_err() {
                    break;
                }
            }
        });
        Ok(Worker { process })
    }

    /// The object at `path` as the store itself gives it, past the proxy; its token, if it has one.
    pub(super) fn object(&self, path: &str) -> io::Result<(Vec<u8>, Option<String>)> {
        let answer = Request::new("GET", path)
            .header("Host", "store.example")
            .send_to(self.store)?;
        let token = answer.text("fencing-token");
        Ok((answer.body, token))
    }

    /// Everything that reached the store.
    pub(super) fn journal(&self) -> io::Result<Journal> {
        let answer = Request::new("GET", "/journal")
            .header("Host", "control")
            .send_to(self.control)?;
        serde_json::from_slice(&answer.body).map_err(io::Error::from)
    }
}

impl Proxy {
    fn open(config: &Config, binary: Option<PathBuf>) -> Result<Self, EnvoyError> {
        let options = Options {
            binary,
            ..Options::default()
        };
        let envoy = Envoy::start_with(config, options)?;
        let (fenced, plain) = (envoy.address(FENCED)?, envoy.address(PLAIN)?);
        Issuer::at(fenced).wait_until_ready()?;
        Ok(Self {
            envoy,
            fenced,
            plain,
        })
    }
}

fn program(folder: &Path, name: &'static str) -> Result<PathBuf, StoryError> {
    let path = folder.join(name);
    if path.is_file() {
        Ok(path)
    } else {
        Err(StoryError::NoProgram(name))
    }
}
