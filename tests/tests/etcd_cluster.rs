//! How the examples reach etcd: a member that is gone, hangs or is cut off costs few calls, a full store
//! is still asked, and with TLS and users etcd serves. Without the filter: an Envoy whose
//! listener leads to the example's cluster of etcd's members.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use fencegate_tests::config::{Config, ETCD, PLAIN};
use fencegate_tests::envoy::Envoy;
use fencegate_tests::etcd::{Certificates, Etcd, Options, User, call_with};
use serde_json::json;

/// A reading that takes a majority.
const READ: &str = r#"{"success":[{"request_range":{"key":"YQ=="}}]}"#;
const HASLEADER: &str = "Grpc-Metadata-hasleader: true";

/// An Envoy that leads to etcd, with the time limit that the filter has, when it has seen that all
/// members are well.
fn way_to(etcd: &Etcd, example: &str) -> Envoy {
    let config = Config::example(example).expect("the example");
    let envoy = Envoy::start(&leading_to(config.with_etcd(etcd))).expect("an Envoy");
    wait_until(|| healthy(&envoy) == etcd.nodes() as u64);
    envoy
}

fn leading_to(config: Config) -> Config {
    let config = config.with_plain_listener().without_keeper();
    let config = config.with(|bootstrap| {
        let listeners = &mut bootstrap["static_resources"]["listeners"];
        listeners.as_array_mut().expect("a list").remove(0);
    });
    config.with_connection_manager(|manager| {
        let route = &mut manager["route_config"]["virtual_hosts"][0]["routes"][0]["route"];
        *route = json!({ "cluster": ETCD, "timeout": "0.5s" });
    })
}

/// How many members are well, as the Envoy sees it.
fn healthy(envoy: &Envoy) -> u64 {
    let gauge = envoy.counter(&format!("cluster.{ETCD}.membership_healthy"));
    gauge.expect("a gauge")
}

fn wait_until(mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(15), "in time");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn address(envoy: &Envoy) -> SocketAddr {
    envoy.address(PLAIN).expect("a listener")
}

/// The status of a reading.
fn read(address: SocketAddr, headers: &[&str]) -> u16 {
    let headers: Vec<String> = headers.iter().copied().map(str::to_owned).collect();
    let answer = call_with(address, "/v3/kv/txn", READ, &headers);
    answer.expect("an answer").status
}

/// Reads for so long with so many clients; how many readings were good, and how long after the start the
/// last one that was not ended.
fn read_for(address: SocketAddr, clients: usize, time: Duration) -> (usize, usize, Duration) {
    let start = Instant::now();
    let (mut good, mut bad, mut last) = (0, 0, Duration::ZERO);
    std::thread::scope(|scope| {
        let client = || {
            let mut seen = Vec::new();
            while start.elapsed() < time {
                seen.push((read(address, &[HASLEADER]) == 200, start.elapsed()));
            }
            seen
        };
        let clients: Vec<_> = (0..clients).map(|_| scope.spawn(client)).collect();
        for client in clients {
            for (fine, at) in client.join().expect("a client") {
                match fine {
                    true => good += 1,
                    false => (bad, last) = (bad + 1, last.max(at)),
                }
            }
        }
    });
    (good, bad, last)
}

fn follower(etcd: &Etcd) -> usize {
    let leader = etcd.wait_for_leader(&[]).expect("a leader");
    (leader + 1) % etcd.nodes()
}

#[test]
fn a_member_that_is_gone_is_passed_over_within_the_call() {
    let mut etcd = Etcd::start(3).expect("an etcd");
    let envoy = way_to(&etcd, "etcd");
    let gone = follower(&etcd);
    etcd.kill(gone).expect("killed");
    // Its connections break; whatever was on them would be lost.
    std::thread::sleep(Duration::from_millis(100));
    let (good, bad, _) = read_for(address(&envoy), 2, Duration::from_secs(2));
    println!("{good} readings were good, {bad} were not");
    assert_eq!(bad, 0);
    assert!(good > 10, "{good}");
    etcd.restart(gone).expect("started");
    wait_until(|| healthy(&envoy) == 3);
}

