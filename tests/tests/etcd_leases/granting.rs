//! Acquire, and what confirms a grant.

use fencegate_tests::issuer::{Grant, retry_after};
use serde_json::json;
use std::time::Duration;

use super::scene::{number, refused, scene, told};

#[test]
fn what_is_granted_at_one_proxy_is_held_at_the_other() {
    let scene = scene();
    let answer = scene.acquire(0, "job:held", "A");
    assert_eq!(answer.status, 201, "{}", told(&answer));
    let first = Grant::from_answer(&answer).expect("a grant");
    scene.is_good(&first);
    for proxy in [1, 0] {
        let held = scene.acquire(proxy, "job:held", "B");
        refused(&held, 409, "held");
        assert!(held.text("retry-after").is_some(), "{}", told(&held));
        let wait = retry_after(&held);
        assert!(
            (1..=11_000).contains(&wait.as_millis()),
            "{wait:?}: {}",
            told(&held)
        );
    }
    assert_eq!(scene.release(1, &first, true).status, 200);
    let second = scene.grant(1, "job:held", "B", 10_000);
    assert!(number(&second) > number(&first));
    scene.is_good(&second);
    scene.is_stale(&first);
}

#[test]
fn the_same_holder_without_its_request_id_is_a_new_one() {
    let scene = scene();
    let first = scene.grant(0, "job:again", "A", 10_000);
    for proxy in [0, 1] {
        refused(&scene.acquire(proxy, "job:again", "A"), 409, "held");
    }
    assert_eq!(scene.release(1, &first, true).status, 200);
    let second = scene.grant(0, "job:again", "A", 10_000);
    assert!(number(&second) > number(&first));
    scene.is_stale(&first);
    scene.is_good(&second);
}

#[test]
fn a_request_id_finds_its_grant_at_the_other_proxy_and_never_a_new_one() {
    let scene = scene();
    let ask = |proxy, id: &str| {
        let body =
            json!({ "resource": "job:id", "holder": "A", "ttl_ms": 10_000, "request_id": id });
        scene.call(proxy, "acquire", &body)
    };
    let first = Grant::from_answer(&ask(0, "r1")).expect("a grant");
    for proxy in [1, 0, 1] {
        let again = ask(proxy, "r1");
        let again = Grant::from_answer(&again).unwrap_or_else(|| panic!("{}", told(&again)));
        assert_eq!(again.token, first.token);
        refused(&ask(proxy, "r2"), 409, "held");
    }
    assert_eq!(scene.release(1, &first, true).status, 200);
    for proxy in [0, 1] {
        refused(&ask(proxy, "r1"), 410, "grant_ended");
    }
    let second = Grant::from_answer(&ask(1, "r2")).expect("a grant");
    assert_ne!(second.token, first.token);
    for proxy in [0, 1] {
        refused(&ask(proxy, "r1"), 410, "grant_ended");
    }
}

#[test]
fn a_request_id_whose_grant_expired_finds_nothing_and_never_a_new_one() {
    let scene = scene();
    let ask = |proxy| {
        let body = json!({ "resource": "job:id-expired", "holder": "A", "ttl_ms": 2000, "request_id": "r1" });
        scene.call(proxy, "acquire", &body)
    };
    let first = Grant::from_answer(&ask(0)).expect("a grant");
    scene.until_unlocked("job:id-expired");
    for proxy in [0, 1] {
        refused(&ask(proxy), 410, "grant_ended");
    }
    let second = scene.grant(1, "job:id-expired", "B", 10_000);
    assert!(number(&second) > number(&first));
    for proxy in [0, 1] {
        refused(&ask(proxy), 410, "grant_ended");
    }
}

