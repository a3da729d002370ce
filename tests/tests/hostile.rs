//! Requests that nobody sends by mistake: malformed, doubled, hidden and misspelt. None of them is
//! taken for one without a token, none goes around the fence, none breaks the filter.

use fencegate_tests::config::Config;
use fencegate_tests::http::{Connection, Request};
use fencegate_tests::rig::{Rig, bare_write, write};
use fencegate_tests::wire::Wire;

const PATH: &str = "/jobs/1/report.pdf";

fn started() -> Rig {
    Rig::start(Config::example("fencegate").expect("the example")).expect("a fenced store")
}

#[test]
fn malformed_tokens_and_holders_are_never_taken_as_absent() {
    let rig = started();
    let grant = rig.grant("job:1", "worker-a", 60_000);
    let long = "1".repeat(300);
    let tokens = [
        "",
        "0",
        "1.0",
        "01",
        "1.01",
        "-1",
        "+1",
        "1.2.3",
        ".1",
        "1.",
        "1e3",
        "0x10",
        "1 2",
        "1;2",
        "a",
        "\"1\"",
        "18446744073709551616",
        "4294967296.1",
        "１",
        &long,
    ];
    for token in tokens {
        rig.refused(&write(PATH, token, "worker-a"), 400, "malformed");
    }
    let holders = ["", "a b", "<b>", "a\"b", "a,b", "ä", &"a".repeat(129)];
    for holder in holders {
        let reason = if holder == "a,b" {
            "ambiguous"
        } else {
            "malformed"
        };
        let answer = rig.refused(&write(PATH, &grant.token, holder), 400, reason);
        assert!(
            !answer.body_text().contains("<b>"),
            "what came in is not echoed"
        );
    }
    let newline = write(PATH, &grant.token, "a\r\n Set-Cookie: x");
    let answer = rig.send(&newline);
    assert_eq!((answer.status, answer.text("set-cookie")), (400, None));
    assert_eq!(rig.reached(), 0);
}

#[test]
fn two_values_are_ambiguous() {
    let rig = started();
    let grant = rig.grant("job:1", "worker-a", 60_000);
    let good = || write(PATH, &grant.token, "worker-a");
    let cases = [
        good().header("Fencing-Token", &grant.token),
        good().header("fencing-token", "1"),
        good().header("X-Fencing-Token", &grant.token),
        good().header("Fencing-Holder", "worker-a"),
        good().header("fencing_token", &grant.token),
        good().header("Fencing_Holder", "worker-a"),
        write(PATH, &format!("{0},{0}", grant.token), "worker-a"),
        write(PATH, &format!("{}, 1", grant.token), "worker-a"),
        bare_write(PATH)
            .header("fencing_token", &grant.token)
            .header("Fencing-Holder", "worker-a"),
    ];
    for request in cases {
        rig.refused(&request, 400, "ambiguous");
    }
    assert_eq!(rig.send(&good()).status, 201);
}

#[test]
fn bytes_that_are_no_text_break_nothing() {
    let rig = started();
    let grant = rig.grant("job:1", "worker-a", 60_000);
    let bad = |name: &str| bare_write(PATH).header(name, b"\xC0\xFF".as_slice());
    rig.refused(&bad("Fencing-Token"), 400, "malformed");
    let twice = bad("Fencing-Token").header("Fencing-Token", &grant.token);
    rig.refused(&twice, 400, "ambiguous");
    let holder = bad("Fencing-Holder").header("Fencing-Token", &grant.token);
    rig.refused(&holder, 400, "malformed");
    let unrelated =
        write(PATH, &grant.token, "worker-a").header("x-unrelated", b"\xC0\x80".as_slice());
    assert_eq!(rig.send(&unrelated).status, 201, "the normal answer");
    let name = write(PATH, &grant.token, "worker-a").header(b"x-\xC0".as_slice(), "1");
    assert_eq!(rig.send(&name).status, 400, "Envoy's own answer");
    let path = Request::new("PUT", b"/jobs/1/\xC0\xFF").header("Host", "store.example");
    assert_eq!(rig.send(&path).status, 400, "Envoy's own answer");
    let answer = Wire::Http2.send(rig.address, &path).expect("an answer");
    assert_eq!(
        (answer.status, answer.reason().as_str()),
        (400, "ambiguous")
    );
    assert!(
        [200, 201].contains(&rig.write(PATH, &grant).status),
        "and it still works"
    );
    let failed = rig
        .envoy
        .admin("/stats?filter=wasm.*(vm_reload|vm_fail|runtime_error)")
        .expect("stats");
    assert!(
        failed.lines().all(|line| line.ends_with(": 0")),
        "a VM was lost:\n{failed}"
    );
}

