//! Each row of the HTTP contract, under our own tokens: status, body, headers, log, counters.

use crate::outcomes::{JOB, PLACE, above, admitted, counted, passed, problem, release, write};
use crate::support::client::{Proxy, Request};
use crate::support::settings::{ours, rule, with};
use serde_json::json;
use std::time::Duration;

#[test]
fn a_granted_token_is_admitted_and_the_answer_says_the_mark() {
    let proxy = Proxy::start(&ours());
    let token = proxy.acquire(JOB, "a");
    let outcome = write(&proxy, &token, "a");
    admitted(&outcome, &token);
    assert_eq!(
        outcome.decision,
        Some(json!({
            "decision": "admitted", "resource": JOB, "holder": "a", "presented": token,
            "mark": token, "generation": 1,
        }))
    );
    assert_eq!(
        json!(outcome.counted),
        json!({ "fencegate_admitted_total": 1 })
    );
}

#[test]
fn a_token_below_the_grant_is_stale() {
    let proxy = Proxy::start(&ours());
    let old = proxy.acquire(JOB, "a");
    release(&proxy, "a", &old);
    let new = proxy.acquire(JOB, "b");
    let outcome = write(&proxy, &old, "a");
    let body = problem(&outcome, 412, "stale");
    assert_eq!(
        (&body["presented"], &body["current"]),
        (&json!(old), &json!(new))
    );
    assert_eq!(
        (&body["resource"], &body["retryable"]),
        (&json!(JOB), &json!(false))
    );
    counted(&outcome, "rejected", "stale");
    assert_eq!(
        outcome.decision,
        Some(json!({
            "decision": "rejected", "reason": "stale", "resource": JOB, "holder": "a",
            "presented": old, "mark": new, "generation": 1,
        }))
    );
}

#[test]
fn nothing_granted_is_no_grant() {
    let proxy = Proxy::start(&ours());
    let outcome = write(&proxy, "42", "a");
    let body = problem(&outcome, 412, "no_grant");
    assert_eq!(
        (&body["presented"], &body["current"]),
        (&json!("42"), &json!(null))
    );
    counted(&outcome, "rejected", "no_grant");
}

#[test]
fn a_token_above_the_grant_was_never_issued() {
    let proxy = Proxy::start(&ours());
    let token = proxy.acquire(JOB, "a");
    for high in [above(&token, 1), "4294967295.18446744073709551615".into()] {
        let outcome = write(&proxy, &high, "a");
        let body = problem(&outcome, 403, "never_issued");
        assert_eq!(body["current"], json!(token));
        counted(&outcome, "rejected", "never_issued");
    }
    admitted(&write(&proxy, &token, "a"), &token);
}

#[test]
fn a_token_of_another_resource_is_useless() {
    let proxy = Proxy::start(&ours());
    proxy.acquire(JOB, "a");
    let other = proxy.acquire("job:2", "a");
    problem(&write(&proxy, &other, "a"), 403, "never_issued");
}

#[test]
fn a_released_token_is_released() {
    let proxy = Proxy::start(&ours());
    let token = proxy.acquire(JOB, "a");
    release(&proxy, "a", &token);
    let outcome = write(&proxy, &token, "a");
    problem(&outcome, 412, "released");
    counted(&outcome, "rejected", "released");
}

#[test]
fn an_equal_token_of_another_holder_is_held_by_another() {
    let proxy = Proxy::start(&ours());
    let token = proxy.acquire(JOB, "a");
    let outcome = write(&proxy, &token, "b");
    problem(&outcome, 409, "held_by_another");
    counted(&outcome, "rejected", "held_by_another");
    let unnamed = Request::put(PLACE, &token, "").without("fencing-holder");
    problem(&proxy.send(&unnamed), 409, "held_by_another");
}

#[test]
fn a_strict_lease_ends_with_its_time() {
    let strict = rule(
        "/jobs/{job}/{*rest}",
        "job:{job}",
        json!({ "after_expiry": "refuse" }),
    );
    let proxy = Proxy::start(&with(ours(), "/rules/0", strict));
    let token = proxy.acquire(JOB, "a");
    proxy.world().advance(Duration::from_nanos(9_999_999_999));
    admitted(&write(&proxy, &token, "a"), &token);
    proxy.world().advance(Duration::from_nanos(1));
    let outcome = write(&proxy, &token, "a");
    problem(&outcome, 412, "lease_ended");
    counted(&outcome, "rejected", "lease_ended");
}

