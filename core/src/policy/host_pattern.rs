//! Which hosts a rule is for.

use core::fmt;
use core::net::Ipv6Addr;

use crate::flaw::{ConfigError, Flaw};
use crate::host_name::HostName;

/// The most hosts of one rule.
pub(super) const HOSTS_MAX: usize = 64;

/// The hosts of one rule.
#[derive(Clone, Debug)]
pub(super) struct Hosts(Vec<HostPattern>);

/// One host of a rule; in a rule's list sorted, and each only once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum HostPattern {
    Any,
    /// In lower case.
    Name(String),
    Ipv6(Ipv6Addr),
}

impl Hosts {
    /// Checks the list at the JSON path `at`.
    pub(super) fn parse(authorities: &[String], at: &str) -> Result<Self, ConfigError> {
        if authorities.is_empty() || authorities.len() > HOSTS_MAX {
            return Err(ConfigError::new(
                at,
                Flaw::AuthorityCount { max: HOSTS_MAX },
            ));
        }
        let mut patterns = Vec::with_capacity(authorities.len());
        for (index, text) in authorities.iter().enumerate() {
            let here = |flaw| ConfigError::new(format!("{at}[{index}]"), flaw);
            let pattern = HostPattern::parse(text).map_err(here)?;
            if let Some(first) = patterns.iter().position(|other| *other == pattern) {
                return Err(here(Flaw::AuthorityTwice { first }));
            }
            patterns.push(pattern);
        }
        if patterns.len() > 1 && patterns.contains(&HostPattern::Any) {
            return Err(ConfigError::new(at, Flaw::AuthorityBesideAny));
        }
        Ok(Self(patterns))
    }

    pub(super) fn include(&self, host: HostName<'_>) -> bool {
        self.0.iter().any(|pattern| pattern.is(host))
    }

    /// A host that both lists include, the narrower spelling of it.
    pub(super) fn common<'h>(&'h self, other: &'h Self) -> Option<&'h HostPattern> {
        match (self.0.as_slice(), other.0.as_slice()) {
            ([HostPattern::Any], hosts) | (hosts, [HostPattern::Any]) => hosts.first(),
            (mine, theirs) => mine.iter().find(|host| theirs.contains(host)),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &HostPattern> {
        self.0.iter()
    }
}

impl HostPattern {
    fn parse(text: &str) -> Result<Self, Flaw> {
        if text == "*" {
            return Ok(Self::Any);
        }
        let pattern = match HostName::read(text.as_bytes()).map_err(Flaw::Authority)? {
            HostName::Name(name) => Self::Name(name.to_ascii_lowercase()),
            HostName::Ipv6(address) => Self::Ipv6(address),
        };
        // An IPv6 address has several plain spellings, a name only one.
        let plain = match &pattern {
            Self::Ipv6(_) => text.ends_with(']'),
            _ => text.eq_ignore_ascii_case(&pattern.to_string()),
        };
        if plain {
            Ok(pattern)
        } else {
            Err(Flaw::AuthorityNotPlain {
                plain: pattern.to_string(),
            })
        }
    }

    fn is(&self, host: HostName<'_>) -> bool {
        match self {
            Self::Any => true,
            Self::Name(name) => host == HostName::Name(name),
            Self::Ipv6(address) => host == HostName::Ipv6(*address),
        }
    }
}

impl fmt::Display for HostPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("*"),
            Self::Name(name) => f.write_str(name),
            Self::Ipv6(address) => write!(f, "[{address}]"),
        }
    }
}
