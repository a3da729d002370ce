//! A real Envoy: started from a [`Config`] on free loopback ports, watched, and always stopped.
//!
//! `FENCEGATE_ENVOY` names the binary and `FENCEGATE_PLUGIN` the compiled filter; `make test` sets
//! both. Everything that an Envoy writes lies in a temporary folder that goes away with it; when a
//! test fails, the end of its log is printed first.

use std::fs::{self, File};
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::config::{Config, listeners_from_file};
use crate::http::{Connection, Request};
use crate::process::Process;

/// How long an Envoy may take to be ready, or to take up a new configuration.
const START_MAX: Duration = Duration::from_secs(20);

/// Why there is no Envoy, or no answer from it.
#[derive(Debug, thiserror::Error)]
pub enum EnvoyError {
    /// An environment variable that names a needed file is not set, or names none.
    #[error(
        "{variable} does not name a file: run `make test` or `make demo`, or `./setup envoy` first ({what})"
    )]
    Missing {
        /// The variable.
        variable: &'static str,
        /// What it should name.
        what: &'static str,
    },
    /// It ended, or was not ready in time; with the end of its log.
    #[error("Envoy did not become ready; its log ends:\n{0}")]
    NotReady(String),
    /// It took up a new configuration neither as good nor as bad in time.
    #[error("Envoy did not answer to the new listeners; its log ends:\n{0}")]
    NotTakenUp(String),
    /// There is no listener of that name.
    #[error("there is no listener {0:?}")]
    NoListener(String),
    /// Files or sockets.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// How an Envoy is started.
#[derive(Clone, Debug)]
pub struct Options {
    /// Worker threads.
    pub concurrency: u32,
    /// The compiled filter to load; `None`: what `FENCEGATE_PLUGIN` names.
    pub plugin: Option<PathBuf>,
    /// Whether the listeners come from a file that [`Envoy::push`] can replace.
    pub dynamic: bool,
    /// Another Envoy than the one that `FENCEGATE_ENVOY` names.
    pub binary: Option<PathBuf>,
    /// How talkative the filter is in the log, and all else.
    pub log_levels: [&'static str; 2],
    /// What is added to its environment.
    pub environment: Vec<(String, String)>,
    /// Its part in a hot restart; `None`: it takes part in none, as the examples demand.
    pub hot_restart: Option<HotRestart>,
}

/// One of the processes that replace each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HotRestart {
    /// What they have in common, and no other Envoy of this computer.
    pub base_id: u32,
    /// 0 for the first one, 1 for the one that replaces it.
    pub epoch: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            concurrency: 2,
            plugin: None,
            dynamic: false,
            binary: None,
            log_levels: ["info", "warning"],
            environment: Vec::new(),
            hot_restart: None,
        }
    }
}

/// What an Envoy made of new listeners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pushed {
    /// They serve.
    Accepted,
    /// The old ones go on serving; with what the log says since.
    Rejected(String),
}

/// A running Envoy. Dropping it stops it.
#[derive(Debug)]
pub struct Envoy {
    process: Process,
    folder: TempDir,
    options: Options,
    admin: SocketAddr,
}

impl Envoy {
    /// Starts an Envoy and waits until its listeners are live.
    ///
    /// # Errors
    /// See [`EnvoyError`].
    pub fn start(config: &Config) -> Result<Self, EnvoyError> {
        Self::start_with(config, Options::default())
    }

    /// Like [`Self::start`], with options.
    ///
    /// # Errors
    /// See [`EnvoyError`].
    pub fn start_with(config: &Config, options: Options) -> Result<Self, EnvoyError> {
        let folder = tempfile::tempdir()?;
        let mut bootstrap = config.fitted(&plugin(&options)?, folder.path());
        if options.dynamic {
            let file = listeners_file(folder.path());
            fs::create_dir(folder.path().join("watched"))?;
            let listeners = listeners_from_file(&mut bootstrap, &file);
            fs::write(&file, listeners.to_string())?;
        }
        let process = Process::start(&mut command(&bootstrap, folder.path(), &options)?)?;
        let mut envoy = Self {
            process,
            folder,
            options,
            admin: SocketAddr::from(([127, 0, 0, 1], 0)),
        };
        envoy.wait_until_ready()?;
        Ok(envoy)
    }

