//! The authority `etcd`: what its part of the configuration may say, and what does not go with it.

use crate::refused;
use crate::support::settings::{etcd, etcd_external, external, with, without};
use fencegate::config::{EtcdSettings, Store, read};
use serde_json::{Value, json};
use std::time::Duration;

fn settings(config: &Value) -> EtcdSettings {
    let read = read(config.to_string().as_bytes());
    let settings = read.unwrap_or_else(|why| panic!("{config}: {why}"));
    match settings.expect("a filter's configuration").store {
        Store::Etcd(settings) => settings,
        Store::Memory { .. } => panic!("etcd: {config}"),
    }
}

#[test]
fn the_least_that_is_said_of_etcd_is_where_it_is() {
    for config in [etcd(), etcd_external()] {
        let settings = settings(&config);
        assert_eq!((&*settings.cluster, &*settings.prefix), ("etcd", "/fg/"));
        assert_eq!(settings.timeout, Duration::from_millis(500));
        assert_eq!(settings.window, None);
        assert!(settings.auth.is_none());
    }
}

#[test]
fn every_field_of_etcd_is_taken() {
    let all = json!({ "cluster": "c", "prefix": "/a/b/", "timeout_ms": 50, "window_ms": 10,
        "auth": { "user": "u", "password": "" } });
    let settings = settings(&with(etcd(), "/authority/etcd", all));
    assert_eq!(settings.timeout, Duration::from_millis(50));
    assert_eq!(settings.window, Some(Duration::from_millis(10)));
    assert_eq!(settings.auth.expect("a user").user, "u");
}

#[test]
fn a_password_is_never_printed() {
    let auth = json!({ "user": "u", "password": "hunter2" });
    let printed = format!(
        "{:?}",
        settings(&with(etcd(), "/authority/etcd/auth", auth))
    );
    assert!(printed.contains("\"u\""), "{printed}");
    assert!(!printed.contains("hunter2"), "{printed}");
    for wrong in [
        json!("u:hunter2"),
        json!({ "user": "u", "password": ["hunter2"] }),
    ] {
        let config = with(etcd(), "/authority/etcd/auth", wrong).to_string();
        let error = read(config.as_bytes()).expect_err("a list is no password");
        assert!(!error.to_string().contains("hunter2"), "{error}");
    }
}

#[test]
fn what_etcd_cannot_be_is_refused() {
    for (field, value, sentence) in [
        (
            "cluster",
            json!(""),
            "authority.etcd.cluster: name the proxy's cluster of etcd's members",
        ),
        (
            "timeout_ms",
            json!(49),
            "authority.etcd.timeout_ms: give 50 to 5000, not 49",
        ),
        (
            "timeout_ms",
            json!(5001),
            "authority.etcd.timeout_ms: give 50 to 5000, not 5001",
        ),
        (
            "window_ms",
            json!(9),
            "authority.etcd.window_ms: give 10 to 60000, or leave it out, not 9",
        ),
        (
            "auth",
            json!({ "user": "", "password": "p" }),
            "authority.etcd.auth.user: name the user, or leave auth out",
        ),
    ] {
        refused(
            &with(etcd(), &format!("/authority/etcd/{field}"), value),
            sentence,
        );
    }
    for prefix in ["", "/", "fg/", "/fg", "//", "/a//b/", "/a b/", "/\u{e9}/"] {
        refused(
            &with(etcd(), "/authority/etcd/prefix", json!(prefix)),
            "authority.etcd.prefix: give a plain path with a slash at both ends, like /fencegate/",
        );
    }
}

#[test]
fn what_etcd_cannot_keep_is_refused() {
    refused(
        &with(etcd(), "/rules/0/after_expiry", json!("refuse")),
        "rules[0].after_expiry: no record in etcd says that a lease has ended; remove it, or use authority.memory",
    );
    refused(
        &without(etcd(), "/issuer/fencegate/lock_delay_ms"),
        "issuer.fencegate.lock_delay_ms: with several proxies a write that was admitted may still be under way when the lease ends; give the longest time that one may take, or 0 if a late write may land after a newer one",
    );
    refused(
        &with(etcd(), "/issuer/fencegate/ttl_ms/min", json!(1999)),
        "issuer.fencegate.ttl_ms.min: with etcd at least 2000, not 1999",
    );
    refused(
        &with(etcd(), "/authority/etcd/window_ms", json!(3000)),
        "issuer.fencegate.ttl_ms.min: with etcd at least 3000, not 2000",
    );
}

/// What a cold start means is a question of memory, and must be answered there.
#[test]
fn a_cold_start_is_said_with_memory_and_not_with_etcd() {
    refused(
        &without(external(), "/issuer/external/cold_start"),
        "issuer.external.cold_start: marks in memory are gone after a restart; say \"admits_the_first_token_seen\", or use authority.etcd",
    );
    refused(
        &with(
            etcd_external(),
            "/issuer/external/cold_start",
            json!("admits_the_first_token_seen"),
        ),
        "issuer.external.cold_start: etcd keeps marks, and no restart forgets them; remove it",
    );
}
