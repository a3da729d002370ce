//! The lease API where it says no before anything is decided: paths, methods, bodies.

use crate::outcomes::{JOB, problem};
use crate::support::client::{Outcome, Proxy, Request};
use crate::support::settings::{ours, with};
use serde_json::{Value, json};

fn call(proxy: &Proxy, name: &str, body: &[u8]) -> Outcome {
    let mut request = Request::call(name, &json!(null));
    request.body = Some(body.to_vec());
    proxy.send(&request)
}

fn detail(problem: &Value) -> &str {
    problem["detail"].as_str().unwrap_or_default()
}

#[test]
fn an_unknown_path_or_method_is_refused_and_never_forwarded() {
    let proxy = Proxy::start(&ours());
    for path in [
        "",
        "/",
        "/nothing",
        "/acquire/",
        "/leases/",
        "/leases//",
        "/leases/a/b",
        "?x",
        "/../../jobs/1/x",
        "/decisions",
    ] {
        let request = Request::new("GET", &format!("/fence/v1{path}"));
        let outcome = proxy.send(&request);
        assert_eq!(outcome.status(), 404, "{path}: {outcome:?}");
    }
    for (method, path, wanted) in [
        ("GET", "acquire", "send POST"),
        ("PUT", "release", "send POST"),
        ("POST", "leases", "send GET"),
        ("DELETE", "leases/job:1", "send GET"),
        ("HEAD", "ready", "send GET"),
    ] {
        let outcome = proxy.send(&Request::new(method, &format!("/fence/v1/{path}")));
        let body = problem(&outcome, 405, "method_not_allowed");
        assert_eq!(detail(&body), wanted);
    }
}

#[test]
fn a_page_of_leases_takes_two_parameters_and_no_others() {
    let proxy = Proxy::start(&ours());
    let page = |query: &str| proxy.send(&Request::new("GET", &format!("/fence/v1/leases?{query}")));
    for good in [
        "",
        "limit=1",
        "limit=1000",
        "after=0&limit=5",
        "after=4294967295",
        "&",
    ] {
        assert_eq!(page(good).status(), 200, "{good}");
    }
    for bad in [
        "limit=0",
        "limit=1001",
        "limit=x",
        "limit",
        "after=-1",
        "after=4294967296",
        "other=1",
        "limit=1;after=1",
    ] {
        let body = problem(&page(bad), 400, "malformed");
        assert_eq!(
            detail(&body),
            "the query takes after (next of the page before) and limit (1 to 1000) only"
        );
    }
}

