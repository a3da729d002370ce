//! The part of the configuration that says where etcd is and how it is asked.

use super::{ConfigError, Issuer, millis, refuse};
use core::fmt;
use core::time::Duration;
use fencegate_core::name;
use fencegate_core::policy::{AfterExpiry, RuleConfig};
#[cfg(feature = "schema")]
use schemars::JsonSchema;

/// etcd runs no lease for less.
const TTL_MIN_MS: u32 = 2_000;
const TIMEOUT_MS: core::ops::RangeInclusive<u32> = 50..=5_000;
const WINDOW_MS: core::ops::RangeInclusive<u32> = 10..=60_000;
const PREFIX_LEN_MAX: usize = 128;

/// The authority `etcd`.
#[derive(Debug)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct EtcdConfig {
    /// The proxy's cluster of etcd's members.
    pub cluster: String,
    /// What all keys begin with, like `/fencegate/`.
    pub prefix: String,
    /// How long a call may take, in ms; 50 to 5000. A judged request is held no longer than that and
    /// the window, a call of the lease API no longer than three times that and the window.
    #[cfg_attr(feature = "schema", serde(default = "timeout_ms"))]
    pub timeout_ms: u32,
    /// The window, in ms, if this filter is to refuse another one; 10 to 60000.
    #[cfg_attr(feature = "schema", serde(default))]
    pub window_ms: Option<u32>,
    /// Whom etcd is asked as, where it wants to know.
    #[cfg_attr(feature = "schema", serde(default))]
    pub auth: Option<AuthConfig>,
}

/// A user of etcd.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct AuthConfig {
    /// Its name.
    pub user: String,
    /// Its password.
    pub password: Password,
}

/// A password, which nothing prints.
#[derive(Clone)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[cfg_attr(feature = "schema", serde(transparent))]
pub struct Password(pub String);

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password")
    }
}

/// How etcd is asked: what was configured, checked.
#[derive(Debug)]
pub struct EtcdSettings {
    /// The proxy's cluster.
    pub cluster: String,
    /// What all keys begin with.
    pub prefix: String,
    /// How long a call may take.
    pub timeout: Duration,
    /// The window that is expected.
    pub window: Option<Duration>,
    /// Whom etcd is asked as.
    pub auth: Option<AuthConfig>,
}

impl EtcdSettings {
    pub(super) fn check(config: EtcdConfig) -> Result<Self, ConfigError> {
        if config.cluster.is_empty() {
            return refuse("authority.etcd.cluster: name the proxy's cluster of etcd's members");
        }
        if !is_prefix(&config.prefix) {
            return refuse(
                "authority.etcd.prefix: give a plain path with a slash at both ends, like /fencegate/",
            );
        }
        if !TIMEOUT_MS.contains(&config.timeout_ms) {
            return refuse(format!(
                "authority.etcd.timeout_ms: give {} to {}, not {}",
                TIMEOUT_MS.start(),
                TIMEOUT_MS.end(),
                config.timeout_ms
            ));
        }
        if let Some(window) = config.window_ms
            && !WINDOW_MS.contains(&window)
        {
            return refuse(format!(
                "authority.etcd.window_ms: give {} to {}, or leave it out, not {window}",
                WINDOW_MS.start(),
                WINDOW_MS.end()
            ));
        }
        if config
            .auth
            .as_ref()
            .is_some_and(|auth| auth.user.is_empty())
        {
            return refuse("authority.etcd.auth.user: name the user, or leave auth out");
        }
        Ok(Self {
            cluster: config.cluster,
            prefix: config.prefix,
            timeout: millis(config.timeout_ms),
            window: config.window_ms.map(millis),
            auth: config.auth,
        })
    }
}

/// What cannot be kept with etcd, or would be given up without a word.
pub(super) fn goes_with(
    config: &EtcdConfig,
    issuer: &Issuer,
    rules: &[RuleConfig],
) -> Result<(), ConfigError> {
    let strict = |rule: &RuleConfig| rule.after_expiry == AfterExpiry::Refuse;
    match issuer {
        Issuer::External(external) if external.cold_start.is_some() => refuse(
            "issuer.external.cold_start: etcd keeps marks, and no restart forgets them; remove it",
        ),
        Issuer::External(_) => Ok(()),
        Issuer::Fencegate(ours) => {
            if let Some(at) = rules.iter().position(strict) {
                return refuse(format!(
                    "rules[{at}].after_expiry: no record in etcd says that a lease has ended; remove it, or use authority.memory"
                ));
            }
            if ours.lock_delay_ms.is_none() {
                return refuse(
                    "issuer.fencegate.lock_delay_ms: with several proxies a write that was admitted may still be under way when the lease ends; give the longest time that one may take, or 0 if a late write may land after a newer one",
                );
            }
            let shortest = TTL_MIN_MS.max(config.window_ms.unwrap_or_default());
            if ours.ttl_ms.min < shortest {
                return refuse(format!(
                    "issuer.fencegate.ttl_ms.min: with etcd at least {shortest}, not {}",
                    ours.ttl_ms.min
                ));
            }
            Ok(())
        }
    }
}

fn is_prefix(prefix: &str) -> bool {
    (2..=PREFIX_LEN_MAX).contains(&prefix.len())
        && prefix.starts_with('/')
        && prefix.ends_with('/')
        && prefix.bytes().all(name::is_name_byte)
        && prefix.as_bytes().windows(2).all(|pair| pair != b"//")
}

pub(super) const fn timeout_ms() -> u32 {
    500
}
