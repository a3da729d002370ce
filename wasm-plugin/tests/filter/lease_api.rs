//! The lease API where it says yes: what each call answers, and what it does to writes.

use crate::outcomes::{JOB, PLACE, admitted, plain, problem, release, write};
use crate::support::client::{Outcome, Proxy, Request};
use crate::support::settings::{ours, with};
use serde_json::{Value, json};
use std::time::Duration;

fn acquire(proxy: &Proxy, more: Value) -> Outcome {
    let mut body = json!({ "resource": JOB, "holder": "a" });
    for (name, value) in more.as_object().expect("an object") {
        body[name] = value.clone();
    }
    proxy.send(&Request::call("acquire", &body))
}

fn own(token: &str) -> Value {
    json!({ "resource": JOB, "holder": "a", "token": token })
}

#[test]
fn a_grant_says_token_and_durations() {
    let proxy = Proxy::start(&ours());
    let outcome = acquire(&proxy, json!({}));
    assert_eq!(outcome.status(), 201);
    let body = outcome.json();
    let token = body["token"].as_str().expect("a token");
    assert_eq!(
        body,
        json!({ "resource": JOB, "holder": "a", "token": token, "ttl_ms": 10_000, "waited_ms": 0 })
    );
    assert_eq!(
        outcome.header("content-type").as_deref(),
        Some("application/json")
    );
    assert_eq!(outcome.header("cache-control").as_deref(), Some("no-store"));
    plain(&outcome);
    assert_eq!(
        json!(outcome.counted),
        json!({ "fencegate_granted_total": 1, "fencegate_mark_advances_total": 1 })
    );
    assert_eq!(outcome.decision, None, "only judged requests have one");
}

#[test]
fn a_ttl_is_granted_as_asked_within_its_limits() {
    let limits = json!({ "min": 500, "default": 2000, "max": 3000 });
    let proxy = Proxy::start(&with(ours(), "/issuer/fencegate/ttl_ms", limits));
    for (asked, granted) in [(json!(null), 2000), (json!(500), 500), (json!(3000), 3000)] {
        let outcome = acquire(&proxy, json!({ "ttl_ms": asked }));
        assert_eq!(
            (outcome.status(), &outcome.json()["ttl_ms"]),
            (201, &json!(granted))
        );
        proxy.world().advance(Duration::from_secs(5));
    }
}

#[test]
fn a_held_lease_says_when_to_come_again_and_the_next_token_is_higher() {
    let proxy = Proxy::start(&ours());
    let first = proxy.acquire(JOB, "a");
    proxy.world().advance(Duration::from_micros(1_500));
    let body = json!({ "resource": JOB, "holder": "b" });
    let outcome = proxy.send(&Request::call("acquire", &body));
    let told = problem(&outcome, 409, "held");
    assert_eq!(
        (&told["retry_after_ms"], &told["retryable"]),
        (&json!(9999), &json!(true))
    );
    assert_eq!(outcome.header("retry-after").as_deref(), Some("10"));
    assert_eq!(told["current"], json!(first));
    assert_eq!(
        json!(outcome.counted),
        json!({ "fencegate_api_refused_total": 1 })
    );
    // The same name without a request id is a new incarnation, which must wait too.
    problem(&acquire(&proxy, json!({})), 409, "held");
    proxy.world().advance(Duration::from_secs(10));
    let second = proxy.acquire(JOB, "a");
    assert_ne!(first, second);
    problem(&write(&proxy, &first, "a"), 412, "stale");
    admitted(&write(&proxy, &second, "a"), &second);
}

/// The lease starts when it is granted; the holder counts from when it sent the request.
#[test]
fn what_was_waited_for_the_body_is_told_beside_what_is_left() {
    let proxy = Proxy::start(&ours());
    let request = Request::call("acquire", &json!({ "resource": JOB, "holder": "a" }));
    let context = proxy.begin(crate::support::client::ROOT, &request.headers);
    let _ = proxy.headers(context, false);
    proxy.world().advance(Duration::from_millis(2500));
    let _ = proxy.body(context, &request.body.expect("a body"), true);
    let body: Value = serde_json::from_slice(&proxy.replies()[0].body).expect("JSON");
    assert_eq!(
        (&body["waited_ms"], &body["ttl_ms"]),
        (&json!(2500), &json!(10_000))
    );
    proxy.world().advance(Duration::from_millis(9_999));
    proxy.call("renew", &own(body["token"].as_str().expect("a token")), 200);
}