/// Some spellings of a path below `/jobs/1/`: the same key as the plain one, or `ambiguous`. All of
/// them are in `spellings.rs`; these are the ones that need no other rule than the example's.
const SPELLINGS: [(&str, bool); 34] = [
    ("/jobs/1/x", true),
    ("//jobs/1/x", false),
    ("/jobs//1/x", false),
    ("/jobs/1//x", false),
    ("/./jobs/1/x", false),
    ("/jobs/./1/x", false),
    ("/jobs/1/./x", false),
    ("/jobs/2/../1/x", false),
    ("/a/../jobs/1/x", false),
    ("/jobs/1/../1/x", false),
    ("/%6Aobs/1/x", true),
    ("/%6aobs/1/x", true),
    ("/jobs/%31/x", true),
    ("/jobs%2F1/x", false),
    ("/jobs/1%2Fx", false),
    ("/jobs/1%2fx", false),
    ("/jobs%5C1%5Cx", false),
    ("/jobs\\1\\x", false),
    ("/jobs/1\\x", false),
    ("/jobs/1;v=1/x", false),
    ("/jobs;a/1/x", false),
    ("/jobs/%2531/x", false),
    ("/jobs/1%252Fx", false),
    ("/%2e/jobs/1/x", false),
    ("/a/%2e%2e/jobs/1/x", false),
    ("/jobs/2/%2E%2E/1/x", false),
    ("/jobs/1/x?y=1", true),
    ("/jobs/1/x?", true),
    ("/jobs/1/x%00", false),
    ("/jobs/1%00/x", false),
    ("/jobs/1/%", false),
    ("/jobs/1/%zz", false),
    ("http://store.example/jobs/1/x", true),
    ("/jobs/1/x/", true),
];

#[test]
fn no_spelling_of_a_path_goes_around_the_fence() {
    let rig = started();
    let grant = rig.grant("job:1", "worker-a", 60_000);
    for (path, same) in SPELLINGS {
        let right = write(path, &grant.token, "worker-a");
        if same {
            let missing = rig.refused(&bare_write(path), 428, "token_required");
            assert_eq!(missing.json()["resource"], "job:1", "{path}");
            rig.refused(&write(path, "1.1", "worker-a"), 412, "stale");
            let status = rig.send(&right).status;
            assert!([200, 201].contains(&status), "{path}: {status}");
        } else {
            rig.refused(&bare_write(path), 400, "ambiguous");
            rig.refused(&right, 400, "ambiguous");
        }
    }
    let cases = [
        ("/jobs/<script>/x", 428, "token_required"),
        ("/jobs/%3Cscript%3E/x", 428, "token_required"),
        ("/jobs/%0D%0ASet-Cookie:a=b/x", 400, "ambiguous"),
    ];
    for (path, status, reason) in cases {
        let answer = rig.refused(&bare_write(path), status, reason);
        assert!(!answer.body_text().contains("<script") && answer.text("set-cookie").is_none());
    }
    let answer = rig.send(&bare_write("/jobs/a b/x"));
    assert_eq!(
        (answer.status, answer.reason().as_str()),
        (400, ""),
        "Envoy's own answer"
    );
}

#[test]
fn a_token_that_is_not_among_the_headers_counts_as_missing() {
    let rig = started();
    let grant = rig.grant("job:1", "worker-a", 60_000);
    let head = format!(
        "PUT {PATH} HTTP/1.1\r\nHost: store.example\r\nTransfer-Encoding: chunked\r\nTrailer: Fencing-Token\r\n\r\n"
    );
    let body = format!(
        "1\r\nx\r\n0\r\nFencing-Token: {}\r\nFencing-Holder: worker-a\r\n\r\n",
        grant.token
    );
    let mut connection = Connection::open(rig.address).expect("a connection");
    connection.send((head + &body).as_bytes()).expect("sent");
    assert_eq!(connection.receive("PUT").expect("an answer").status, 428);
    let hidden = write(PATH, &grant.token, "worker-a").header("Connection", "fencing-token");
    rig.refused(&hidden, 428, "token_required");
    assert_eq!(rig.reached(), 0);
}
