//! What is read of a request, header by header.

#[path = "policy_support/mod.rs"]
mod support;

use fencegate_core::flaw::{ConfigError, Flaw};
use fencegate_core::host_name::{HostAmbiguity, HostName};
use fencegate_core::name::NameError;
use fencegate_core::path::PathAmbiguity;
use fencegate_core::request::{
    Access, HeaderNames, HeadersConfig, MethodFault, Reading, Request, Several, Tunnel, Twofold,
};
use fencegate_core::token::{Token, TokenError};
use proptest::prelude::*;
use support::{names, raw, request};

type Headers = &'static [(&'static str, &'static str)];

fn put(more: Headers) -> Request<'static> {
    request("PUT", "store.example", b"/jobs/1", more)
}

#[test]
fn the_token_is_absent_one_or_refused() {
    use Reading::{Absent, Ambiguous, Given, Malformed};
    let token = |epoch, number| Given(Token::new(epoch, number).unwrap());
    let table: [(Headers, Reading<Token, TokenError>); 18] = [
        (&[], Absent),
        (&[("authorization", "42")], Absent),
        (&[("fencing-token", "42")], token(0, 42)),
        (&[("Fencing-Token", "2.41")], token(2, 41)),
        (&[("x-fencing-token", "42")], token(0, 42)),
        (
            &[("fencing-token", "42"), ("fencing-token", "42")],
            Ambiguous(Twofold::Twice),
        ),
        (
            &[("fencing-token", "42"), ("FENCING-TOKEN", "43")],
            Ambiguous(Twofold::Twice),
        ),
        (
            &[("fencing-token", "42"), ("x-fencing-token", "42")],
            Ambiguous(Twofold::Twice),
        ),
        (
            &[("fencing-token", ""), ("fencing-token", "42")],
            Ambiguous(Twofold::Twice),
        ),
        (&[("fencing-token", "42,43")], Ambiguous(Twofold::List)),
        (&[("fencing-token", "42,")], Ambiguous(Twofold::List)),
        (&[("fencing_token", "42")], Ambiguous(Twofold::Spelling)),
        (&[("X_Fencing-Token", "42")], Ambiguous(Twofold::Spelling)),
        (&[("fencing.token", "42")], Ambiguous(Twofold::Spelling)),
        (
            &[("fencing-token", "42"), ("fencing_token", "42")],
            Ambiguous(Twofold::Spelling),
        ),
        (&[("fencing-token", "")], Malformed(TokenError::Empty)),
        (
            &[("fencing-token", " 42")],
            Malformed(TokenError::NotDecimal),
        ),
        (&[("fencing-token", "0")], Malformed(TokenError::Zero)),
    ];
    for (headers, wanted) in table {
        assert_eq!(put(headers).token, wanted, "{headers:?}");
    }
    let bytes = raw(&[("fencing-token", b"\xc0")]);
    assert_eq!(bytes.token, Malformed(TokenError::NotDecimal));
}

#[test]
fn the_holder_is_absent_one_or_refused() {
    use Reading::{Absent, Ambiguous, Given, Malformed};
    let table: [(Headers, Reading<&str, NameError>); 9] = [
        (&[], Absent),
        (&[("fencing-holder", "spiffe://a/b")], Given("spiffe://a/b")),
        (
            &[("fencing-holder", "a"), ("fencing-holder", "a")],
            Ambiguous(Twofold::Twice),
        ),
        (&[("fencing-holder", "a,b")], Ambiguous(Twofold::List)),
        (&[("fencing_holder", "a")], Ambiguous(Twofold::Spelling)),
        (&[("fencing-holder", "")], Malformed(NameError::Empty)),
        (&[("fencing-holder", "a b")], Malformed(NameError::Byte)),
        (&[("fencing-holder", "\u{e9}")], Malformed(NameError::Byte)),
        (&[("fencing-token", "42")], Absent),
    ];
    for (headers, wanted) in table {
        assert_eq!(put(headers).holder, wanted, "{headers:?}");
    }
}

