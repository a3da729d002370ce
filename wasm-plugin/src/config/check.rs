//! From what the configuration says to what the filter does; or a sentence on why not.

use super::{
    Access, Authority, BreakAccess, Config, ConfigError, EtcdSettings, ExternalConfig, HolderNeed,
    Issuer, MemoryConfig, OursConfig, Ttl, etcd, millis, refuse,
};
use core::time::Duration;
use fencegate_core::check::External;
use fencegate_core::name;
use fencegate_core::policy::{AfterExpiry, Policy};
use fencegate_core::request::HeaderNames;

const HOUR_MS: u32 = 3_600_000;
const DAY_MS: u32 = 24 * HOUR_MS;
const RESOURCES_MAX: u32 = 1_000_000;
const TTL_MIN_MS: u32 = 100;

/// A configuration that was checked.
#[derive(Debug)]
pub struct Settings {
    /// The generation of the mapping.
    pub generation: u32,
    /// Where marks and leases are kept.
    pub store: Store,
    /// The path of the lease API.
    pub api_path: String,
    /// Who may use it.
    pub access: Access,
    /// Who may break leases.
    pub break_access: BreakAccess,
    /// Whose tokens they are.
    pub tokens: Tokens,
    /// Which request is for which resource.
    pub policy: Policy,
    /// Which headers carry token and holder.
    pub header_names: HeaderNames,
    /// Whether answers tell the current mark.
    pub disclose: bool,
}

/// Where marks and leases are kept.
#[derive(Debug)]
pub enum Store {
    /// In memory.
    Memory {
        /// For how many resources there is room.
        resources: u32,
    },
    /// In etcd.
    Etcd(EtcdSettings),
}

/// Whose tokens they are.
#[derive(Clone, Copy, Debug)]
pub enum Tokens {
    /// Ours, granted as this says.
    Ours(Granting),
    /// Somebody else's.
    External {
        /// How they are judged.
        rule: External,
        /// Whether a write must name its holder.
        holder: HolderNeed,
    },
}

/// How leases are granted.
#[derive(Clone, Copy, Debug)]
pub struct Granting {
    /// How long they run.
    pub ttl: Ttl,
    /// How long after a lease's end nobody else is granted.
    pub lock_delay: Duration,
    /// How long leases of before a start may go on.
    pub quarantine: Duration,
    /// How long an acquire may wait, in ms.
    pub wait_ms_max: u32,
}

impl Settings {
    /// Checks what has the right form.
    ///
    /// # Errors
    /// A sentence that names the field and the mend.
    pub fn check(config: Config) -> Result<Self, ConfigError> {
        let Config {
            generation,
            authority,
            issuer,
            rules,
            unmatched,
            disclose,
            headers,
            decisions,
        } = config;
        if generation == 0 {
            return refuse(
                "generation: start with 1, and raise it whenever requests are mapped to other resources",
            );
        }
        if decisions.ring != 0 {
            return refuse(
                "decisions.ring: this version keeps no ring of decisions; give 0, and take them from the access log",
            );
        }
        let store = match authority {
            Authority::Memory(memory) => in_memory(&memory, &issuer)?,
            Authority::Etcd(config) => {
                etcd::goes_with(&config, &issuer, &rules)?;
                Store::Etcd(EtcdSettings::check(config)?)
            }
        };
        let external = matches!(issuer, Issuer::External(_));
        if external
            && let Some(at) = rules
                .iter()
                .position(|rule| rule.after_expiry == AfterExpiry::Refuse)
        {
            return refuse(format!(
                "rules[{at}].after_expiry: external tokens have no lease that could end; remove it, or use issuer.fencegate"
            ));
        }
        let policy =
            Policy::build(&rules, unmatched).map_err(|error| ConfigError(error.to_string()))?;
        let header_names =
            HeaderNames::build(&headers).map_err(|error| ConfigError(error.to_string()))?;
        let issuing = match issuer {
            Issuer::Fencegate(ours) => Issuing::ours(ours)?,
            Issuer::External(external) => Issuing::external(&external)?,
        };
        let field = if external {
            "issuer.external.path"
        } else {
            "issuer.fencegate.path"
        };
        match policy.may_match_under(&issuing.api_path) {
            Ok(false) => {}
            Ok(true) => {
                return refuse(format!(
                    "{field}: a rule matches {}, which the lease API answers; choose a path that no rule matches",
                    issuing.api_path
                ));
            }
            Err(flaw) => return refuse(format!("{field}: {flaw}")),
        }
        Ok(Self {
            generation,
            store,
            api_path: issuing.api_path,
            access: issuing.access,
            break_access: issuing.break_access,
            tokens: issuing.tokens,
            policy,
            header_names,
            disclose,
        })
    }

