//! What etcd has to do, and how long a takeover takes: figures, printed, and what must hold of them on
//! any machine. Load on etcd comes from time that passes and from takeovers, not from writes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use fencegate_core::quorum::{Init, Kept, KeptGrant, LeaseId, Number};
use fencegate_core::token::Token;
use fencegate_tests::config::{Config, ETCD};
use fencegate_tests::envoy::Options;
use fencegate_tests::etcd::Etcd;
use fencegate_tests::fleet::{Fleet, Proxy};
use fencegate_tests::http::{Connection, Request};
use serde_json::json;

/// Who holds every lease that [`granted`] makes.
const HOLDER: &str = "H";

fn fleet(etcd: &Etcd, proxies: usize, concurrency: u32) -> Fleet {
    etcd.operate(&["init", "--window", "250ms"])
        .expect("an init");
    let config = Config::example("etcd").expect("the example");
    let config = config.with_direct_response().with_policy(|policy| {
        policy["issuer"]["fencegate"]["lock_delay_ms"] = json!(0);
    });
    let options = Options {
        concurrency,
        ..Options::default()
    };
    let fleet = Fleet::start_with(proxies, config, etcd, &options).expect("Envoys");
    fleet.wait_until_ready().expect("ready issuers");
    fleet
}

/// Makes so many resources with a lease each, past the proxies, as if granted long ago; their token.
fn granted(etcd: &Etcd, resources: usize) -> Token {
    let init = etcd.value("/fencegate/init").expect("an init");
    let init = Init::decode(&init).expect("an init");
    let token = Token::new(init.epoch, 1).expect("a token");
    let kept = Kept {
        token,
        holder: Some(HOLDER.to_owned()),
        generation: 1,
        settled: true,
        spent: Vec::new(),
        grant: Some(KeptGrant {
            nonce: 1,
            request_id: None,
            ttl: Duration::from_secs(60),
            lock_delay: Duration::ZERO,
            lease: LeaseId(1),
            released: false,
        }),
    };
    let values = (0..resources).map(|number| {
        let resource = format!("job:{number}");
        let value = kept.encode(&resource, Number::Restated).expect("names");
        (format!("/fencegate/m/{resource}"), value)
    });
    etcd.put_all(&values.collect::<Vec<_>>()).expect("puts");
    token
}

/// Writes at a pace of `rate` a second (0: as fast as it goes), to all resources in turn, for so long or
/// until `count` are written; how many were written a second.
fn write(proxy: &Proxy, token: Token, resources: u64, rate: u64, until: Until) -> f64 {
    const WRITERS: u64 = 16;
    let (start, sent) = (Instant::now(), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..WRITERS {
            scope.spawn(|| {
                let mut connection = Connection::open(proxy.address).expect("a connection");
                loop {
                    let number = sent.fetch_add(1, Ordering::Relaxed);
                    let due = Duration::from_secs_f64(number as f64 / rate.max(1) as f64);
                    if rate > 0 {
                        std::thread::sleep(due.saturating_sub(start.elapsed()));
                    }
                    let over = match until {
                        Until::Time(time) => start.elapsed() >= time,
                        Until::Count(count) => number >= count,
                    };
                    if over {
                        break;
                    }
                    let path = format!("/jobs/{}/report", number % resources);
                    let request = Request::new("PUT", path)
                        .header("Host", "store.example")
                        .header("Fencing-Token", token.to_string())
                        .header("Fencing-Holder", HOLDER);
                    let answer = connection.exchange(&request).expect("an answer");
                    assert_eq!(answer.status, 200, "{}", answer.body_text());
                }
            });
        }
    });
    sent.load(Ordering::Relaxed).saturating_sub(WRITERS) as f64 / start.elapsed().as_secs_f64()
}

#[derive(Clone, Copy)]
enum Until {
    Time(Duration),
    Count(u64),
}

