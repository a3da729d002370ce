//! Short ways to write rules and requests in tests.
#![allow(dead_code, unreachable_pub)]

use fencegate_core::flaw::ConfigError;
use fencegate_core::policy::{Policy, RuleConfig, Unmatched};
use fencegate_core::request::{HeaderNames, HeadersConfig, Request};

/// A rule as it stands in the configuration; `extra` is more JSON, with a leading comma.
pub fn rule(authority: &str, path: &str, resource: &str, extra: &str) -> RuleConfig {
    let authority: Vec<String> = authority
        .split(' ')
        .map(|host| format!("{host:?}"))
        .collect();
    let json = format!(
        r#"{{ "match": {{ "authority": [{}], "path": {path:?} }}, "resource": {resource:?} {extra} }}"#,
        authority.join(", ")
    );
    serde_json::from_str(&json).unwrap_or_else(|why| panic!("{json}: {why}"))
}

pub fn build(rules: &[RuleConfig]) -> Result<Policy, ConfigError> {
    Policy::build(rules, Unmatched::Pass)
}

pub fn policy(rules: &[RuleConfig]) -> Policy {
    build(rules).unwrap_or_else(|why| panic!("{why}"))
}

pub fn names() -> HeaderNames {
    HeaderNames::build(&HeadersConfig::default()).unwrap()
}

/// Reads a request with these headers after the three pseudo-headers.
pub fn request<'a>(
    method: &'a str,
    host: &'a str,
    path: &'a [u8],
    more: &[(&'a str, &'a str)],
) -> Request<'a> {
    let pseudo = [
        (":method", method.as_bytes()),
        (":authority", host.as_bytes()),
        (":path", path),
    ];
    let more = more.iter().map(|&(name, value)| (name, value.as_bytes()));
    let all = pseudo
        .into_iter()
        .chain(more)
        .map(|(name, value)| (name.as_bytes(), value));
    Request::read(all, &names())
}

/// Reads a request with exactly these headers.
pub fn raw<'a>(headers: &[(&'a str, &'a [u8])]) -> Request<'a> {
    Request::read(
        headers
            .iter()
            .map(|&(name, value)| (name.as_bytes(), value)),
        &names(),
    )
}
