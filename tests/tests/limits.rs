//! What the fence does not do, shown, since each of these is a reason for a line in the examples.
//!
//! Marks live in one process: two replicas have two sets of them, and without the keeper a removed
//! listener takes them along. A check at the proxy decides before the store applies: what was
//! admitted can land late. What Envoy repeats or copies below the filter is not judged again.

use std::time::{Duration, Instant};

use fencegate_tests::config::{Config, FENCED};
use fencegate_tests::envoy::{Options, Pushed};
use fencegate_tests::http::{Connection, Request};
use fencegate_tests::issuer::Grant;
use fencegate_tests::rig::{Rig, write};
use serde_json::json;

const PATH: &str = "/jobs/1/report.pdf";

fn example(name: &str) -> Config {
    Config::example(name).expect("the example")
}

fn started(config: Config) -> Rig {
    Rig::start(config).expect("a fenced store")
}

#[test]
fn two_replicas_have_marks_of_their_own() {
    let (one, two) = (started(example("external")), started(example("external")));
    assert_eq!(one.send(&write(PATH, "42", "worker-b")).status, 201);
    one.refused(&write(PATH, "41", "worker-a"), 412, "stale");
    assert_eq!(
        two.send(&write(PATH, "41", "worker-a")).status,
        201,
        "the other replica knows nothing of 42"
    );
}

#[test]
fn with_our_issuer_a_second_replica_refuses_the_tokens_of_the_first() {
    let (one, two) = (started(example("fencegate")), started(example("fencegate")));
    let grant = one.grant("job:1", "worker-a", 60_000);
    two.refused(&write(PATH, &grant.token, "worker-a"), 412, "no_grant");
    assert_eq!(
        two.issuer
            .acquire("job:1", "worker-b", 1000)
            .expect("an answer")
            .status,
        201,
        "but it grants its own"
    );
}

#[test]
fn external_marks_are_gone_after_a_restart_as_the_configuration_says() {
    let rig = started(example("external"));
    assert_eq!(rig.send(&write(PATH, "42", "worker-b")).status, 201);
    let Rig { envoy, origin, .. } = rig;
    envoy.stop();
    let config = example("external").with_store(origin.address());
    let envoy = fencegate_tests::envoy::Envoy::start(&config).expect("an Envoy");
    let address = envoy.address(FENCED).expect("a listener");
    let answer = write(PATH, "41", "worker-a")
        .send_to(address)
        .expect("an answer");
    assert_eq!(
        answer.status, 200,
        "cold_start: admits_the_first_token_seen"
    );
}

#[test]
fn without_the_keeper_a_removed_listener_takes_the_marks_along() {
    let options = Options {
        dynamic: true,
        ..Options::default()
    };
    let config = example("external").without_keeper();
    let rig = Rig::start_with(config.clone(), options).expect("a fenced store");
    assert_eq!(rig.send(&write(PATH, "42", "worker-b")).status, 201);
    assert_eq!(
        rig.envoy
            .push(&config.clone().without_listeners())
            .expect("Envoy's word"),
        Pushed::Accepted
    );
    rig.envoy.wait_until_drained().expect("no listener is left");
    let config = config.with_store(rig.origin.address());
    assert_eq!(
        rig.envoy.push(&config).expect("Envoy's word"),
        Pushed::Accepted
    );
    let address = rig.envoy.address(FENCED).expect("a listener");
    let answer = write(PATH, "41", "worker-a")
        .send_to(address)
        .expect("an answer");
    assert_eq!(
        answer.status, 200,
        "the mark is gone: this is what the keeper is for"
    );
}

/// A write whose headers are admitted and whose body stops half way.
fn half_a_write(rig: &Rig, grant: &Grant) -> Connection {
    let head = format!(
        "PUT {PATH} HTTP/1.1\r\nHost: store.example\r\nFencing-Token: {}\r\nFencing-Holder: {}\r\nContent-Length: 10\r\n\r\nhalf ",
        grant.token, grant.holder
    );
    let mut connection = Connection::open(rig.address).expect("a connection");
    connection.send(head.as_bytes()).expect("sent");
    let start = Instant::now();
    while rig.reached() == 0 && start.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(5));
    }
    connection
}

#[test]
fn a_write_that_was_admitted_can_land_after_a_later_one() {
    let rig = started(example("fencegate"));
    let old = rig.grant("job:1", "worker-a", 1000);
    let mut late = half_a_write(&rig, &old);
    let new = rig.grant("job:1", "worker-b", 60_000);
    assert_eq!(rig.write(PATH, &new).status, 201);
    late.send(b"later").expect("sent");
    assert_eq!(
        late.receive("PUT").expect("an answer").status,
        200,
        "admitted before, applied after"
    );
    assert_eq!(
        rig.origin.object(PATH).expect("there").token,
        Some(old.token),
        "the window that is documented"
    );
}

