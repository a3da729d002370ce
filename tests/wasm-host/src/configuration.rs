//! The filter's configuration on a day.

use crate::client::{API, prefix};
use crate::day::Setting;
use crate::ticket::Configured;
use serde_json::json;

/// The shortest and the longest lease, in ms.
pub const TTL_MS: (u32, u32) = (1_000, 60_000);

/// The configuration as JSON.
#[must_use]
pub fn write(setting: &Setting, configured: Configured, resources: Option<u32>) -> Vec<u8> {
    let resource = format!("{}:{{job}}", prefix(configured.mapping));
    let rule = |path: &str, token: &str| {
        let mut rule = json!({
            "match": { "authority": ["store.example"], "path": path },
            "resource": resource,
            "token": token,
            "reads": if setting.reads_fenced { "fence" } else { "pass" },
        });
        if setting.strict && !setting.external {
            rule["after_expiry"] = json!("refuse");
        }
        rule
    };
    let issuer = if setting.external {
        json!({ "external": {
            "path": API,
            "access": "anyone",
            "cold_start": "admits_the_first_token_seen",
        } })
    } else {
        json!({ "fencegate": {
            "path": API,
            "access": "anyone",
            "break_access": "anyone",
            "ttl_ms": { "min": TTL_MS.0, "default": 10_000, "max": TTL_MS.1 },
            "lock_delay_ms": setting.lock_delay_ms,
            "listener_drain_ms": 0,
        } })
    };
    json!({
        "generation": configured.generation,
        "authority": { "memory": { "resources": resources.unwrap_or(setting.resources) } },
        "issuer": issuer,
        "rules": [rule("/jobs/{job}/{*rest}", "required"), rule("/seen/{job}", "observe")],
        "unmatched": "pass",
        "disclose": setting.disclose,
    })
    .to_string()
    .into_bytes()
}