#[test]
fn a_lease_that_is_not_strict_admits_until_somebody_else_is_granted() {
    let proxy = Proxy::start(&ours());
    let token = proxy.acquire(JOB, "a");
    proxy.world().advance(Duration::from_secs(3600));
    admitted(&write(&proxy, &token, "a"), &token);
    proxy.acquire(JOB, "b");
    problem(&write(&proxy, &token, "a"), 412, "stale");
}

#[test]
fn a_write_without_a_token_needs_one() {
    let proxy = Proxy::start(&ours());
    for method in ["PUT", "POST", "PATCH", "DELETE", "MKCOL", "get"] {
        let outcome = proxy.send(&Request::new(method, PLACE));
        let body = problem(&outcome, 428, "token_required");
        assert_eq!(
            (&body["resource"], &body["presented"]),
            (&json!(JOB), &json!(null))
        );
        counted(&outcome, "rejected", "token_required");
    }
    for method in ["GET", "HEAD", "OPTIONS", "TRACE"] {
        passed(&proxy.send(&Request::new(method, PLACE)));
    }
}

#[test]
fn a_write_in_early_data_is_too_early() {
    let proxy = Proxy::start(&ours());
    let token = proxy.acquire(JOB, "a");
    let early = Request::put(PLACE, &token, "a").header("early-data", "1");
    let outcome = proxy.send(&early);
    let body = problem(&outcome, 425, "too_early");
    assert_eq!(
        (&body["retryable"], &body["presented"]),
        (&json!(true), &json!(token))
    );
    counted(&outcome, "rejected", "too_early");
    passed(&proxy.send(&Request::new("GET", PLACE).header("early-data", "1")));
}

#[test]
fn what_cannot_be_read_is_malformed() {
    let proxy = Proxy::start(&ours());
    for token in [
        "",
        " 1",
        "1 ",
        "-1",
        "0",
        "01",
        "1.0",
        "0.1",
        "1.2.3",
        "0x1",
        "\u{0661}",
        "18446744073709551616",
        "4294967296.1",
    ] {
        let outcome = write(&proxy, token, "a");
        let body = problem(&outcome, 400, "malformed");
        assert!(
            body["detail"]
                .as_str()
                .is_some_and(|detail| !detail.is_empty())
        );
        assert_eq!(body["presented"], json!(null));
        counted(&outcome, "rejected", "malformed");
    }
    problem(&write(&proxy, "42", ""), 400, "malformed");
    problem(&write(&proxy, "42", &"a".repeat(129)), 400, "malformed");
    problem(&write(&proxy, "42", &"a".repeat(128)), 412, "no_grant");
}

#[test]
fn what_has_two_readings_is_ambiguous() {
    let proxy = Proxy::start(&ours());
    let put = || Request::put(PLACE, "42", "a");
    for (twofold, readable) in [
        (put().header("fencing-token", "42"), false),
        (put().header("x-fencing-token", "42"), false),
        (put().header("fencing_token", "42"), false),
        (
            put()
                .without("fencing-token")
                .header("fencing-token", "42,43"),
            false,
        ),
        (put().header("fencing-holder", "b"), true),
        (put().header("fencing_holder", "a"), true),
        (put().header("host", "other.example"), true),
        (put().header("x-original-url", "/elsewhere"), true),
        (Request::put("/jobs/1/a%2fb", "42", "a"), true),
        (Request::put("/jobs/2/../1/b", "42", "a"), true),
        (Request::put("/jobs/1;v=1/b", "42", "a"), true),
    ] {
        let outcome = proxy.send(&twofold);
        let body = problem(&outcome, 400, "ambiguous");
        let presented = if readable { json!("42") } else { json!(null) };
        assert_eq!(body["presented"], presented, "{twofold:?}");
        counted(&outcome, "rejected", "ambiguous");
    }
}

#[test]
fn what_no_token_makes_safe_cannot_be_fenced() {
    let proxy = Proxy::start(&ours());
    let put = || Request::put(PLACE, "42", "a");
    for request in [
        put().header("upgrade", "websocket"),
        Request::put("/jobs/1/a", "42", "a").header(":protocol", "websocket"),
        Request::new("GET", PLACE).header("upgrade", "websocket"),
        Request::new("CONNECT", PLACE),
        Request::new("POST", "/jobs/1/?delete"),
        Request::new("MOVE", PLACE).header("destination", "/jobs/2/a"),
    ] {
        let outcome = proxy.send(&request);
        problem(&outcome, 400, "cannot_be_fenced");
        counted(&outcome, "rejected", "cannot_be_fenced");
    }
}
