//! How one filter is configured to use etcd, and what it uses it through.

use super::board::Board;
use crate::config::{AuthConfig, EtcdSettings, Granting, Settings, Tokens};
use crate::host::{CounterId, HistogramId, Host, HostError};
use core::hash::Hasher;
use core::time::Duration;
use fencegate_core::moment::{Moment, millis_up, nanos};
use fencegate_core::quorum::Terms;
use fencegate_core::window::{Instants, RateError};
use siphasher::sip::SipHasher13;

/// How one filter uses etcd.
#[derive(Debug)]
pub(super) struct Setup {
    /// The filter's own context.
    pub(super) root: u32,
    /// The proxy's cluster of etcd's members.
    pub(super) cluster: String,
    /// What all keys begin with.
    pub(super) prefix: String,
    /// How long a call may take.
    pub(super) timeout: Duration,
    /// Whom etcd is asked as.
    pub(super) auth: Option<AuthConfig>,
    /// What the core needs to know.
    pub(super) terms: Terms,
    /// Where the workers share what they know.
    pub(super) board: Vec<u8>,
    /// What is counted.
    pub(super) counters: Counters,
}

/// What a worker works with, in one callback.
#[derive(Clone, Copy)]
pub(super) struct Env<'a> {
    pub(super) host: &'a dyn Host,
    pub(super) setup: &'a Setup,
}

impl Env<'_> {
    /// Both clocks.
    pub(super) fn clocks(&self) -> Result<Instants, HostError> {
        Ok(Instants {
            mono: self.host.now()?,
            wall: Moment::from_nanos(nanos(self.host.wall()?)),
        })
    }
}

impl Setup {
    pub(super) fn new(
        host: &dyn Host,
        root: u32,
        settings: &Settings,
        etcd: &EtcdSettings,
    ) -> Result<Self, HostError> {
        let (quarantine, lock_delay) = match settings.tokens {
            Tokens::Ours(Granting {
                quarantine,
                lock_delay,
                ..
            }) => (quarantine, lock_delay),
            Tokens::External { .. } => (Duration::ZERO, Duration::ZERO),
        };
        Ok(Self {
            root,
            cluster: etcd.cluster.clone(),
            prefix: etcd.prefix.clone(),
            timeout: etcd.timeout,
            auth: etcd.auth.clone(),
            terms: Terms {
                generation: settings.generation,
                mapping: settings.mapping_hash(),
                quarantine,
                lock_delay,
                rate: RateError::ASSUMED,
                window: etcd.window,
            },
            board: board_key(&etcd.cluster, &etcd.prefix),
            counters: Counters::define(host)?,
        })
    }

    /// The window that was agreed on, as the other workers are told.
    pub(super) fn agreed(&self, board: &Board) -> Option<Duration> {
        self.terms.window.filter(|_| board.heard.agreed)
    }
}

fn board_key(cluster: &str, prefix: &str) -> Vec<u8> {
    let mut hasher = SipHasher13::new();
    for part in [cluster, prefix] {
        hasher.write(part.as_bytes());
        hasher.write_u8(0);
    }
    [&b"fencegate.etcd."[..], &hasher.finish().to_le_bytes()].concat()
}

/// What is counted of calls.
#[derive(Debug)]
pub(super) struct Counters {
    calls: CounterId,
    surveys: CounterId,
    failures: CounterId,
    latency: HistogramId,
}

impl Counters {
    fn define(host: &dyn Host) -> Result<Self, HostError> {
        Ok(Self {
            calls: host.counter("fencegate_authority_calls_total")?,
            surveys: host.counter("fencegate_authority_surveys_total")?,
            failures: host.counter("fencegate_authority_failures_total")?,
            latency: host.histogram("fencegate_authority_call_ms")?,
        })
    }

    /// A call was sent, or tried to.
    pub(super) fn called(&self, host: &dyn Host, survey: bool) {
        host.count(self.calls);
        if survey {
            host.count(self.surveys);
        }
    }

    /// A call was answered after so long.
    pub(super) fn answered(&self, host: &dyn Host, after: Duration) {
        host.record(self.latency, millis_up(after));
    }

    /// A call has no answer, or a refusal.
    pub(super) fn failed(&self, host: &dyn Host) {
        host.count(self.failures);
    }
}