#[test]
fn a_request_id_gets_the_same_grant_with_what_is_left() {
    let proxy = Proxy::start(&ours());
    let id = json!({ "request_id": "incarnation-1" });
    let first = acquire(&proxy, id.clone()).json();
    proxy.world().advance(Duration::from_millis(3000));
    let outcome = acquire(&proxy, id.clone());
    let again = outcome.json();
    assert_eq!((outcome.status(), &again["token"]), (201, &first["token"]));
    assert_eq!(
        (&again["ttl_ms"], &again["waited_ms"]),
        (&json!(7000), &json!(0))
    );
    assert!(
        outcome.counted.is_empty(),
        "it is the grant of before: {outcome:?}"
    );
    // Of another holder it is another id.
    let other = json!({ "holder": "b", "request_id": "incarnation-1" });
    problem(&acquire(&proxy, other), 409, "held");
    proxy.world().advance(Duration::from_millis(7000));
    let over = problem(&acquire(&proxy, id.clone()), 410, "grant_ended");
    assert_eq!(over["retryable"], false);
    proxy.acquire(JOB, "c");
    problem(&acquire(&proxy, id), 410, "grant_ended");
}

#[test]
fn an_expected_mark_is_compared() {
    let proxy = Proxy::start(&ours());
    problem(
        &acquire(&proxy, json!({ "expect_mark": "1.1" })),
        409,
        "mark_unknown",
    );
    let first = proxy.acquire(JOB, "a");
    release(&proxy, "a", &first);
    let moved = problem(
        &acquire(&proxy, json!({ "expect_mark": "1.1" })),
        409,
        "mark_moved",
    );
    assert_eq!(moved["current"], json!(first));
    assert_eq!(
        acquire(&proxy, json!({ "expect_mark": first })).status(),
        201
    );
}

#[test]
fn a_renewal_moves_the_end_and_never_shortens() {
    let proxy = Proxy::start(&ours());
    let token = proxy.acquire(JOB, "a");
    let mut longer = own(&token);
    longer["ttl_ms"] = json!(60_000);
    let outcome = proxy.send(&Request::call("renew", &longer));
    assert_eq!(
        outcome.json(),
        json!({ "resource": JOB, "holder": "a", "token": token, "ttl_ms": 60_000, "waited_ms": 0 })
    );
    assert_eq!(
        json!(outcome.counted),
        json!({ "fencegate_renewed_total": 1 })
    );
    proxy.world().advance(Duration::from_secs(1));
    let mut shorter = own(&token);
    shorter["ttl_ms"] = json!(1000);
    assert_eq!(proxy.call("renew", &shorter, 200)["ttl_ms"], json!(59_000));
}

#[test]
fn what_is_lost_is_gone_for_its_holder() {
    let proxy = Proxy::start(&ours());
    let lost = |call: &str, token: &str, status: u16, reason: &str| {
        let outcome = proxy.send(&Request::call(call, &own(token)));
        let body = problem(&outcome, status, reason);
        assert_eq!(body["presented"], json!(token));
    };
    for call in ["renew", "release"] {
        lost(call, "1.1", 410, "no_grant");
    }
    let old = proxy.acquire(JOB, "a");
    proxy.world().advance(Duration::from_secs(10));
    lost("renew", &old, 410, "lease_ended");
    proxy.acquire(JOB, "b");
    for call in ["renew", "release"] {
        lost(call, &old, 410, "stale");
        lost(call, "4294967295.1", 410, "never_issued");
    }
    let new = proxy.acquire("job:2", "b");
    let body = json!({ "resource": "job:2", "holder": "a", "token": new });
    for call in ["renew", "release", "claim"] {
        let outcome = proxy.send(&Request::call(call, &body));
        problem(&outcome, 409, "held_by_another");
    }
    let body = json!({ "resource": "job:2", "holder": "b", "token": new });
    proxy.call("release", &body, 200);
    let outcome = proxy.send(&Request::call("renew", &body));
    problem(&outcome, 410, "released");
}

#[test]
fn a_release_is_answered_again_and_touches_no_newer_grant() {
    let proxy = Proxy::start(&ours());
    let token = proxy.acquire(JOB, "a");
    for _ in 0..2 {
        let body = proxy.call("release", &own(&token), 200);
        assert_eq!(body, json!({ "resource": JOB, "released": true }));
    }
    let next = proxy.acquire(JOB, "b");
    problem(
        &proxy.send(&Request::call("release", &own(&token))),
        410,
        "stale",
    );
    admitted(&write(&proxy, &next, "b"), &next);
}

#[test]
fn the_lock_delay_stays_unless_all_writes_were_answered() {
    let proxy = Proxy::start(&with(
        ours(),
        "/issuer/fencegate/lock_delay_ms",
        json!(4000),
    ));
    proxy.world().advance(Duration::from_secs(4));
    let granted = acquire(&proxy, json!({})).json();
    assert_eq!(granted["lock_delay_ms"], json!(4000));
    let mut unclean = own(granted["token"].as_str().expect("a token"));
    unclean["writes_answered"] = json!(false);
    proxy.call("release", &unclean, 200);
    let wait = problem(&acquire(&proxy, json!({})), 409, "held");
    assert_eq!(wait["retry_after_ms"], json!(4000));
    proxy.world().advance(Duration::from_secs(4));
    let token = proxy.acquire(JOB, "a");
    release(&proxy, "a", &token);
    proxy.acquire(JOB, "b");
}

