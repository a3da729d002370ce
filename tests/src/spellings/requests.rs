//! Requests that say more than one thing, or hide what they say.

use super::{HOST, PATH, Row, Token};
use crate::http::Request;

fn row(
    shown: &str,
    why: &str,
    expected: &str,
    make: impl Fn(Token<'_>) -> Request + Send + Sync + 'static,
) -> Row {
    Row {
        shown: shown.to_owned(),
        why: why.to_owned(),
        expected: expected.to_owned(),
        make: Box::new(make),
    }
}

fn to(method: &str, target: &str) -> Request {
    Request::new(method, target).header("Host", HOST)
}

fn put() -> Request {
    to("PUT", PATH).body("x")
}

fn tokened(request: Request, token: Token<'_>) -> Request {
    super::with_token(request, token)
}

/// Adds a header to a write that has its token.
fn with(shown: &str, why: &str, expected: &str, name: &'static str, value: &'static str) -> Row {
    row(shown, why, expected, move |token| {
        tokened(put().header(name, value), token)
    })
}

/// A read that some header turns into a write.
fn overridden(name: &'static str) -> Row {
    row(
        &format!("GET with {name}: PUT, no token"),
        "a read that a server may take as a write",
        "428 token_required",
        move |_| to("GET", PATH).header(name, "PUT"),
    )
}

/// A method without a body, with the right token.
fn by(method: &'static str, why: &str, expected: &str) -> Row {
    row(method, why, expected, move |token| {
        tokened(to(method, PATH), token)
    })
}

/// COPY or MOVE of the place, with the right token.
fn moved(method: &'static str, destination: &'static str, why: &str, expected: &str) -> Row {
    row(
        &format!("{method}, Destination: {destination}"),
        why,
        expected,
        move |token| tokened(to(method, PATH).header("Destination", destination), token),
    )
}

/// All of them.
#[must_use]
pub fn requests() -> Vec<Row> {
    let mut rows = Vec::new();
    rows.extend(methods());
    rows.extend(second_places());
    rows.extend(hosts());
    rows.extend(tokens());
    rows
}

fn methods() -> Vec<Row> {
    vec![
        overridden("X-HTTP-Method-Override"),
        overridden("X-HTTP-Method"),
        overridden("X-Method-Override"),
        by("FROB", "a method that nobody knows is a write", "admitted"),
        by(
            "get",
            "a method in another case is another method",
            "admitted",
        ),
        by("PROPPATCH", "WebDAV", "admitted"),
        by("MKCOL", "WebDAV", "admitted"),
        by("LOCK", "WebDAV", "admitted"),
        by("UNLOCK", "WebDAV", "admitted"),
        row(
            "FROB, no token",
            "a method that nobody knows is a write",
            "428 token_required",
            |_| to("FROB", PATH),
        ),
        row(
            "PROPFIND, no token",
            "WebDAV's read is a write to a fence that knows four reads",
            "428 token_required",
            |_| to("PROPFIND", PATH),
        ),
        row("CONNECT", "a tunnel", "400 cannot_be_fenced", |token| {
            tokened(
                Request::new("CONNECT", "store.example:443").header("Host", "store.example:443"),
                token,
            )
        }),
        row(
            "GET, Upgrade: websocket",
            "a tunnel",
            "400 cannot_be_fenced",
            |token| {
                let request = to("GET", PATH).header("Connection", "Upgrade");
                tokened(request.header("Upgrade", "websocket"), token)
            },
        ),
        row(
            "CONNECT, :protocol: websocket",
            "the same over HTTP/2",
            "400 cannot_be_fenced",
            |token| tokened(to("CONNECT", PATH).header(":protocol", "websocket"), token),
        ),
        with(
            "Early-Data: 1",
            "a write that may be a replay",
            "425 too_early",
            "Early-Data",
            "1",
        ),
        with(
            "Expect: 100-continue",
            "asks before it sends its body",
            "admitted",
            "Expect",
            "100-continue",
        ),
    ]
}

fn second_places() -> Vec<Row> {
    vec![
        moved("COPY", PATH, "onto itself", "admitted"),
        moved(
            "MOVE",
            "http://store.example/%6Aobs/a1/out/part",
            "onto itself, spelt otherwise",
            "admitted",
        ),
        moved(
            "COPY",
            "/jobs/b2/out/part",
            "to another resource",
            "400 cannot_be_fenced",
        ),
        moved(
            "MOVE",
            "/jobs/b2/out/part",
            "to another resource",
            "400 cannot_be_fenced",
        ),
        moved(
            "MOVE",
            "http://store.example/jobs/b2/out/part",
            "the same, as a URL",
            "400 cannot_be_fenced",
        ),
        moved(
            "MOVE",
            "http://other.example/jobs/b2/out/part",
            "a host that some stores ignore",
            "400 cannot_be_fenced",
        ),
        moved(
            "MOVE",
            "/jobs/x/../b2/out/part",
            "an ambiguous destination",
            "400 ambiguous",
        ),
        moved(
            "MOVE",
            "/elsewhere",
            "to an unguarded place, from this one",
            "admitted",
        ),
        row(
            "MOVE /elsewhere, Destination: the place, no token",
            "from an unguarded place",
            "428 token_required",
            |_| to("MOVE", "/elsewhere").header("Destination", PATH),
        ),
        row(
            "POST ?delete",
            "S3: names its objects in the body",
            "400 cannot_be_fenced",
            |token| {
                tokened(
                    to("POST", "/jobs/a1/out/part?delete").body("<Delete/>"),
                    token,
                )
            },
        ),
        row(
            "POST /?delete",
            "the same, at the root",
            "400 cannot_be_fenced",
            |token| tokened(to("POST", "/?delete").body("<Delete/>"), token),
        ),
        row(
            "POST /?%64elete",
            "the same, encoded",
            "400 cannot_be_fenced",
            |token| tokened(to("POST", "/?%64elete").body("<Delete/>"), token),
        ),
        row(
            "POST ?comp=batch",
            "Azure: whole requests in the body",
            "400 cannot_be_fenced",
            |token| tokened(to("POST", "/jobs/a1/out/part?comp=batch").body("x"), token),
        ),
        with(
            "x-amz-rename-source",
            "a rename names its source in a header",
            "400 cannot_be_fenced",
            "x-amz-rename-source",
            "/jobs/b2/out/part",
        ),
    ]
}

/// Where the fence sees one host, Envoy has chosen it, and the store sees that one too.
fn hosts() -> Vec<Row> {
    let chosen = "400 ambiguous, or Envoy chooses one";
    vec![
        row(
            "two Hosts, both this one",
            "which one counts?",
            chosen,
            |token| tokened(put().header("Host", HOST), token),
        ),
        row(
            "two Hosts, the second one another",
            "which one counts?",
            chosen,
            |token| tokened(put().header("Host", "other.example"), token),
        ),
        row(
            "two Hosts, the first one another",
            "which one counts?",
            chosen,
            |token| {
                let request = Request::new("PUT", PATH).header("Host", "other.example");
                tokened(request.header("Host", HOST).body("x"), token)
            },
        ),
        row(
            "absolute form, the Host another",
            "which one counts?",
            chosen,
            |token| {
                let target = "http://store.example/jobs/a1/out/part";
                let request = Request::new("PUT", target).header("Host", "other.example");
                tokened(request.body("x"), token)
            },
        ),
    ]
}

fn tokens() -> Vec<Row> {
    let absent = "428 token_required";
    vec![
        row(
            "Fencing-Token twice, equal",
            "two values",
            "400 ambiguous",
            |token| {
                let again = token.unwrap_or_default().0.to_owned();
                tokened(put(), token).header("Fencing-Token", again)
            },
        ),
        row(
            "Fencing-Token twice, the second one old",
            "two values",
            "400 ambiguous",
            |token| tokened(put(), token).header("Fencing-Token", "1.1"),
        ),
        row(
            "Fencing-Token and X-Fencing-Token",
            "two names",
            "400 ambiguous",
            |token| {
                let again = token.unwrap_or_default().0.to_owned();
                tokened(put(), token).header("X-Fencing-Token", again)
            },
        ),
        row(
            "Fencing-Token: old,right",
            "a list",
            "400 ambiguous",
            |token| {
                let (token, holder) = token.unwrap_or_default();
                put()
                    .header("Fencing-Token", format!("1.1,{token}"))
                    .header("Fencing-Holder", holder)
            },
        ),
        row(
            "Fencing-Token: (empty)",
            "empty is not absent",
            "400 malformed",
            |token| {
                let (_, holder) = token.unwrap_or_default();
                put()
                    .header("Fencing-Token", "")
                    .header("Fencing-Holder", holder)
            },
        ),
        row(
            "fencing_token beside the right one",
            "underscores",
            "400 ambiguous",
            |token| tokened(put(), token).header("fencing_token", "1.1"),
        ),
        row(
            "fencing_token alone",
            "underscores",
            "400 ambiguous",
            |token| {
                let (token, holder) = token.unwrap_or_default();
                put()
                    .header("fencing_token", token)
                    .header("Fencing-Holder", holder)
            },
        ),
        row(
            "Fencing-Holder twice",
            "two values",
            "400 ambiguous",
            |token| {
                let again = token.unwrap_or_default().1.to_owned();
                tokened(put(), token).header("Fencing-Holder", again)
            },
        ),
        row(
            "Fencing_Holder beside the right one",
            "underscores",
            "400 ambiguous",
            |token| tokened(put(), token).header("Fencing_Holder", "somebody"),
        ),
        row(
            "the token in trailers",
            "trailers come too late to be judged",
            absent,
            |token| {
                let (token, holder) = token.unwrap_or_default();
                put()
                    .trailer("Fencing-Token", token)
                    .trailer("Fencing-Holder", holder)
            },
        ),
        row(
            "an old token in trailers, the right one in the headers",
            "the headers count",
            "admitted",
            |token| tokened(put(), token).trailer("Fencing-Token", "1.1"),
        ),
        row(
            "Connection: fencing-token",
            "the token is for the first hop only",
            absent,
            |token| tokened(put().header("Connection", "fencing-token"), token),
        ),
        row(
            "Fencing-Token: 0xC0",
            "bytes that are no text",
            "400 malformed",
            |_| put().header("Fencing-Token", b"\xC0".as_slice()),
        ),
    ]
}
