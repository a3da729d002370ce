//! The HTTP contract at the store's door, with our own tokens: each status with its body and its
//! headers, and for each refusal the store's own word that nothing of it arrived.

use std::time::Duration;

use fencegate_tests::config::Config;
use fencegate_tests::http::{Connection, Request};
use fencegate_tests::issuer::Grant;
use fencegate_tests::rig::{Rig, bare_write, write};

const PATH: &str = "/jobs/1/report.pdf";

fn started() -> Rig {
    Rig::start(Config::example("fencegate").expect("the example")).expect("a fenced store")
}

/// The token whose number is `by` away from the grant's.
fn beside(grant: &Grant, by: i64) -> String {
    let (epoch, number) = grant.token.split_once('.').expect("an epoch and a number");
    let number: u64 = number.parse().expect("a number");
    format!(
        "{epoch}.{}",
        number.checked_add_signed(by).expect("in range")
    )
}

/// Two grants of one resource after each other: the first one is stale.
fn old_and_new(rig: &Rig, resource: &str) -> (Grant, Grant) {
    let old = rig.grant(resource, "worker-a", 1000);
    assert_eq!(
        rig.issuer.release(&old, true).expect("an answer").status,
        200
    );
    (old, rig.grant(resource, "worker-b", 60_000))
}

#[test]
fn an_admitted_write_arrives_unchanged_and_its_answer_says_the_mark() {
    let rig = started();
    let grant = rig.grant("job:1", "worker-a", 60_000);
    let answer = rig.send(&write(PATH, &grant.token, "worker-a").header("x-meta-job", "1"));
    assert_eq!(
        (answer.status, answer.text("fencing-token-mark")),
        (201, Some(grant.token.clone()))
    );
    let journal = rig.origin.journal();
    let entry = journal.at_path(PATH).next().expect("it arrived");
    assert_eq!(
        entry.values("fencing-token").collect::<Vec<_>>(),
        [grant.token.as_str()]
    );
    assert_eq!(
        entry.values("fencing-holder").collect::<Vec<_>>(),
        ["worker-a"]
    );
    assert_eq!((entry.body_bytes, entry.body_complete), (14, true));
    assert_eq!(
        rig.origin.object(PATH).expect("stored").token,
        Some(grant.token.clone())
    );

    let delete = Request::new("DELETE", PATH).header("Host", "store.example");
    rig.refused(&delete, 428, "token_required");
    let delete = delete
        .header("X-Fencing-Token", &grant.token)
        .header("Fencing-Holder", "worker-a");
    assert_eq!(rig.send(&delete).status, 204, "the alias is as good");
    assert_eq!(
        rig.write(PATH, &grant).status,
        201,
        "the mark outlives the object"
    );
}

#[test]
fn a_write_without_a_token_is_refused_whatever_its_method() {
    let rig = started();
    for method in [
        "PUT",
        "POST",
        "PATCH",
        "DELETE",
        "MKCOL",
        "PROPPATCH",
        "LOCK",
    ] {
        let request = Request::new(method, PATH)
            .header("Host", "store.example")
            .body("x");
        let answer = rig.refused(&request, 428, "token_required");
        assert_eq!(answer.json()["resource"], "job:1");
        assert_eq!(answer.json()["outcome"], "not_applied");
    }
    for method in [
        "X-HTTP-Method-Override",
        "X-HTTP-Method",
        "X-Method-Override",
    ] {
        let request = Request::new("GET", PATH)
            .header("Host", "store.example")
            .header(method, "PUT");
        rig.refused(&request, 428, "token_required");
    }
    for method in ["GET", "HEAD", "OPTIONS"] {
        let status = rig
            .send(&Request::new(method, PATH).header("Host", "store.example"))
            .status;
        assert!(
            [404, 405].contains(&status),
            "a read passes to the store: {status}"
        );
    }
    assert_eq!(rig.reached(), 3, "the three reads");
}

#[test]
fn a_stale_token_is_refused_for_good() {
    let rig = started();
    let (old, new) = old_and_new(&rig, "job:1");
    let answer = rig.refused(&write(PATH, &old.token, &old.holder), 412, "stale");
    let problem = answer.json();
    assert_eq!(
        (&problem["presented"], &problem["current"]),
        (&old.token.as_str().into(), &new.token.as_str().into())
    );
    assert_eq!(
        (&problem["resource"], &problem["retryable"]),
        (&"job:1".into(), &false.into())
    );
    assert_eq!(problem["outcome"], "not_applied");
    assert_eq!(answer.text("fencing-token-mark"), Some(new.token.clone()));
    assert_eq!(rig.write(PATH, &new).status, 201);
    rig.refused(&write(PATH, &old.token, &old.holder), 412, "stale");
    rig.refused(&write(PATH, &old.token, &new.holder), 412, "stale");
    assert_eq!(rig.origin.journal().with_token(&old.token).count(), 0);
}