#[test]
fn a_write_is_whatever_is_not_surely_a_read() {
    use Access::{Read, Write};
    let table: [(&str, &str, Headers, Access); 26] = [
        ("GET", "/", &[], Read),
        ("HEAD", "/", &[], Read),
        ("OPTIONS", "/", &[], Read),
        ("TRACE", "/", &[], Read),
        ("get", "/", &[], Write),
        ("GETS", "/", &[], Write),
        ("PUT", "/", &[], Write),
        ("POST", "/", &[], Write),
        ("DELETE", "/", &[], Write),
        ("PATCH", "/", &[], Write),
        ("PROPFIND", "/", &[], Write),
        ("", "/", &[], Write),
        ("G T", "/", &[], Write),
        ("GET", "/", &[("x-http-method-override", "PUT")], Write),
        ("GET", "/", &[("X-HTTP-Method", "put")], Write),
        ("GET", "/", &[("x-method-override", "")], Write),
        ("GET", "/", &[("x_http_method_override", "DELETE")], Write),
        ("GET", "/", &[("x-http-method-override", "GET")], Read),
        (
            "GET",
            "/",
            &[
                ("x-http-method-override", "GET"),
                ("x-http-method-override", "PUT"),
            ],
            Write,
        ),
        ("PUT", "/", &[("x-http-method-override", "GET")], Write),
        ("GET", "/?_method=PUT", &[], Write),
        ("GET", "/?a=b&%5Fmethod=%50UT", &[], Write),
        ("GET", "/?_method=GET", &[], Read),
        ("GET", "/?_method=GETTTTTTTTTTT", &[], Write),
        ("GET", "/?method=PUT", &[], Read),
        ("GET", "/a;b?_method=PUT", &[], Write),
    ];
    for (method, path, headers, wanted) in table {
        let access = request(method, "h", path.as_bytes(), headers).access;
        assert_eq!(access, wanted, "{method} {path} {headers:?}");
    }
}

#[test]
fn one_method_one_path_one_host() {
    let method = |headers: &[(&'static str, &'static [u8])]| raw(headers).method;
    assert_eq!(method(&[]), Err(MethodFault::Missing));
    assert_eq!(
        method(&[(":method", b"GET"), (":method", b"GET")]),
        Err(MethodFault::Twice)
    );
    assert_eq!(
        method(&[(":method", b"G\xc0")]),
        Err(MethodFault::Malformed)
    );
    assert_eq!(method(&[(":method", b"M-SEARCH")]), Ok("M-SEARCH"));

    let path = |headers: &[(&'static str, &'static [u8])]| raw(headers).path.err();
    assert_eq!(path(&[]), Some(PathAmbiguity::Missing));
    assert_eq!(
        path(&[(":path", b"/a"), (":path", b"/a")]),
        Some(PathAmbiguity::Twice)
    );
    assert_eq!(
        path(&[(":path", b"/a"), ("x-original-url", b"/b")]),
        Some(PathAmbiguity::Rewritten)
    );
    assert_eq!(
        path(&[(":path", b"/a"), ("x_rewrite_url", b"/b")]),
        Some(PathAmbiguity::Rewritten)
    );
    assert_eq!(path(&[("x-original-url", b"/a"), (":path", b"/a")]), None);
    assert_eq!(path(&[(":path", b"/a\xc0")]), Some(PathAmbiguity::NotUtf8));

    let star = |more: Headers| request("OPTIONS", "h", b"*", more).path.err();
    assert_eq!(star(&[]), None);
    assert_eq!(
        star(&[("x-http-method", "PUT")]),
        Some(PathAmbiguity::Asterisk)
    );
    assert_eq!(
        star(&[("upgrade", "TLS/1.2")]),
        Some(PathAmbiguity::Asterisk)
    );
}

#[test]
fn all_who_name_the_host_agree() {
    let host = |headers: &[(&'static str, &'static [u8])]| raw(headers).authority;
    let store = Ok(HostName::read(b"store.example").unwrap());
    assert_eq!(host(&[]), Err(HostAmbiguity::Missing));
    assert_eq!(host(&[("host", b"store.example")]), store);
    assert_eq!(
        host(&[
            (":authority", b"store.example"),
            ("host", b"STORE.example:80")
        ]),
        store
    );
    assert_eq!(host(&[(":path", b"http://store.example/")]), store);
    assert_eq!(
        host(&[
            (":path", b"http://store.example/"),
            ("host", b"store.example.")
        ]),
        store
    );
    assert_eq!(
        host(&[("host", b"store.example"), ("host", b"store.example")]),
        store
    );

    let disagree: [&[(&str, &[u8])]; 4] = [
        &[(":authority", b"store.example"), ("host", b"other.example")],
        &[("host", b"other.example"), (":authority", b"store.example")],
        &[("host", b"store.example"), ("host", b"other.example")],
        &[
            (":authority", b"store.example"),
            (":path", b"https://other.example/"),
        ],
    ];
    for headers in disagree {
        assert_eq!(
            raw(headers).authority,
            Err(HostAmbiguity::Disagrees),
            "{headers:?}"
        );
    }
    let twice: [(&str, &[u8]); 2] = [(":authority", b"a"), (":authority", b"a")];
    assert_eq!(raw(&twice).authority, Err(HostAmbiguity::Twice));
    assert_eq!(
        host(&[(":authority", b"a"), ("host", b"a,b")]),
        Err(HostAmbiguity::List)
    );
}

