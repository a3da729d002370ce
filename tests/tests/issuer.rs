//! The issuer's interface: leases that are granted, renewed, released, claimed, broken and listed,
//! and every error that it answers with. None of its calls reaches the store.

use std::time::{Duration, Instant};

use fencegate_tests::config::{Config, FENCED};
use fencegate_tests::envoy::Envoy;
use fencegate_tests::http::{Answer, Request};
use fencegate_tests::issuer::{Grant, Issuer, retry_after};
use fencegate_tests::rig::{Rig, check_problem};
use serde_json::{Value, json};

fn started() -> Rig {
    Rig::start(Config::example("fencegate").expect("the example")).expect("a fenced store")
}

fn refused(answer: &Answer, status: u16, reason: &str) {
    let told = format!("{} {}", answer.status, answer.body_text());
    assert_eq!(
        (answer.status, answer.reason().as_str()),
        (status, reason),
        "{told}"
    );
    check_problem(answer, &told);
}

fn call(rig: &Rig, verb: &str, body: &Value) -> Answer {
    rig.issuer.call(verb, body).expect("an answer")
}

#[test]
fn a_lease_is_granted_to_one_holder_at_a_time_with_rising_tokens() {
    let rig = started();
    let answer = rig
        .issuer
        .acquire("job:1", "worker-a", 1500)
        .expect("an answer");
    assert_eq!(
        (answer.status, answer.text("cache-control").as_deref()),
        (201, Some("no-store"))
    );
    let body = answer.json();
    assert_eq!(
        (&body["resource"], &body["holder"], &body["waited_ms"]),
        (&"job:1".into(), &"worker-a".into(), &0.into())
    );
    let first = Grant::from_answer(&answer).expect("a grant");
    assert!((1..=1500).contains(&first.ttl_ms));
    let granted = Instant::now();

    let held = rig
        .issuer
        .acquire("job:1", "worker-b", 1500)
        .expect("an answer");
    refused(&held, 409, "held");
    assert!(
        held.text("retry-after").is_some()
            && (1..=1500).contains(&(retry_after(&held).as_millis() as u64))
    );
    refused(
        &rig.issuer
            .acquire("job:1", "worker-a", 1500)
            .expect("an answer"),
        409,
        "held",
    );

    let second = rig.grant("job:1", "worker-b", 1500);
    assert!(
        granted.elapsed() >= Duration::from_millis(1400),
        "a ttl is a lower bound"
    );
    assert!(
        granted.elapsed() < Duration::from_millis(3500),
        "someone can acquire"
    );
    let number = |grant: &Grant| {
        grant
            .token
            .split_once('.')
            .and_then(|(_, number)| number.parse::<u64>().ok())
    };
    assert!(number(&first) < number(&second));
    assert_eq!(rig.reached(), 0, "no call of the issuer reaches the store");
}

#[test]
fn a_request_id_finds_its_grant_again_and_never_a_new_one() {
    let rig = started();
    let ask = |id: &str| json!({ "resource": "job:1", "holder": "worker-a", "ttl_ms": 5000, "request_id": id });
    let first = Grant::from_answer(&call(&rig, "acquire", &ask("r1"))).expect("a grant");
    std::thread::sleep(Duration::from_millis(300));
    let again = Grant::from_answer(&call(&rig, "acquire", &ask("r1"))).expect("the same grant");
    assert_eq!(again.token, first.token);
    assert!(
        again.ttl_ms <= first.ttl_ms - 200,
        "what is left counts from the grant: {} {}",
        first.ttl_ms,
        again.ttl_ms
    );
    refused(&call(&rig, "acquire", &ask("r2")), 409, "held");
    assert_eq!(
        rig.issuer.release(&first, true).expect("an answer").status,
        200
    );
    refused(&call(&rig, "acquire", &ask("r1")), 410, "grant_ended");
    assert_ne!(
        Grant::from_answer(&call(&rig, "acquire", &ask("r2")))
            .expect("a grant")
            .token,
        first.token
    );
}

#[test]
fn an_expected_mark_that_moved_is_refused() {
    let rig = started();
    let ask =
        |mark: &str| json!({ "resource": "job:1", "holder": "worker-a", "expect_mark": mark });
    refused(&call(&rig, "acquire", &ask("1.1")), 409, "mark_unknown");
    let first = rig.grant("job:1", "worker-a", 1000);
    rig.issuer.release(&first, true).expect("an answer");
    let second = rig.grant("job:1", "worker-b", 1000);
    rig.issuer.release(&second, true).expect("an answer");
    refused(
        &call(&rig, "acquire", &ask(&first.token)),
        409,
        "mark_moved",
    );
    assert_eq!(call(&rig, "acquire", &ask(&second.token)).status, 201);
}

