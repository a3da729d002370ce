//! Tokens from elsewhere: the high-water rule, its holders, its limit on jumps, and claims.

use crate::outcomes::{JOB, PLACE, admitted, counted, problem, write};
use crate::support::client::{Proxy, Request};
use crate::support::settings::{external, with};
use serde_json::{Value, json};

fn optional_holder() -> Value {
    with(
        external(),
        "/issuer/external/holder",
        json!("optional_law_4_is_given_up"),
    )
}

#[test]
fn a_higher_token_raises_the_mark_and_a_lower_one_is_stale() {
    let proxy = Proxy::start(&external());
    for (token, advances) in [("5", true), ("5", false), ("7", true), ("2.1", true)] {
        let outcome = write(&proxy, token, "a");
        admitted(&outcome, token);
        let advanced = outcome.counted.get("fencegate_mark_advances_total");
        assert_eq!(advanced.copied(), advances.then_some(1), "{token}");
    }
    for stale in ["5", "18446744073709551615", "1.9"] {
        let outcome = write(&proxy, stale, "a");
        let body = problem(&outcome, 412, "stale");
        assert_eq!(body["current"], json!("2.1"));
        counted(&outcome, "rejected", "stale");
    }
}

#[test]
fn an_equal_token_is_one_holders() {
    let proxy = Proxy::start(&external());
    admitted(&write(&proxy, "5", "a"), "5");
    problem(&write(&proxy, "5", "b"), 409, "held_by_another");
    admitted(&write(&proxy, "5", "a"), "5");
    admitted(&write(&proxy, "6", "b"), "6");
}

#[test]
fn a_write_names_its_holder_unless_that_is_given_up() {
    let unnamed = Request::put(PLACE, "5", "").without("fencing-holder");
    let outcome = Proxy::start(&external()).send(&unnamed);
    problem(&outcome, 428, "holder_required");
    counted(&outcome, "rejected", "holder_required");

    let proxy = Proxy::start(&optional_holder());
    admitted(&proxy.send(&unnamed), "5");
    admitted(&proxy.send(&unnamed), "5");
    // The first named one binds it; then an unnamed one is another.
    admitted(&write(&proxy, "5", "a"), "5");
    admitted(&write(&proxy, "5", "a"), "5");
    problem(&write(&proxy, "5", "b"), 409, "held_by_another");
    problem(&proxy.send(&unnamed), 409, "held_by_another");
}

#[test]
fn a_jump_beyond_the_limit_is_too_far() {
    let proxy = Proxy::start(&with(external(), "/issuer/external/jump_max", json!(10)));
    admitted(&write(&proxy, "1000", "a"), "1000");
    let outcome = write(&proxy, "1011", "a");
    let body = problem(&outcome, 403, "jump_too_far");
    assert_eq!(body["current"], json!("1000"));
    counted(&outcome, "rejected", "jump_too_far");
    admitted(&write(&proxy, "1010", "a"), "1010");
    problem(&write(&proxy, "11.1", "a"), 403, "jump_too_far");
    admitted(&write(&proxy, "10.1", "a"), "10.1");
}

#[test]
fn a_fenced_read_never_raises_the_mark() {
    let proxy = Proxy::start(&with(external(), "/rules/0/reads", json!("fence")));
    let get = |token: &str| {
        let put = Request::put(PLACE, token, "a");
        proxy.send(&put.without(":method").header(":method", "GET"))
    };
    let first = get("9");
    assert_eq!((first.is_forwarded(), first.told), (true, None));
    admitted(&write(&proxy, "5", "a"), "5");
    admitted(&get("7"), "5");
    admitted(&write(&proxy, "6", "a"), "6");
    problem(&get("5"), 412, "stale");
}

#[test]
fn a_claim_raises_the_mark_without_a_write() {
    let proxy = Proxy::start(&external());
    let claim = |token: &str, holder: &str| {
        let body = json!({ "resource": JOB, "holder": holder, "token": token });
        proxy.send(&Request::call("claim", &body))
    };
    let outcome = claim("5", "a");
    assert_eq!(outcome.json(), json!({ "resource": JOB, "mark": "5" }));
    assert_eq!(
        json!(outcome.counted),
        json!({ "fencegate_mark_advances_total": 1 })
    );
    assert_eq!(
        claim("5", "a").json(),
        json!({ "resource": JOB, "mark": "5" })
    );
    problem(&claim("5", "b"), 409, "held_by_another");
    problem(&claim("4", "a"), 412, "stale");
    problem(&write(&proxy, "4", "a"), 412, "stale");
    admitted(&write(&proxy, "5", "a"), "5");
    let look = proxy.send(&Request::new("GET", "/fence/v1/leases/job:1"));
    let expected = json!({ "resource": JOB, "mark": "5", "holder": "a", "state": "marked" });
    assert_eq!(look.json(), expected);
}

#[test]
fn a_claim_names_its_holder_unless_that_is_given_up() {
    let body = json!({ "resource": JOB, "token": "5" });
    let outcome = Proxy::start(&external()).send(&Request::call("claim", &body));
    problem(&outcome, 400, "malformed");
    let proxy = Proxy::start(&optional_holder());
    let body = proxy.call("claim", &body, 200);
    assert_eq!(body["mark"], json!("5"));
    let unknown = json!({ "resource": "other:1", "token": "5" });
    problem(
        &proxy.send(&Request::call("claim", &unknown)),
        404,
        "unknown_resource",
    );
}

#[test]
fn claim_is_the_only_change_there_is() {
    let proxy = Proxy::start(&external());
    for call in ["acquire", "renew", "release", "break"] {
        let body = json!({ "resource": JOB, "holder": "a", "token": "5" });
        let outcome = proxy.send(&Request::call(call, &body));
        let body = problem(&outcome, 404, "not_found");
        assert!(
            body["detail"]
                .as_str()
                .is_some_and(|text| text.contains("issuer.external"))
        );
    }
}
