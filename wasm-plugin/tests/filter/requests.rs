//! Whatever bytes a request is made of, nothing of them gets into an answer, a log or a counter
//! that could be read as something else; and gRPC callers get answers of their own.

use crate::outcomes::{JOB, PLACE, admitted, plain, problem};
use crate::support::client::{Proxy, Request};
use crate::support::settings::{external, ours};
use proptest::prelude::*;
use serde_json::json;

const NASTY: [&[u8]; 8] = [
    b"a\r\nset-cookie: x=1",
    b"a\nb",
    b"<script>alert(1)</script>",
    b"a\"b",
    b"a\\b",
    b"a\0b",
    b"\xff\xfe",
    b"a b",
];

#[test]
fn names_with_line_ends_or_markup_are_refused() {
    for config in [ours(), external()] {
        let proxy = Proxy::start(&config);
        for nasty in NASTY {
            let put = Request::new("PUT", PLACE).header("fencing-token", "42");
            let outcome = proxy.send(&put.raw(b"fencing-holder", nasty));
            problem(&outcome, 400, "malformed");
            let put = Request::new("PUT", PLACE).header("fencing-holder", "a");
            problem(
                &proxy.send(&put.raw(b"fencing-token", nasty)),
                400,
                "malformed",
            );
        }
    }
}

#[test]
fn a_path_with_line_ends_or_markup_makes_no_other_answer() {
    let proxy = Proxy::start(&ours());
    for nasty in NASTY {
        let path = [b"/jobs/", nasty, b"/x"].concat();
        let request = Request::put("", "42", "a")
            .without(":path")
            .raw(b":path", &path);
        let outcome = proxy.send(&request);
        assert!(!outcome.is_forwarded(), "{outcome:?}");
        plain(&outcome);
        let decision = outcome.decision.expect("logged").to_string();
        assert!(!decision.contains(['<', '\n', '\r']), "{decision}");
    }
}

#[test]
fn bodies_with_line_ends_or_markup_are_refused_plainly() {
    let proxy = Proxy::start(&ours());
    for text in ["a\r\nb", "<b>", "a&b", "\u{e9}", "a\"b", "", " "] {
        for field in [
            "resource",
            "holder",
            "token",
            "request_id",
            "expect_mark",
            "<b>\r\n",
        ] {
            for call in ["acquire", "renew", "release", "claim", "break"] {
                let mut body = json!({ "resource": JOB, "holder": "a" });
                body[field] = json!(text);
                let outcome = proxy.send(&Request::call(call, &body));
                assert_eq!(outcome.status(), 400, "{outcome:?}");
                plain(&outcome);
            }
        }
    }
}

/// A status of gRPC for each kind of answer, and a sentence instead of JSON.
#[test]
fn a_grpc_caller_gets_a_grpc_status() {
    let proxy = Proxy::start(&ours());
    let token = proxy.acquire(JOB, "a");
    let post = |token: &str, holder: &str| {
        let request = Request::new("POST", PLACE).header("content-type", "application/grpc+proto");
        request
            .header("fencing-token", token)
            .header("fencing-holder", holder)
    };
    let send = |request: &Request, status: u16, grpc: u8, reason: &str| {
        let outcome = proxy.send(request);
        let answer = outcome.answer().expect("an answer");
        assert_eq!(
            (answer.status, answer.grpc_status),
            (status, Some(grpc)),
            "{reason}"
        );
        assert_eq!(
            outcome.header("content-type").as_deref(),
            Some("text/plain")
        );
        let text = String::from_utf8(answer.body.clone()).expect("text");
        assert!(text.starts_with(&format!("{reason}: ")), "{text}");
        plain(&outcome);
    };
    admitted(&proxy.send(&post(&token, "a")), &token);
    send(&post("1", "a"), 412, 9, "stale");
    send(&post(&token, "b"), 409, 9, "held_by_another");
    send(
        &post(&token, "a").without("fencing-token"),
        428,
        9,
        "token_required",
    );
    send(&post("4294967295.1", "a"), 403, 7, "never_issued");
    send(&post("x", "a"), 400, 3, "malformed");
    send(
        &post(&token, "a").header("early-data", "1"),
        425,
        14,
        "too_early",
    );
    proxy.world().lose(b"fencegate.generation");
    for key in proxy.world().keys() {
        proxy.world().lose(&key);
    }
    send(&post(&token, "a"), 503, 14, "missing");
}

#[test]
fn a_caller_of_grpc_web_or_json_gets_json() {
    let proxy = Proxy::start(&ours());
    for content in [
        "application/grpc-web+proto",
        "application/json",
        "application/grpcx",
    ] {
        let request = Request::put(PLACE, "1", "a").header("content-type", content);
        let outcome = proxy.send(&request);
        problem(&outcome, 412, "no_grant");
        assert_eq!(outcome.answer().expect("an answer").grpc_status, None);
    }
}

/// Headers that mean something to the filter.
const NAMES: [&str; 10] = [
    "fencing-token",
    "fencing-holder",
    "host",
    "content-type",
    "destination",
    "early-data",
    "upgrade",
    ":path",
    ":method",
    ":authority",
];

proptest! {
    /// Any headers at all: one decision, and an answer that is what it says.
    #[test]
    fn any_headers_are_decided_once(
        method in prop_oneof![Just("PUT".to_owned()), Just("GET".to_owned()), ".{0,8}"],
        path in prop_oneof!["/jobs/[a-z1-3%./;]{0,12}", "/fence/v1[a-z/?=%]{0,12}", ".{0,20}"],
        headers in prop::collection::vec((
            prop::sample::select(&NAMES[..]),
            prop_oneof![
                "[0-9.]{0,6}".prop_map(String::into_bytes),
                "[a-z/]{0,6}".prop_map(String::into_bytes),
                prop::collection::vec(any::<u8>(), 0..6),
            ],
        ), 0..5),
    ) {
        let proxy = Proxy::start(&ours());
        let mut request = Request::new(&method, &path);
        for (name, value) in &headers {
            request = request.raw(name.as_bytes(), value);
        }
        let outcome = proxy.send(&request);
        if outcome.answer().is_some() {
            plain(&outcome);
        } else {
            prop_assert!(outcome.is_forwarded() && outcome.told.is_none());
        }
    }
}