#[test]
fn a_lock_delay_as_long_as_a_request_can_last_closes_that_window() {
    let config = example("fencegate")
        .with_policy(|policy| policy["issuer"]["fencegate"]["lock_delay_ms"] = json!(3000))
        .with_connection_manager(|manager| {
            let route = &mut manager["route_config"]["virtual_hosts"][0]["routes"][0]["route"];
            route["max_stream_duration"]["max_stream_duration"] = json!("2s");
        });
    let rig = started(config);
    let old = rig.grant("job:1", "worker-a", 1000);
    let mut late = half_a_write(&rig, &old);
    let granted = Instant::now();
    let new = rig.grant("job:1", "worker-b", 60_000);
    assert!(
        granted.elapsed() >= Duration::from_millis(3500),
        "lease and delay: {:?}",
        granted.elapsed()
    );
    assert_eq!(rig.write(PATH, &new).status, 201);
    late.send(b"later").ok();
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(
        rig.origin.object(PATH).expect("there").token,
        Some(new.token),
        "the late write had been cut off"
    );
    assert_eq!(rig.origin.journal().applied.len(), 1);
}

#[test]
fn a_retry_below_the_filter_repeats_a_write_after_the_one_decision() {
    let retrying = example("fencegate").with_connection_manager(|manager| {
        let route = &mut manager["route_config"]["virtual_hosts"][0]["routes"][0]["route"];
        route["retry_policy"] = json!({
            "retry_on": "retriable-status-codes", "retriable_status_codes": [405], "num_retries": 2,
        });
    });
    let rig = started(retrying);
    let grant = rig.grant("job:1", "worker-a", 60_000);
    let request = Request::new("POST", PATH)
        .header("Host", "store.example")
        .header("Fencing-Token", &grant.token)
        .header("Fencing-Holder", "worker-a")
        .body("x");
    assert_eq!(rig.send(&request).status, 405);
    assert_eq!(
        rig.reached(),
        3,
        "one decision, three writes: no example has a retry_policy"
    );
    assert_eq!(
        rig.envoy
            .counter("wasmcustom.fencegate_admitted_total")
            .expect("stats"),
        1
    );
}

#[test]
fn a_mirrored_copy_is_made_of_admitted_requests_only() {
    let mirrored = example("fencegate").with_connection_manager(|manager| {
        let route = &mut manager["route_config"]["virtual_hosts"][0]["routes"][0]["route"];
        route["request_mirror_policies"] = json!([{ "cluster": "store" }]);
    });
    let rig = started(mirrored);
    let grant = rig.grant("job:1", "worker-a", 60_000);
    rig.refused(&write(PATH, "1.1", "worker-a"), 412, "stale");
    assert!([200, 201].contains(&rig.write(PATH, &grant).status));
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(
        rig.reached(),
        2,
        "the write and its copy, which nobody judged"
    );
}

/// An answer that Envoy follows by itself is another request to the filter, with the same token.
#[test]
fn an_internal_redirect_is_judged_again_where_it_leads() {
    let redirecting = example("fencegate").with_connection_manager(|manager| {
        let route = &mut manager["route_config"]["virtual_hosts"][0]["routes"][0]["route"];
        route["internal_redirect_policy"] = json!({
            "max_internal_redirects": 2, "redirect_response_codes": [307],
        });
    });
    let rig = started(redirecting);
    let grant = rig.grant("job:1", "worker-a", 60_000);
    let redirected =
        |to: &str| write(PATH, &grant.token, &grant.holder).header("x-origin-redirect-to", to);
    assert_eq!(rig.send(&redirected("/jobs/1/other.pdf")).status, 201);
    let admitted = rig.envoy.counter("wasmcustom.fencegate_admitted_total");
    assert_eq!(
        (rig.reached(), admitted.expect("stats")),
        (2, 2),
        "an equal token, admitted again"
    );
    let object = rig.origin.object("/jobs/1/other.pdf").expect("stored");
    assert_eq!(object.body, b"a small object");

    let elsewhere = rig.send(&redirected("/jobs/2/report.pdf"));
    assert_eq!(
        (elsewhere.status, elsewhere.reason().as_str()),
        (412, "no_grant")
    );
    assert_eq!(rig.origin.object("/jobs/2/report.pdf"), None);
}