    /// Where a listener accepts connections.
    ///
    /// # Errors
    /// When there is no such listener.
    pub fn address(&self, listener: &str) -> Result<SocketAddr, EnvoyError> {
        let listeners: Value =
            serde_json::from_str(&self.admin("/listeners?format=json")?).unwrap_or_default();
        let statuses = listeners["listener_statuses"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let found = statuses.iter().find(|status| status["name"] == listener);
        let port = found
            .and_then(|status| status["local_address"]["socket_address"]["port_value"].as_u64());
        match port {
            Some(port) => Ok(SocketAddr::from(([127, 0, 0, 1], port as u16))),
            None => Err(EnvoyError::NoListener(listener.to_owned())),
        }
    }

    /// Where the admin page is.
    pub fn admin_address(&self) -> SocketAddr {
        self.admin
    }

    /// The body of an admin page, for instance `/stats` or `/config_dump`.
    ///
    /// # Errors
    /// When Envoy does not answer.
    pub fn admin(&self, target: &str) -> io::Result<String> {
        let request = Request::new("GET", target).header("Host", "admin");
        Ok(Connection::open(self.admin)?
            .exchange(&request)?
            .body_text())
    }

    /// The value of a counter or gauge, 0 while Envoy has none of that name; `wasmcustom.NAME` for
    /// the filter's own.
    ///
    /// # Errors
    /// When Envoy does not answer.
    pub fn counter(&self, name: &str) -> io::Result<u64> {
        let page = self.admin("/stats")?;
        let line = page
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        Ok(line.and_then(|value| value.parse().ok()).unwrap_or(0))
    }

    /// How much memory Envoy has allocated, in bytes.
    ///
    /// # Errors
    /// When Envoy does not answer, or with something else.
    pub fn allocated(&self) -> io::Result<u64> {
        let page: Value = serde_json::from_str(&self.admin("/memory")?)?;
        let allocated = page["allocated"]
            .as_str()
            .and_then(|text| text.parse().ok());
        allocated.ok_or_else(|| io::Error::other("no number of bytes"))
    }

    /// Replaces the listeners by those of `config` and waits for Envoy's word on them.
    ///
    /// # Errors
    /// When there is no word in time, or this Envoy was not started with [`Options::dynamic`].
    pub fn push(&self, config: &Config) -> Result<Pushed, EnvoyError> {
        self.push_code(config, &plugin(&self.options)?)
    }

    /// Like [`Self::push`], with another compiled filter.
    ///
    /// # Errors
    /// As [`Self::push`].
    pub fn push_code(&self, config: &Config, code: &Path) -> Result<Pushed, EnvoyError> {
        const ACCEPTED: &str = "listener_manager.lds.update_success";
        const REJECTED: &str = "listener_manager.lds.update_rejected";
        let (accepted, rejected) = (self.counter(ACCEPTED)?, self.counter(REJECTED)?);
        let logged = self.log().len();
        self.replace_listeners(config, code)?;
        let start = Instant::now();
        while start.elapsed() < START_MAX {
            if self.counter(REJECTED)? > rejected {
                return Ok(Pushed::Rejected(self.log().split_off(logged)));
            }
            if self.counter(ACCEPTED)? > accepted
                && self.counter("listener_manager.total_listeners_warming")? == 0
            {
                return Ok(Pushed::Accepted);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Err(EnvoyError::NotTakenUp(self.log_tail()))
    }

    /// Waits until the listeners that were replaced or removed are gone, and what they kept alive.
    ///
    /// # Errors
    /// When they are not in time.
    pub fn wait_until_drained(&self) -> Result<(), EnvoyError> {
        let start = Instant::now();
        while start.elapsed() < START_MAX {
            if self.counter("listener_manager.total_listeners_draining")? == 0 {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Err(EnvoyError::NotTakenUp(self.log_tail()))
    }

    /// Everything that Envoy logged.
    pub fn log(&self) -> String {
        String::from_utf8_lossy(&fs::read(log_file(self.folder.path())).unwrap_or_default())
            .into_owned()
    }

    /// The last lines of the log.
    pub fn log_tail(&self) -> String {
        tail(&self.log())
    }

    /// The lines of the access log so far, as JSON. Envoy writes them within about 0.1 s.
    pub fn access_log(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.folder.path().join("access.log")).unwrap_or_default();
        text.lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect()
    }

    /// Stops it and waits for its end.
    pub fn stop(mut self) {
        self.process.stop();
    }

    /// The process, to send it signals.
    pub fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    fn replace_listeners(&self, config: &Config, code: &Path) -> Result<(), EnvoyError> {
        let file = listeners_file(self.folder.path());
        let mut bootstrap = config.fitted(code, self.folder.path());
        let listeners = listeners_from_file(&mut bootstrap, &file);
        let new = self.folder.path().join("new-listeners.json");
        fs::write(&new, listeners.to_string())?;
        Ok(fs::rename(new, file)?)
    }

    fn wait_until_ready(&mut self) -> Result<(), EnvoyError> {
        let start = Instant::now();
        while start.elapsed() < START_MAX {
            if self.process.wait(Duration::from_millis(10))?.is_some() {
                break;
            }
            let admin = fs::read_to_string(self.folder.path().join("admin")).unwrap_or_default();
            let Ok(admin) = admin.trim().parse() else {
                continue;
            };
            self.admin = admin;
            if self
                .admin("/ready")
                .is_ok_and(|page| page.starts_with("LIVE"))
            {
                return Ok(());
            }
        }
        Err(EnvoyError::NotReady(self.log_tail()))
    }
}

impl Drop for Envoy {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("--- the end of Envoy's log ---\n{}\n---", self.log_tail());
        }
        self.process.stop();
    }
}

/// Has Envoy judge a configuration without serving it, the filter's own configuration included.
/// `Ok(Err(log))` says that it is refused, and why.
///
/// # Errors
/// See [`EnvoyError`].
pub fn validate(config: &Config) -> Result<Result<(), String>, EnvoyError> {
    validate_with(config, &Options::default())
}

/// Like [`validate`], with options for the Envoy.
///
/// # Errors
/// See [`EnvoyError`].
pub fn validate_with(config: &Config, options: &Options) -> Result<Result<(), String>, EnvoyError> {
    let folder = tempfile::tempdir()?;
    let bootstrap = config.fitted(&plugin(options)?, folder.path());
    let mut command = command(&bootstrap, folder.path(), options)?;
    let mut process = Process::start(command.args(["--mode", "validate"]))?;
    let ended = process.wait(START_MAX)?;
    let log = fs::read_to_string(log_file(folder.path()))?;
    Ok(if ended.is_some_and(|status| status.success()) {
        Ok(())
    } else {
        Err(log)
    })
}

fn command(bootstrap: &Value, folder: &Path, options: &Options) -> Result<Command, EnvoyError> {
    let config = folder.join("envoy.json");
    fs::write(&config, bootstrap.to_string())?;
    let log = File::create(log_file(folder))?;
    let mut command = Command::new(match &options.binary {
        Some(binary) => binary.clone(),
        None => named_file("FENCEGATE_ENVOY", "the Envoy binary")?,
    });
    command.arg("-c").arg(config);
    command
        .arg("--admin-address-path")
        .arg(folder.join("admin"));
    match options.hot_restart {
        None => command.arg("--disable-hot-restart"),
        Some(HotRestart { base_id, epoch }) => command
            .args(["--base-id", &base_id.to_string()])
            .args(["--restart-epoch", &epoch.to_string()])
            .args(["--parent-shutdown-time-s", "8"]),
    };
    command.envs(options.environment.iter().cloned());
    command.args(["--file-flush-interval-msec", "50"]);
    command.args(["--drain-time-s", "1", "--drain-strategy", "immediate"]);
    command.args(["--concurrency", &options.concurrency.to_string()]);
    let [filter, all_else] = options.log_levels;
    command.args(["--log-level", all_else]);
    command.args(["--component-log-level", &format!("wasm:{filter}")]);
    command
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log);
    Ok(command)
}

/// The filter whose store is naive on purpose; `FENCEGATE_PLUGIN_NAIVE` names it.
///
/// # Errors
/// When the variable names no file.
pub fn naive_plugin() -> Result<PathBuf, EnvoyError> {
    named_file(
        "FENCEGATE_PLUGIN_NAIVE",
        "the filter built with the feature naive-store",
    )
}

/// The filter that traps where a request says so; `FENCEGATE_PLUGIN_TRAP` names it.
///
/// # Errors
/// When the variable names no file.
pub fn trap_plugin() -> Result<PathBuf, EnvoyError> {
    named_file(
        "FENCEGATE_PLUGIN_TRAP",
        "the filter built with the feature trap-on-request",
    )
}

/// The filter as it is shipped; `FENCEGATE_PLUGIN` names it.
///
/// # Errors
/// When the variable names no file.
pub fn shipped_plugin() -> Result<PathBuf, EnvoyError> {
    named_file("FENCEGATE_PLUGIN", "the compiled filter")
}

/// Earlier Envoys; `FENCEGATE_ENVOYS` names them, with `:` between them. `None`: it is not set.
pub fn other_binaries() -> Option<Vec<PathBuf>> {
    let text = std::env::var("FENCEGATE_ENVOYS").ok()?;
    let named = text.split(':').filter(|path| !path.is_empty());
    Some(named.map(PathBuf::from).collect()).filter(|named: &Vec<_>| !named.is_empty())
}

fn plugin(options: &Options) -> Result<PathBuf, EnvoyError> {
    match &options.plugin {
        Some(path) => Ok(path.clone()),
        None => shipped_plugin(),
    }
}

fn named_file(variable: &'static str, what: &'static str) -> Result<PathBuf, EnvoyError> {
    let path = std::env::var_os(variable).map(PathBuf::from);
    path.filter(|path| path.is_file())
        .ok_or(EnvoyError::Missing { variable, what })
}

fn listeners_file(folder: &Path) -> PathBuf {
    folder.join("watched").join("listeners.json")
}

fn log_file(folder: &Path) -> PathBuf {
    folder.join("envoy.log")
}

fn tail(log: &str) -> String {
    let lines: Vec<&str> = log.lines().collect();
    lines[lines.len().saturating_sub(25)..].join("\n")
}
