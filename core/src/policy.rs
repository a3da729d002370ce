//! The rules: which resource a request writes to, and what it must bring along.
//!
//! [`Policy::build`] checks the configured rules completely; no two of them match one request, so
//! their order means nothing. [`Policy::route`] says where a request goes. Two laws hold for it:
//! two spellings of one place get one key or a refusal, and what could be a guarded place in some
//! reader's eyes never counts as unmatched.
//!
//! Knows nothing of leases, records or marks: whether a token is good is judged elsewhere.

mod config;
mod fingerprint;
mod host_pattern;
mod path_template;
mod refusal;
mod resource_template;
mod route;

pub use crate::check::AfterExpiry;
pub use config::{MatchConfig, Mode, Reads, RuleConfig, Unmatched};
pub use refusal::{Reason, Refusal};
pub use route::{Guarded, Refused, Route};

use crate::flaw::{ConfigError, Flaw};
use crate::host_name::HostName;
use host_pattern::Hosts;
use path_template::PathTemplate;
use resource_template::ResourceTemplate;

/// The most rules of a policy.
pub const RULES_MAX: usize = 1000;

/// Checked rules.
#[derive(Clone, Debug)]
pub struct Policy {
    rules: Vec<Rule>,
    unmatched: Unmatched,
    fingerprint: u64,
}

/// One checked rule.
#[derive(Clone, Debug)]
struct Rule {
    hosts: Hosts,
    path: PathTemplate,
    resource: ResourceTemplate,
    mode: Mode,
    reads: Reads,
    after_expiry: AfterExpiry,
}

impl Policy {
    /// Checks the rules, each alone and all pairs.
    ///
    /// # Errors
    /// The first flaw, with the JSON path of its field.
    pub fn build(rules: &[RuleConfig], unmatched: Unmatched) -> Result<Self, ConfigError> {
        if rules.is_empty() || rules.len() > RULES_MAX {
            return Err(ConfigError::new(
                "rules",
                Flaw::RuleCount { max: RULES_MAX },
            ));
        }
        let mut checked: Vec<Rule> = Vec::with_capacity(rules.len());
        for (index, config) in rules.iter().enumerate() {
            let at = format!("rules[{index}]");
            let rule = Rule::build(config, &at)?;
            let overlap = checked
                .iter()
                .enumerate()
                .find_map(|(other, earlier)| rule.overlap(earlier, other));
            if let Some(flaw) = overlap {
                return Err(ConfigError::new(format!("{at}.match"), flaw));
            }
            checked.push(rule);
        }
        let fingerprint = fingerprint::of(&checked);
        Ok(Self {
            rules: checked,
            unmatched,
            fingerprint,
        })
    }

    /// Whether some rule makes this resource of some request. Acquiring any other is a mistake.
    #[must_use]
    pub fn produces(&self, resource: &str) -> bool {
        self.rules
            .iter()
            .any(|rule| rule.resource.produces(resource))
    }

    /// Whether some rule may match a place at or under `path`, on some host.
    ///
    /// # Errors
    /// `path` is no plain path.
    pub fn may_match_under(&self, path: &str) -> Result<bool, Flaw> {
        let under = PathTemplate::parse(&format!("{path}/{{*rest}}"))?;
        Ok(self.rules.iter().any(|rule| rule.path.overlaps(&under)))
    }

    /// A hash of what maps requests to resources. Equal mappings have equal hashes, on every target
    /// and in every version; the order of rules and the names of variables do not matter.
    #[must_use]
    pub const fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    fn rules_for(&self, host: HostName<'_>) -> impl Iterator<Item = &Rule> {
        self.rules
            .iter()
            .filter(move |rule| rule.hosts.include(host))
    }
}

impl Rule {
    fn build(config: &RuleConfig, at: &str) -> Result<Self, ConfigError> {
        let hosts = Hosts::parse(&config.matches.authority, &format!("{at}.match.authority"))?;
        let path = PathTemplate::parse(&config.matches.path)
            .map_err(|flaw| ConfigError::new(format!("{at}.match.path"), flaw))?;
        let resource = ResourceTemplate::parse(&config.resource, &path)
            .map_err(|flaw| ConfigError::new(format!("{at}.resource"), flaw))?;
        let RuleConfig {
            token: mode,
            reads,
            after_expiry,
            ..
        } = *config;
        Ok(Self {
            hosts,
            path,
            resource,
            mode,
            reads,
            after_expiry,
        })
    }

    /// The flaw of matching some request that `other`, at that place, matches too.
    fn overlap(&self, earlier: &Self, other: usize) -> Option<Flaw> {
        if !self.path.overlaps(&earlier.path) {
            return None;
        }
        let host = self.hosts.common(&earlier.hosts)?;
        Some(Flaw::Overlap {
            other,
            authority: host.to_string(),
            path: self.path.witness(&earlier.path),
        })
    }
}
