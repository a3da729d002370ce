//! Release, expiry, break, and the lock delay after them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fencegate_tests::http::Connection;
use fencegate_tests::issuer::Grant;
use fencegate_tests::rig::write;

use super::scene::{ENDED, LOCK_DELAY, Scene, WINDOW, number, refused, scene, told};

#[test]
fn a_release_at_the_other_proxy_can_be_repeated_and_never_touches_a_newer_grant() {
    let scene = scene();
    let first = scene.grant(0, "job:released", "A", 10_000);
    for proxy in [1, 0, 1] {
        let answer = scene.release(proxy, &first, true);
        assert_eq!(answer.status, 200, "{}", told(&answer));
    }
    // Where it was released, at once; nobody was answered meanwhile who must not meet it elsewhere.
    until_released(&scene, &first);
    let second = scene.grant(0, "job:released", "B", 10_000);
    for proxy in [0, 1] {
        refused(&scene.release(proxy, &first, true), 410, "stale");
        refused(&scene.release(proxy, &first, false), 410, "stale");
    }
    scene.is_good(&second);
    refused(&scene.acquire(1, "job:released", "C"), 409, "held");
}

/// A released lease is refused everywhere when the window has passed, and then for good.
fn until_released(scene: &Scene, grant: &Grant) {
    let released = Instant::now();
    for proxy in [0, 1].repeat(8) {
        loop {
            let asked = released.elapsed();
            let answer = scene.write(proxy, grant);
            if answer.status >= 300 {
                refused(&answer, 412, "released");
                break;
            }
            assert!(asked <= WINDOW, "admitted {asked:?} after the release");
        }
    }
}

#[test]
fn after_a_clean_release_the_other_proxy_grants_at_once() {
    let scene = scene();
    let first = scene.grant(0, "job:clean", "A", 10_000);
    let released = Instant::now();
    assert_eq!(scene.release(0, &first, true).status, 200);
    let answer = scene.acquire(1, "job:clean", "B");
    let took = released.elapsed();
    assert_eq!(answer.status, 201, "{}", told(&answer));
    println!(
        "the other proxy granted {} ms after a clean release began",
        took.as_millis()
    );
}

#[test]
fn after_a_release_while_writes_are_under_way_the_lock_delay_is_sat_out() {
    let scene = scene();
    let first = scene.grant(0, "job:unclean", "A", 10_000);
    let released = Instant::now();
    assert_eq!(scene.release(1, &first, false).status, 200);
    for proxy in [0, 1] {
        refused(&scene.acquire(proxy, "job:unclean", "B"), 409, "held");
    }
    let second = scene.grant(0, "job:unclean", "B", 10_000);
    let took = released.elapsed();
    println!(
        "granted {} ms after a release that was not clean",
        took.as_millis()
    );
    assert!(took >= LOCK_DELAY && took < LOCK_DELAY + ENDED, "{took:?}");
    scene.is_stale(&first);
    scene.is_good(&second);
}

#[test]
fn a_lease_that_nobody_renews_ends_after_its_lock_delay_and_the_next_token_is_higher() {
    let scene = scene();
    let ttl = Duration::from_millis(2000);
    let first = scene.grant(0, "job:expired", "A", 2000);
    // Not before it was asked for; what is left counts from then.
    let granted = Instant::now() - (ttl - Duration::from_millis(first.ttl_ms));
    scene.is_good(&first);
    let second = scene.grant(1, "job:expired", "B", 10_000);
    let took = granted.elapsed();
    println!(
        "granted {} ms after a lease of 2 s began that nobody renewed",
        took.as_millis()
    );
    assert!(
        took >= ttl + LOCK_DELAY && took < ttl + LOCK_DELAY + ENDED,
        "{took:?}"
    );
    assert!(number(&second) > number(&first));
    scene.is_stale(&first);
    scene.is_good(&second);
}

#[test]
fn a_lease_that_ended_is_good_at_both_proxies_until_somebody_else_has_one() {
    let scene = scene();
    let first = scene.grant(0, "job:late", "A", 2000);
    scene.until_unlocked("job:late");
    scene.is_good(&first);
    scene.grant(1, "job:late", "B", 2000);
    scene.is_stale(&first);
}

#[test]
fn a_broken_lease_is_stale_at_both_proxies_when_the_break_is_answered() {
    let scene = scene();
    let grant = scene.grant(0, "job:broken", "A", 60_000);
    scene.is_good(&grant);
    let (broken, done) = (AtomicBool::new(false), AtomicBool::new(false));
    let request = write("/jobs/broken/report.pdf", &grant.token, "A");
    std::thread::scope(|scope| {
        let writers = [0, 1].repeat(3).into_iter().map(|proxy| {
            let (broken, done, request) = (&broken, &done, &request);
            let address = scene.fleet.proxies[proxy].address;
            scope.spawn(move || {
                let mut admitted = 0;
                while !done.load(Ordering::SeqCst) {
                    let is_late = broken.load(Ordering::SeqCst);
                    let mut connection = Connection::open(address).expect("a connection");
                    let answer = connection.exchange(request).expect("an answer");
                    match answer.status {
                        200 | 201 => {
                            assert!(!is_late, "proxy {proxy} admitted a broken lease");
                            admitted += 1;
                        }
                        503 => refused(&answer, 503, "settling"),
                        _ => refused(&answer, 412, "stale"),
                    }
                }
                admitted
            })
        });
        let writers: Vec<_> = writers.collect();
        std::thread::sleep(Duration::from_millis(500));
        let issuer = &scene.fleet.proxies[1].issuer;
        let answer = issuer.break_lease("job:broken").expect("an answer");
        broken.store(true, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(500));
        done.store(true, Ordering::SeqCst);
        assert_eq!(answer.status, 200, "{}", told(&answer));
        assert!(answer.json()["mark"].is_string(), "{}", told(&answer));
        for writer in writers {
            assert!(writer.join().expect("a writer") > 0, "it never wrote");
        }
    });
    scene.is_stale(&grant);
    let answer = scene.renew(0, &grant, 60_000);
    assert_eq!(answer.status, 410, "{}", told(&answer));
    let next = scene.grant(0, "job:broken", "B", 10_000);
    assert!(number(&next) > number(&grant));
    scene.is_good(&next);
}

#[test]
fn after_a_break_the_lock_delay_is_sat_out() {
    let scene = scene();
    scene.grant(0, "job:broken-delay", "A", 60_000);
    let start = Instant::now();
    let issuer = &scene.fleet.proxies[1].issuer;
    let answer = issuer.break_lease("job:broken-delay").expect("an answer");
    assert_eq!(answer.status, 200, "{}", told(&answer));
    refused(&scene.acquire(0, "job:broken-delay", "B"), 409, "held");
    scene.grant(0, "job:broken-delay", "B", 10_000);
    assert!(start.elapsed() >= LOCK_DELAY, "{:?}", start.elapsed());
    let nothing = issuer.break_lease("job:never-granted").expect("an answer");
    refused(&nothing, 404, "no_grant");
}
