//! Waiting for a lease on a real Envoy with four workers: first come, first served among those who
//! are still there, woken soon, and never for a lease that is over.

use std::io;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use fencegate_tests::config::Config;
use fencegate_tests::envoy::Options;
use fencegate_tests::http::{Answer, Connection};
use fencegate_tests::issuer::Grant;
use fencegate_tests::rig::Rig;
use serde_json::{Value, json};

/// How late a waiter may be woken. The tick is 20 ms; the rest is this machine's.
const SOON: Duration = Duration::from_millis(50);

fn started() -> Rig {
    let options = Options {
        concurrency: 4,
        ..Options::default()
    };
    Rig::start_with(Config::example("fencegate").expect("the example"), options)
        .expect("a fenced store")
}

fn wish(holder: &str, ttl_ms: u64, wait_ms: u64) -> Value {
    json!({"resource": "job:1", "holder": holder, "ttl_ms": ttl_ms, "wait_ms": wait_ms})
}

/// A request that waits on a thread of its own, and when it was answered.
fn waits(rig: &Rig, holder: &str, ttl_ms: u64, wait_ms: u64) -> JoinHandle<(Answer, Instant)> {
    let issuer = rig.issuer.clone();
    let body = wish(holder, ttl_ms, wait_ms);
    let asking = thread::spawn(move || {
        let answer = issuer.call("acquire", &body).expect("an answer");
        (answer, Instant::now())
    });
    // Whoever comes next comes later.
    thread::sleep(Duration::from_millis(60));
    asking
}

#[test]
fn waiters_are_served_in_the_order_in_which_they_came() {
    let rig = started();
    let mut grant = rig.grant("job:1", "first", 20_000);
    let names: Vec<String> = (0..8).map(|number| format!("waiter-{number}")).collect();
    let line: Vec<_> = names
        .iter()
        .map(|name| waits(&rig, name, 20_000, 15_000))
        .collect();
    let mut latest = Duration::ZERO;
    for (name, waiter) in names.iter().zip(line) {
        let released = Instant::now();
        rig.issuer.release(&grant, true).expect("an answer");
        let (answer, woken) = waiter.join().expect("a waiter");
        assert_eq!(answer.status, 201, "{name}: {}", answer.body_text());
        let next = Grant::from_answer(&answer).expect("a grant");
        assert_eq!(answer.json()["holder"], json!(name));
        assert!(next.ttl_ms == 20_000, "its lease starts when it is granted");
        latest = latest.max(woken.duration_since(released));
        grant = next;
    }
    println!(
        "8 waiters on 4 workers: woken at most {} ms after the release",
        latest.as_millis()
    );
    assert!(latest < SOON * 10, "{latest:?}");
}

#[test]
fn a_client_that_left_is_passed_over() {
    let rig = started();
    let grant = rig.grant("job:1", "first", 20_000);
    let mut leaver = rig.issuer.connect().expect("a connection");
    start_waiting(&rig, &mut leaver, "leaver").expect("a request");
    thread::sleep(Duration::from_millis(100));
    let stayer = waits(&rig, "stayer", 20_000, 15_000);
    drop(leaver);
    thread::sleep(Duration::from_millis(100));
    let released = Instant::now();
    rig.issuer.release(&grant, true).expect("an answer");
    let (answer, woken) = stayer.join().expect("a waiter");
    assert_eq!(
        (answer.status, &answer.json()["holder"]),
        (201, &json!("stayer"))
    );
    assert!(
        woken.duration_since(released) < Duration::from_secs(1),
        "nobody waited for the leaver"
    );
}

fn start_waiting(rig: &Rig, connection: &mut Connection, holder: &str) -> io::Result<()> {
    let body = wish(holder, 20_000, 15_000).to_string();
    let request = rig.issuer.request("POST", "acquire").body(body);
    connection.send(&request.bytes())
}

#[test]
fn a_wait_that_is_over_is_answered_and_leaves_no_place() {
    let rig = started();
    let grant = rig.grant("job:1", "first", 20_000);
    let (answer, _) = waits(&rig, "hasty", 20_000, 300).join().expect("a waiter");
    assert_eq!((answer.status, answer.reason().as_str()), (409, "held"));
    rig.issuer.release(&grant, true).expect("an answer");
    let next = rig
        .issuer
        .acquire("job:1", "late", 1000)
        .expect("an answer");
    assert_eq!(next.status, 201, "{}", next.body_text());
}

#[test]
fn who_does_not_wait_does_not_overtake() {
    let rig = started();
    let grant = rig.grant("job:1", "first", 20_000);
    let patient = waits(&rig, "patient", 20_000, 15_000);
    rig.issuer.release(&grant, true).expect("an answer");
    // Refused whether the patient one has been granted by now or is about to be.
    let pushy = rig
        .issuer
        .acquire("job:1", "pushy", 1000)
        .expect("an answer");
    assert_eq!((pushy.status, pushy.reason().as_str()), (409, "held"));
    let (answer, _) = patient.join().expect("a waiter");
    assert_eq!(
        (answer.status, &answer.json()["holder"]),
        (201, &json!("patient"))
    );
}

#[test]
fn waiting_longer_than_is_allowed_is_refused() {
    let rig = started();
    let answer = rig
        .issuer
        .call("acquire", &wish("w", 1000, 20_001))
        .expect("an answer");
    assert_eq!(
        (answer.status, answer.reason().as_str()),
        (400, "malformed")
    );
    assert!(
        answer.body_text().contains("wait_ms: give at most 20000"),
        "{}",
        answer.body_text()
    );
}
