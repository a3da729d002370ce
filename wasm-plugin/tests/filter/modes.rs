//! What a rule or the configuration as a whole can be set to.

use crate::outcomes::{JOB, PLACE, admitted, counted, passed, problem, release, write};
use crate::support::client::{Proxy, Request};
use crate::support::settings::{ours, rule, with};
use serde_json::{Value, json};

fn with_rule(more: Value) -> Value {
    with(
        ours(),
        "/rules/0",
        rule("/jobs/{job}/{*rest}", "job:{job}", more),
    )
}

#[test]
fn observe_lets_everything_pass_and_counts_what_would_have_been_refused() {
    let proxy = Proxy::start(&with_rule(json!({ "token": "observe" })));
    let old = proxy.acquire(JOB, "a");
    release(&proxy, "a", &old);
    let new = proxy.acquire(JOB, "b");
    for (request, reason) in [
        (Request::put(PLACE, &old, "a"), "stale"),
        (Request::put(PLACE, &new, "a"), "held_by_another"),
        (Request::put(PLACE, "x", "a"), "malformed"),
        (Request::new("PUT", PLACE), "token_required"),
        (
            Request::put(PLACE, &new, "b").header("early-data", "1"),
            "too_early",
        ),
        (Request::put("/jobs/1/%2e%2e/x", &new, "b"), "ambiguous"),
    ] {
        let outcome = proxy.send(&request);
        assert!(outcome.is_forwarded(), "{reason}: {outcome:?}");
        assert_eq!(outcome.told, None);
        counted(&outcome, "observed", reason);
    }
    admitted(&write(&proxy, &new, "b"), &new);
}

#[test]
fn observe_lets_also_pass_what_cannot_be_decided() {
    let proxy = Proxy::start(&with_rule(json!({ "token": "observe" })));
    let token = proxy.acquire(JOB, "a");
    let world = proxy.world();
    let (records, others): (Vec<_>, Vec<_>) =
        (world.keys().into_iter()).partition(|key| key.starts_with(b"fencegate.b"));
    for key in records {
        world.lose(&key);
    }
    let outcome = write(&proxy, &token, "a");
    assert!(outcome.is_forwarded());
    counted(&outcome, "observed", "missing");
    // Unless even that cannot be told: whether a newer configuration is in force.
    for key in others {
        world.lose(&key);
    }
    problem(&write(&proxy, &token, "a"), 503, "missing");
}

/// The newer configuration's rules say whether to observe.
#[test]
fn observe_ends_when_a_newer_configuration_is_in_force() {
    let observing = with_rule(json!({ "token": "observe" }));
    let proxy = Proxy::start(&observing);
    let token = proxy.acquire(JOB, "a");
    let newer = Proxy::join(proxy.world(), &with(ours(), "/generation", json!(2)));
    problem(&write(&newer, &token, "a"), 412, "no_grant");
    for request in [Request::put(PLACE, &token, "a"), Request::new("PUT", PLACE)] {
        let outcome = proxy.send(&request);
        problem(&outcome, 503, "superseded");
        counted(&outcome, "undecided", "superseded");
    }
}

#[test]
fn unmatched_passes_unless_it_is_rejected() {
    let requests = [
        Request::new("PUT", "/elsewhere"),
        Request::new("GET", "/elsewhere"),
        Request::put("/jobs", "1", "a"),
    ];
    let passing = Proxy::start(&ours());
    let rejecting = Proxy::start(&with(ours(), "/unmatched", json!("reject")));
    for request in requests {
        passed(&passing.send(&request));
        let outcome = rejecting.send(&request);
        problem(&outcome, 403, "unmatched");
        counted(&outcome, "rejected", "unmatched");
    }
    passed(&rejecting.send(&Request::new("GET", PLACE)));
}

