//! What has not the form of a configuration: unknown fields at every level, other kinds of
//! values, unknown words, missing fields, and what is no JSON.

use crate::support::settings::{etcd, external, ours, with, without};
use crate::{refused, refused_text};
use serde_json::json;

#[test]
fn unknown_fields_are_refused_at_every_level() {
    let no = |fields: &str| format!("there is no such field; remove it. There are: {fields}");
    for (config, place, fields) in [
        (
            ours(),
            "sneaky",
            "generation authority issuer rules unmatched disclose headers decisions",
        ),
        (ours(), "authority.memory.size", "resources"),
        (
            ours(),
            "issuer.fencegate.acess",
            "path access break_access ttl_ms lock_delay_ms listener_drain_ms wait_ms_max drain",
        ),
        (
            ours(),
            "rules[0].tokn",
            "match resource token reads after_expiry seal",
        ),
        (ours(), "rules[0].match.host", "authority path"),
        (
            with(ours(), "/headers", json!({})),
            "headers.tokens",
            "token holder",
        ),
        (
            with(ours(), "/decisions", json!({})),
            "decisions.rings",
            "ring",
        ),
        (
            with(ours(), "/issuer/fencegate/ttl_ms", json!({})),
            "issuer.fencegate.ttl_ms.minimum",
            "min default max",
        ),
        (
            with(
                ours(),
                "/issuer/fencegate/break_access",
                json!({ "peers": { "by": "uri_san", "names": ["x"] } }),
            ),
            "issuer.fencegate.break_access.peers.name",
            "by names",
        ),
        (
            etcd(),
            "authority.etcd.timeout",
            "cluster prefix timeout_ms window_ms auth",
        ),
        (
            with(
                etcd(),
                "/authority/etcd/auth",
                json!({ "user": "u", "password": "p" }),
            ),
            "authority.etcd.auth.name",
            "user password",
        ),
        (
            external(),
            "issuer.external.ttl_ms",
            "path access cold_start holder jump_max",
        ),
    ] {
        let pointer = format!("/{}", place.replace("[0]", "/0").replace('.', "/"));
        let config = with(config, &pointer, json!(1));
        refused(&config, &format!("{place}: {}", no(fields)));
    }
}

#[test]
fn missing_fields_are_named() {
    for (config, place, field) in [
        (ours(), "", "generation"),
        (ours(), "", "authority"),
        (ours(), "", "issuer"),
        (ours(), "", "rules"),
        (ours(), "authority.memory", "resources"),
        (ours(), "issuer.fencegate", "path"),
        (ours(), "issuer.fencegate", "access"),
        (ours(), "issuer.fencegate", "listener_drain_ms"),
        (external(), "issuer.external", "access"),
        (etcd(), "authority.etcd", "cluster"),
        (etcd(), "authority.etcd", "prefix"),
        (ours(), "rules[0]", "match"),
        (ours(), "rules[0]", "resource"),
        (ours(), "rules[0].match", "authority"),
        (ours(), "rules[0].match", "path"),
    ] {
        let at = if place.is_empty() {
            String::new()
        } else {
            format!("{place}: ")
        };
        let pointer = format!("/{place}/{field}")
            .replace("[0]", "/0")
            .replace('.', "/");
        let pointer = pointer.replace("//", "/");
        let sentence = format!("{at}{field} is missing; add it");
        refused(&without(config, &pointer), &sentence);
    }
}

#[test]
fn unknown_words_are_answered_with_those_that_there_are() {
    for (pointer, value, sentence) in [
        (
            "/authority",
            json!({ "redis": {} }),
            "authority.redis: give one of: memory etcd",
        ),
        (
            "/issuer",
            json!({ "zookeeper": {} }),
            "issuer.zookeeper: give one of: fencegate external",
        ),
        (
            "/issuer/fencegate/access",
            json!("everyone"),
            "issuer.fencegate.access: give one of: anyone peer",
        ),
        (
            "/issuer/fencegate/access",
            json!({ "peer": "uri" }),
            "issuer.fencegate.access.peer: give one of: uri_san dns_san sha256_digest",
        ),
        (
            "/issuer/fencegate/break_access",
            json!("operators"),
            "issuer.fencegate.break_access: give one of: nobody anyone peers",
        ),
        (
            "/rules/0/token",
            json!("optional"),
            "rules[0].token: give one of: observe required",
        ),
        (
            "/rules/0/reads",
            json!("block"),
            "rules[0].reads: give one of: pass fence",
        ),
        (
            "/rules/0/after_expiry",
            json!("admit"),
            "rules[0].after_expiry: give one of: admit_until_superseded refuse",
        ),
        (
            "/unmatched",
            json!("allow"),
            "unmatched: give one of: pass reject",
        ),
    ] {
        refused(&with(ours(), pointer, value), sentence);
    }
    refused(
        &with(external(), "/issuer/external/holder", json!("optional")),
        "issuer.external.holder: give one of: required optional_law_4_is_given_up",
    );
    refused(
        &with(external(), "/issuer/external/cold_start", json!("yes")),
        "issuer.external.cold_start: give one of: admits_the_first_token_seen",
    );
}

