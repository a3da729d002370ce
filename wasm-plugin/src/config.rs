//! The plugin's configuration: its form, and what is refused although it has the form.
//!
//! A filter that starts with half of what was meant would admit what should have been fenced,
//! so everything is checked when it is loaded, and the proxy then keeps the old configuration.

mod check;
mod etcd;
mod form;

pub use check::{Granting, Settings, Store, Tokens};
use core::fmt;
use core::time::Duration;
use etcd::timeout_ms;
pub use etcd::{AuthConfig, EtcdConfig, EtcdSettings, Password};
use fencegate_core::later::NotInThisVersion;
use fencegate_core::policy::{RuleConfig, Unmatched};
use fencegate_core::request::HeadersConfig;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
#[cfg(feature = "schema")]
use serde::Serialize;

/// The whole configuration of a filter that guards nothing and only keeps the shared data alive
/// while listeners come and go.
const KEEPER: &[u8] = b"\"keeper\"";

/// The configuration of a guarding filter.
#[derive(Debug)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct Config {
    /// Rises whenever requests are mapped to other resources; at least 1.
    pub generation: u32,
    /// Where marks and leases are kept.
    pub authority: Authority,
    /// Who grants tokens.
    pub issuer: Issuer,
    /// What is guarded.
    pub rules: Vec<RuleConfig>,
    /// What becomes of requests that no rule matches.
    #[cfg_attr(feature = "schema", serde(default))]
    pub unmatched: Unmatched,
    /// Whether answers tell the current mark.
    #[cfg_attr(feature = "schema", serde(default = "yes"))]
    pub disclose: bool,
    /// Which headers carry token and holder.
    #[cfg_attr(feature = "schema", serde(default))]
    pub headers: HeadersConfig,
    /// The ring of decisions.
    #[cfg_attr(feature = "schema", serde(default))]
    pub decisions: Decisions,
}

/// Where marks and leases are kept.
#[derive(Debug)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum Authority {
    /// In the shared data of this one proxy process.
    Memory(MemoryConfig),
    /// In etcd, for any number of proxies.
    Etcd(EtcdConfig),
}

/// The authority `memory`.
#[derive(Debug)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct MemoryConfig {
    /// For how many resources there is room; 1 to 1,000,000.
    pub resources: u32,
}

/// Who grants tokens.
#[derive(Debug)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum Issuer {
    /// This filter, by its lease API.
    Fencegate(OursConfig),
    /// Somebody else; this filter only keeps marks.
    External(ExternalConfig),
}

/// The lease API.
#[derive(Debug)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct OursConfig {
    /// The path under which it answers, on every host.
    pub path: String,
    /// Who may acquire, renew, release, claim and look.
    pub access: Access,
    /// Who may break a lease.
    #[cfg_attr(feature = "schema", serde(default))]
    pub break_access: BreakAccess,
    /// How long leases run.
    #[cfg_attr(feature = "schema", serde(default))]
    pub ttl_ms: Ttl,
    /// How long after a lease's end nobody else is granted, in ms; at most one hour. 0 where it is
    /// left out; with etcd it must be said, since 0 means there that a late write may land after a
    /// newer one.
    #[cfg_attr(feature = "schema", serde(default))]
    pub lock_delay_ms: Option<u32>,
    /// How long a listener that was replaced may go on serving, in ms (Envoy's
    /// `--drain-time-s`); 0 where listeners are static. At most one hour.
    pub listener_drain_ms: u32,
    /// How long an acquire may wait for its lease, in ms; shorter than the proxy's own limits on a
    /// stream that is idle. At most one hour; 0: it may not.
    #[cfg_attr(feature = "schema", serde(default = "wait_ms_max"))]
    pub wait_ms_max: u32,
    /// Waiting for writes that are under way.
    #[cfg_attr(feature = "schema", serde(default))]
    pub drain: Option<NotInThisVersion>,
}