    /// Stands for what the shared records mean: which requests they guard, and whose tokens
    /// they hold. Two configurations that differ in it must not share a generation.
    #[must_use]
    pub const fn mapping_hash(&self) -> u64 {
        let rules = self.policy.fingerprint();
        match self.tokens {
            Tokens::Ours(_) => rules,
            Tokens::External { .. } => !rules,
        }
    }
}

fn in_memory(memory: &MemoryConfig, issuer: &Issuer) -> Result<Store, ConfigError> {
    let resources = memory.resources;
    if !(1..=RESOURCES_MAX).contains(&resources) {
        return refuse(format!(
            "authority.memory.resources: give 1 to {RESOURCES_MAX}, not {resources}"
        ));
    }
    match issuer {
        Issuer::External(external) if external.cold_start.is_none() => refuse(
            "issuer.external.cold_start: marks in memory are gone after a restart; say \"admits_the_first_token_seen\", or use authority.etcd",
        ),
        _ => Ok(Store::Memory { resources }),
    }
}

struct Issuing {
    api_path: String,
    access: Access,
    break_access: BreakAccess,
    tokens: Tokens,
}

impl Issuing {
    fn ours(config: OursConfig) -> Result<Self, ConfigError> {
        let ttl = config.ttl_ms;
        let ordered = ttl.min <= ttl.default && ttl.default <= ttl.max;
        if !ordered || ttl.min < TTL_MIN_MS || ttl.max > DAY_MS {
            return refuse(format!(
                "issuer.fencegate.ttl_ms: min, default and max must rise from {TTL_MIN_MS} to at most {DAY_MS}; they are {}, {} and {}",
                ttl.min, ttl.default, ttl.max
            ));
        }
        let lock_delay_ms = config.lock_delay_ms.unwrap_or_default();
        for (field, value) in [
            ("lock_delay_ms", lock_delay_ms),
            ("listener_drain_ms", config.listener_drain_ms),
            ("wait_ms_max", config.wait_ms_max),
        ] {
            if value > HOUR_MS {
                return refuse(format!(
                    "issuer.fencegate.{field}: at most {HOUR_MS} (one hour), not {value}"
                ));
            }
        }
        if let BreakAccess::Peers(operators) = &config.break_access
            && operators.names.is_empty()
        {
            return refuse(
                "issuer.fencegate.break_access.peers.names: name somebody, or say \"nobody\"",
            );
        }
        let lock_delay = millis(lock_delay_ms);
        Ok(Self {
            api_path: api_path("issuer.fencegate.path", &config.path)?,
            access: config.access,
            break_access: config.break_access,
            tokens: Tokens::Ours(Granting {
                ttl,
                lock_delay,
                quarantine: lock_delay.max(millis(config.listener_drain_ms)),
                wait_ms_max: config.wait_ms_max,
            }),
        })
    }

    fn external(config: &ExternalConfig) -> Result<Self, ConfigError> {
        if config.jump_max == Some(0) {
            return refuse(
                "issuer.external.jump_max: 0 would admit no new token; give at least 1, or leave it out",
            );
        }
        Ok(Self {
            api_path: api_path("issuer.external.path", &config.path)?,
            access: config.access,
            break_access: BreakAccess::Nobody,
            tokens: Tokens::External {
                rule: External {
                    jump_max: config.jump_max,
                    unnamed_may_share: config.holder == HolderNeed::Optional,
                },
                holder: config.holder,
            },
        })
    }
}

/// A path of the lease API must be spelled in the one way in which requests are compared.
fn api_path(field: &str, path: &str) -> Result<String, ConfigError> {
    let plain = path.bytes().all(name::is_name_byte)
        && !path.contains('%')
        && path.len() > 1
        && path.starts_with('/')
        && !path.ends_with('/')
        && path.as_bytes().windows(2).all(|pair| pair != b"//");
    if plain {
        Ok(path.to_owned())
    } else {
        refuse(format!(
            "{field}: give a plain path like /fence/v1, without a slash at its end, not {path}"
        ))
    }
}
