//! More resources than there is room for: memory stays bounded, no mark is lost unsaid, and nothing
//! stale is admitted because of it. With our issuer, what is over is forgotten and must be acquired
//! again; with external tokens nothing can be forgotten, and new resources are refused.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use fencegate_tests::config::{Config, FENCED};
use fencegate_tests::envoy::Envoy;
use fencegate_tests::http::{Answer, Connection, Request};
use fencegate_tests::issuer::{Grant, Issuer};
use fencegate_tests::rig::write;

/// How many resources are asked for; the examples have room for 100,000 at least.
const ASKED: u64 = 110_000;
/// Too little room for them.
const ROOM: u64 = 40_000;
const CLIENTS: u64 = 4;

struct Fence {
    envoy: Envoy,
    address: std::net::SocketAddr,
}

fn started(example: &str, room: u64) -> Fence {
    let config = Config::example(example)
        .expect("the example")
        .with_direct_response();
    let config = config.with_policy(|policy| {
        policy["authority"]["memory"]["resources"] = serde_json::json!(room);
    });
    let envoy = Envoy::start(&config).expect("an Envoy");
    let address = envoy.address(FENCED).expect("a listener");
    Issuer::at(address).wait_until_ready().expect("ready");
    Fence { envoy, address }
}

impl Fence {
    /// What Envoy has allocated, in MiB.
    fn memory(&self) -> u64 {
        self.envoy.allocated().expect("a number") >> 20
    }

    /// Sends one request for each number below `ASKED`, by several clients at once.
    fn each(&self, request: impl Fn(u64) -> Request + Sync, see: impl Fn(u64, Answer) + Sync) {
        std::thread::scope(|scope| {
            for client in 0..CLIENTS {
                let (request, see) = (&request, &see);
                scope.spawn(move || {
                    let mut connection = Connection::open(self.address).expect("a connection");
                    for number in (client..ASKED).step_by(CLIENTS as usize) {
                        see(
                            number,
                            connection.exchange(&request(number)).expect("an answer"),
                        );
                    }
                });
            }
        });
    }
}

fn bare(number: u64, token: &str) -> Request {
    Request::new("PUT", format!("/jobs/{number}/x"))
        .header("Host", "store.example")
        .header("Fencing-Token", token)
        .header("Fencing-Holder", "worker-a")
}

fn call(verb: &str, body: &serde_json::Value) -> Request {
    Request::new("POST", format!("/fence/v1/{verb}"))
        .header("Host", "issuer.example")
        .body(body.to_string())
}

#[test]
fn with_external_tokens_new_resources_are_refused_when_there_is_no_room() {
    let fence = started("external", ROOM);
    let (before, start) = (fence.memory(), Instant::now());
    let full = AtomicU64::new(0);
    let put = |number| bare(number, "5");
    fence.each(put, |number, answer| {
        match (answer.status, answer.reason().as_str()) {
            (200, _) => {}
            (503, "full") => {
                full.fetch_add(1, Ordering::Relaxed);
            }
            (status, reason) => panic!("{number}: {status} {reason}"),
        }
    });
    let full = full.into_inner();
    println!(
        "{ASKED} resources in {:.1} s: {} marks, {full} refused; Envoy's memory {before} MiB, then {} MiB",
        start.elapsed().as_secs_f64(),
        ASKED - full,
        fence.memory()
    );
    assert!(full > 0 && ASKED - full >= ROOM, "{full}");
    let counted = fence
        .envoy
        .counter("wasmcustom.fencegate_rejected_full_total");
    let undecided = fence
        .envoy
        .counter("wasmcustom.fencegate_undecided_full_total");
    assert_eq!(counted.expect("stats") + undecided.expect("stats"), full);
    // Every mark is still there: what was admitted is stale below it, what was not stays refused.
    let (stale, still_full) = (AtomicU64::new(0), AtomicU64::new(0));
    fence.each(
        |number| bare(number, "4"),
        |number, answer| {
            match (answer.status, answer.reason().as_str()) {
                (412, "stale") => stale.fetch_add(1, Ordering::Relaxed),
                (503, "full") => still_full.fetch_add(1, Ordering::Relaxed),
                (status, reason) => panic!("{number}: {status} {reason}"),
            };
        },
    );
    assert_eq!(
        (stale.into_inner(), still_full.into_inner()),
        (ASKED - full, full)
    );
}

