//! What has the form of a configuration and cannot keep its promises.

use crate::refused;
use crate::support::settings::{external, ours, rule, with};
use serde_json::{Value, json};

/// Each of these changes is refused with its sentence.
fn each(
    config: fn() -> Value,
    table: impl IntoIterator<Item = (&'static str, Value, &'static str)>,
) {
    for (pointer, value, sentence) in table {
        refused(&with(config(), pointer, value), sentence);
    }
}

#[test]
fn numbers_out_of_range_are_refused() {
    each(
        ours,
        [
            (
                "/generation",
                json!(0),
                "generation: start with 1, and raise it whenever requests are mapped to other resources",
            ),
            (
                "/authority/memory/resources",
                json!(0),
                "authority.memory.resources: give 1 to 1000000, not 0",
            ),
            (
                "/authority/memory/resources",
                json!(1_000_001),
                "authority.memory.resources: give 1 to 1000000, not 1000001",
            ),
            (
                "/issuer/fencegate/lock_delay_ms",
                json!(3_600_001),
                "issuer.fencegate.lock_delay_ms: at most 3600000 (one hour), not 3600001",
            ),
            (
                "/issuer/fencegate/listener_drain_ms",
                json!(4_294_967_295_u32),
                "issuer.fencegate.listener_drain_ms: at most 3600000 (one hour), not 4294967295",
            ),
        ],
    );
}

#[test]
fn times_to_live_rise_within_their_limits() {
    for (min, default, max) in [
        (5000, 4000, 6000),
        (1000, 6000, 5000),
        (99, 10_000, 60_000),
        (1000, 10_000, 86_400_001_u32),
        (0, 0, 0),
    ] {
        let ttl = json!({ "min": min, "default": default, "max": max });
        let sentence = format!(
            "issuer.fencegate.ttl_ms: min, default and max must rise from 100 to at most 86400000; they are {min}, {default} and {max}"
        );
        refused(&with(ours(), "/issuer/fencegate/ttl_ms", ttl), &sentence);
    }
    // What is left out keeps its default, and may not fit any more.
    let only_min = with(ours(), "/issuer/fencegate/ttl_ms", json!({ "min": 20_000 }));
    refused(
        &only_min,
        "issuer.fencegate.ttl_ms: min, default and max must rise from 100 to at most 86400000; they are 20000, 10000 and 60000",
    );
}

#[test]
fn an_api_path_is_plain_and_no_rule_matches_it() {
    for path in [
        "", "/", "fence", "/fence/", "/a//b", "/a b", "/a%20b", "/a?b", "/\u{e9}",
    ] {
        for (config, field) in [(ours(), "fencegate"), (external(), "external")] {
            let config = with(config, &format!("/issuer/{field}/path"), json!(path));
            let sentence = format!(
                "issuer.{field}.path: give a plain path like /fence/v1, without a slash at its end, not {path}"
            );
            refused(&config, &sentence);
        }
    }
    refused(
        &with(ours(), "/issuer/fencegate/path", json!("/fence/../v1")),
        "issuer.fencegate.path: no request reaches the segment \"..\"; write another one: a segment of dots means another directory to some stores",
    );
    refused(
        &with(external(), "/issuer/external/path", json!("/jobs/1")),
        "issuer.external.path: a rule matches /jobs/1, which the lease API answers; choose a path that no rule matches",
    );
    let sentence = "issuer.fencegate.path: a rule matches /fence/v1, which the lease API answers; choose a path that no rule matches";
    for (path, resource) in [
        ("/{*all}", "x:{all}"),
        ("/{a}/{b}", "x:{a}"),
        ("/fence/{*rest}", "x:{rest}"),
        ("/fence/v1", "x"),
        ("/fence/v1/acquire", "x"),
        ("/fence/v1/{call}/{*rest}", "x:{call}"),
    ] {
        let matching = rule(path, resource, json!({}));
        refused(&with(ours(), "/rules/0", matching), sentence);
    }
}

#[test]
fn somebody_is_named_who_may_break() {
    let nobody = json!({ "peers": { "by": "uri_san", "names": [] } });
    each(
        ours,
        [(
            "/issuer/fencegate/break_access",
            nobody,
            "issuer.fencegate.break_access.peers.names: name somebody, or say \"nobody\"",
        )],
    );
}

#[test]
fn external_tokens_have_no_lease_and_may_rise() {
    each(
        external,
        [
            (
                "/rules/0/after_expiry",
                json!("refuse"),
                "rules[0].after_expiry: external tokens have no lease that could end; remove it, or use issuer.fencegate",
            ),
            (
                "/issuer/external/jump_max",
                json!(0),
                "issuer.external.jump_max: 0 would admit no new token; give at least 1, or leave it out",
            ),
        ],
    );
}

#[test]
fn rules_are_refused_by_their_place() {
    each(
        ours,
        [
            ("/rules", json!([]), "rules: write between 1 and 1000 rules"),
            (
                "/rules",
                json!([
                    rule("/jobs/{job}/{*rest}", "job:{job}", json!({})),
                    rule("/jobs/1/x", "job:1", json!({})),
                ]),
                "rules[1].match: /jobs/1/x on * matches rules[0] too; change one, so that no request matches both",
            ),
            (
                "/rules/0/resource",
                json!("job:{id}"),
                "rules[0].resource: {id} is not a variable of the path /jobs/{job}/{*rest}; it has {job}, {rest}",
            ),
            (
                "/rules/0/resource",
                json!(""),
                "rules[0].resource: a resource has a name; write one, like job:{job}",
            ),
            (
                "/rules/0/resource",
                json!("{job}{rest}"),
                "rules[0].resource: {job} and {rest} could run into each other; begin the text between them with : / @ + or =",
            ),
            (
                "/rules/0/match/path",
                json!("jobs/{job}"),
                "rules[0].match.path: a path starts with /; put one in front",
            ),
            (
                "/rules/0/match/authority",
                json!(["store.example:443"]),
                "rules[0].match.authority[0]: hosts are compared without port and last dot; write \"store.example\"",
            ),
            (
                "/rules/0/match/authority",
                json!(["store.example", "*"]),
                "rules[0].match.authority: \"*\" stands alone; drop it or the others",
            ),
        ],
    );
}

#[test]
fn header_names_are_names_that_mean_nothing_else() {
    each(
        ours,
        [
            (
                "/headers",
                json!({ "token": [] }),
                "headers.token: write between 1 and 8 header names",
            ),
            (
                "/headers",
                json!({ "token": ["Fencing-Token"] }),
                "headers.token[0]: \"Fencing-Token\" is no header name here; write lower-case letters, digits and -, at most 64",
            ),
            (
                "/headers",
                json!({ "holder": ["host"] }),
                "headers.holder[0]: \"host\" already has another meaning; choose another name",
            ),
            (
                "/headers",
                json!({ "token": ["x"], "holder": ["x"] }),
                "headers.holder[0]: \"x\" is already at headers.token[0]; drop one",
            ),
        ],
    );
}