#[test]
fn tunnels() {
    let tunnel = |method: &'static str, more: Headers| request(method, "h", b"/", more).tunnel;
    assert_eq!(tunnel("GET", &[]), None);
    assert_eq!(
        tunnel("GET", &[("upgrade", "websocket")]),
        Some(Tunnel::Upgrade)
    );
    assert_eq!(tunnel("CONNECT", &[]), Some(Tunnel::Connect));
    assert_eq!(tunnel("connect", &[]), Some(Tunnel::Connect));
    assert_eq!(
        tunnel("CONNECT", &[(":protocol", "websocket")]),
        Some(Tunnel::ExtendedConnect)
    );
    assert_eq!(tunnel("GET", &[("connection", "keep-alive")]), None);
}

#[test]
fn a_later_attempt_is_told_from_the_first_one() {
    assert!(!put(&[]).repeated);
    assert!(!put(&[("x-envoy-attempt-count", "1")]).repeated);
    for count in ["2", "3", "", "x"] {
        assert!(put(&[("x-envoy-attempt-count", count)]).repeated, "{count}");
    }
}

#[test]
fn early_data_and_grpc() {
    assert!(put(&[("early-data", "1")]).early_data);
    // RFC 8470, 5.1: any other value, and several of them, mean 1 too.
    assert!(put(&[("Early-Data", "0"), ("early-data", "")]).early_data);
    assert!(!put(&[]).early_data);

    for grpc in [
        "application/grpc",
        "application/grpc+proto",
        "Application/GRPC; x=y",
        "application/grpc+json",
    ] {
        let headers = [(":method", &b"POST"[..]), ("content-type", grpc.as_bytes())];
        assert!(raw(&headers).grpc, "{grpc}");
    }
    for other in [
        "application/grpc-web",
        "application/grpc-web+proto",
        "application/grpcx",
        "text/plain",
        "",
    ] {
        let headers = [
            (":method", &b"POST"[..]),
            ("content-type", other.as_bytes()),
        ];
        assert!(!raw(&headers).grpc, "{other}");
    }
}

#[test]
fn writes_that_name_more_than_their_path() {
    let several = |method: &'static str, path: &'static str, more: Headers| {
        request(method, "h", path.as_bytes(), more).several
    };
    assert_eq!(several("POST", "/b?delete", &[]), Some(Several::Delete));
    assert_eq!(
        several("POST", "/b?x=1&delete=", &[]),
        Some(Several::Delete)
    );
    assert_eq!(
        several("GET", "/b?delete", &[("x-http-method", "post")]),
        Some(Several::Delete)
    );
    assert_eq!(several("GET", "/b?delete", &[]), None);
    assert_eq!(several("PUT", "/b?delete", &[]), None);
    assert_eq!(several("POST", "/b?deleted", &[]), None);
    assert_eq!(several("POST", "/?comp=batch", &[]), Some(Several::Batch));
    assert_eq!(
        several("PUT", "/b", &[("x-ms-rename-source", "/b/a")]),
        Some(Several::Rename)
    );
    assert_eq!(
        several("PUT", "/b", &[("x-amz-rename-source", "/b/a")]),
        Some(Several::Rename)
    );

    let to = |method: &'static str, more: Headers| request(method, "h", b"/a", more).destination;
    assert!(to("COPY", &[]).is_none());
    assert!(to("PUT", &[("destination", "/b")]).is_none());
    assert!(
        to("COPY", &[("destination", "/b")])
            .is_some_and(|to| to.authority.is_none() && to.path.is_ok())
    );
    assert!(to("GET", &[("x-http-method", "move"), ("destination", "/b")]).is_some());
    let url = to("MOVE", &[("Destination", "http://other/b")]).unwrap();
    assert_eq!(url.authority, Some(HostName::read(b"other")));
    let table: [(Headers, PathAmbiguity); 4] = [
        (
            &[("destination", "/b"), ("destination", "/b")],
            PathAmbiguity::Twice,
        ),
        (&[("destination", "*")], PathAmbiguity::Asterisk),
        (&[("destination", "b")], PathAmbiguity::Form),
        (&[("destination", "/x/../b")], PathAmbiguity::DotSegment),
    ];
    for (headers, wanted) in table {
        assert_eq!(
            to("MOVE", headers).unwrap().path.err(),
            Some(wanted),
            "{headers:?}"
        );
    }
}