#[test]
fn a_token_of_another_resource_is_useless_here() {
    let rig = started();
    let one = rig.grant("job:1", "worker-a", 60_000);
    rig.refused(&write("/jobs/2/x", &one.token, "worker-a"), 412, "no_grant");
    let two = rig.grant("job:2", "worker-a", 60_000);
    rig.refused(&write("/jobs/2/x", &one.token, "worker-a"), 412, "stale");
    rig.refused(&write(PATH, &two.token, "worker-a"), 403, "never_issued");
    rig.refused(
        &write(PATH, &beside(&one, 1), "worker-a"),
        403,
        "never_issued",
    );
    rig.refused(
        &write(PATH, "4294967295.18446744073709551615", "worker-a"),
        403,
        "never_issued",
    );
    assert_eq!(
        rig.write(PATH, &one).status,
        201,
        "a poisoned token poisons nothing"
    );
}

#[test]
fn an_equal_token_is_admitted_for_its_holder_only() {
    let rig = started();
    let grant = rig.grant("job:1", "worker-a", 60_000);
    rig.refused(
        &write(PATH, &grant.token, "worker-b"),
        409,
        "held_by_another",
    );
    rig.refused(
        &write(PATH, &grant.token, "Worker-A"),
        409,
        "held_by_another",
    );
    rig.refused(
        &bare_write(PATH).header("Fencing-Token", &grant.token),
        409,
        "held_by_another",
    );
    assert_eq!(rig.write(PATH, &grant).status, 201);
}

#[test]
fn a_released_token_is_refused() {
    let rig = started();
    let grant = rig.grant("job:1", "worker-a", 60_000);
    assert_eq!(rig.write(PATH, &grant).status, 201);
    assert_eq!(
        rig.issuer.release(&grant, true).expect("an answer").status,
        200
    );
    rig.refused(&write(PATH, &grant.token, "worker-a"), 412, "released");
}

#[test]
fn early_data_and_upgrades_are_refused() {
    let websocket = serde_json::json!([{ "upgrade_type": "websocket" }]);
    let config = Config::example("fencegate").expect("the example");
    let config =
        config.with_connection_manager(|manager| manager["upgrade_configs"] = websocket.clone());
    let rig = Rig::start(config).expect("a fenced store");
    let grant = rig.grant("job:1", "worker-a", 60_000);
    let early = write(PATH, &grant.token, "worker-a").header("Early-Data", "1");
    rig.refused(&early, 425, "too_early");
    let read = Request::new("GET", PATH)
        .header("Host", "store.example")
        .header("Early-Data", "1");
    assert_eq!(rig.send(&read).status, 404, "a read may come early");
    let upgrade = Request::new("GET", PATH)
        .header("Host", "store.example")
        .header("Connection", "Upgrade")
        .header("Upgrade", "websocket")
        .header("Fencing-Token", &grant.token)
        .header("Fencing-Holder", "worker-a");
    rig.refused(&upgrade, 400, "cannot_be_fenced");
}

#[test]
fn a_write_that_names_a_second_resource_is_refused() {
    let rig = started();
    let grant = rig.grant("job:1", "worker-a", 60_000);
    let with = |method: &str, path: &str| {
        Request::new(method, path)
            .header("Host", "store.example")
            .header("Fencing-Token", &grant.token)
            .header("Fencing-Holder", "worker-a")
    };
    for method in ["COPY", "MOVE"] {
        for to in [
            "/jobs/2/report.pdf",
            "http://store.example/jobs/2/report.pdf",
        ] {
            let request = with(method, PATH).header("Destination", to);
            rig.refused(&request, 400, "cannot_be_fenced");
        }
        let unclear = with(method, PATH).header("Destination", "/jobs/1/../2/report.pdf");
        rig.refused(&unclear, 400, "ambiguous");
        let bare = Request::new(method, "/elsewhere")
            .header("Host", "store.example")
            .header("Destination", PATH);
        rig.refused(&bare, 428, "token_required");
    }
    let keys = "<Delete><Object><Key>jobs/2/x</Key></Object></Delete>";
    for target in ["/jobs/1/?delete", "/?delete", "/jobs/1/x?delete=&x=1"] {
        rig.refused(&with("POST", target).body(keys), 400, "cannot_be_fenced");
    }
    let rename = with("PUT", PATH).header("x-amz-rename-source", "/jobs/2/report.pdf");
    rig.refused(&rename, 400, "cannot_be_fenced");
    assert_eq!(rig.reached(), 0);
}

