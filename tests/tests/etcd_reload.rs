//! New configurations, restarts and hot restarts of proxies over etcd: marks and leases are none of
//! theirs, so nothing of that loses one.

use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fencegate_tests::config::{Config, FENCED};
use fencegate_tests::envoy::{Envoy, HotRestart, Options, Pushed};
use fencegate_tests::etcd::Etcd;
use fencegate_tests::fleet::OverEtcd;
use fencegate_tests::http::{Answer, Connection, Request};
use fencegate_tests::issuer::{Grant, Issuer};
use fencegate_tests::origin::Origin;
use fencegate_tests::rig::{check_problem, write};
use serde_json::{Value, json};

const PATH: &str = "/jobs/1/report.pdf";
const WINDOW: Duration = Duration::from_millis(250);

fn example() -> Config {
    Config::example("etcd").expect("the example")
}

fn started() -> OverEtcd {
    let options = Options {
        dynamic: true,
        ..Options::default()
    };
    OverEtcd::start(example(), &options).expect("two Envoys over an etcd")
}

/// An older and the current grant of job:1, both known to every worker.
fn old_and_new(over: &OverEtcd, ttl_ms: u64) -> [Grant; 2] {
    let old = over.fleet.grant(0, "job:1", "A", 60_000);
    let released = over.fleet.proxies[1].issuer.release(&old, true);
    assert_eq!(released.expect("an answer").status, 200);
    let new = over.fleet.grant(1, "job:1", "B", ttl_ms);
    for proxy in [0, 1].repeat(16) {
        assert!(put(over, proxy, &new).status < 300);
    }
    [old, new]
}

fn request(grant: &Grant) -> Request {
    write(PATH, &grant.token, &grant.holder)
}

fn put(over: &OverEtcd, proxy: usize, grant: &Grant) -> Answer {
    over.fleet.send(proxy, &request(grant))
}

fn push(over: &OverEtcd, proxy: usize, change: impl FnOnce(&mut Value)) -> Pushed {
    let proxy = &over.fleet.proxies[proxy];
    let config = over.fleet.config().clone().with_policy(change);
    let pushed = proxy.envoy.push(&config).expect("Envoy's word");
    let address = proxy.envoy.address(FENCED).expect("a listener");
    assert_eq!(address, proxy.address, "where it was");
    pushed
}

fn told(answer: &Answer) -> String {
    format!("{} {}", answer.status, answer.body_text())
}

fn refused(answer: &Answer, status: u16, reason: &str) {
    let seen = (answer.status, answer.reason());
    assert_eq!(seen, (status, reason.to_owned()), "{}", told(answer));
    check_problem(answer, &told(answer));
}

/// A token of before is refused. A worker that knows of no newer grant says that there is none any more,
/// or that it was released.
fn is_over(answer: &Answer) {
    match answer.reason().as_str() {
        "no_grant" => refused(answer, 412, "no_grant"),
        "released" => refused(answer, 412, "released"),
        _ => refused(answer, 412, "stale"),
    }
}