#[test]
fn header_names_are_checked() {
    let build = |json: &str| {
        let config: HeadersConfig = serde_json::from_str(json).unwrap();
        HeaderNames::build(&config).map_err(|ConfigError { at, flaw }| (at, flaw))
    };
    assert!(build("{}").is_ok());
    assert!(build(r#"{"token": ["x-fence"], "holder": ["x-who"]}"#).is_ok());
    let name = |name: &str| Flaw::HeaderName { name: name.into() };
    let taken = |name: &str| Flaw::HeaderTaken { name: name.into() };
    let table = [
        (
            r#"{"token": []}"#,
            "headers.token",
            Flaw::HeaderCount { max: 8 },
        ),
        (
            r#"{"token": ["fencing_token"]}"#,
            "headers.token[0]",
            name("fencing_token"),
        ),
        (
            r#"{"token": ["a", "Fencing-Token"]}"#,
            "headers.token[1]",
            name("Fencing-Token"),
        ),
        (r#"{"token": [":path"]}"#, "headers.token[0]", name(":path")),
        (r#"{"token": [""]}"#, "headers.token[0]", name("")),
        (
            r#"{"holder": ["destination"]}"#,
            "headers.holder[0]",
            taken("destination"),
        ),
        (
            r#"{"holder": ["fencing-token"]}"#,
            "headers.holder[0]",
            Flaw::HeaderTwice {
                name: "fencing-token".into(),
                at: "headers.token[0]".into(),
            },
        ),
    ];
    for (json, at, flaw) in table {
        assert_eq!(build(json).unwrap_err(), (at.into(), flaw), "{json}");
    }
    assert!(serde_json::from_str::<HeadersConfig>(r#"{"tokens": []}"#).is_err());
}

proptest! {
    /// Whatever bytes come, under whatever names: a reading, and no panic.
    #[test]
    fn random_headers_never_panic(
        headers in proptest::collection::vec(
            (
                prop_oneof![
                    Just(&b":method"[..]), Just(&b":path"[..]), Just(&b":authority"[..]), Just(&b"host"[..]),
                    Just(&b"fencing-token"[..]), Just(&b"fencing_holder"[..]), Just(&b"destination"[..]),
                    Just(&b"content-type"[..]), Just(&b"x-http-method"[..]), Just(&b"\xff"[..]), Just(&b""[..]),
                ],
                prop_oneof![
                    proptest::collection::vec(any::<u8>(), 0..24),
                    "(/[a%.2eF?_=&]{0,6}){0,3}".prop_map(String::into_bytes),
                    "(COPY|MOVE|GET|POST)".prop_map(String::into_bytes),
                ],
            ),
            0..10,
        ),
    ) {
        let names = names();
        let read = Request::read(headers.iter().map(|(name, value)| (*name, &value[..])), &names);
        let tokens = headers.iter().filter(|(name, _)| *name == b"fencing-token").count();
        prop_assert_eq!(matches!(read.token, Reading::Absent), tokens == 0);
        prop_assert!(tokens < 2 || matches!(read.token, Reading::Ambiguous(Twofold::Twice)));
    }

    /// Headers that mean nothing here change nothing, whatever bytes they have.
    #[test]
    fn unrelated_headers_are_not_looked_into(value in proptest::collection::vec(any::<u8>(), 0..24)) {
        let base: [(&str, &[u8]); 3] = [(":method", b"PUT"), (":path", b"/a"), (":authority", b"h")];
        let alone = format!("{:?}", raw(&base));
        let beside = format!("{:?}", raw(&[base[0], ("x-any", &value), base[1], ("cookie", &value), base[2]]));
        prop_assert_eq!(alone, beside);
    }
}
