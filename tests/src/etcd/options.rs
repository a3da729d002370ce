//! How a cluster is started: what is asked for, and what lies where.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::links::Links;
use super::{EtcdError, ports};

/// How a cluster is started.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many members there are; 1, 3 or 5.
    pub nodes: usize,
    /// Whether a member can be cut off: then what they say to each other takes a way of some 0.1 ms more.
    pub links: bool,
    /// Whether clients need TLS and a certificate.
    pub tls: bool,
    /// How large the store may be, in bytes; `None`: etcd's own 2 GB.
    pub quota_bytes: Option<u64>,
    /// Whether [`super::Etcd::slow_down`] works.
    pub slow_disk: bool,
    /// What is added to each member's command line.
    pub arguments: Vec<String>,
}

impl Options {
    /// So many members that can be cut off, and nothing else.
    pub fn of(nodes: usize) -> Self {
        Self {
            nodes,
            links: nodes > 1,
            tls: false,
            quota_bytes: None,
            slow_disk: false,
            arguments: Vec::new(),
        }
    }
}

/// What lies where.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) clients: Vec<SocketAddr>,
    pub(super) controls: Vec<SocketAddr>,
    pub(super) data: Vec<PathBuf>,
    /// Where each member really listens to the others, and where they look for it.
    listens: Vec<SocketAddr>,
    found: Vec<SocketAddr>,
    folder: PathBuf,
    options: Options,
    /// Tells this cluster from others; another one after a restore.
    pub(super) token: String,
}

impl Layout {
    pub(super) fn of(options: &Options, folder: &Path) -> Result<(Self, Option<Links>), EtcdError> {
        let nodes = options.nodes;
        let controls = ports::free(nodes);
        let clients = match options.tls {
            true => ports::free(nodes),
            false => controls.clone(),
        };
        let listens = ports::free(nodes);
        let links = match options.links {
            true => Some(Links::between(&listens)?),
            false => None,
        };
        let found = links.as_ref().map_or(listens.clone(), Links::addresses);
        let data = (0..nodes).map(|index| folder.join(format!("member-{index}")));
        let layout = Self {
            clients,
            controls,
            data: data.collect(),
            listens,
            found,
            folder: folder.to_owned(),
            options: options.clone(),
            token: format!("fencegate-{:x}", fastrand::u64(..)),
        };
        Ok((layout, links))
    }

    pub(super) fn peer_url(&self, member: usize) -> String {
        format!("http://{}", self.found[member])
    }

    /// All members with where they look for each other.
    pub(super) fn cluster(&self) -> String {
        let nodes = 0..self.options.nodes;
        let named = nodes.map(|index| format!("{}={}", name(index), self.peer_url(index)));
        named.collect::<Vec<_>>().join(",")
    }

    pub(super) fn command(&self, member: usize) -> Result<Command, EtcdError> {
        let mut command = Command::new(program("etcd")?);
        let control = format!("http://{}", self.controls[member]);
        let mut clients = control;
        if self.options.tls {
            clients = format!("https://{},{clients}", self.clients[member]);
        }
        let mut set = |name: &str, value: &str| {
            command.arg(format!("--{name}")).arg(value);
        };
        set("name", &name(member));
        set("data-dir", &self.data[member].display().to_string());
        set("listen-client-urls", &clients);
        set("advertise-client-urls", &clients);
        set(
            "listen-peer-urls",
            &format!("http://{}", self.listens[member]),
        );
        set("initial-advertise-peer-urls", &self.peer_url(member));
        set("initial-cluster", &self.cluster());
        set("initial-cluster-token", &self.token);
        set("logger", "zap");
        set("log-outputs", "stderr");
        if let Some(bytes) = self.options.quota_bytes {
            set("quota-backend-bytes", &bytes.to_string());
        }
        if self.options.tls {
            for (flag, file) in [
                ("cert-file", "server.pem"),
                ("key-file", "server.key"),
                ("trusted-ca-file", "authority.pem"),
            ] {
                set(flag, &self.folder.join(file).display().to_string());
            }
            command.arg("--client-cert-auth");
        }
        command.args(&self.options.arguments);
        Ok(command)
    }
}

pub(super) fn name(member: usize) -> String {
    format!("member-{member}")
}

/// A program of etcd's: the one that `FENCEGATE_ETCD` names, or one beside it.
pub(super) fn program(name: &'static str) -> Result<PathBuf, EtcdError> {
    let etcd = std::env::var_os("FENCEGATE_ETCD").map(PathBuf::from);
    let program = etcd.map(|etcd| match name {
        "etcd" => etcd,
        other => etcd.with_file_name(other),
    });
    let there = program.filter(|program| program.is_file());
    there.ok_or(EtcdError::Missing(name))
}
