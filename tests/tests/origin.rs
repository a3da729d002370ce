//! The origin of the tests is itself tested: it is atomic, durable, conditional, and a true witness.

use std::time::{Duration, Instant};

use fencegate_tests::http::{Answer, Connection, Request};
use fencegate_tests::origin::{Journal, Origin};

fn started() -> (tempfile::TempDir, Origin) {
    let folder = tempfile::tempdir().expect("a folder");
    let origin = Origin::start(folder.path()).expect("an origin");
    (folder, origin)
}

fn request(method: &str) -> Request {
    Request::new(method, "/jobs/1/report.pdf").header("Host", "store.example")
}

fn send(origin: &Origin, request: Request) -> Answer {
    request.send_to(origin.address()).expect("an answer")
}

#[test]
fn an_object_comes_back_with_its_token_and_metadata() {
    let (_folder, origin) = started();
    let put = request("PUT")
        .header("Fencing-Token", "2.43")
        .header("x-meta-job", "1")
        .body("whole");
    assert_eq!(send(&origin, put.clone()).status, 201);
    let again = send(&origin, put);
    assert_eq!(
        (again.status, again.text("etag").as_deref()),
        (200, Some("\"v2\"")),
        "equal bytes, another version"
    );
    let read = send(&origin, request("GET"));
    assert_eq!(
        (read.status, read.body.as_slice()),
        (200, b"whole".as_slice())
    );
    assert_eq!(read.text("fencing-token").as_deref(), Some("2.43"));
    assert_eq!(read.text("x-meta-job").as_deref(), Some("1"));
    assert_eq!(read.text("x-origin-version").as_deref(), Some("2"));
    let head = send(&origin, request("HEAD"));
    assert_eq!(
        (
            head.status,
            head.text("content-length").as_deref(),
            head.body.len()
        ),
        (200, Some("5"), 0)
    );
}

#[test]
fn conditional_writes_are_judged_against_the_version_that_is_there() {
    let (_folder, origin) = started();
    let put = |name: &str, value: &str| {
        send(&origin, request("PUT").header(name, value).body("x")).status
    };
    assert_eq!(put("If-Match", "*"), 412, "nothing is there");
    assert_eq!(put("If-None-Match", "*"), 201);
    assert_eq!(put("If-None-Match", "*"), 412);
    assert_eq!(put("If-Match", "\"v7\", \"v1\""), 200);
    assert_eq!(put("If-Match", "\"v1\""), 412);
    assert_eq!(put("If-Match", "v2"), 400, "no entity tag");
    assert_eq!(
        send(&origin, request("GET").header("If-None-Match", "\"v2\"")).status,
        304
    );
    assert_eq!(
        send(&origin, request("DELETE").header("If-Match", "\"v1\"")).status,
        412
    );
    assert_eq!(
        send(&origin, request("DELETE").header("If-Match", "\"v2\"")).status,
        204
    );
    assert_eq!(send(&origin, request("DELETE")).status, 404);
    assert_eq!(send(&origin, request("GET")).status, 404);
    assert_eq!(send(&origin, request("PATCH").body("x")).status, 405);
    let applied: Vec<_> = origin
        .journal()
        .applied_writes()
        .map(|entry| entry.version)
        .collect();
    assert_eq!(applied, [Some(1), Some(2), Some(3)]);
}

#[test]
fn a_chunked_body_is_read_and_an_unfinished_one_is_seen_but_never_applied() {
    let (_folder, origin) = started();
    let chunked = b"PUT /a HTTP/1.1\r\nHost: s\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nwho\r\n2\r\nle\r\n0\r\n\r\n";
    let mut connection = Connection::open(origin.address()).expect("a connection");
    connection.send(chunked).expect("sent");
    assert_eq!(connection.receive("PUT").expect("an answer").status, 201);
    connection
        .send(b"PUT /a HTTP/1.1\r\nHost: s\r\nContent-Length: 100\r\n\r\nhalf")
        .expect("sent");
    let start = Instant::now();
    while origin.journal().entries.len() < 2 && start.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(connection);
    std::thread::sleep(Duration::from_millis(100));
    let journal = origin.journal();
    let entry = &journal.entries[1];
    assert_eq!(
        (entry.body_bytes, entry.body_complete, entry.status),
        (4, false, None)
    );
    assert_eq!(origin.object("/a").expect("there").body, b"whole");
}

#[test]
fn objects_survive_a_restart_and_the_journal_is_readable_apart() {
    let (folder, origin) = started();
    send(
        &origin,
        request("PUT").header("Fencing-Token", "42").body("whole"),
    );
    let read = Request::new("GET", "/journal")
        .header("Host", "control")
        .send_to(origin.control_address());
    let journal: Journal =
        serde_json::from_slice(&read.expect("an answer").body).expect("a journal");
    assert_eq!(journal.with_token("42").count(), 1);
    let before = origin.object("/jobs/1/report.pdf");
    drop(origin);
    let origin = Origin::start(folder.path()).expect("the same origin");
    assert_eq!(origin.object("/jobs/1/report.pdf"), before);
    assert_eq!(
        before.and_then(|object| object.token).as_deref(),
        Some("42")
    );
}

#[test]
fn a_delayed_write_is_applied_late() {
    let (_folder, origin) = started();
    let start = Instant::now();
    assert_eq!(
        send(
            &origin,
            request("PUT").header("x-origin-delay-ms", "300").body("x")
        )
        .status,
        201
    );
    assert!(start.elapsed() >= Duration::from_millis(300));
}
