//! Everything that is not known: 503, with when to come again, and nothing is forwarded.

use crate::outcomes::{JOB, PLACE, admitted, counted, problem, write};
use crate::support::client::{Proxy, ROOT, Request};
use crate::support::host::Fault;
use crate::support::settings::{external, ours, with};
use crate::support::world::{Dialect, World};
use serde_json::json;
use std::time::Duration;

fn bucket(world: &World) -> Vec<u8> {
    let mut keys = world.keys().into_iter();
    keys.find(|key| key.starts_with(b"fencegate.b"))
        .expect("a bucket")
}

#[test]
fn a_garbled_record_is_garbled() {
    let proxy = Proxy::start(&ours());
    let token = proxy.acquire(JOB, "a");
    let world = proxy.world();
    let key = bucket(world);
    let mut value = world.value(&key);
    let last = value.len() - 1;
    value[last] ^= 1;
    world.overwrite(&key, value);
    let outcome = write(&proxy, &token, "a");
    let body = problem(&outcome, 503, "garbled");
    assert_eq!(
        (&body["retryable"], &body["current"]),
        (&json!(true), &json!(null))
    );
    assert_eq!(
        (&body["resource"], &body["presented"]),
        (&json!(JOB), &json!(token))
    );
    counted(&outcome, "undecided", "garbled");
}

#[test]
fn a_lost_record_is_missing() {
    let proxy = Proxy::start(&ours());
    let token = proxy.acquire(JOB, "a");
    proxy.world().lose(&bucket(proxy.world()));
    let outcome = write(&proxy, &token, "a");
    problem(&outcome, 503, "missing");
    counted(&outcome, "undecided", "missing");
}

#[test]
fn an_authority_that_does_not_answer_is_unavailable() {
    for broken in ["shared", "now"] {
        let proxy = Proxy::start(&ours());
        let token = proxy.acquire(JOB, "a");
        proxy
            .host
            .hook(move |call| (call.name == broken).then_some(Fault::Fail));
        let outcome = write(&proxy, &token, "a");
        problem(&outcome, 503, "authority_unavailable");
        counted(&outcome, "undecided", "authority_unavailable");
        proxy.host.unhook();
        admitted(&write(&proxy, &token, "a"), &token);
    }
}

#[test]
fn an_endless_storm_of_conflicts_is_contended() {
    let proxy = Proxy::start(&external());
    assert!(write(&proxy, "1", "a").is_forwarded());
    proxy
        .host
        .hook(|call| (call.name == "set_shared").then_some(Fault::Mismatch));
    let outcome = write(&proxy, "2", "a");
    problem(&outcome, 503, "contended");
    counted(&outcome, "undecided", "contended");
    assert!(
        proxy.host.calls() < 300,
        "bounded: {} calls",
        proxy.host.calls()
    );
}

#[test]
fn a_new_resource_is_refused_and_counted_when_all_places_are_taken() {
    let proxy = Proxy::start(&external());
    let put =
        |job: usize, token: &str| proxy.send(&Request::put(&format!("/jobs/{job}/x"), token, "a"));
    for job in 0..48 {
        assert!(put(job, "5").is_forwarded());
    }
    let outcome = put(48, "5");
    problem(&outcome, 503, "full");
    counted(&outcome, "undecided", "full");
    problem(&put(0, "4"), 412, "stale");
    assert!(put(0, "6").is_forwarded());
}

#[test]
fn a_grant_waits_until_the_issuer_has_started() {
    let world = World::new(Dialect::Envoy);
    let slow = with(ours(), "/issuer/fencegate/listener_drain_ms", json!(2500));
    let proxy = Proxy::join(&world, &slow);
    let acquire = Request::call("acquire", &json!({ "resource": JOB, "holder": "a" }));
    let outcome = proxy.send(&acquire);
    let body = problem(&outcome, 503, "starting");
    assert_eq!(body["retry_after_ms"], 2500);
    assert_eq!(
        outcome.header("retry-after").as_deref(),
        Some("3"),
        "rounded up"
    );
    let ready = Request::new("GET", "/fence/v1/ready");
    problem(&proxy.send(&ready), 503, "starting");
    // What was granted before the start is refused meanwhile.
    problem(&write(&proxy, "1796049502.7", "a"), 412, "no_grant");
    world.advance(Duration::from_millis(2500));
    assert_eq!(
        proxy.send(&ready).json(),
        json!({ "ready": true, "generation": 1 })
    );
    proxy.acquire(JOB, "a");
}

/// The mark of an external configuration before was higher than what is drawn now.
#[test]
fn a_token_that_would_not_be_above_the_mark_is_not_granted() {
    let proxy = Proxy::start(&external());
    assert!(write(&proxy, "4294967295.9", "a").is_forwarded());
    let newer = Proxy::join(proxy.world(), &with(ours(), "/generation", json!(2)));
    proxy.world().advance(Duration::from_secs(1));
    let acquire = Request::call("acquire", &json!({ "resource": JOB, "holder": "a" }));
    problem(&newer.send(&acquire), 503, "issuer_behind");
    problem(&write(&newer, "4294967295.9", "a"), 412, "no_grant");
}

#[test]
fn without_a_configuration_nothing_passes() {
    let world = World::new(Dialect::Envoy);
    let proxy = Proxy::unconfigured(&world);
    assert!(!proxy.configure(ROOT, "{}"));
    for request in [Request::new("GET", "/"), Request::put(PLACE, "1", "a")] {
        problem(&proxy.send(&request), 503, "missing");
    }
}

#[test]
fn the_keeper_guards_nothing_lets_nothing_pass_and_makes_no_values() {
    let world = World::new(Dialect::Envoy);
    for spelling in ["\"keeper\"", " \"keeper\"\n"] {
        let keeper = Proxy::configured(&world, spelling).expect("the keeper's configuration");
        assert!(world.keys().is_empty());
        problem(&keeper.send(&Request::new("GET", "/")), 503, "missing");
    }
    assert!(Proxy::configured(&world, "\"Keeper\"").is_err());
}

/// A filter whose next configuration is refused goes on with the one that it has.
#[test]
fn a_refused_configuration_leaves_the_filter_as_it_is() {
    let proxy = Proxy::start(&ours());
    let token = proxy.acquire(JOB, "a");
    assert!(!proxy.configure(ROOT, "{\"generation\": 2}"));
    admitted(&write(&proxy, &token, "a"), &token);
    let remapped = with(ours(), "/rules/0/resource", json!("other:{job}"));
    assert!(!proxy.configure(ROOT, &remapped.to_string()));
    let log = proxy.host.seen.borrow().log.join("\n");
    assert!(
        log.contains("configuration refused: generation: the rules now map"),
        "{log}"
    );
    admitted(&write(&proxy, &token, "a"), &token);
}

#[test]
fn a_filter_whose_request_headers_cannot_be_read_refuses() {
    for fault in [Fault::Fail, Fault::Truncate(0), Fault::Truncate(100)] {
        let proxy = Proxy::start(&ours());
        proxy
            .host
            .hook(move |call| (call.name == "request_headers").then_some(fault));
        let outcome = proxy.send(&Request::new("GET", "/elsewhere"));
        problem(&outcome, 503, "authority_unavailable");
    }
}
