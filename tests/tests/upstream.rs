//! The filter behind the router (`examples/upstream.yaml`): every attempt of a request is judged for
//! itself, so a retry is not sent once its token is stale.

use std::time::{Duration, Instant};

use fencegate_tests::config::Config;
use fencegate_tests::http::{Answer, Connection, Request};
use fencegate_tests::issuer::Grant;
use fencegate_tests::rig::{Rig, bare_write, write};
use serde_json::json;

const PATH: &str = "/jobs/1/report.pdf";

/// The store of the tests answers POST with 405, which is retried here.
fn started() -> Rig {
    let config = Config::example("upstream").expect("the example");
    let config = config.with_connection_manager(|manager| {
        let route = &mut manager["route_config"]["virtual_hosts"][0]["routes"][0]["route"];
        assert_eq!(route["retry_policy"]["num_retries"], 2);
        route["retry_policy"]["retriable_status_codes"] = json!([405]);
    });
    Rig::start(config).expect("a fenced store")
}

fn retried(grant: &Grant) -> Request {
    Request::new("POST", PATH)
        .header("Host", "store.example")
        .header("Fencing-Token", &grant.token)
        .header("Fencing-Holder", &grant.holder)
        .body("x")
}

fn counter(rig: &Rig, name: &str) -> u64 {
    let counter = rig.envoy.counter(&format!("wasmcustom.fencegate_{name}"));
    counter.expect("stats")
}

/// A request whose lease goes to somebody else while its first attempt is at the store.
fn overtaken(rig: &Rig) -> (Grant, Grant, Answer) {
    let old = rig.grant("job:1", "worker-a", 60_000);
    let mut connection = Connection::open(rig.address).expect("a connection");
    let slow = retried(&old).header("x-origin-delay-ms", "1000");
    connection.send(&slow.bytes()).expect("sent");
    let start = Instant::now();
    while rig.reached() == 0 && start.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(5));
    }
    rig.issuer.release(&old, false).expect("an answer");
    let new = rig.grant("job:1", "worker-b", 60_000);
    let answer = connection.receive("POST").expect("an answer");
    (old, new, answer)
}

#[test]
fn each_attempt_is_judged_for_itself() {
    let rig = started();
    let grant = rig.grant("job:1", "worker-a", 60_000);
    assert_eq!(rig.send(&retried(&grant)).status, 405);
    assert_eq!(rig.reached(), 3, "one request, three attempts");
    assert_eq!(counter(&rig, "admitted_total"), 3, "and each was judged");
}

#[test]
fn a_retry_is_not_sent_once_its_token_is_stale() {
    let rig = started();
    let (_, new, answer) = overtaken(&rig);
    let told = answer.body_text();
    assert_eq!(
        (answer.status, answer.reason().as_str()),
        (412, "stale"),
        "{told}"
    );
    assert_eq!(rig.reached(), 1, "the second attempt was not sent");
    assert_eq!(rig.write(PATH, &new).status, 201);
    assert_eq!(counter(&rig, "rejected_stale_total"), 1);
    std::thread::sleep(Duration::from_millis(300));
    let lines = rig.envoy.access_log();
    let mut lines = lines
        .iter()
        .filter(|line| line["path"] == PATH && line["method"] == "POST");
    let fence = &lines.next().expect("a line")["fence"];
    let fence = fence.as_str().expect("the decision on the last attempt");
    assert!(
        fence.contains(r#""decision":"rejected","reason":"stale""#),
        "{fence}"
    );
}

/// An earlier attempt may have been applied, so nobody says that the write was not.
#[test]
fn a_refused_retry_does_not_claim_that_nothing_was_applied() {
    let rig = started();
    let (old, _, answer) = overtaken(&rig);
    let told = answer.body_text();
    assert_eq!(answer.json()["outcome"], "unknown", "{told}");
    let first = rig.send(&write(PATH, &old.token, &old.holder));
    let told = first.body_text();
    assert_eq!(first.json()["outcome"], "not_applied", "{told}");
}

#[test]
fn refusals_and_leases_are_as_before_the_router_and_need_no_store() {
    let rig = started();
    rig.refused(&bare_write(PATH), 428, "token_required");
    let grant = rig.grant("job:1", "worker-a", 60_000);
    assert_eq!(rig.write(PATH, &grant).status, 201);
    rig.refused(&write(PATH, "1.1", "worker-a"), 412, "stale");
    assert_eq!(rig.reached(), 1, "no call reached the store");
    let Rig {
        envoy,
        address,
        issuer,
        origin,
        ..
    } = rig;
    drop(origin);
    let acquired = issuer.acquire("job:2", "worker-a", 1000);
    assert_eq!(acquired.expect("an answer").status, 201);
    let refused = write(PATH, "1.1", "worker-a").send_to(address);
    let refused = refused.expect("an answer");
    assert_eq!((refused.status, refused.reason().as_str()), (412, "stale"));
    drop(envoy);
}

#[test]
fn a_large_body_passes_as_it_is() {
    let rig = started();
    let grant = rig.grant("job:1", "worker-a", 60_000);
    let body = vec![b'x'; 3_000_000];
    let request = write(PATH, &grant.token, &grant.holder).body(&body);
    assert_eq!(rig.send(&request).status, 201);
    assert!(rig.origin.object(PATH).expect("stored").body == body);
}