fn until(status: u16, reason: &str, send: impl Fn() -> Answer) {
    let start = Instant::now();
    loop {
        let answer = send();
        if (answer.status, answer.reason().as_str()) == (status, reason) {
            return;
        }
        assert!(
            start.elapsed() < Duration::from_secs(10),
            "still {}",
            told(&answer)
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// One answer to a writer: when it was asked for, where, with which token, and its status.
type Seen = (Instant, usize, String, u16);

/// Writes with each grant at each proxy until it is done.
fn hammer(over: &OverEtcd, grants: &[Grant], done: &AtomicBool) -> Vec<Seen> {
    std::thread::scope(|scope| {
        let writers = [0, 1].repeat(2).into_iter().map(|proxy| {
            scope.spawn(move || {
                let mut seen = Vec::new();
                while !done.load(Ordering::SeqCst) {
                    for grant in grants {
                        let sent = Instant::now();
                        // A listener that is replaced may close what it has.
                        let address = over.fleet.proxies[proxy].address;
                        if let Ok(answer) = request(grant).send_to(address) {
                            seen.push((sent, proxy, grant.token.clone(), answer.status));
                        }
                    }
                }
                seen
            })
        });
        let writers: Vec<_> = writers.collect();
        let seen = writers.into_iter().map(|it| it.join().expect("a writer"));
        seen.flatten().collect()
    })
}

#[test]
fn a_newer_generation_at_one_proxy_supersedes_the_other_and_nothing_stale_is_admitted_meanwhile() {
    let over = started();
    // Leases of an older generation end by themselves, or are given back.
    let [old, new] = old_and_new(&over, 2000);
    let newer = |policy: &mut Value| policy["generation"] = json!(2);
    let (grants, done) = ([old.clone(), new.clone()], AtomicBool::new(false));
    let (seen, judged, third, granted) = std::thread::scope(|scope| {
        let hammer = scope.spawn(|| hammer(&over, &grants, &done));
        std::thread::sleep(Duration::from_millis(500));
        assert_eq!(push(&over, 0, newer), Pushed::Accepted);
        until(412, "no_grant", || put(&over, 0, &new));
        let judged = Instant::now();
        until(503, "superseded", || put(&over, 1, &new));
        println!(
            "the other proxy refuses {} ms after the first answer",
            judged.elapsed().as_millis()
        );
        let third = over.fleet.grant(0, "job:1", "C", 60_000);
        let granted = Instant::now();
        std::thread::sleep(Duration::from_millis(500));
        done.store(true, Ordering::SeqCst);
        (hammer.join().expect("writers"), judged, third, granted)
    });
    println!("{} answers meanwhile", seen.len());
    let admitted: Vec<&Seen> = seen.iter().filter(|(.., status)| *status < 300).collect();
    assert!(admitted.iter().any(|(_, proxy, ..)| *proxy == 1));
    for (sent, proxy, token, _) in admitted {
        assert_ne!(*token, old.token, "proxy {proxy} admitted a stale write");
        let late = sent.saturating_duration_since(judged);
        assert!(
            late <= WINDOW + Duration::from_millis(5),
            "proxy {proxy} admitted what was sent {late:?} after the newer generation had judged"
        );
        assert!(*sent < granted, "proxy {proxy}: after the next grant");
    }
    for _ in 0..8 {
        refused(&put(&over, 1, &third), 503, "superseded");
        is_over(&put(&over, 0, &new));
    }
    let older = &over.fleet.proxies[1].issuer;
    let acquired = older.acquire("job:2", "A", 5000).expect("an answer");
    refused(&acquired, 503, "superseded");
    let read = Request::new("GET", PATH).header("Host", "store.example");
    refused(&over.fleet.send(1, &read), 503, "superseded");

    assert_eq!(push(&over, 1, newer), Pushed::Accepted);
    let start = Instant::now();
    while put(&over, 1, &third).status >= 300 {
        assert!(
            start.elapsed() < Duration::from_secs(10),
            "it never goes on"
        );
    }
    for proxy in [0, 1].repeat(4) {
        assert!(put(&over, proxy, &third).status < 300);
        for grant in [&old, &new] {
            is_over(&put(&over, proxy, grant));
        }
    }
    let fourth = over.fleet.grant(1, "job:2", "A", 5000);
    assert_ne!(fourth.token, third.token);
}

#[test]
fn the_same_generation_with_other_rules_is_superseded_and_the_others_go_on() {
    let over = started();
    let [old, new] = old_and_new(&over, 60_000);
    let other = |policy: &mut Value| policy["rules"][0]["resource"] = json!("task:{job}");
    let pushed = push(&over, 1, other);
    if pushed == Pushed::Accepted {
        until(503, "superseded", || put(&over, 1, &new));
        for _ in 0..8 {
            refused(&put(&over, 1, &new), 503, "superseded");
        }
        let issuer = &over.fleet.proxies[1].issuer;
        let acquired = issuer.acquire("task:1", "A", 5000).expect("an answer");
        refused(&acquired, 503, "superseded");
    }
    assert!(put(&over, 0, &new).status < 300);
    is_over(&put(&over, 0, &old));
}

#[test]
fn a_restarted_proxy_keeps_every_promise_of_before() {
    let mut over = started();
    let [old, new] = old_and_new(&over, 60_000);
    let ask = |over: &OverEtcd, id: &str| {
        let body =
            json!({ "resource": "job:2", "holder": "A", "ttl_ms": 60_000, "request_id": id });
        let issuer = &over.fleet.proxies[0].issuer;
        issuer.call("acquire", &body).expect("an answer")
    };
    let other = Grant::from_answer(&ask(&over, "r1")).expect("a grant");
    over.fleet.restart(0).expect("an Envoy");
    let start = Instant::now();
    for _ in 0..8 {
        assert!(put(&over, 0, &new).status < 300, "from the first write on");
        refused(&put(&over, 0, &old), 412, "stale");
    }
    // Grants wait as after any start.
    over.fleet.wait_until_ready().expect("ready");
    println!("ready again after {} ms", start.elapsed().as_millis());
    let issuer = &over.fleet.proxies[0].issuer;
    let held = issuer.acquire("job:1", "C", 5000).expect("an answer");
    refused(&held, 409, "held");
    let again = Grant::from_answer(&ask(&over, "r1")).expect("the same grant");
    assert_eq!(again.token, other.token);
    assert_eq!(issuer.renew(&new, 60_000).expect("an answer").status, 200);
    assert_eq!(issuer.release(&new, true).expect("an answer").status, 200);
    until(412, "released", || put(&over, 1, &new));
}

/// A port that is free now.
fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    listener.local_addr().expect("an address").port()
}

#[test]
fn the_two_processes_of_a_hot_restart_have_the_same_marks() {
    let folder = tempfile::tempdir().expect("a folder");
    let origin = Origin::start(folder.path()).expect("a store");
    let etcd = Etcd::start(1).expect("an etcd");
    etcd.operate(&["init", "--window", "250ms"])
        .expect("an init");
    let port = free_port();
    let config = example().with_etcd(&etcd).with_store(origin.address());
    let config = config.with(|bootstrap| {
        let listener = &mut bootstrap["static_resources"]["listeners"][0];
        listener["address"]["socket_address"]["port_value"] = json!(port);
    });
    let base_id = std::process::id() % 30_000;
    let options = |epoch| Options {
        hot_restart: Some(HotRestart { base_id, epoch }),
        ..Options::default()
    };
    let first = Envoy::start_with(&config, options(0)).expect("an Envoy");
    let address = first.address(FENCED).expect("a listener");
    let issuer = Issuer::at(address);
    issuer.wait_until_ready().expect("ready");
    let old = issuer
        .acquire_patiently("job:1", "A", 60_000)
        .expect("a grant");
    let mut kept = Connection::open(address).expect("a connection");
    assert_eq!(
        kept.exchange(&request(&old)).expect("an answer").status,
        201
    );

    let second = Envoy::start_with(&config, options(1)).expect("the next Envoy");
    let held = issuer.acquire("job:1", "B", 60_000).expect("an answer");
    assert!(matches!(held.status, 409 | 503), "{}", told(&held));
    issuer.wait_until_ready().expect("ready");
    // The old process still serves the connection that it has.
    assert_eq!(
        kept.exchange(&request(&old)).expect("an answer").status,
        200
    );
    assert_eq!(issuer.release(&old, true).expect("an answer").status, 200);
    let new = issuer
        .acquire_patiently("job:1", "B", 60_000)
        .expect("a grant");
    is_over(&kept.exchange(&request(&old)).expect("an answer"));
    let mut kept = Connection::open(address).expect("a connection");
    is_over(&kept.exchange(&request(&old)).expect("an answer"));
    let answer = request(&new).send_to(address).expect("an answer");
    assert_eq!(answer.status, 200, "{}", told(&answer));
    drop(second);
}

#[test]
fn two_filters_with_prefixes_of_their_own_do_not_mix_under_one_vm_id() {
    const OTHER: &str = "other";
    let etcd = Etcd::start(1).expect("an etcd");
    etcd.operate(&["init", "--window", "250ms"])
        .expect("an init");
    let folder = tempfile::tempdir().expect("a folder");
    let origin = Origin::start(folder.path()).expect("a store");
    let config = example().with_etcd(&etcd).with_store(origin.address());
    let policy = config.policy();
    let config = config.with(|bootstrap| {
        let listeners = bootstrap["static_resources"]["listeners"].as_array_mut();
        let listeners = listeners.expect("listeners");
        let mut other = listeners[0].clone();
        other["name"] = json!(OTHER);
        let filter =
            &mut other["filter_chains"][0]["filters"][0]["typed_config"]["http_filters"][0];
        let other_policy = policy.replace("/fencegate/", "/elsewhere/");
        filter["typed_config"]["config"]["configuration"]["value"] = json!(other_policy);
        listeners.push(other);
    });
    let envoy = Envoy::start(&config).expect("an Envoy");
    let at = |name: &str| envoy.address(name).expect("a listener");
    let [here, elsewhere]: [SocketAddr; 2] = [at(FENCED), at(OTHER)];
    let issuers = [here, elsewhere].map(Issuer::at);
    issuers[0].wait_until_ready().expect("ready");
    let grant = issuers[0].acquire_patiently("job:1", "A", 60_000);
    let grant = grant.expect("a grant");
    // The other prefix is not in force, and the one that is does not make up for it.
    for _ in 0..8 {
        let answer = request(&grant).send_to(elsewhere).expect("an answer");
        refused(&answer, 503, "missing");
        let answer = request(&grant).send_to(here).expect("an answer");
        assert!(answer.status < 300, "{}", told(&answer));
    }
    etcd.operate(&["--prefix", "/elsewhere/", "init", "--window", "250ms"])
        .expect("an init");
    issuers[1].wait_until_ready().expect("ready");
    for _ in 0..8 {
        let answer = request(&grant).send_to(elsewhere).expect("an answer");
        refused(&answer, 412, "no_grant");
    }
    let other = issuers[1].acquire_patiently("job:1", "B", 60_000);
    let other = other.expect("nobody holds it there");
    for _ in 0..8 {
        for (address, good, bad) in [(here, &grant, &other), (elsewhere, &other, &grant)] {
            let answer = request(good).send_to(address).expect("an answer");
            assert!(answer.status < 300, "{}", told(&answer));
            let answer = request(bad).send_to(address).expect("an answer");
            assert!(matches!(answer.status, 403 | 412), "{}", told(&answer));
        }
    }
}