#[test]
fn other_kinds_of_values_are_refused() {
    let whole = "give a whole number from 0 to 4294967295";
    let alone = "this one has a value of its own: give an object with its name and its value";
    for (pointer, value, sentence) in [
        ("/generation", json!("1"), format!("generation: {whole}")),
        ("/generation", json!(-1), format!("generation: {whole}")),
        ("/generation", json!(4_294_967_296_u64), format!("generation: {whole}")),
        ("/authority/memory/resources", json!(1.5), format!("authority.memory.resources: {whole}")),
        ("/authority", json!("memory"), format!("authority: {alone}")),
        ("/issuer", json!("external"), format!("issuer: {alone}")),
        ("/authority", json!(null), "authority: give a name, or an object with one member".into()),
        ("/issuer/zookeeper", json!({}), "issuer: give an object with one member".into()),
        (
            "/issuer/fencegate/access",
            json!({ "anyone": true }),
            "issuer.fencegate.access.anyone: this one has no value of its own: give its name as a text"
                .into(),
        ),
        ("/issuer/fencegate/path", json!(1), "issuer.fencegate.path: give a text".into()),
        ("/issuer/fencegate/ttl_ms", json!(5000), "issuer.fencegate.ttl_ms: give an object".into()),
        ("/rules", json!({}), "rules: give a list".into()),
        ("/rules/0", json!("x"), "rules[0]: give an object".into()),
        (
            "/rules/0/match/authority",
            json!("*"),
            "rules[0].match.authority: give a list".into(),
        ),
        (
            "/rules/0/match/authority/0",
            json!(1),
            "rules[0].match.authority[0]: give a text".into(),
        ),
        ("/disclose", json!("yes"), "disclose: give true or false".into()),
    ] {
        refused(&with(ours(), pointer, value), &sentence);
    }
}

#[test]
fn what_is_not_in_this_version_is_refused_as_such() {
    let later =
        "this version does not do this; remove it, and rely on what the README promises without it";
    for (pointer, value, place) in [
        (
            "/issuer/fencegate/drain",
            json!({ "bound_ms": 20_000 }),
            "issuer.fencegate.drain",
        ),
        ("/rules/0/seal", json!({ "profile": "s3" }), "rules[0].seal"),
    ] {
        refused(&with(ours(), pointer, value), &format!("{place}: {later}"));
    }
    refused(
        &with(ours(), "/decisions", json!({ "ring": 5 })),
        "decisions.ring: this version keeps no ring of decisions; give 0, and take them from the access log",
    );
}

#[test]
fn what_is_no_json_is_refused() {
    let text = ours().to_string();
    refused_text("", "give an object");
    refused_text("nothing", "give an object");
    refused_text("[]", "give an object");
    refused_text("\"keepr\"", "give an object");
    refused_text("{", "give a name in quotes");
    refused_text("{'generation': 1}", "give a name in quotes");
    refused_text("{\"generation\": 1,}", "give a name in quotes");
    refused_text(
        "{\"generation\" 1}",
        "generation: this is no JSON: a : is missing",
    );
    refused_text(
        "{\"generation\": 1 \"issuer\": 1}",
        "this is no JSON: a , is missing",
    );
    refused_text(
        "{\"generation\": 1, \"generation\": 1}",
        "generation: it is given twice",
    );
    refused_text(&format!("{text} {text}"), "there is more after its end");
    for len in 0..text.len() {
        assert!(
            fencegate::config::read(&text.as_bytes()[..len]).is_err(),
            "{len} bytes"
        );
    }
}
