//! Bodies from nothing to 100 MB, fast and slow, over HTTP/1.1 and HTTP/2: what is admitted arrives
//! whole, of what is refused arrives not one byte.

use std::time::{Duration, Instant};

use fencegate_tests::config::Config;
use fencegate_tests::http::{Connection, Request};
use fencegate_tests::http2;
use fencegate_tests::issuer::Grant;
use fencegate_tests::rig::{Rig, bare_write, write};
use fencegate_tests::wire::Wire;

const PATH: &str = "/jobs/1/report.pdf";
const SIZES: [usize; 7] = [0, 1, 16_383, 65_536, 1_000_000, 10_000_000, 100_000_000];

fn started() -> (Rig, Grant, Grant) {
    let config = Config::example("fencegate").expect("the example");
    let rig = Rig::start(config).expect("a fenced store");
    let old = rig.grant("job:1", "worker-a", 1000);
    rig.issuer.release(&old, true).expect("an answer");
    let new = rig.grant("job:1", "worker-b", 60_000);
    (rig, old, new)
}

fn to(path: &str, grant: &Grant) -> Request {
    write(path, &grant.token, &grant.holder)
}

/// Bytes that differ from place to place.
fn content(size: usize) -> Vec<u8> {
    (0..size).map(|at| (at / 251 + at) as u8).collect()
}

#[test]
fn admitted_bodies_arrive_whole_and_of_refused_ones_nothing_does() {
    let (rig, old, new) = started();
    for wire in Wire::ALL {
        for size in SIZES {
            let body = content(size);
            let path = format!("/jobs/1/{wire:?}-{size}");
            let refused = to(&path, &old).body(&body);
            let before = rig.reached();
            // The rest of a large body may meet a closed connection; the answer was there before.
            match wire.send(rig.address, &refused) {
                Ok(answer) => assert_eq!((answer.status, answer.reason().as_str()), (412, "stale")),
                Err(error) => assert!(size >= 65_536, "{size}: {error}"),
            }
            assert_eq!(rig.reached(), before, "{wire:?} {size}");

            let start = Instant::now();
            let admitted = to(&path, &new).body(&body);
            let answer = wire.send(rig.address, &admitted).expect("an answer");
            assert_eq!(answer.status, 201, "{wire:?} {size}");
            let stored = rig.origin.object(&path).expect("stored").body;
            assert!(stored == body, "{wire:?} {size}: arrived whole");
            println!("{wire:?}, {size} bytes: {:?}", start.elapsed());
        }
    }
    assert_eq!(rig.origin.journal().with_token(&old.token).count(), 0);
}

#[test]
fn a_slow_body_arrives_whole_and_a_slow_refused_one_is_answered_at_once() {
    let (rig, old, new) = started();
    let mut admitted = Connection::open(rig.address).expect("a connection");
    let body = content(40);
    let head = to(PATH, &new).body(&body).head();
    admitted.send(&head).expect("sent");
    for byte in &body {
        admitted.send(&[*byte]).expect("sent");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(admitted.receive("PUT").expect("an answer").status, 201);
    assert_eq!(rig.origin.object(PATH).expect("stored").body, body);

    let mut refused = Connection::open(rig.address).expect("a connection");
    let head = to(PATH, &old).body(&body).head();
    let start = Instant::now();
    refused.send(&head).expect("sent");
    refused.send(&body[..1]).expect("sent");
    assert_eq!(refused.receive("PUT").expect("an answer").status, 412);
    assert!(
        start.elapsed() < Duration::from_secs(1),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(rig.reached(), 1);
}

#[test]
fn a_write_with_trailers_over_http2_is_fenced_and_a_token_in_trailers_counts_as_missing() {
    let (rig, old, new) = started();
    let send = |request: &Request| http2::send_to(rig.address, request).expect("an answer");
    let trailed = |grant: &Grant| to(PATH, grant).trailer("x-checksum", "abc");
    let answer = send(&trailed(&old));
    assert_eq!((answer.status, answer.reason().as_str()), (412, "stale"));
    for hidden in [
        bare_write(PATH)
            .trailer("fencing-token", &new.token)
            .trailer("fencing-holder", &new.holder),
        // No body at all: the end of the stream is in the trailers.
        bare_write(PATH)
            .body("")
            .trailer("fencing-token", &new.token),
    ] {
        let answer = send(&hidden);
        assert_eq!(
            (answer.status, answer.reason().as_str()),
            (428, "token_required")
        );
    }
    assert_eq!(rig.reached(), 0);
    assert_eq!(send(&trailed(&new)).status, 201);
    let mixed = trailed(&new).trailer("fencing-token", &old.token);
    assert_eq!(send(&mixed).status, 200, "the headers count");
    assert_eq!(
        rig.origin.object(PATH).expect("stored").body,
        b"a small object"
    );
}

#[test]
fn a_request_that_expects_a_100_is_decided_once() {
    let (rig, old, new) = started();
    let expecting = |grant: &Grant| to(PATH, grant).header("Expect", "100-continue");
    let counter = |name: &str| {
        let name = format!("wasmcustom.fencegate_{name}");
        rig.envoy.counter(&name).expect("stats")
    };
    let mut connection = Connection::open(rig.address).expect("a connection");
    connection.send(&expecting(&new).head()).expect("sent");
    std::thread::sleep(Duration::from_millis(100));
    connection.send(b"a small object").expect("sent");
    assert_eq!(connection.receive("PUT").expect("an answer").status, 201);
    assert_eq!(
        http2::send_to(rig.address, &expecting(&new))
            .expect("an answer")
            .status,
        200
    );
    assert_eq!((counter("admitted_total"), rig.reached()), (2, 2));
    rig.refused(&expecting(&old), 412, "stale");
    assert_eq!(counter("rejected_stale_total"), 1);
}