#[test]
fn a_renewal_never_shortens_and_a_lost_lease_is_not_renewed() {
    let rig = started();
    let grant = rig.grant("job:1", "worker-a", 4000);
    let renewed = rig.issuer.renew(&grant, 1000).expect("an answer");
    assert_eq!(
        (renewed.status, renewed.json()["token"].as_str()),
        (200, Some(grant.token.as_str()))
    );
    assert!(
        renewed.json()["ttl_ms"]
            .as_u64()
            .is_some_and(|left| left > 3000),
        "{}",
        renewed.body_text()
    );
    let renewed = rig.issuer.renew(&grant, 10_000).expect("an answer");
    assert!(
        renewed.json()["ttl_ms"]
            .as_u64()
            .is_some_and(|left| left > 9000),
        "{}",
        renewed.body_text()
    );
    rig.issuer.release(&grant, true).expect("an answer");
    assert_eq!(
        rig.issuer.renew(&grant, 1000).expect("an answer").status,
        410
    );

    let short = rig.grant("job:2", "worker-a", 1000);
    std::thread::sleep(Duration::from_millis(1100));
    refused(
        &rig.issuer.renew(&short, 1000).expect("an answer"),
        410,
        "lease_ended",
    );
    let next = rig.grant("job:2", "worker-b", 5000);
    refused(
        &rig.issuer.renew(&short, 1000).expect("an answer"),
        410,
        "stale",
    );
    let stranger = Grant {
        holder: "worker-a".to_owned(),
        ..next
    };
    let answer = rig.issuer.renew(&stranger, 1000).expect("an answer");
    assert!(
        [409, 410].contains(&answer.status),
        "{}",
        answer.body_text()
    );
    let unknown = Grant {
        resource: "job:3".to_owned(),
        ..short
    };
    refused(
        &rig.issuer.renew(&unknown, 1000).expect("an answer"),
        410,
        "no_grant",
    );
}

#[test]
fn a_release_can_be_repeated_and_touches_no_newer_grant() {
    let rig = started();
    let first = rig.grant("job:1", "worker-a", 60_000);
    assert_eq!(
        rig.issuer.release(&first, true).expect("an answer").status,
        200
    );
    assert_eq!(
        rig.issuer.release(&first, true).expect("an answer").status,
        200,
        "idempotent"
    );
    let second = Grant::from_answer(
        &rig.issuer
            .acquire("job:1", "worker-b", 60_000)
            .expect("an answer"),
    );
    let second = second.expect("after a clean release nobody waits");
    assert_eq!(
        rig.issuer.release(&first, true).expect("an answer").status,
        410
    );
    assert_eq!(
        rig.write("/jobs/1/x", &second).status,
        201,
        "the newer grant lives"
    );
}

#[test]
fn a_claim_confirms_the_grant_and_nothing_else() {
    let rig = started();
    let grant = rig.grant("job:1", "worker-a", 60_000);
    let claim =
        |holder: &str, token: &str| rig.issuer.claim("job:1", holder, token).expect("an answer");
    assert_eq!(
        claim("worker-a", &grant.token).json()["mark"],
        grant.token.as_str()
    );
    refused(&claim("worker-b", &grant.token), 409, "held_by_another");
    refused(&claim("worker-a", "1.1"), 412, "stale");
    refused(&claim("worker-a", "4294967295.1"), 403, "never_issued");
    refused(
        &rig.issuer
            .claim("job:2", "worker-a", &grant.token)
            .expect("an answer"),
        412,
        "no_grant",
    );
}

#[test]
fn breaking_a_lease_is_for_operators_and_makes_the_token_stale() {
    let rig = started();
    rig.grant("job:1", "worker-a", 60_000);
    refused(
        &rig.issuer.break_lease("job:1").expect("an answer"),
        403,
        "forbidden",
    );
    drop(rig);

    let config = Config::example("fencegate").expect("the example");
    let config = config
        .with_policy(|policy| policy["issuer"]["fencegate"]["break_access"] = json!("anyone"));
    let rig = Rig::start(config).expect("a fenced store");
    let grant = rig.grant("job:1", "worker-a", 60_000);
    let broken = rig.issuer.break_lease("job:1").expect("an answer");
    assert_eq!(broken.status, 200, "{}", broken.body_text());
    assert!(broken.json()["mark"].is_string());
    rig.refused(
        &fencegate_tests::rig::write("/jobs/1/x", &grant.token, "worker-a"),
        412,
        "stale",
    );
    assert!(rig.envoy.log().contains("job:1"), "it is in the log");
    let next = rig.grant("job:1", "worker-b", 60_000);
    assert_eq!(rig.write("/jobs/1/x", &next).status, 201);
}