#[test]
fn a_claim_confirms_an_equal_token_and_changes_nothing() {
    let proxy = Proxy::start(&ours());
    let token = proxy.acquire(JOB, "a");
    let outcome = proxy.send(&Request::call("claim", &own(&token)));
    assert_eq!(outcome.json(), json!({ "resource": JOB, "mark": token }));
    assert!(outcome.counted.is_empty());
    problem(
        &proxy.send(&Request::call("claim", &own("1.1"))),
        412,
        "stale",
    );
    problem(
        &proxy.send(&Request::call("claim", &own("4294967295.1"))),
        403,
        "never_issued",
    );
}

#[test]
fn a_break_ends_the_lease_raises_the_mark_and_is_logged() {
    let proxy = Proxy::start(&ours());
    let token = proxy.acquire(JOB, "a");
    let outcome = proxy.send(&Request::call("break", &json!({ "resource": JOB })));
    let mark = outcome.json()["mark"].as_str().expect("a mark").to_owned();
    assert_eq!(
        json!(outcome.counted),
        json!({ "fencegate_broken_total": 1, "fencegate_mark_advances_total": 1 })
    );
    let audit = format!("fencegate: anyone broke the lease of {JOB}; the mark is {mark}");
    assert_eq!(outcome.log, [audit]);
    problem(&write(&proxy, &token, "a"), 412, "stale");
    problem(&write(&proxy, &mark, "a"), 412, "released");
    proxy.acquire(JOB, "b");
}

#[test]
fn looks_tell_what_is_there() {
    let proxy = Proxy::start(&ours());
    let look = |path: &str| proxy.send(&Request::new("GET", &format!("/fence/v1/{path}")));
    problem(&look("leases/job:1"), 404, "no_grant");
    problem(&look("leases/other:1"), 404, "unknown_resource");
    let token = proxy.acquire(JOB, "a");
    proxy.world().advance(Duration::from_millis(1));
    let held = json!({ "resource": JOB, "mark": token, "holder": "a", "state": "held",
        "left_ms": 9999, "free_in_ms": 9999 });
    assert_eq!(look("leases/job:1").json(), held);
    assert_eq!(
        look("leases/job%3A1").json(),
        held,
        "many clients encode colons"
    );
    assert_eq!(look("leases").json(), json!({ "leases": [held] }));
    proxy.world().advance(Duration::from_secs(10));
    let over = look("leases/job:1").json();
    assert_eq!(
        (&over["state"], &over["free_in_ms"]),
        (&json!("expired"), &json!(0))
    );
    assert_eq!(over["left_ms"], json!(null));
    release(&proxy, "a", &token);
    assert_eq!(look("leases/job:1").json()["state"], json!("released"));
    assert_eq!(
        look("ready").json(),
        json!({ "ready": true, "generation": 1 })
    );
}

#[test]
fn pages_of_leases_have_each_one_once() {
    let config = with(ours(), "/authority/memory/resources", json!(200));
    let proxy = Proxy::start(&config);
    let names: Vec<_> = (0..100).map(|number| format!("job:{number:02}")).collect();
    for name in &names {
        proxy.acquire(name, "a");
    }
    let (mut found, mut pages, mut after) = (Vec::new(), 0, String::new());
    loop {
        let path = format!("/fence/v1/leases?limit=10{after}");
        let page = proxy.send(&Request::new("GET", &path)).json();
        pages += 1;
        for lease in page["leases"].as_array().expect("a list") {
            found.push(lease["resource"].as_str().expect("a name").to_owned());
        }
        match page["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => break,
        }
    }
    found.sort();
    assert_eq!(found, names);
    assert!(pages > 3, "{pages} pages");
}

/// The lease API is never the origin's business, on whatever host it is asked.
#[test]
fn a_call_reaches_no_origin_and_a_guarded_place_is_no_call() {
    let proxy = Proxy::start(&ours());
    let ready = Request::new("GET", "/fence/v1/ready").without(":authority");
    assert_eq!(
        proxy
            .send(&ready.header(":authority", "any.other"))
            .status(),
        200
    );
    assert!(
        proxy
            .send(&Request::new("GET", "/fence/v10/ready"))
            .is_forwarded()
    );
    problem(
        &proxy.send(&Request::new("PUT", PLACE)),
        428,
        "token_required",
    );
}
