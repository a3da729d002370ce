//! A leader of etcd that was deposed and does not know it still answers keepalives, and nobody else
//! hears of them. No renewal is answered with more time than the lock has with the one that leads.
//!
//! ```text
//!   the filter's calls --> a way --- keepalives -----> the deposed leader
//!                                \-- all else -------> another member
//! ```
//! That is what a proxy meets by chance where it has a choice of members.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use base64ct::{Base64, Encoding};
use fencegate_tests::config::{Config, ETCD, PLAIN};
use fencegate_tests::envoy::{Envoy, Options};
use fencegate_tests::etcd::{Etcd, call_within};
use fencegate_tests::fleet::Proxy;
use fencegate_tests::issuer::Grant;
use serde_json::{Value, json};

const KEEP_ALIVE: &str = "/v3/lease/keepalive";
const TTL_MS: u64 = 10_000;
/// How long after a new leader took over a renewal is tried: the new one lets the lock go 12 s after
/// that, the old one at least 7 s after that, and a holder who is told 10 s from now is told too much.
const AFTER_ELECTION: Duration = Duration::from_millis(4_500);
/// How often to try: whether the old leader still thinks that it leads is a matter of its own timers.
const ROUNDS: usize = 4;

/// An Envoy of the example with no delay, whose way to etcd is at these addresses and is never left.
fn proxy(members: &[SocketAddr]) -> Proxy {
    let config = Config::example("etcd").expect("the example");
    let config = config.with_policy(|policy| {
        policy["issuer"]["fencegate"]["lock_delay_ms"] = json!(0);
        policy["authority"]["etcd"]["timeout_ms"] = json!(2_000);
    });
    let config = config.with_members(members).with(|bootstrap| {
        let cluster = clusters(bootstrap)
            .iter_mut()
            .find(|cluster| cluster["name"] == ETCD)
            .and_then(Value::as_object_mut)
            .expect("the cluster");
        cluster.remove("health_checks");
        cluster.remove("outlier_detection");
    });
    let proxy = Proxy::start(&config, Options::default()).expect("an Envoy");
    proxy.issuer.wait_until_ready().expect("ready");
    proxy
}

fn clusters(bootstrap: &mut Value) -> &mut Vec<Value> {
    let clusters = &mut bootstrap["static_resources"]["clusters"];
    clusters.as_array_mut().expect("a list")
}

/// Leads keepalives to one member and all else to another.
fn way(heard: SocketAddr, rest: SocketAddr) -> Envoy {
    let config = Config::example("etcd").expect("the example");
    let config = config.with_plain_listener().without_keeper();
    let config = config.with(|bootstrap| {
        let listeners = &mut bootstrap["static_resources"]["listeners"];
        listeners.as_array_mut().expect("a list").remove(0);
        *clusters(bootstrap) = vec![member("heard", heard), member("rest", rest)];
    });
    let config = config.with_connection_manager(|manager| {
        manager["route_config"]["virtual_hosts"][0]["routes"] = json!([
            { "match": { "path": KEEP_ALIVE }, "route": { "cluster": "heard" } },
            { "match": { "prefix": "/" }, "route": { "cluster": "rest" } },
        ]);
    });
    Envoy::start(&config).expect("an Envoy")
}

fn member(name: &str, address: SocketAddr) -> Value {
    let socket = json!({ "address": "127.0.0.1", "port_value": address.port() });
    json!({ "name": name, "connect_timeout": "1s", "load_assignment": { "cluster_name": name, "endpoints": [
        { "lb_endpoints": [{ "endpoint": { "address": { "socket_address": socket } } }] }] } })
}

/// The lease of a lock, as the store has it.
fn lease(etcd: &Etcd, member: usize, grant: &Grant) -> Value {
    let key = Base64::encode_string(format!("/fencegate/l/{}", grant.resource).as_bytes());
    let answer = etcd.call(member, "/v3/kv/range", &json!({ "key": key }));
    let answer = answer.expect("an answer").json();
    answer["kvs"][0]["lease"].clone()
}

/// How long a lock can be there yet at the most, as the member that leads has it.
fn lock_ends(etcd: &Etcd, leader: usize, grant: &Grant) -> Instant {
    let id = lease(etcd, leader, grant);
    let answer = etcd.call(leader, "/v3/lease/timetolive", &json!({ "ID": id }));
    let answer = answer.expect("an answer").json();
    let seconds = answer["TTL"]
        .as_str()
        .map_or(0, |text| text.parse().expect("a number"));
    // It says whole seconds, rounded down.
    Instant::now() + Duration::from_secs(seconds + 1)
}

