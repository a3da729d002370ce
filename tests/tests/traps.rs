//! A mistake in the filter ends its VM. Then: what waits on the same worker ends in time, nothing
//! passes unfenced meanwhile, the worker comes back, and marks and leases are as they were.
//!
//! The filter of these tests traps where a request says so; otherwise it is the shipped one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fencegate_tests::config::Config;
use fencegate_tests::envoy::{Options, trap_plugin};
use fencegate_tests::http::{Connection, Request};
use fencegate_tests::issuer::Grant;
use fencegate_tests::rig::{Rig, bare_write, write};
use serde_json::json;

const PATH: &str = "/jobs/1/report.pdf";
/// What the example sets to 30 s; here it is short, so that the test is.
const IDLE: Duration = Duration::from_secs(2);

fn started(example: &str, concurrency: u32) -> Rig {
    let config = Config::example(example).expect("the example");
    let config = config.with_connection_manager(|manager| {
        manager["stream_idle_timeout"] = json!(format!("{}s", IDLE.as_secs()))
    });
    let options = Options {
        concurrency,
        plugin: Some(trap_plugin().expect("a filter that traps")),
        ..Options::default()
    };
    Rig::start_with(config, options).expect("a fenced store")
}

fn trapping(when: &str) -> Request {
    bare_write(PATH).header("x-trap", when)
}

/// Traps, and waits until the worker (the only one) judges again.
fn trap_and_wait(rig: &Rig) -> Duration {
    let answer = rig.send(&trapping("before"));
    assert!(
        answer.status >= 500,
        "nobody judged it: {} {}",
        answer.status,
        answer.body_text()
    );
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(5) {
        let answer = rig.send(&bare_write(PATH));
        match answer.status {
            428 => return start.elapsed(),
            status => assert!(status >= 500, "{status}"),
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("the worker did not come back");
}

fn old_and_new(rig: &Rig) -> (Grant, Grant) {
    let old = rig.grant("job:1", "worker-a", 1000);
    rig.issuer.release(&old, true).expect("an answer");
    (old, rig.grant("job:1", "worker-b", 60_000))
}

/// A call of the issuer whose body never comes to its end: the filter holds it.
fn held_call(rig: &Rig) -> Connection {
    let mut connection = rig.issuer.connect().expect("a connection");
    let head = rig
        .issuer
        .request("POST", "acquire")
        .body("{\"resource\":")
        .head();
    let head = String::from_utf8_lossy(&head).replace("Content-Length: 12", "Content-Length: 99");
    connection.send(head.as_bytes()).expect("sent");
    connection.send(b"{\"resource\":").expect("sent");
    connection
}

#[test]
fn what_waits_beside_a_trap_ends_in_time_and_the_worker_comes_back() {
    let rig = started("fencegate", 1);
    let (old, new) = old_and_new(&rig);
    assert_eq!(rig.write(PATH, &new).status, 201);
    let mut held: Vec<Connection> = (0..8).map(|_| held_call(&rig)).collect();
    // This one was admitted and waits for the store.
    let mut admitted = Connection::open(rig.address).expect("a connection");
    let slow = write(PATH, &new.token, &new.holder).header("x-origin-delay-ms", "500");
    admitted.send(&slow.bytes()).expect("sent");
    std::thread::sleep(Duration::from_millis(200));
    let start = Instant::now();
    let back = trap_and_wait(&rig);
    let late = admitted.receive("PUT").map(|answer| answer.status);
    let answers: Vec<_> = held
        .iter_mut()
        .map(|connection| connection.receive("POST").map(|answer| answer.status))
        .collect();
    let ended = start.elapsed();
    println!(
        "back after {back:?}; {} held calls ended after {ended:?}: {answers:?}; the admitted write: {late:?}",
        answers.len()
    );
    assert!(ended < IDLE + Duration::from_secs(2), "{ended:?}");
    for status in answers.into_iter().flatten() {
        assert!(status >= 400, "{status}");
    }
    let answer = rig.refused(&write(PATH, &old.token, &old.holder), 412, "stale");
    assert_eq!(
        answer.json()["current"],
        new.token.as_str(),
        "the mark was kept"
    );
    assert_eq!(rig.write(PATH, &new).status, 200, "and the lease");
    let held = rig
        .issuer
        .acquire("job:1", "worker-c", 1000)
        .expect("an answer");
    assert_eq!(held.status, 409);
    assert_eq!(rig.reached(), 3, "nothing else reached the store");
    println!(
        "{}",
        rig.envoy.admin("/stats?filter=wasm.*vm").expect("stats")
    );
}

#[test]
fn nothing_passes_unfenced_while_workers_trap_and_come_back() {
    let rig = started("fencegate", 2);
    let (old, new) = old_and_new(&rig);
    let done = AtomicBool::new(false);
    let (mut refused, mut failed) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..30 {
                rig.send(&trapping("before"));
                std::thread::sleep(Duration::from_millis(100));
            }
            done.store(true, Ordering::SeqCst);
        });
        while !done.load(Ordering::SeqCst) {
            for request in [bare_write(PATH), write(PATH, &old.token, &old.holder)] {
                // A connection can be lost with the worker's VM; that is no admission.
                match request.send_to(rig.address).map(|answer| answer.status) {
                    Ok(412 | 428) => refused += 1,
                    Ok(status) => {
                        assert!(status >= 500, "{status}");
                        failed += 1;
                    }
                    Err(_) => failed += 1,
                }
            }
        }
    });
    println!("{refused} refused, {failed} not judged");
    assert_eq!(rig.reached(), 0);
    assert!(refused > 50 && failed > 10, "both were met");
    trap_and_wait(&rig);
    std::thread::sleep(Duration::from_millis(1200));
    rig.refused(&write(PATH, &old.token, &old.holder), 412, "stale");
    assert_eq!(rig.write(PATH, &new).status, 201);
}

/// The mark was raised, and then the filter failed: the write did not pass, the mark stays.
#[test]
fn a_mark_that_was_raised_before_the_trap_is_kept() {
    let rig = started("external", 1);
    assert_eq!(rig.send(&write(PATH, "5", "worker-a")).status, 201);
    let answer = rig.send(&write(PATH, "7", "worker-b").header("x-trap", "after"));
    assert!(answer.status >= 500, "{}", answer.status);
    trap_and_wait(&rig);
    assert_eq!(rig.reached(), 1, "the write that trapped never passed");
    let answer = rig.refused(&write(PATH, "6", "worker-a"), 412, "stale");
    assert_eq!(answer.json()["current"], "7");
    assert_eq!(rig.send(&write(PATH, "7", "worker-b")).status, 200);
}
