//! Who may use the lease API, and as whom.

use crate::outcomes::{JOB, PLACE, admitted, problem, write};
use crate::support::client::{Outcome, Proxy, Request};
use crate::support::settings::{external, ours, with, without};
use serde_json::{Value, json};

const URI: &str = "connection\0uri_san_peer_certificate";
const DNS: &str = "connection\0dns_san_peer_certificate";
const DIGEST: &str = "connection\0sha256_peer_certificate_digest";
const WORKER: &str = "spiffe://example.org/worker-a";
const OPERATOR: &str = "spiffe://example.org/operator";

fn by_peer(property: &str) -> Value {
    with(
        ours(),
        "/issuer/fencegate/access",
        json!({ "peer": property }),
    )
}

fn is_peer(proxy: &Proxy, path: &str, name: &str) {
    let mut properties = proxy.host.properties.borrow_mut();
    properties.clear();
    properties.insert(path.to_owned(), name.as_bytes().to_vec());
}

fn acquire(proxy: &Proxy, body: &Value) -> Outcome {
    proxy.send(&Request::call("acquire", body))
}

#[test]
fn a_peer_acquires_as_the_name_in_its_certificate() {
    for (property, path) in [
        ("uri_san", URI),
        ("dns_san", DNS),
        ("sha256_digest", DIGEST),
    ] {
        let proxy = Proxy::start(&by_peer(property));
        let unnamed = json!({ "resource": JOB });
        problem(&acquire(&proxy, &unnamed), 403, "forbidden");
        is_peer(&proxy, path, WORKER);
        let outcome = acquire(&proxy, &unnamed);
        assert_eq!(
            (outcome.status(), &outcome.json()["holder"]),
            (201, &json!(WORKER))
        );
        let token = outcome.json()["token"]
            .as_str()
            .expect("a token")
            .to_owned();
        admitted(&write(&proxy, &token, WORKER), &token);
        let named = json!({ "resource": JOB, "holder": WORKER, "token": token });
        proxy.call("renew", &named, 200);
        proxy.call("claim", &named, 200);
        proxy.call("release", &named, 200);
    }
}

#[test]
fn a_peer_is_nobody_else() {
    let proxy = Proxy::start(&by_peer("uri_san"));
    is_peer(&proxy, URI, WORKER);
    let token = proxy.acquire(JOB, WORKER);
    for call in ["acquire", "renew", "release", "claim"] {
        let mut body = json!({ "resource": JOB, "holder": "spiffe://example.org/worker-b" });
        if call != "acquire" {
            body["token"] = json!(token);
        }
        let outcome = proxy.send(&Request::call(call, &body));
        problem(&outcome, 403, "forbidden");
    }
    is_peer(&proxy, URI, "spiffe://example.org/worker-b");
    let unnamed = json!({ "resource": JOB, "token": token });
    problem(
        &proxy.send(&Request::call("release", &unnamed)),
        409,
        "held_by_another",
    );
}

#[test]
fn a_name_that_is_none_or_comes_from_another_property_is_forbidden() {
    let proxy = Proxy::start(&by_peer("uri_san"));
    for name in ["", "two,names", "a b", "a\r\nb", "<a>", &"a".repeat(129)] {
        is_peer(&proxy, URI, name);
        problem(
            &acquire(&proxy, &json!({ "resource": JOB })),
            403,
            "forbidden",
        );
    }
    is_peer(&proxy, DNS, WORKER);
    problem(
        &acquire(&proxy, &json!({ "resource": JOB })),
        403,
        "forbidden",
    );
}

#[test]
fn looking_needs_a_peer_too() {
    let proxy = Proxy::start(&by_peer("uri_san"));
    for path in ["leases", "leases/job:1"] {
        let look = Request::new("GET", &format!("/fence/v1/{path}"));
        problem(&proxy.send(&look), 403, "forbidden");
        is_peer(&proxy, URI, WORKER);
        let status = proxy.send(&look).status();
        assert!([200, 404].contains(&status), "{path}: {status}");
        proxy.host.properties.borrow_mut().clear();
    }
    // Whoever balances load asks this.
    let ready = Request::new("GET", "/fence/v1/ready");
    assert_eq!(proxy.send(&ready).status(), 200);
}

#[test]
fn an_external_claim_is_made_as_the_peer() {
    let config = with(
        external(),
        "/issuer/external/access",
        json!({ "peer": "uri_san" }),
    );
    let proxy = Proxy::start(&config);
    let claim = Request::call("claim", &json!({ "resource": JOB, "token": "5" }));
    problem(&proxy.send(&claim), 403, "forbidden");
    is_peer(&proxy, URI, WORKER);
    assert_eq!(proxy.send(&claim).status(), 200);
    problem(&write(&proxy, "5", "a"), 409, "held_by_another");
    admitted(&proxy.send(&Request::put(PLACE, "5", WORKER)), "5");
}

fn break_it(proxy: &Proxy) -> Outcome {
    proxy.send(&Request::call("break", &json!({ "resource": JOB })))
}

#[test]
fn nobody_breaks_unless_the_configuration_says_who() {
    let nobody = without(ours(), "/issuer/fencegate/break_access");
    for config in [
        nobody,
        with(ours(), "/issuer/fencegate/break_access", json!("nobody")),
    ] {
        let proxy = Proxy::start(&config);
        let token = proxy.acquire(JOB, "a");
        problem(&break_it(&proxy), 403, "forbidden");
        admitted(&write(&proxy, &token, "a"), &token);
    }
}

#[test]
fn only_the_named_peers_break() {
    let peers = json!({ "peers": { "by": "uri_san", "names": [OPERATOR] } });
    let proxy = Proxy::start(&with(ours(), "/issuer/fencegate/break_access", peers));
    let token = proxy.acquire(JOB, "a");
    problem(&break_it(&proxy), 403, "forbidden");
    for (path, name) in [(URI, WORKER), (DNS, OPERATOR)] {
        is_peer(&proxy, path, name);
        problem(&break_it(&proxy), 403, "forbidden");
    }
    admitted(&write(&proxy, &token, "a"), &token);
    is_peer(&proxy, URI, OPERATOR);
    let outcome = break_it(&proxy);
    let mark = outcome.json()["mark"].as_str().expect("a mark").to_owned();
    assert_eq!(
        outcome.log,
        [format!(
            "fencegate: {OPERATOR} broke the lease of {JOB}; the mark is {mark}"
        )]
    );
    problem(&write(&proxy, &token, "a"), 412, "stale");
}

/// It may use the API, but for nothing that no rule guards.
#[test]
fn a_break_is_for_guarded_resources_only() {
    let proxy = Proxy::start(&ours());
    let body = json!({ "resource": "other:1" });
    problem(
        &proxy.send(&Request::call("break", &body)),
        404,
        "unknown_resource",
    );
    problem(&break_it(&proxy), 404, "no_grant");
}