#[test]
fn a_fenced_read_is_judged_like_a_write() {
    let proxy = Proxy::start(&with_rule(json!({ "reads": "fence" })));
    let old = proxy.acquire(JOB, "a");
    release(&proxy, "a", &old);
    let new = proxy.acquire(JOB, "b");
    let get = |token: &str| {
        let request = Request::new("GET", PLACE);
        proxy.send(
            &request
                .header("fencing-token", token)
                .header("fencing-holder", "b"),
        )
    };
    admitted(&get(&new), &new);
    problem(&get(&old), 412, "stale");
    problem(
        &proxy.send(&Request::new("HEAD", PLACE)),
        428,
        "token_required",
    );
    // A replayed read changes nothing.
    let early = Request::put(PLACE, &new, "b").header("early-data", "1");
    let read = early.clone().without(":method").header(":method", "GET");
    admitted(&proxy.send(&read), &new);
    problem(&proxy.send(&early), 425, "too_early");
}

#[test]
fn a_mark_that_is_not_disclosed_is_in_no_answer_but_in_the_log() {
    let proxy = Proxy::start(&with(ours(), "/disclose", json!(false)));
    let old = proxy.acquire(JOB, "a");
    release(&proxy, "a", &old);
    let new = proxy.acquire(JOB, "b");
    let hidden = |text: &[u8]| !text.windows(new.len()).any(|part| part == new.as_bytes());
    let own = write(&proxy, &new, "b");
    assert_eq!((own.is_forwarded(), own.told), (true, None));
    for refused in [
        write(&proxy, &old, "a"),
        proxy.send(&Request::put(PLACE, &old, "b")),
    ] {
        let body = problem(&refused, 412, "stale");
        assert_eq!(body["current"], json!(null));
        assert!(hidden(&refused.answer().expect("an answer").body));
        assert_eq!(refused.decision.expect("logged")["mark"], json!(new));
    }
    for call in [
        Request::call("acquire", &json!({ "resource": JOB, "holder": "c" })),
        Request::call(
            "acquire",
            &json!({ "resource": JOB, "holder": "c", "expect_mark": "1" }),
        ),
        Request::call(
            "renew",
            &json!({ "resource": JOB, "holder": "a", "token": old }),
        ),
        Request::call(
            "release",
            &json!({ "resource": JOB, "holder": "a", "token": old }),
        ),
        Request::call(
            "claim",
            &json!({ "resource": JOB, "holder": "a", "token": old }),
        ),
        Request::new("GET", "/fence/v1/leases/job:1"),
        Request::new("GET", "/fence/v1/leases"),
    ] {
        let outcome = proxy.send(&call);
        let answer = outcome.answer().expect("an answer");
        assert!(hidden(&answer.body), "{outcome:?}");
        assert_eq!(outcome.header("fencing-token-mark"), None);
    }
}

#[test]
fn only_the_configured_headers_carry_token_and_holder() {
    let headers = json!({ "token": ["lease-number"], "holder": ["lease-owner", "x-owner"] });
    let proxy = Proxy::start(&with(ours(), "/headers", headers));
    let token = proxy.acquire(JOB, "a");
    problem(&write(&proxy, &token, "a"), 428, "token_required");
    let put = Request::new("PUT", PLACE).header("Lease-Number", &token);
    admitted(&proxy.send(&put.clone().header("lease-owner", "a")), &token);
    admitted(&proxy.send(&put.clone().header("x-owner", "a")), &token);
    let twice = put.header("x-owner", "a").header("lease-owner", "a");
    problem(&proxy.send(&twice), 400, "ambiguous");
}

#[test]
fn the_alias_is_as_good_as_the_name() {
    let proxy = Proxy::start(&ours());
    let token = proxy.acquire(JOB, "a");
    for name in ["fencing-token", "x-fencing-token", "Fencing-Token"] {
        let put = Request::new("PUT", PLACE).header(name, &token);
        admitted(&proxy.send(&put.header("fencing-holder", "a")), &token);
    }
}