fn asked(proxy: &Proxy) -> u64 {
    let counter = format!("cluster.{ETCD}.upstream_rq_total");
    proxy.envoy.counter(&counter).expect("a counter")
}

/// How often etcd is asked a second while it is written at this pace, once everything is known.
fn asked_a_second(proxy: &Proxy, token: Token, resources: u64, rate: u64) -> f64 {
    let time = Duration::from_secs(4);
    let (before, start) = (asked(proxy), Instant::now());
    let written = write(proxy, token, resources, rate, Until::Time(time));
    let a_second = (asked(proxy) - before) as f64 / start.elapsed().as_secs_f64();
    println!(
        "{resources:>7} resources, {written:8.0} writes/s: etcd is asked {a_second:5.1} times a second"
    );
    a_second
}

#[test]
fn etcd_is_asked_as_often_whatever_the_number_of_writes_and_resources() {
    const MANY: u64 = 100_000;
    let etcd = Etcd::start(3).expect("an etcd");
    let fleet = fleet(&etcd, 1, 1);
    let proxy = &fleet.proxies[0];
    // The first judged request puts the generation in force.
    let _ = write_one(proxy);
    let token = granted(&etcd, MANY as usize);
    write(proxy, token, 10, 0, Until::Count(100));
    let rates = [100, 1_000, 10_000];
    let mut figures = rates
        .map(|rate| asked_a_second(proxy, token, 10, rate))
        .to_vec();
    let start = Instant::now();
    write(proxy, token, MANY, 0, Until::Count(MANY));
    println!(
        "all {MANY} resources were read once in {:.0} s",
        start.elapsed().as_secs_f64()
    );
    figures.push(asked_a_second(proxy, token, MANY, 1_000));
    let (least, most) = figures
        .iter()
        .fold((f64::MAX, 0_f64), |(least, most), figure| {
            (least.min(*figure), most.max(*figure))
        });
    // Three surveys a window, and one more where a tick was late.
    assert!(most <= 4.0 * 4.0 + 4.0, "{figures:?}");
    assert!(most <= 2.0 * least + 2.0, "not flat: {figures:?}");
}

fn write_one(proxy: &Proxy) -> u16 {
    let request = Request::new("PUT", "/jobs/0/report")
        .header("Host", "store.example")
        .header("Fencing-Token", "1")
        .header("Fencing-Holder", HOLDER);
    request.send_to(proxy.address).expect("an answer").status
}

#[test]
fn a_takeover_takes_the_lease_the_window_and_what_etcd_needs_to_end_a_lease() {
    let etcd = Etcd::start(3).expect("an etcd");
    let fleet = fleet(&etcd, 2, 2);
    let [first, second] = &fleet.proxies[..] else {
        panic!("two proxies");
    };
    // The store's own lease has whole seconds: this is just below two.
    let (ttl, window) = (Duration::from_millis(2_900), Duration::from_millis(250));
    let mut worst = Duration::ZERO;
    for round in 0..5 {
        let resource = format!("job:takeover-{round}");
        let a = first
            .issuer
            .acquire_patiently(&resource, "A", ttl.as_millis() as u64);
        let (a, vanished) = (a.expect("a grant"), Instant::now());
        let body =
            json!({ "resource": resource, "holder": "B", "ttl_ms": 2_900, "wait_ms": 15_000 });
        let answer = second.issuer.call("acquire", &body).expect("an answer");
        let took = vanished.elapsed();
        assert_eq!(answer.status, 201, "{}", answer.body_text());
        println!(
            "round {round}: {} ms after A's grant ({} ms left then)",
            took.as_millis(),
            a.ttl_ms
        );
        worst = worst.max(took);
    }
    let bound = ttl + window + Duration::from_secs(2);
    println!(
        "worst {} ms; ttl + window + 2 s is {} ms",
        worst.as_millis(),
        bound.as_millis()
    );
    assert!(worst <= bound, "{worst:?}");
}
