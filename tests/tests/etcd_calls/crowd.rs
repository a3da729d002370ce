//! Many requests at once for what no worker knows yet.

use std::time::Instant;

use fencegate_tests::config::ETCD;
use fencegate_tests::fleet::Proxy;
use fencegate_tests::http::Connection;

use super::scene::{put, scene, told};

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

#[test]
fn a_thousand_requests_at_once_for_a_resource_that_no_worker_knows_are_one_reading_a_worker() {
    let scene = scene();
    let _turn = scene.turn();
    let grant = scene.fleet.grant(0, "job:crowd", "A", 60_000);
    let proxy = &scene.fleet.proxies[1];
    let mut connections: Vec<Connection> = (0..REQUESTS)
        .map(|_| Connection::open(proxy.address).expect("a connection"))
        .collect();
    let before = asked(proxy);
    let (start, bytes) = (Instant::now(), put(&grant).bytes());
    for connection in &mut connections {
        connection.send(&bytes).expect("sent");
    }
    for connection in &mut connections {
        let answer = connection.receive("PUT").expect("an answer");
        assert!(answer.status < 300, "{}", told(&answer));
    }
    let after = asked(proxy);
    let readings = [after[0] - before[0], after[1] - before[1]];
    println!(
        "{REQUESTS} requests in {} ms: {readings:?} readings (Envoy's count, the filter's)",
        start.elapsed().as_millis()
    );
    for count in readings {
        assert!(count <= 2 * WORKERS, "{count} readings");
        assert!(count > 0, "nobody asked");
    }
}