#[test]
fn grpc_callers_get_the_matching_grpc_status() {
    let rig = started();
    let (old, new) = old_and_new(&rig, "job:1");
    let call = |token: Option<&str>, holder: &str| {
        let request = Request::new("POST", "/jobs/1/Write").header("Host", "store.example");
        let request = request
            .header("Content-Type", "application/grpc")
            .header("TE", "trailers");
        let request = request
            .header("Fencing-Holder", holder)
            .body([0, 0, 0, 0, 0]);
        token.into_iter().fold(request, |request, token| {
            request.header("Fencing-Token", token)
        })
    };
    let cases = [
        (call(Some(&old.token), "worker-a"), "9"),
        (call(None, "worker-a"), "9"),
        (call(Some(&new.token), "worker-a"), "9"),
        (call(Some("nonsense"), "worker-a"), "3"),
        (call(Some(&beside(&new, 1)), "worker-b"), "7"),
        (
            call(Some(&new.token), "worker-b").header("Early-Data", "1"),
            "14",
        ),
    ];
    for (request, expected) in cases {
        let answer = rig.send(&request);
        let told = String::from_utf8_lossy(&request.bytes()).into_owned();
        assert_eq!(
            (answer.status, answer.text("grpc-status").as_deref()),
            (200, Some(expected)),
            "{told}"
        );
        assert!(
            answer
                .text("grpc-message")
                .is_some_and(|message| !message.is_empty()),
            "{told}"
        );
    }
    assert_eq!(rig.reached(), 0);
    assert_eq!(
        rig.send(&call(Some(&new.token), "worker-b")).status,
        405,
        "this one reached the store"
    );
}

#[test]
fn a_refusal_comes_before_the_body_and_nothing_of_the_body_arrives() {
    let rig = started();
    let (old, _) = old_and_new(&rig, "job:1");
    let head = format!(
        "PUT {PATH} HTTP/1.1\r\nHost: store.example\r\nFencing-Token: {}\r\nFencing-Holder: worker-a\r\n",
        old.token
    );
    let mut connection = Connection::open(rig.address).expect("a connection");
    connection
        .send(format!("{head}Content-Length: 1000000\r\n\r\nthe beginning").as_bytes())
        .expect("sent");
    assert_eq!(connection.receive("PUT").expect("an answer").status, 412);
    let mut connection = Connection::open(rig.address).expect("a connection");
    connection
        .send(format!("{head}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n").as_bytes())
        .expect("sent");
    assert_eq!(
        connection.receive("PUT").expect("an answer").status,
        412,
        "one decision, one answer"
    );
    let large = write(PATH, &old.token, "worker-a").body(vec![b'x'; 200_000]);
    // The rest of a large body may meet a closed connection; the answer was there before.
    if let Ok(answer) = large.send_to(rig.address) {
        assert_eq!(answer.status, 412);
    }
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(rig.reached(), 0);
}

#[test]
fn every_decision_is_counted_and_logged_once() {
    let rig = started();
    let (old, new) = old_and_new(&rig, "job:1");
    rig.write(PATH, &new);
    rig.write(PATH, &old);
    rig.send(&bare_write(PATH));
    rig.send(&Request::new("GET", PATH).header("Host", "store.example"));
    let counter = |name: &str| {
        rig.envoy
            .counter(&format!("wasmcustom.fencegate_{name}"))
            .expect("stats")
    };
    assert_eq!(
        counter("admitted_total"),
        1,
        "a refusal never counts as admitted"
    );
    assert_eq!(
        (
            counter("rejected_stale_total"),
            counter("rejected_token_required_total")
        ),
        (1, 1)
    );
    assert_eq!(
        (counter("granted_total"), counter("released_total")),
        (2, 1)
    );

    std::thread::sleep(Duration::from_millis(300));
    let lines = rig.envoy.access_log();
    let decisions: Vec<(String, String)> = lines
        .iter()
        .filter(|line| line["path"] == PATH)
        .map(|line| {
            let fence = &line["fence"];
            let fence = fence.as_str().map_or(fence.clone(), |text| {
                serde_json::from_str(text).expect("JSON")
            });
            let text = |field: &str| fence[field].as_str().unwrap_or_default().to_owned();
            (text("decision"), text("reason"))
        })
        .collect();
    let decisions: Vec<(&str, &str)> = decisions
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    let expected = [
        ("admitted", ""),
        ("rejected", "stale"),
        ("rejected", "token_required"),
        // A read that passes is not judged.
        ("", ""),
    ];
    assert_eq!(decisions, expected);
}