/// Tokens from elsewhere.
#[derive(Debug)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct ExternalConfig {
    /// The path under which claims and marks are answered, on every host.
    pub path: String,
    /// Who may claim and look.
    pub access: Access,
    /// What a mark is worth after a start: said in so many words with memory, since it gives up a
    /// promise; left out with etcd, which keeps marks.
    #[cfg_attr(feature = "schema", serde(default))]
    pub cold_start: Option<ColdStart>,
    /// Whether a write must name its holder.
    #[cfg_attr(feature = "schema", serde(default))]
    pub holder: HolderNeed,
    /// How far a token may rise at once; absent: any.
    #[cfg_attr(feature = "schema", serde(default))]
    pub jump_max: Option<u64>,
}

/// Kept in memory, marks are gone after a restart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum ColdStart {
    /// The first token that a resource sees after a start is admitted, however old it is.
    AdmitsTheFirstTokenSeen,
}

/// Whether an external write must name its holder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum HolderNeed {
    /// It must.
    #[default]
    Required,
    /// It need not, and then two holders with one token are not told apart.
    #[cfg_attr(feature = "schema", serde(rename = "optional_law_4_is_given_up"))]
    Optional,
}

/// Who may use the lease API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum Access {
    /// Anyone who reaches this listener.
    Anyone,
    /// A TLS peer, as the holder that its certificate names.
    Peer(PeerProperty),
}

/// Who may break a lease.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum BreakAccess {
    /// Nobody.
    #[default]
    Nobody,
    /// Anyone who reaches this listener.
    Anyone,
    /// These TLS peers.
    Peers(Operators),
}

/// The TLS peers that may break a lease.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct Operators {
    /// What of the certificate names them.
    pub by: PeerProperty,
    /// Their names.
    pub names: Vec<String>,
}

/// What of a TLS peer's certificate is its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum PeerProperty {
    /// Its first URI in the subject alternative names, like a SPIFFE id.
    UriSan,
    /// Its first DNS name there.
    DnsSan,
    /// The SHA-256 of the certificate, in hexadecimal.
    Sha256Digest,
}

impl PeerProperty {
    /// Where the proxy has it.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::UriSan => "connection\0uri_san_peer_certificate",
            Self::DnsSan => "connection\0dns_san_peer_certificate",
            Self::Sha256Digest => "connection\0sha256_peer_certificate_digest",
        }
    }
}

/// How long leases run, in ms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields, default))]
pub struct Ttl {
    /// The shortest that may be asked for; at least 100, with etcd at least 2000.
    pub min: u32,
    /// Where none is asked for.
    pub default: u32,
    /// The longest that may be asked for; at most one day.
    pub max: u32,
}

impl Default for Ttl {
    fn default() -> Self {
        Self {
            min: 1_000,
            default: 10_000,
            max: 60_000,
        }
    }
}

/// The ring of decisions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(JsonSchema, Serialize))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct Decisions {
    /// How many are kept; only 0 in this version.
    #[cfg_attr(feature = "schema", serde(default))]
    pub ring: u32,
}

/// Why a configuration is refused: where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError(pub String);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for ConfigError {}

/// Reads a configuration; `None` for the keeper's.
///
/// # Errors
/// A sentence that names the field and the mend.
pub fn read(json: &[u8]) -> Result<Option<Settings>, ConfigError> {
    if json.trim_ascii() == KEEPER {
        return Ok(None);
    }
    let config = crate::json::read(json).map_err(|error| ConfigError(error.to_string()))?;
    Settings::check(config).map(Some)
}

const fn wait_ms_max() -> u32 {
    20_000
}

const fn yes() -> bool {
    true
}

/// The sentence on why not.
fn refuse<T>(sentence: impl Into<String>) -> Result<T, ConfigError> {
    Err(ConfigError(sentence.into()))
}

fn millis(ms: u32) -> Duration {
    Duration::from_millis(ms.into())
}