#[test]
fn leases_can_be_looked_at_and_paged() {
    let rig = started();
    assert_eq!(
        rig.issuer.leases("job:1", "").expect("an answer").status,
        404
    );
    let grant = rig.grant("job:1", "worker-a", 30_000);
    let one = rig.issuer.leases("job:1", "").expect("an answer");
    let body = one.json();
    assert_eq!(
        (one.status, body["state"].as_str()),
        (200, Some("held")),
        "{body}"
    );
    assert_eq!(
        (body["mark"].as_str(), body["holder"].as_str()),
        (Some(grant.token.as_str()), Some("worker-a"))
    );
    assert!(body["left_ms"].as_u64().is_some_and(|left| left > 20_000));
    for job in 2..=7 {
        rig.grant(&format!("job:{job}"), "worker-a", 30_000);
    }
    let mut found = Vec::new();
    let mut query = "limit=3".to_owned();
    for _ in 0..1000 {
        let page = rig.issuer.leases("", &query).expect("an answer").json();
        let leases = page["leases"].as_array().expect("a list").clone();
        assert!(leases.len() <= 3);
        found.extend(
            leases
                .iter()
                .map(|lease| lease["resource"].as_str().unwrap_or_default().to_owned()),
        );
        let Some(next) = page["next"]
            .as_str()
            .map(str::to_owned)
            .or(page["next"].as_u64().map(|n| n.to_string()))
        else {
            break;
        };
        query = format!("limit=3&after={next}");
    }
    found.sort();
    assert_eq!(
        found,
        (1..=7).map(|job| format!("job:{job}")).collect::<Vec<_>>(),
        "each once"
    );
}

#[test]
fn what_is_not_understood_is_refused_and_never_forwarded() {
    let rig = started();
    let post = |verb: &str, body: &[u8]| rig.issuer.post(verb, body).expect("an answer");
    let good = json!({ "resource": "job:1", "holder": "worker-a" });
    let with = |field: &str, value: Value| {
        let mut body = good.clone();
        body[field] = value;
        body
    };
    for body in [
        b"".as_slice(),
        b"{",
        b"[]",
        b"\xC0",
        b"{\"resource\":\"job:1\"}",
        b"null",
        b"{\"holder\":\"a\"}",
    ] {
        refused(&post("acquire", body), 400, "malformed");
    }
    let malformed = [
        with("holder", json!("<script>")),
        with("holder", json!("a\r\nSet-Cookie: b")),
        with("holder", json!("")),
        with("holder", json!("a".repeat(129))),
        with("resource", json!("job:1 ")),
        with("resource", json!("a".repeat(257))),
        with("ttl_ms", json!(-1)),
        with("ttl_ms", json!("1000")),
        with("request_id", json!("a b")),
        with("request_id", json!("a".repeat(65))),
        with("expect_mark", json!("01")),
        with("unknown_field", json!(1)),
    ];
    for body in malformed {
        let answer = call(&rig, "acquire", &body);
        refused(&answer, 400, "malformed");
        assert!(!answer.body_text().contains("<script>") && answer.text("set-cookie").is_none());
    }
    let large = with("holder", json!("a".repeat(20_000))).to_string();
    assert_eq!(post("acquire", large.as_bytes()).status, 413);
    refused(
        &call(&rig, "acquire", &with("resource", json!("disk:1"))),
        404,
        "unknown_resource",
    );
    assert!((400..500).contains(&call(&rig, "steal", &good).status));
    let odd = [
        rig.issuer.request("GET", "acquire"),
        rig.issuer.request("DELETE", "leases/job:1"),
        rig.issuer.request("PUT", "ready"),
    ];
    for request in odd {
        let status = rig.send(&request).status;
        assert!((400..500).contains(&status), "{status}");
    }
    for path in [
        "/fence/v1/../v1/acquire",
        "/fence//v1/acquire",
        "/fence/v1/acquire/",
        "/fence%2Fv1/acquire",
    ] {
        let request = Request::new("POST", path)
            .header("Host", "store.example")
            .body(good.to_string());
        assert!((400..500).contains(&rig.send(&request).status), "{path}");
    }
    assert_eq!(rig.reached(), 0, "the store saw none of these");
}

#[test]
fn a_new_issuer_says_when_it_is_ready() {
    let rig = started();
    let ready = rig.issuer.ready().expect("an answer");
    assert_eq!((ready.status, &ready.json()["ready"]), (200, &true.into()));
    assert_eq!(ready.json()["generation"], 1);
    assert_eq!(ready.text("cache-control").as_deref(), Some("no-store"));
}

#[test]
fn a_new_issuer_grants_nothing_until_its_quarantine_is_over() {
    let config = Config::example("fencegate")
        .expect("the example")
        .with_policy(|policy| policy["issuer"]["fencegate"]["lock_delay_ms"] = json!(3000));
    let envoy = Envoy::start(&config).expect("an Envoy");
    let started = Instant::now();
    let address = envoy.address(FENCED).expect("a listener");
    let issuer = Issuer::at(address);
    for answer in [issuer.acquire("job:1", "worker-a", 1000), issuer.ready()] {
        let answer = answer.expect("an answer");
        refused(&answer, 503, "starting");
        assert!(answer.text("retry-after").is_some());
        assert!(retry_after(&answer) <= Duration::from_millis(4500));
    }
    let write = fencegate_tests::rig::write("/jobs/1/x", "1.1", "worker-a");
    let answer = write.send_to(address).expect("an answer");
    assert!(
        [412, 503].contains(&answer.status),
        "{}",
        answer.body_text()
    );
    issuer
        .acquire_patiently("job:1", "worker-a", 1000)
        .expect("a grant");
    let waited = started.elapsed();
    assert!(
        waited >= Duration::from_millis(2500) && waited < Duration::from_millis(6000),
        "{waited:?}"
    );
}
