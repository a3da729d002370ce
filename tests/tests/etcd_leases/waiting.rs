//! Waiting at one proxy for what is given back at the other.

use std::time::{Duration, Instant};

use fencegate_tests::http::Answer;
use serde_json::json;

use super::scene::{Scene, refused, scene, told};

/// Waits at the second proxy, meanwhile does something, and tells when the wait was answered.
fn wait(
    scene: &Scene,
    resource: &str,
    wait_ms: u64,
    meanwhile: impl FnOnce(),
) -> (Answer, Instant) {
    std::thread::scope(|scope| {
        let waiter = scope.spawn(|| {
            let body = json!({ "resource": resource, "holder": "W", "ttl_ms": 10_000, "wait_ms": wait_ms });
            let answer = scene.call(1, "acquire", &body);
            (answer, Instant::now())
        });
        meanwhile();
        waiter.join().expect("a waiter")
    })
}

#[test]
fn who_waits_at_one_proxy_is_granted_when_the_holder_at_the_other_gives_back() {
    let scene = scene();
    let mut worst = Duration::ZERO;
    for round in 0..2 {
        let resource = format!("job:waited-{round}");
        let grant = scene.grant(0, &resource, "A", 60_000);
        let mut released = Instant::now();
        let (answer, granted) = wait(&scene, &resource, 15_000, || {
            std::thread::sleep(Duration::from_millis(300 + 130 * round));
            released = Instant::now();
            assert_eq!(scene.release(0, &grant, true).status, 200);
        });
        assert_eq!(answer.status, 201, "{}", told(&answer));
        let took = granted.duration_since(released);
        println!(
            "{resource}: granted at the other proxy {} ms after the release began",
            took.as_millis()
        );
        worst = worst.max(took);
        scene.is_stale(&grant);
    }
    // It asks again twice a second at least, and then sits the window out.
    assert!(worst < Duration::from_millis(500 + 250 + 2000), "{worst:?}");
}

#[test]
fn who_waited_in_vain_is_told_that_it_is_held_and_has_no_lease_later() {
    let scene = scene();
    let grant = scene.grant(0, "job:in-vain", "A", 60_000);
    let start = Instant::now();
    let (answer, _) = wait(&scene, "job:in-vain", 700, || ());
    refused(&answer, 409, "held");
    assert!(start.elapsed() >= Duration::from_millis(600));
    assert_eq!(scene.release(0, &grant, true).status, 200);
    std::thread::sleep(Duration::from_millis(800));
    let next = scene.acquire(0, "job:in-vain", "B");
    assert_eq!(next.status, 201, "{}", told(&next));
}

#[test]
fn who_waits_is_granted_when_the_lease_of_one_who_vanished_has_ended() {
    let scene = scene();
    let gone = scene.grant(0, "job:vanished", "A", 2000);
    let (answer, _) = wait(&scene, "job:vanished", 15_000, || ());
    assert_eq!(answer.status, 201, "{}", told(&answer));
    scene.is_stale(&gone);
}
