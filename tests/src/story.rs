//! The story: one worker pauses, another takes over, the first one wakes and writes.
//!
//! It is told twice with real processes, a real Envoy and a real pause: first with a lock that
//! nobody checks at the store, where the report ends as trash; then with the filter at the store's
//! door, where the late write is answered 412 and the report stays whole. `make demo` tells it to a
//! person, a test tells it to itself.

mod act;
mod stage;
mod transcript;

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

pub use act::{Door, Ending};
use stage::Stage;
use transcript::{Transcript, Who};

use crate::envoy::EnvoyError;
use crate::etcd::EtcdError;

/// How the story is told.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How long a lease is.
    pub ttl: Duration,
    /// How long A is frozen; longer than a lease.
    pub pause: Duration,
    /// The folder with the programs `origin` and `worker`.
    pub programs: PathBuf,
    /// Another Envoy than the one that `FENCEGATE_ENVOY` names.
    pub envoy: Option<PathBuf>,
    /// Where marks and leases are kept.
    pub authority: Authority,
    /// Whether the member of etcd that leads is killed while A is frozen.
    pub kills_leader: bool,
    /// Whether the transcript has colours.
    pub colours: bool,
}

/// Where marks and leases are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Authority {
    /// In the one Envoy that both workers go through.
    #[default]
    Memory,
    /// In an etcd of three members; each worker goes through an Envoy of its own.
    Etcd,
}

impl Settings {
    /// Leases of 3 s and a pause of 3.5 s: the story in about a quarter of a minute.
    pub fn quick(programs: PathBuf) -> Self {
        let (ttl, pause) = (Duration::from_millis(3000), Duration::from_millis(3500));
        Self {
            ttl,
            pause,
            programs,
            envoy: None,
            authority: Authority::Memory,
            kills_leader: false,
            colours: false,
        }
    }

    /// The same with another Envoy.
    pub fn with_envoy(self, binary: PathBuf) -> Self {
        Self {
            envoy: Some(binary),
            ..self
        }
    }

    /// The same with two Envoys over an etcd.
    pub fn with_etcd(self) -> Self {
        Self {
            authority: Authority::Etcd,
            ..self
        }
    }

    /// The same, and the member of etcd that leads is killed in the middle.
    pub fn with_a_leader_killed(self) -> Self {
        Self {
            kills_leader: true,
            ..self.with_etcd()
        }
    }

    /// Leases of 30 s and a pause of 35 s, the numbers of the well-known tale.
    pub fn with_seed_numbers(self) -> Self {
        Self {
            ttl: Duration::from_secs(30),
            pause: Duration::from_secs(35),
            ..self
        }
    }
}

/// What came of both tellings.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Without the fence.
    pub plain: Ending,
    /// With it.
    pub fenced: Ending,
}

/// Why the story could not be told to its end.
#[derive(Debug, thiserror::Error)]
pub enum StoryError {
    /// No Envoy.
    #[error(transparent)]
    Envoy(#[from] EnvoyError),
    /// No etcd.
    #[error(transparent)]
    Etcd(#[from] EtcdError),
    /// Files, sockets, processes.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A program of the story is not built.
    #[error("the program {0:?} is not built: cargo build -p fencegate-tests --bins")]
    NoProgram(&'static str),
    /// Something else happened than what the story tells.
    #[error("{0}")]
    Unexpected(String),
}

impl Outcome {
    /// Whether the story ended as it should; if not, in one sentence what is wrong.
    pub fn verdict(&self) -> Result<(), String> {
        let Self { plain, fenced } = self;
        if !plain.is_trash() {
            return Err(format!(
                "without the fence the report should have become trash (A got {})",
                plain.a_status
            ));
        }
        if !fenced.is_whole() {
            return Err("with the fence the report is not B's, whole".to_owned());
        }
        if fenced.a_status != 412 || fenced.insisted != [412; 4] {
            return Err(format!(
                "A's late writes got {} and {:?} instead of 412",
                fenced.a_status, fenced.insisted
            ));
        }
        if fenced.arrived_from_a != 0 {
            return Err("a rejected write reached the store".to_owned());
        }
        Ok(())
    }
}

/// Tells the story once with each door. At the end, while everything still runs, `stay` is called,
/// if there is one, after some things to try were shown.
///
/// # Errors
/// See [`StoryError`].
pub fn tell(
    settings: &Settings,
    out: &mut dyn Write,
    stay: Option<&dyn Fn()>,
) -> Result<Outcome, StoryError> {
    let mut transcript = Transcript::new(out, settings.colours);
    transcript.text(&introduction(settings))?;
    let stage = Stage::open(settings)?;
    transcript.heading("1. A lock, but nobody checks it at the store")?;
    let plain = act::play(Door::Plain, &stage, settings, &mut transcript)?;
    transcript.heading("2. The same with the fence: Envoy checks the token of every write")?;
    let fenced = act::play(Door::Fenced, &stage, settings, &mut transcript)?;
    let outcome = Outcome { plain, fenced };
    conclude(&outcome, &mut transcript)?;
    if let Some(stay) = stay {
        transcript.text(&things_to_try(&stage))?;
        stay();
    }
    Ok(outcome)
}

fn introduction(settings: &Settings) -> String {
    format!(
        "Two workers, one job: only one of them should write its report.pdf.\n\
         A lease of {:.1} s says whose turn it is; A will be frozen for {:.1} s in the middle of its work.\n\
         {} are real processes on this machine.",
        settings.ttl.as_secs_f64(),
        settings.pause.as_secs_f64(),
        match settings.authority {
            Authority::Memory => "Worker A, worker B, the store and the Envoy",
            Authority::Etcd => {
                "A goes through one Envoy and B through another; leases and tokens are in an etcd of three members.\n\
                 The workers, the store, both Envoys and all of etcd"
            }
        }
    )
}

fn conclude(outcome: &Outcome, transcript: &mut Transcript<'_>) -> io::Result<()> {
    transcript.heading("In the end")?;
    let plain = transcript.judged(false, "trash: half of A's overwrote B's");
    let fenced = transcript.judged(true, "whole: A's late write was refused, and A stopped");
    match outcome.verdict() {
        Ok(()) => transcript.text(&format!(
            "without the fence  {plain}\nwith the fence     {fenced}"
        )),
        Err(wrong) => transcript.text(&transcript.judged(false, &wrong)),
    }
}

fn things_to_try(stage: &Stage) -> String {
    let proxy = stage.proxy(Who::A);
    let (fenced, store, admin) = (proxy.fenced, stage.store, proxy.envoy.admin_address());
    format!(
        "\nEverything still runs, until Ctrl-C. To try, in another terminal:\n
# a lease of job:3 for 60 s, and its token
curl -s http://{fenced}/fence/v1/acquire -d '{{\"resource\":\"job:3\",\"holder\":\"me\",\"ttl_ms\":60000}}'
# a write with that token; then the same with 1.1, which is stale, and with none
curl -si -X PUT http://{fenced}/jobs/3/report.pdf -H 'Fencing-Token: TOKEN' -H 'Fencing-Holder: me' -d 'my report'
# who holds it
curl -s http://{fenced}/fence/v1/leases/job:3
# what the filter counted, and what the store has
curl -s http://{admin}/stats?filter=fencegate
curl -si http://{store}/jobs/3/report.pdf\n"
    )
}
