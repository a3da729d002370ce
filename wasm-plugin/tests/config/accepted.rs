//! What is accepted: the examples as they are, every field's values, and what is left out.

use crate::support::client::{Proxy, Request};
use crate::support::settings::{external, ours, rule, with, without};
use crate::support::world::{Dialect, World};
use fencegate::config::{
    Access, BreakAccess, HolderNeed, PeerProperty, Settings, Store, Tokens, read,
};
use serde_json::{Value, json};
use std::time::Duration;

fn settings(config: &Value) -> Settings {
    let read = read(config.to_string().as_bytes());
    let settings = read.unwrap_or_else(|why| panic!("{config}: {why}"));
    settings.expect("a filter's configuration")
}

/// The block of JSON under `value: |` in an example.
fn block(yaml: &str) -> String {
    let mut lines = yaml.lines().skip_while(|line| !line.ends_with("value: |"));
    let head = lines.next().expect("a configuration in the example");
    let indent = head.len() - head.trim_start().len();
    let inside = |line: &&str| line.trim().is_empty() || line.starts_with(&" ".repeat(indent + 1));
    lines.take_while(inside).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_examples_are_accepted_as_they_are() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).expect("the folder of examples") {
        let path = entry.expect("an entry").path();
        let yaml = std::fs::read_to_string(&path).expect("a text");
        let world = World::new(Dialect::Envoy);
        let proxy = Proxy::configured(&world, &block(&yaml));
        let proxy = proxy.unwrap_or_else(|log| panic!("{}: {log}", path.display()));
        assert!(yaml.contains("value: '\"keeper\"'"), "{}", path.display());
        seen += 1;
        if yaml.contains("\"etcd\":") {
            // Whether it is ready, etcd knows.
            continue;
        }
        world.advance(Duration::from_secs(600));
        assert_eq!(
            proxy.send(&Request::new("GET", "/fence/v1/ready")).status(),
            200
        );
        assert_eq!(proxy.send(&Request::new("PUT", "/jobs/1/x")).status(), 428);
    }
    assert!(seen >= 2, "{seen} examples");
}

#[test]
fn what_is_left_out_has_the_documented_default() {
    let least = without(ours(), "/issuer/fencegate/break_access");
    let settings = settings(&least);
    assert_eq!(settings.generation, 1);
    assert!(matches!(settings.store, Store::Memory { resources: 16 }));
    assert_eq!(
        (settings.access, settings.break_access),
        (Access::Anyone, BreakAccess::Nobody)
    );
    assert!(settings.disclose);
    let Tokens::Ours(granting) = settings.tokens else {
        panic!("ours: {:?}", settings.tokens);
    };
    let ttl = granting.ttl;
    assert_eq!((ttl.min, ttl.default, ttl.max), (1000, 10_000, 60_000));
    assert_eq!(
        (granting.lock_delay, granting.quarantine),
        (Duration::ZERO, Duration::ZERO)
    );
}

#[test]
fn the_quarantine_is_the_longer_of_lock_delay_and_listener_drain() {
    for (lock, drain, quarantine) in [(5, 7, 7), (7, 5, 7), (3_600_000, 0, 3_600_000)] {
        let config = with(ours(), "/issuer/fencegate/lock_delay_ms", json!(lock));
        let config = with(config, "/issuer/fencegate/listener_drain_ms", json!(drain));
        match settings(&config).tokens {
            Tokens::Ours(granting) => {
                assert_eq!(granting.quarantine, Duration::from_millis(quarantine));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn peers_are_named_by_any_of_three_properties() {
    for (word, property) in [
        ("uri_san", PeerProperty::UriSan),
        ("dns_san", PeerProperty::DnsSan),
        ("sha256_digest", PeerProperty::Sha256Digest),
    ] {
        let config = with(ours(), "/issuer/fencegate/access", json!({ "peer": word }));
        assert_eq!(settings(&config).access, Access::Peer(property));
    }
}

#[test]
fn external_is_strict_unless_it_says_so() {
    let Tokens::External { rule, holder } = settings(&external()).tokens else {
        panic!("external");
    };
    assert_eq!((rule.jump_max, rule.unnamed_may_share), (None, false));
    assert_eq!(holder, HolderNeed::Required);
    let optional = json!("optional_law_4_is_given_up");
    let loose = with(external(), "/issuer/external/holder", optional);
    let Tokens::External { rule, .. } = settings(&loose).tokens else {
        panic!("external");
    };
    assert!(rule.unnamed_may_share);
}

#[test]
fn what_is_not_in_this_version_may_be_left_at_nothing() {
    let config = with(ours(), "/issuer/fencegate/drain", Value::Null);
    let config = with(config, "/rules/0/seal", Value::Null);
    settings(&with(config, "/decisions", json!({ "ring": 0 })));
}

/// Who changes only how strictly a place is guarded need not raise the generation.
#[test]
fn only_the_mapping_and_whose_tokens_they_are_need_a_new_generation() {
    let hash = |config: &Value| settings(config).mapping_hash();
    let base = hash(&ours());
    for (pointer, value) in [
        ("/rules/0/token", json!("observe")),
        ("/rules/0/reads", json!("fence")),
        ("/rules/0/after_expiry", json!("refuse")),
        ("/unmatched", json!("reject")),
        ("/disclose", json!(false)),
        ("/generation", json!(7)),
        ("/issuer/fencegate/lock_delay_ms", json!(5)),
        (
            "/rules/0",
            rule("/jobs/{id}/{*more}", "job:{id}", json!({})),
        ),
    ] {
        assert_eq!(hash(&with(ours(), pointer, value)), base, "{pointer}");
    }
    for (pointer, value) in [
        ("/rules/0/resource", json!("j:{job}")),
        ("/rules/0/match/path", json!("/jobs/{job}")),
        ("/rules/0/match/authority", json!(["store.example"])),
    ] {
        assert_ne!(hash(&with(ours(), pointer, value)), base, "{pointer}");
    }
    assert_ne!(hash(&external()), base);
}