#[test]
fn an_expected_mark_is_compared_at_every_proxy() {
    let scene = scene();
    let ask = |proxy, resource: &str, mark: &str| {
        let body =
            json!({ "resource": resource, "holder": "C", "ttl_ms": 10_000, "expect_mark": mark });
        scene.call(proxy, "acquire", &body)
    };
    refused(&ask(0, "job:unknown", "1.1"), 409, "mark_unknown");
    let first = scene.grant(0, "job:marked", "A", 10_000);
    scene.release(0, &first, true);
    let second = scene.grant(0, "job:marked", "B", 10_000);
    scene.release(0, &second, true);
    for proxy in [0, 1] {
        refused(&ask(proxy, "job:marked", &first.token), 409, "mark_moved");
    }
    let third = ask(1, "job:marked", &second.token);
    assert_eq!(third.status, 201, "{}", told(&third));
    let third = Grant::from_answer(&third).expect("a grant");
    scene.is_good(&third);
    scene.release(0, &third, true);
    refused(&ask(0, "job:marked", &second.token), 409, "mark_moved");
}

#[test]
fn a_claim_at_either_proxy_confirms_the_grant_and_nothing_else() {
    let scene = scene();
    let grant = scene.grant(0, "job:claimed", "A", 10_000);
    for proxy in [0, 1] {
        let claim = |resource: &str, holder: &str, token: &str| {
            let issuer = &scene.fleet.proxies[proxy].issuer;
            issuer.claim(resource, holder, token).expect("an answer")
        };
        let own = claim("job:claimed", "A", &grant.token);
        assert_eq!(own.json()["mark"], grant.token.as_str(), "{}", told(&own));
        let others = claim("job:claimed", "B", &grant.token);
        refused(&others, 409, "held_by_another");
        refused(&claim("job:claimed", "A", "1.1"), 412, "stale");
        let never = claim("job:claimed", "A", "4294967295.1");
        refused(&never, 403, "never_issued");
        let elsewhere = claim("job:unclaimed", "A", &grant.token);
        refused(&elsewhere, 412, "no_grant");
    }
}

#[test]
fn a_renewal_at_the_other_proxy_prolongs_and_never_shortens() {
    let scene = scene();
    let ttl = |answer: &fencegate_tests::http::Answer| super::scene::millis(answer, "ttl_ms");
    let grant = scene.grant(0, "job:renewed", "A", 4000);
    let shorter = scene.renew(1, &grant, 2000);
    assert_eq!(shorter.status, 200, "{}", told(&shorter));
    assert!(
        ttl(&shorter) > Duration::from_millis(3000),
        "{}",
        told(&shorter)
    );
    // Longer than it was granted for: etcd's own lease must be another one.
    let longer = scene.renew(1, &grant, 9000);
    assert_eq!(longer.status, 200, "{}", told(&longer));
    assert!(
        ttl(&longer) > Duration::from_millis(8000),
        "{}",
        told(&longer)
    );
    // And at the one where it was granted, who must not go by the lease of before.
    let again = scene.renew(0, &grant, 4000);
    assert_eq!(again.status, 200, "{}", told(&again));
    assert!(
        ttl(&again) > Duration::from_millis(8000),
        "{}",
        told(&again)
    );
    std::thread::sleep(Duration::from_millis(6500));
    refused(&scene.acquire(0, "job:renewed", "B"), 409, "held");
    scene.is_good(&grant);
}

#[test]
fn a_lease_that_is_lost_is_not_renewed_by_either_proxy() {
    let scene = scene();
    let lost = scene.grant(0, "job:lost", "A", 2000);
    // The other proxy knows the lease from a renewal of its own.
    assert_eq!(scene.renew(1, &lost, 2000).status, 200);
    scene.until_unlocked("job:lost");
    for proxy in [1, 0] {
        refused(&scene.renew(proxy, &lost, 2000), 410, "lease_ended");
    }
    let next = scene.grant(0, "job:lost", "B", 10_000);
    for proxy in [1, 0] {
        refused(&scene.renew(proxy, &lost, 2000), 410, "stale");
        let stranger = Grant {
            holder: "A".to_owned(),
            ..next.clone()
        };
        refused(&scene.renew(proxy, &stranger, 2000), 409, "held_by_another");
    }
    assert_eq!(scene.release(1, &next, true).status, 200);
    for proxy in [0, 1] {
        let answer = scene.renew(proxy, &next, 2000);
        assert_eq!(answer.status, 410, "{}", told(&answer));
    }
}