/// Asks a member itself to keep a lease alive: in which term it did.
fn kept_alive(etcd: &Etcd, member: usize, id: &Value) -> io::Result<Option<u64>> {
    let limit = Duration::from_millis(300);
    let answer = call_within(
        etcd.control(member),
        KEEP_ALIVE,
        &json!({ "ID": id }),
        limit,
    )?;
    let kept = &answer.json()["result"];
    let term = kept["header"]["raft_term"].as_str();
    let term = term.map(|term| term.parse().expect("a number"));
    Ok(term.filter(|_| kept["TTL"].is_string()))
}

/// Renews until it is answered, or for so long; never with more time than the lock has.
fn renew(etcd: &Etcd, leader: usize, proxy: &Proxy, grant: &Grant, time: Duration) -> Vec<u16> {
    let start = Instant::now();
    let mut statuses = Vec::new();
    while start.elapsed() < time && statuses.last() != Some(&200) {
        let asked = Instant::now();
        let answer = proxy.issuer.renew(grant, TTL_MS).expect("an answer");
        statuses.push(answer.status);
        if answer.status == 200 {
            let left = answer.json()["ttl_ms"].as_u64().expect("what is left");
            let believes = asked + Duration::from_millis(left);
            let ends = lock_ends(etcd, leader, grant);
            assert!(
                believes <= ends,
                "the holder believes {:?} longer than the lock is there: {}",
                believes - ends,
                answer.body_text()
            );
        } else {
            assert_eq!(answer.status, 503, "{}", answer.body_text());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    statuses
}

/// The leader is cut off and frozen, another one takes over and lets the lock run most of its time.
fn depose(etcd: &Etcd, old: usize) -> usize {
    etcd.cut_off(old);
    etcd.stop(old).expect("frozen");
    let leader = etcd.wait_for_leader(&[old]).expect("a leader");
    std::thread::sleep(AFTER_ELECTION);
    leader
}

#[test]
fn a_keepalive_that_only_a_deposed_leader_heard_renews_nothing() {
    let etcd = Etcd::start(3).expect("an etcd");
    etcd.operate(&["init"]).expect("an init");
    for round in 0..ROUNDS {
        let old = etcd.wait_for_leader(&[]).expect("a leader");
        let other = (old + 1) % etcd.nodes();
        let way = way(etcd.address(old), etcd.address(other));
        let proxy = proxy(&[way.address(PLAIN).expect("a listener")]);
        let resource = format!("job:{round}");
        let grant = proxy.issuer.acquire_patiently(&resource, "A", TTL_MS);
        let grant = grant.expect("a grant");
        let leader = depose(&etcd, old);
        let id = lease(&etcd, leader, &grant);
        etcd.resume(old).expect("going on");
        let before = kept_alive(&etcd, old, &id);
        let deceived = renew(&etcd, leader, &proxy, &grant, Duration::from_millis(1));
        let after = kept_alive(&etcd, old, &id);
        etcd.reconnect(old);
        let then = renew(&etcd, leader, &proxy, &grant, Duration::from_secs(6));
        println!(
            "round {round}: the deposed leader {before:?}, a renewal {deceived:?}, the deposed leader {after:?}, then {then:?}"
        );
        if let (Ok(Some(_)), Ok(Some(_))) = (before, after) {
            // It answered all the while.
            assert_eq!(deceived, [503]);
            assert_eq!(then.last(), Some(&200), "{then:?}");
            return;
        }
        etcd.wait_for_leader(&[]).expect("a leader");
    }
    println!("no leader was deceived: this etcd does not answer so");
}

#[test]
fn renewals_at_a_leader_that_hung_are_never_answered_with_more_than_the_lock_has() {
    let etcd = Etcd::start(3).expect("an etcd");
    etcd.operate(&["init"]).expect("an init");
    let old = etcd.wait_for_leader(&[]).expect("a leader");
    let proxy = proxy(&[etcd.address(old)]);
    let grant = proxy.issuer.acquire_patiently("job:1", "A", TTL_MS);
    let grant = grant.expect("a grant");
    etcd.stop(old).expect("frozen");
    let leader = etcd.wait_for_leader(&[old]).expect("a leader");
    std::thread::sleep(AFTER_ELECTION - Duration::from_millis(100));
    // What waits in its socket is the first thing that it sees.
    let statuses = std::thread::scope(|scope| {
        let renewing = || renew(&etcd, leader, &proxy, &grant, Duration::from_secs(6));
        let renewals: Vec<_> = (0..4).map(|_| scope.spawn(renewing)).collect();
        std::thread::sleep(Duration::from_millis(100));
        etcd.resume(old).expect("going on");
        let ended = renewals.into_iter().map(|it| it.join().expect("renewals"));
        ended.collect::<Vec<_>>()
    });
    println!("{statuses:?}");
    assert!(
        statuses.iter().all(|it| it.last() == Some(&200)),
        "{statuses:?}"
    );
}