#[test]
fn a_body_that_is_not_read_names_the_field_and_the_mend() {
    let proxy = Proxy::start(&ours());
    for (name, body, sentence) in [
        ("acquire", "", "give an object"),
        ("acquire", "[]", "give an object"),
        ("acquire", "{", "give a name in quotes"),
        ("acquire", "{} x", "resource is missing; add it"),
        (
            "acquire",
            r#"{"resource":"job:1","holder":"a"}x"#,
            "there is more after its end",
        ),
        (
            "acquire",
            r#"{"holder":"a"}"#,
            "resource is missing; add it",
        ),
        (
            "acquire",
            r#"{"resource":"job:1"}"#,
            "holder: name the holder",
        ),
        (
            "acquire",
            r#"{"resource":"job:1","resource":"job:1"}"#,
            "resource: it is given twice",
        ),
        ("acquire", r#"{"resource":1}"#, "resource: give a text"),
        (
            "acquire",
            r#"{"resource":""}"#,
            "resource: a name has at least one character",
        ),
        (
            "acquire",
            r#"{"resource":"job:1","holder":"a b"}"#,
            "holder: a name has letters, digits and - . _ ~ : / @ + = % only",
        ),
        (
            "acquire",
            r#"{"resource":"job:1","holder":"a","request_id":""}"#,
            "request_id: a name has at least one character",
        ),
        (
            "acquire",
            r#"{"resource":"job:1","holder":"a","expect_mark":7}"#,
            "expect_mark: give a text",
        ),
        (
            "acquire",
            r#"{"resource":"job:1","holder":"a","expect_mark":"07"}"#,
            "expect_mark: a token has no leading zero",
        ),
        (
            "acquire",
            r#"{"resource":"job:1","holder":"a","ttl_ms":999}"#,
            "ttl_ms: give 1000 to 60000",
        ),
        (
            "acquire",
            r#"{"resource":"job:1","holder":"a","ttl_ms":60001}"#,
            "ttl_ms: give 1000 to 60000",
        ),
        (
            "acquire",
            r#"{"resource":"job:1","holder":"a","ttl_ms":-1}"#,
            "ttl_ms: give a whole number from 0 to 4294967295",
        ),
        (
            "acquire",
            r#"{"resource":"job:1","holder":"a","ttl_ms":4294967296}"#,
            "ttl_ms: give a whole number from 0 to 4294967295",
        ),
        (
            "acquire",
            r#"{"resource":"job:1","holder":"a","wait_ms":20001}"#,
            "wait_ms: give at most 20000",
        ),
        (
            "acquire",
            r#"{"resource":"job:1","holder":"a","token":"1"}"#,
            "token: there is no such field; remove it. There are: resource holder ttl_ms request_id expect_mark wait_ms",
        ),
        (
            "renew",
            r#"{"resource":"job:1","holder":"a"}"#,
            "token is missing; add it",
        ),
        (
            "renew",
            r#"{"resource":"job:1","holder":"a","token":"1","ttl_ms":1}"#,
            "ttl_ms: give 1000 to 60000",
        ),
        (
            "release",
            r#"{"resource":"job:1","token":"1"}"#,
            "holder: name the holder",
        ),
        (
            "release",
            r#"{"resource":"job:1","holder":"a","token":"1","writes_answered":1}"#,
            "writes_answered: give true or false",
        ),
        (
            "claim",
            r#"{"resource":"job:1","holder":"a","token":"0"}"#,
            "token: neither a token's number nor a written epoch is 0",
        ),
        (
            "break",
            r#"{"resource":"job:1","holder":"a"}"#,
            "holder: there is no such field; remove it. There are: resource",
        ),
    ] {
        let outcome = call(&proxy, name, body.as_bytes());
        let problem = problem(&outcome, 400, "malformed");
        assert_eq!(detail(&problem), sentence, "{name} {body}");
    }
}

#[test]
fn no_wait_is_a_wait_of_nothing() {
    let proxy = Proxy::start(&ours());
    let body = json!({ "resource": JOB, "holder": "a", "wait_ms": 0, "ttl_ms": null });
    proxy.call("acquire", &body, 201);
}

#[test]
fn a_resource_that_no_rule_makes_is_unknown_to_every_call() {
    let proxy = Proxy::start(&ours());
    for name in ["acquire", "renew", "release", "claim", "break"] {
        let mut body = json!({ "resource": "other:1" });
        if name != "break" {
            body["holder"] = json!("a");
        }
        if !["acquire", "break"].contains(&name) {
            body["token"] = json!("1");
        }
        let outcome = proxy.send(&Request::call(name, &body));
        problem(&outcome, 404, "unknown_resource");
    }
}

#[test]
fn a_call_without_a_body_is_asked_for_one() {
    let proxy = Proxy::start(&ours());
    let mut request = Request::call("acquire", &json!({}));
    request.body = None;
    let body = problem(&proxy.send(&request), 400, "malformed");
    assert_eq!(detail(&body), "send a JSON body");
}

#[test]
fn a_body_of_16_kib_is_read_and_one_byte_more_is_too_large() {
    let proxy = Proxy::start(&ours());
    let mut body = json!({ "resource": JOB, "holder": "a" })
        .to_string()
        .into_bytes();
    body.resize(16 * 1024, b' ');
    assert_eq!(call(&proxy, "acquire", &body).status(), 201);
    body.push(b' ');
    let outcome = call(&proxy, "acquire", &body);
    let body = problem(&outcome, 413, "too_large");
    assert_eq!(detail(&body), "at most 16384 bytes");
}

#[test]
fn other_paths_are_as_good() {
    let config = with(ours(), "/issuer/fencegate/path", json!("/a-b/c.d"));
    let proxy = Proxy::start(&config);
    let ready = |path: &str| proxy.send(&Request::new("GET", path));
    assert_eq!(ready("/a-b/c.d/ready").status(), 200);
    assert!(ready("/fence/v1/ready").is_forwarded());
}
