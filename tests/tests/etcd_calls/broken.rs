//! Calls that reach somebody and come to nothing.

use std::time::Duration;

use fencegate_tests::config::ETCD;
use serde_json::json;

use super::middleman::Manner;
use super::scene::timed;
use super::scene::{Scene, failures, no_filter_died, put, scene, told, unavailable, until};

/// While calls are handled in this manner, all that needs one is refused in time, and it is over when
/// they are handled well again.
fn endures(scene: &Scene, job: &str, manner: Manner) {
    let turn = scene.turn();
    let fleet = &scene.fleet;
    let [old, new] = scene.old_and_new(job);
    let failed = failures(fleet);
    scene.middleman.behaves(manner);
    let (old, new) = (&old, &new);
    let refuses = |proxy: usize| {
        // What is still trusted runs out first.
        until(|status| status == 503, || fleet.send(proxy, &put(new)));
        let mut worst = Duration::ZERO;
        for _ in 0..3 {
            let (answer, took) = timed(|| fleet.send(proxy, &put(new)));
            unavailable(&answer);
            worst = worst.max(took);
            let issuer = &fleet.proxies[proxy].issuer;
            let other = format!("job:{job}-other");
            let (answer, took) = timed(|| issuer.acquire(&other, "C", 2000).expect("an answer"));
            unavailable(&answer);
            worst = worst.max(took);
            let stale = fleet.send(proxy, &put(old));
            assert_eq!((stale.status, stale.reason().as_str()), (412, "stale"));
        }
        worst
    };
    let worst = std::thread::scope(|scope| {
        let refuses = &refuses;
        let proxies = [0, 1].map(|proxy| scope.spawn(move || refuses(proxy)));
        proxies.map(|proxy| proxy.join().expect("refusals"))
    });
    let worst = worst[0].max(worst[1]);
    let counted = failures(fleet) - failed;
    println!(
        "{manner:?}: refused within {} ms; {counted} failures counted",
        worst.as_millis()
    );
    assert!(counted >= 12, "{counted} failures were counted");
    drop(turn);
    for proxy in [0, 1] {
        until(|status| status < 300, || fleet.send(proxy, &put(new)));
        let issuer = &fleet.proxies[proxy].issuer;
        let granted = until(
            |status| status == 201,
            || {
                let other = format!("job:{job}-after-{proxy}");
                issuer.acquire(&other, "C", 2000).expect("an answer")
            },
        );
        assert_eq!(granted.status, 201, "{}", told(&granted));
        no_filter_died(&fleet.proxies[proxy].envoy);
    }
}

#[test]
fn a_member_that_resets_the_connection_before_the_headers() {
    endures(&scene(), "reset-before", Manner::ResetBeforeHeaders);
}

#[test]
fn a_member_that_resets_the_connection_after_the_headers() {
    endures(&scene(), "reset-after", Manner::ResetAfterHeaders);
}

#[test]
fn a_member_that_sends_headers_and_then_nothing() {
    endures(&scene(), "silent-after", Manner::SilentAfterHeaders);
}

#[test]
fn a_member_that_sends_nothing() {
    endures(&scene(), "silent", Manner::Silent);
}

#[test]
fn an_answer_of_five_megabytes() {
    endures(&scene(), "long", Manner::LongAnswer);
}

#[test]
fn calls_that_find_no_room_are_refused_at_once_and_there_is_room_again() {
    const ROOM: u64 = 4;
    let scene = Scene::start(|config| {
        config.with_etcd_cluster(|cluster| {
            cluster["circuit_breakers"]["thresholds"] = json!([
                { "max_connections": ROOM, "max_pending_requests": ROOM, "max_requests": ROOM }
            ]);
        })
    });
    let fleet = &scene.fleet;
    let [_, new] = scene.old_and_new("room");
    let turn = scene.turn();
    let failed = failures(fleet);
    scene.middleman.behaves(Manner::Silent);
    let answers: Vec<_> = std::thread::scope(|scope| {
        let asked = (0..60).map(|number| {
            scope.spawn(move || {
                let issuer = &fleet.proxies[0].issuer;
                let resource = format!("job:crowded-{number}");
                timed(|| issuer.acquire(&resource, "C", 2000).expect("an answer"))
            })
        });
        let asked: Vec<_> = asked.collect();
        let answers = asked.into_iter().map(|it| it.join().expect("an answer"));
        answers.collect()
    });
    answers.iter().for_each(|(answer, _)| unavailable(answer));
    let quick = answers.iter().filter(|(_, took)| took.as_millis() < 400);
    let overflows = ["upstream_rq_pending_overflow", "upstream_cx_overflow"]
        .map(|name| fleet.counter(&format!("cluster.{ETCD}.{name}")));
    println!(
        "{} of {} were refused in less than 400 ms; overflows {overflows:?}",
        quick.clone().count(),
        answers.len()
    );
    assert!(overflows[0] > 0, "the breaker was never reached");
    assert!(quick.count() > 0, "all of them waited");
    assert!(failures(fleet) > failed);
    drop(turn);
    for proxy in [0, 1] {
        until(|status| status < 300, || fleet.send(proxy, &put(&new)));
        no_filter_died(&fleet.proxies[proxy].envoy);
    }
}

#[test]
fn an_acquire_that_was_carried_out_and_never_answered_is_found_or_waited_for_and_never_doubled() {
    let scene = scene();
    let turn = scene.turn();
    let fleet = &scene.fleet;
    let issuer = &fleet.proxies[0].issuer;
    let acquire = |resource: &str, holder: &str| {
        let body =
            json!({ "resource": resource, "holder": holder, "ttl_ms": 2000, "request_id": "r1" });
        issuer.call("acquire", &body).expect("an answer")
    };
    scene.middleman.behaves(Manner::PutsUnanswered);
    let (answer, _) = timed(|| acquire("job:unheard", "A"));
    println!(
        "its put was carried out, and nobody said so: {}",
        told(&answer)
    );
    let is_held = timed(|| acquire("job:unheard", "B")).0;
    assert!(matches!(is_held.status, 409 | 503), "{}", told(&is_held));
    drop(turn);
    let again = until(|status| status == 201, || acquire("job:unheard", "A"));
    if answer.status == 201 {
        assert_eq!(again.json()["token"], answer.json()["token"]);
    } else {
        unavailable(&answer);
    }
    // Nobody renews it, so it is over soon, whoever was told of it.
    let next = until(|status| status == 201, || acquire("job:unheard", "B"));
    assert_ne!(next.json()["token"], again.json()["token"]);
}
