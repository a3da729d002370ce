//! Requests that nobody sends by mistake: malformed, doubled, hidden and misspelt. None of them is
//! taken for one without a token, none goes around the fence, none breaks the filter.

use fencegate_tests::config::Config;
use fencegate_tests::http::Connection;
use fencegate_tests::rig::{Rig, bare_write, check_problem, write};

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
        let answer = rig.send(&write(PATH, &grant.token, holder));
        assert_eq!(answer.status, 400, "{holder:?}: {}", answer.body_text());
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
        let before = rig.reached();
        let answer = rig.send(&request);
        let told = format!(
            "{}: {}",
            String::from_utf8_lossy(&request.bytes()),
            answer.body_text()
        );
        assert_eq!(answer.status, 400, "{told}");
        assert!(
            ["ambiguous", "malformed"].contains(&answer.reason().as_str()),
            "{told}"
        );
        check_problem(&answer, &told);
        assert_eq!(rig.reached(), before, "{told}");
    }
    assert_eq!(rig.send(&good()).status, 201);
}

#[test]
fn bytes_that_are_no_text_break_nothing() {
    let rig = started();
    let grant = rig.grant("job:1", "worker-a", 60_000);
    let bad = |name: &str| bare_write(PATH).header(name, b"\xC0\xFF".as_slice());
    assert_eq!(rig.send(&bad("Fencing-Token")).status, 400);
    assert_eq!(
        rig.send(&bad("Fencing-Token").header("Fencing-Token", &grant.token))
            .status,
        400
    );
    assert_eq!(
        rig.send(&bad("Fencing-Holder").header("Fencing-Token", &grant.token))
            .status,
        400
    );
    assert_eq!(rig.reached(), 0);
    let unrelated =
        write(PATH, &grant.token, "worker-a").header("x-unrelated", b"\xC0\x80".as_slice());
    assert!(
        [201, 400].contains(&rig.send(&unrelated).status),
        "4xx or the normal answer"
    );
    let name = write(PATH, &grant.token, "worker-a").header(b"x-\xC0".as_slice(), "1");
    assert!(
        [200, 201, 400].contains(&rig.send(&name).status),
        "4xx or the normal answer"
    );
    let mut path = bare_write("/jobs/1/").bytes();
    path.splice(12..12, *b"\xC0\xFF");
    let mut connection = Connection::open(rig.address).expect("a connection");
    connection.send(&path).expect("sent");
    let status = connection.receive("PUT").expect("an answer").status;
    assert!([400, 428].contains(&status), "{status}");
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

/// Spellings of a path below `/jobs/1/` or near it: the same key as the plain one, or 400.
const SPELLINGS: [&str; 34] = [
    "/jobs/1/x",
    "//jobs/1/x",
    "/jobs//1/x",
    "/jobs/1//x",
    "/./jobs/1/x",
    "/jobs/./1/x",
    "/jobs/1/./x",
    "/jobs/2/../1/x",
    "/a/../jobs/1/x",
    "/jobs/1/../1/x",
    "/%6Aobs/1/x",
    "/%6aobs/1/x",
    "/jobs/%31/x",
    "/jobs%2F1/x",
    "/jobs/1%2Fx",
    "/jobs/1%2fx",
    "/jobs%5C1%5Cx",
    "/jobs\\1\\x",
    "/jobs/1\\x",
    "/jobs/1;v=1/x",
    "/jobs;a/1/x",
    "/jobs/%2531/x",
    "/jobs/1%252Fx",
    "/%2e/jobs/1/x",
    "/a/%2e%2e/jobs/1/x",
    "/jobs/2/%2E%2E/1/x",
    "/jobs/1/x?y=1",
    "/jobs/1/x?",
    "/jobs/1/x%00",
    "/jobs/1%00/x",
    "/jobs/1/%",
    "/jobs/1/%zz",
    "http://store.example/jobs/1/x",
    "/jobs/1/x/",
];

#[test]
fn no_spelling_of_a_path_goes_around_the_fence() {
    let rig = started();
    let grant = rig.grant("job:1", "worker-a", 60_000);
    for path in SPELLINGS {
        let before = rig.reached();
        let answer = rig.send(&bare_write(path));
        assert!(
            [400, 428].contains(&answer.status),
            "{path} without token: {}",
            answer.status
        );
        let answer = rig.send(&write(path, "1.1", "worker-a"));
        assert!(
            [400, 412].contains(&answer.status),
            "{path} with an old token: {}",
            answer.status
        );
        assert_eq!(rig.reached(), before, "{path} reached the store");
        let answer = rig.send(&write(path, &grant.token, "worker-a"));
        assert!(
            [200, 201, 400].contains(&answer.status),
            "{path} with the token: {}",
            answer.status
        );
    }
    for path in [
        "/jobs/<script>/x",
        "/jobs/%3Cscript%3E/x",
        "/jobs/%0D%0ASet-Cookie:a=b/x",
        "/jobs/a b/x",
    ] {
        let answer = rig.send(&bare_write(path));
        assert!(
            [400, 428].contains(&answer.status),
            "{path}: {}",
            answer.status
        );
        assert!(!answer.body_text().contains("<script") && answer.text("set-cookie").is_none());
    }
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
