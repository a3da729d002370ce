//! How the configuration's types are read: the names of their fields and variants, and what a field
//! is where it is left out.
//!
//! The schema is made of the types themselves, and a test compares the two.

use super::{
    Access, AuthConfig, Authority, BreakAccess, ColdStart, Config, Decisions, EtcdConfig,
    ExternalConfig, HolderNeed, Issuer, MemoryConfig, Operators, OursConfig, Password,
    PeerProperty, Ttl,
};
use crate::json::{Failed, Read, Reader};
use crate::{choice, object};
use fencegate_core::later::NotInThisVersion;
use fencegate_core::policy::{AfterExpiry, MatchConfig, Mode, Reads, RuleConfig, Unmatched};
use fencegate_core::request::HeadersConfig;

object! { Config {
    generation,
    authority,
    issuer,
    rules,
    unmatched = Unmatched::default(),
    disclose = super::yes(),
    headers = HeadersConfig::default(),
    decisions = Decisions::default(),
} }

choice! { Authority {
    "memory" = Memory(memory),
    "etcd" = Etcd(etcd),
} }

object! { MemoryConfig { resources } }

object! { EtcdConfig {
    cluster,
    prefix,
    timeout_ms = super::timeout_ms(),
    window_ms = None,
    auth = None,
} }

object! { AuthConfig { user, password } }

choice! { Issuer {
    "fencegate" = Fencegate(ours),
    "external" = External(external),
} }

object! { OursConfig {
    path,
    access,
    break_access = BreakAccess::default(),
    ttl_ms = Ttl::default(),
    lock_delay_ms = None,
    listener_drain_ms,
    wait_ms_max = super::wait_ms_max(),
    drain = None,
} }

object! { Ttl {
    min = Self::default().min,
    default = Self::default().default,
    max = Self::default().max,
} }

object! { ExternalConfig {
    path,
    access,
    cold_start = None,
    holder = HolderNeed::default(),
    jump_max = None,
} }

choice! { ColdStart { "admits_the_first_token_seen" = AdmitsTheFirstTokenSeen } }

choice! { HolderNeed {
    "required" = Required,
    "optional_law_4_is_given_up" = Optional,
} }

choice! { Access {
    "anyone" = Anyone,
    "peer" = Peer(property),
} }

choice! { BreakAccess {
    "nobody" = Nobody,
    "anyone" = Anyone,
    "peers" = Peers(operators),
} }

object! { Operators { by, names } }

choice! { PeerProperty {
    "uri_san" = UriSan,
    "dns_san" = DnsSan,
    "sha256_digest" = Sha256Digest,
} }

object! { Decisions { ring = 0 } }

object! { RuleConfig {
    matches as "match",
    resource,
    token = Mode::default(),
    reads = Reads::default(),
    after_expiry = AfterExpiry::default(),
    seal = None,
} }

object! { MatchConfig { authority, path } }

choice! { Mode {
    "observe" = Observe,
    "required" = Required,
} }

choice! { Reads {
    "pass" = Pass,
    "fence" = Fence,
} }

choice! { AfterExpiry {
    "admit_until_superseded" = AdmitUntilSuperseded,
    "refuse" = Refuse,
} }

choice! { Unmatched {
    "pass" = Pass,
    "reject" = Reject,
} }

object! { HeadersConfig {
    token = Self::default().token,
    holder = Self::default().holder,
} }

impl Read for Password {
    fn read(from: &mut Reader<'_>) -> Result<Self, Failed> {
        String::read(from).map(Self)
    }
}

impl Read for NotInThisVersion {
    fn read(from: &mut Reader<'_>) -> Result<Self, Failed> {
        Err(from.fail(Self::WHY))
    }
}