#[test]
fn a_member_that_hangs_costs_few_calls() {
    let etcd = Etcd::start(3).expect("an etcd");
    let envoy = way_to(&etcd, "etcd");
    let hangs = follower(&etcd);
    etcd.stop(hangs).expect("frozen");
    let (good, bad, last) = read_for(address(&envoy), 4, Duration::from_secs(8));
    println!("{good} readings were good, {bad} were not, the last one after {last:?}");
    // Each client waits in vain for half a second a few times, until the member's health was checked.
    assert!(good > 100 && bad <= 40, "{good} {bad}");
    assert!(last < Duration::from_secs(6), "{last:?}");
    etcd.resume(hangs).expect("going on");
    wait_until(|| healthy(&envoy) == 3);
}

#[test]
fn a_leader_that_is_cut_off_is_left_out_when_another_one_leads() {
    let etcd = Etcd::start(3).expect("an etcd");
    let envoy = way_to(&etcd, "etcd");
    let old = etcd.wait_for_leader(&[]).expect("a leader");
    etcd.cut_off(old);
    let start = Instant::now();
    etcd.wait_for_leader(&[old]).expect("a leader");
    println!("another one led after {:?}", start.elapsed());
    let (good, bad, last) = read_for(address(&envoy), 4, Duration::from_secs(8));
    println!("{good} readings were good, {bad} were not, the last one after {last:?}");
    assert!(good > 100, "{good}");
    assert!(last < Duration::from_secs(6), "{last:?}");
}

#[test]
fn a_full_store_is_still_asked() {
    let mut options = Options::of(1);
    options.quota_bytes = Some(30_000);
    let etcd = Etcd::start_with(options).expect("an etcd");
    let envoy = way_to(&etcd, "etcd");
    let filler = json!({ "key": "YQ==", "value": "x".repeat(8000) });
    wait_until(|| {
        etcd.call(0, "/v3/kv/put", &filler)
            .expect("an answer")
            .status
            == 429
    });
    // Longer than from one check of its health to the next.
    let (good, bad, _) = read_for(address(&envoy), 1, Duration::from_secs(4));
    assert!(good > 20 && bad == 0, "{good} {bad}");
    assert_eq!(healthy(&envoy), 1);
}

#[test]
fn behind_tls_and_with_users_on_etcd_serves_whoever_has_both() {
    let mut options = Options::of(3);
    options.tls = true;
    let etcd = Etcd::start_with(options).expect("an etcd");
    let [_, proxy] = etcd
        .switch_users_on("/fencegate/", "/fencegate0")
        .expect("on");
    let envoy = way_to(&etcd, "etcd-tls");
    let token = token(address(&envoy), &proxy);
    let headers = [format!("Authorization: {token}")];
    let mine = r#"{"success":[{"request_range":{"key":"L2ZlbmNlZ2F0ZS9pbml0"}}]}"#;
    for _ in 0..6 {
        let answer = call_with(address(&envoy), "/v3/kv/txn", mine, &headers);
        let answer = answer.expect("an answer");
        assert_eq!(answer.status, 200, "{}", answer.body_text());
    }
    assert_eq!(read(address(&envoy), &[&headers[0]]), 403, "outside");
    let never = "Authorization: never.1";
    assert_eq!(read(address(&envoy), &[never]), 401, "no such token");
    // The certificate stands for a user without name, who may nothing; without one it would be 400.
    assert_eq!(read(address(&envoy), &[]), 403, "no token");
}

fn token(address: SocketAddr, user: &User) -> String {
    let body = json!({ "name": user.name, "password": user.password }).to_string();
    let answer = call_with(address, "/v3/auth/authenticate", &body, &[]).expect("an answer");
    let token = answer.json()["token"].as_str().map(str::to_owned);
    token.unwrap_or_else(|| panic!("{} {}", answer.status, answer.body_text()))
}

#[test]
fn without_the_certificate_behind_tls_nothing_is_answered() {
    let mut options = Options::of(1);
    options.tls = true;
    let etcd = Etcd::start_with(options).expect("an etcd");
    let folder = tempfile::tempdir().expect("a folder");
    let strangers = Certificates::write(folder.path()).expect("certificates");
    let config = Config::example("etcd-tls").expect("the example");
    let config = config.with_etcd(&etcd).with_certificates(&strangers);
    let envoy = Envoy::start(&leading_to(config)).expect("an Envoy");
    assert_eq!(read(address(&envoy), &[]), 503);
}
