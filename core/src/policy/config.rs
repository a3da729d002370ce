//! The rules as they stand in the configuration, before anything is checked.

use crate::check::AfterExpiry;
use crate::later::NotInThisVersion;
use serde::Deserialize;

/// One rule: which requests it guards, and how.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RuleConfig {
    /// Which requests.
    #[serde(rename = "match")]
    pub matches: MatchConfig,
    /// The template of the resource, like `job:{job}`.
    pub resource: String,
    /// Whether a write must carry a token.
    #[serde(default)]
    pub token: Mode,
    /// Whether reads are judged.
    #[serde(default)]
    pub reads: Reads,
    /// What a token is worth after its lease has ended.
    #[serde(default)]
    pub after_expiry: AfterExpiry,
    /// The store's own condition on a write.
    #[serde(default)]
    pub seal: Option<NotInThisVersion>,
}

/// Which requests a rule guards.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MatchConfig {
    /// The hosts, without port, or `*` alone for any.
    pub authority: Vec<String>,
    /// The template of the path: segments of text, `{name}` for one, `{*name}` for all the rest.
    pub path: String,
}

/// Whether what a rule refuses is refused or only counted. The stricter is the greater.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Everything passes; what would have been refused is counted.
    Observe,
    /// A request that is not admitted does not pass.
    #[default]
    Required,
}

/// Whether reads are judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
#[serde(rename_all = "snake_case")]
pub enum Reads {
    /// They pass, whatever token they carry.
    #[default]
    Pass,
    /// Like writes, but they never raise the mark.
    Fence,
}

/// What happens to requests that no rule matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
#[serde(rename_all = "snake_case")]
pub enum Unmatched {
    /// They pass.
    #[default]
    Pass,
    /// They are refused, reads included.
    Reject,
}
