//! Clients that leave while their request waits.

use std::time::{Duration, Instant};

use fencegate_tests::issuer::Grant;
use serde_json::{Value, json};

use super::scene::{Scene, no_filter_died, scene, told, until};

fn wish(resource: &str, holder: &str) -> Value {
    json!({ "resource": resource, "holder": holder, "ttl_ms": 2000, "request_id": "r1" })
}

/// Asks, and leaves after so long without an answer.
fn leaves(scene: &Scene, proxy: usize, body: &Value, after: Duration) {
    let issuer = &scene.fleet.proxies[proxy].issuer;
    let mut connection = issuer.connect().expect("a connection");
    let request = issuer.request("POST", "acquire").body(body.to_string());
    connection.send(&request.bytes()).expect("sent");
    std::thread::sleep(after);
}

/// Before, while and after the lease is granted in etcd; the window of 250 ms is sat out in between.
fn moments() -> impl Iterator<Item = (usize, Duration)> {
    let millis = [0, 1, 2, 4, 8, 16, 40, 100, 200, 240, 260, 300];
    let moments = millis.into_iter().map(Duration::from_millis);
    moments.enumerate()
}

#[test]
fn who_left_while_its_acquire_waited_finds_its_grant_or_a_new_one_under_the_same_request_id() {
    let scene = scene();
    let _turn = scene.turn();
    let comes_back = |(number, after): (usize, Duration)| {
        let body = wish(&format!("job:came-back-{number}"), "A");
        leaves(&scene, number % 2, &body, after);
        // Back at once, at the other proxy.
        let issuer = &scene.fleet.proxies[1 - number % 2].issuer;
        let start = Instant::now();
        let answer = until(
            |status| status == 201,
            || issuer.call("acquire", &body).expect("an answer"),
        );
        let took = (after.as_millis(), start.elapsed().as_millis());
        let grant = Grant::from_answer(&answer).expect("a grant");
        let written = scene.fleet.send(0, &super::scene::put(&grant));
        assert!(written.status < 300, "{}", told(&written));
        took
    };
    let found: Vec<_> = std::thread::scope(|scope| {
        let comes_back = &comes_back;
        let all: Vec<_> = moments()
            .map(|moment| scope.spawn(move || comes_back(moment)))
            .collect();
        let all = all.into_iter().map(|it| it.join().expect("a grant"));
        all.collect()
    });
    println!("left after, granted after (ms): {found:?}");
}

#[test]
fn who_left_while_its_acquire_waited_leaves_no_lease_behind_for_longer_than_its_time() {
    let scene = scene();
    let _turn = scene.turn();
    // Leases of the other tests are long; these are the ones that come on top.
    let before = scene.etcd.leases().expect("a number");
    for (number, after) in moments() {
        let body = wish(&format!("job:gone-{number}"), "A");
        leaves(&scene, number % 2, &body, after);
    }
    let start = Instant::now();
    let left = |scene: &Scene| {
        scene
            .etcd
            .leases()
            .expect("a number")
            .saturating_sub(before)
    };
    println!("{} leases are there at first", left(&scene));
    // Two seconds of lease, half a second of etcd's, and what is left for this machine.
    while left(&scene) > 0 {
        assert!(
            start.elapsed() < Duration::from_millis(2000 + 500 + 2000),
            "{} leases were left behind",
            left(&scene)
        );
        std::thread::sleep(Duration::from_millis(50));
    }
    println!("none after {} ms", start.elapsed().as_millis());
    for proxy in &scene.fleet.proxies {
        no_filter_died(&proxy.envoy);
    }
}