#[test]
fn with_our_tokens_what_is_over_is_forgotten_and_must_be_acquired_again() {
    let fence = started("fencegate", 100_000);
    let (before, start) = (fence.memory(), Instant::now());
    let issuer = Issuer::at(fence.address);
    let first = issuer
        .acquire_patiently("job:first", "worker-a", 1000)
        .expect("a grant");
    let (granted, full) = (AtomicU64::new(0), AtomicU64::new(0));
    let acquire = |number| {
        call(
            "acquire",
            &serde_json::json!({
                "resource": format!("job:{number}"), "holder": "worker-a", "ttl_ms": 1000,
            }),
        )
    };
    fence.each(acquire, |number, answer| {
        match (answer.status, answer.reason().as_str()) {
            (201, _) => granted.fetch_add(1, Ordering::Relaxed),
            (503, "full") => full.fetch_add(1, Ordering::Relaxed),
            (status, reason) => panic!("{number}: {status} {reason}"),
        };
    });
    println!(
        "{ASKED} resources in {:.1} s: {} granted, {} refused; Envoy's memory {before} MiB, then {} MiB",
        start.elapsed().as_secs_f64(),
        granted.load(Ordering::Relaxed),
        full.load(Ordering::Relaxed),
        fence.memory()
    );
    std::thread::sleep(Duration::from_millis(2500));
    // All leases are over now. Whether the record is still there or forgotten, nobody is admitted
    // as someone else, and whoever acquires is.
    let answer = put(&fence, "/jobs/first/x", &first);
    assert!(
        [200, 412].contains(&answer.status),
        "{}",
        answer.body_text()
    );
    let again = issuer
        .acquire_patiently("job:first", "worker-b", 60_000)
        .expect("a grant");
    let answer = put(&fence, "/jobs/first/x", &first);
    assert_eq!((answer.status, answer.reason().as_str()), (412, "stale"));
    assert_eq!(put(&fence, "/jobs/first/x", &again).status, 200);
}

fn put(fence: &Fence, path: &str, grant: &Grant) -> Answer {
    write(path, &grant.token, &grant.holder)
        .send_to(fence.address)
        .expect("an answer")
}

/// The same with little room, so that most are forgotten: a forgotten record admits nothing.
#[test]
fn a_forgotten_resource_admits_nothing_until_it_is_acquired_again() {
    let fence = started("fencegate", 64);
    let issuer = Issuer::at(fence.address);
    let mut grants = Vec::new();
    let mut full = 0;
    let start = Instant::now();
    while grants.len() < 600 && start.elapsed() < Duration::from_secs(20) {
        let resource = format!("job:{}", grants.len());
        let answer = issuer
            .acquire(&resource, "worker-a", 1000)
            .expect("an answer");
        match Grant::from_answer(&answer) {
            Some(grant) => {
                issuer.release(&grant, true).expect("an answer");
                grants.push(grant);
            }
            None => {
                assert_eq!((answer.status, answer.reason().as_str()), (503, "full"));
                full += 1;
                std::thread::sleep(Duration::from_millis(100));
            }
        }
    }
    let (mut forgotten, mut released) = (0, 0);
    for (number, grant) in grants.iter().enumerate() {
        let answer = put(&fence, &format!("/jobs/{number}/x"), grant);
        match (answer.status, answer.reason().as_str()) {
            (412, "no_grant") => forgotten += 1,
            (412, "released") => released += 1,
            (status, reason) => panic!("{number}: {status} {reason}"),
        }
    }
    println!(
        "{} grants with room for 64 in {:?}: {forgotten} forgotten, {released} kept, {full} times full",
        grants.len(),
        start.elapsed()
    );
    assert!(forgotten > 0);
    let again = issuer
        .acquire_patiently("job:0", "worker-a", 60_000)
        .expect("a grant");
    assert_eq!(put(&fence, "/jobs/0/x", &again).status, 200);
    assert_eq!(put(&fence, "/jobs/0/x", &grants[0]).status, 412);
}
