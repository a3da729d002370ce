//! A request with several flaws is refused for the first of them in the order of the contract.

use crate::outcomes::{JOB, PLACE, above, problem, release, write};
use crate::support::client::{Outcome, Proxy, Request};
use crate::support::settings::{external, ours, rule, with};
use serde_json::json;
use std::time::Duration;

fn put(token: &str) -> Request {
    Request::put(PLACE, token, "a")
}

/// Garbles every bucket of the proxy.
fn garble(proxy: &Proxy) {
    let world = proxy.world();
    for key in world.keys() {
        if key.starts_with(b"fencegate.b") {
            world.overwrite(&key, vec![1; 40]);
        }
    }
}

#[test]
fn the_first_flaw_is_the_reason() {
    let proxy = Proxy::start(&ours());
    let early = |request: Request| request.header("early-data", "1");
    let send = |request: &Request| -> Outcome { proxy.send(request) };
    // 400 before 425 before 428.
    problem(&send(&early(put("x"))), 400, "malformed");
    problem(&send(&early(put("1,2"))), 400, "ambiguous");
    problem(
        &send(&early(put("1")).header("upgrade", "h2c")),
        400,
        "cannot_be_fenced",
    );
    problem(&send(&early(Request::new("PUT", PLACE))), 425, "too_early");
    // What needs no record is refused without one; 503 before 412.
    garble(&proxy);
    problem(&send(&early(put("1"))), 425, "too_early");
    problem(&send(&Request::new("PUT", PLACE)), 428, "token_required");
    problem(&send(&put("1")), 503, "garbled");
}

#[test]
fn stale_comes_before_who_holds_and_released_before_both() {
    let strict = rule(
        "/jobs/{job}/{*rest}",
        "job:{job}",
        json!({ "after_expiry": "refuse" }),
    );
    let proxy = Proxy::start(&with(ours(), "/rules/0", strict));
    let old = proxy.acquire(JOB, "a");
    release(&proxy, "a", &old);
    let token = proxy.acquire(JOB, "b");
    problem(&write(&proxy, &old, "c"), 412, "stale");
    problem(&write(&proxy, &above(&token, 1), "c"), 403, "never_issued");
    proxy.world().advance(Duration::from_secs(3600));
    problem(&write(&proxy, &token, "c"), 409, "held_by_another");
    problem(&write(&proxy, &token, "b"), 412, "lease_ended");
    release(&proxy, "b", &token);
    problem(&write(&proxy, &token, "c"), 412, "released");
}

#[test]
fn an_external_write_names_its_holder_before_its_token_is_judged() {
    let proxy = Proxy::start(&external());
    assert!(write(&proxy, "7", "a").is_forwarded());
    let unnamed = put("6").without("fencing-holder");
    let body = problem(&proxy.send(&unnamed), 428, "holder_required");
    assert_eq!(
        (&body["presented"], &body["resource"]),
        (&json!("6"), &json!(JOB))
    );
    problem(
        &proxy.send(&unnamed.header("early-data", "1")),
        425,
        "too_early",
    );
}

/// A newer configuration may mean another place by the same path: nothing else is said.
#[test]
fn superseded_comes_before_everything() {
    let proxy = Proxy::start(&ours());
    let token = proxy.acquire(JOB, "a");
    let newer = Proxy::join(proxy.world(), &with(ours(), "/generation", json!(2)));
    problem(&write(&newer, &token, "a"), 412, "no_grant");
    for request in [
        put(&token),
        put("1"),
        put("x"),
        Request::new("PUT", PLACE),
        put(&token).header("upgrade", "h2c"),
        Request::new("PUT", "/elsewhere"),
        Request::new("GET", PLACE),
        Request::new("GET", "/elsewhere"),
    ] {
        let outcome = proxy.send(&request);
        let body = problem(&outcome, 503, "superseded");
        assert_eq!(body["retryable"], true);
        let decision = outcome.decision.expect("a decision in the log");
        assert_eq!(decision["decision"], "undecided");
    }
}
