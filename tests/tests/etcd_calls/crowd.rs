//! Many requests at once for what no worker knows yet.

use std::time::Instant;

use fencegate_tests::config::{Config, ETCD};
use fencegate_tests::fleet::Proxy;
use fencegate_tests::http::{Answer, Connection};
use fencegate_tests::issuer::Grant;

use super::scene::{Scene, no_filter_died, put, told};

const REQUESTS: usize = 1000;
const WORKERS: u64 = 2;

/// What etcd was asked by a proxy, apart from the background reads: as Envoy counts it, and the filter.
fn asked(proxy: &Proxy) -> [u64; 2] {
    let counter = |name: &str| proxy.envoy.counter(name).expect("a counter");
    let surveys = counter("wasmcustom.fencegate_authority_surveys_total");
    let by_envoy = counter(&format!("cluster.{ETCD}.upstream_rq_total"));
    let by_filter = counter("wasmcustom.fencegate_authority_calls_total");
    [by_envoy - surveys, by_filter - surveys]
}

/// Sends a thousand writes at once to a proxy that has not heard of the resource.
fn crowd(proxy: &Proxy, grant: &Grant) -> Vec<Answer> {
    let mut connections: Vec<Connection> = (0..REQUESTS)
        .map(|_| Connection::open(proxy.address).expect("a connection"))
        .collect();
    let before = asked(proxy);
    let (start, bytes) = (Instant::now(), put(grant).bytes());
    for connection in &mut connections {
        connection.send(&bytes).expect("sent");
    }
    let answers = connections.iter_mut().map(|it| it.receive("PUT"));
    let answers: Vec<Answer> = answers.map(|answer| answer.expect("an answer")).collect();
    let after = asked(proxy);
    let readings = [after[0] - before[0], after[1] - before[1]];
    println!(
        "{REQUESTS} requests in {} ms: {readings:?} readings (Envoy's count, the filter's)",
        start.elapsed().as_millis()
    );
    no_filter_died(&proxy.envoy);
    for count in readings {
        assert!(count <= 2 * WORKERS, "{count} readings");
        assert!(count > 0, "nobody asked");
    }
    answers
}

#[test]
fn a_thousand_requests_at_once_for_a_resource_that_no_worker_knows_are_one_reading_a_worker() {
    // The proxies answer by themselves: the store would be the slowest.
    let scene = Scene::start(Config::with_direct_response);
    let grant = scene.fleet.grant(0, "job:crowd", "A", 60_000);
    for answer in crowd(&scene.fleet.proxies[1], &grant) {
        assert!(answer.status < 300, "{}", told(&answer));
    }
}

/// The proxy carries out what one callback of the filter answers one answer inside the other: a
/// thousand of them were more than its stack holds.
#[test]
fn a_thousand_stale_requests_at_once_are_all_told_so_and_no_filter_dies() {
    let scene = Scene::start(Config::with_direct_response);
    let old = scene.fleet.grant(0, "job:crowd", "A", 60_000);
    let released = scene.fleet.proxies[0].issuer.release(&old, true);
    assert_eq!(released.expect("an answer").status, 200);
    scene.fleet.grant(0, "job:crowd", "B", 60_000);
    for answer in crowd(&scene.fleet.proxies[1], &old) {
        let seen = (answer.status, answer.reason());
        assert_eq!(seen, (412, "stale".to_owned()), "{}", told(&answer));
    }
}
