//! The ways in which a rule can be set: observe, reads that are fenced, a strict lease, what matches
//! no rule, disclosure, header names; and tokens that come from elsewhere.

use std::time::Duration;

use fencegate_tests::config::Config;
use fencegate_tests::http::Request;
use fencegate_tests::rig::{Rig, bare_write, write};
use serde_json::{Value, json};

const PATH: &str = "/jobs/1/report.pdf";

fn rig_of(example: &str, change: impl FnOnce(&mut Value)) -> Rig {
    let config = Config::example(example)
        .expect("the example")
        .with_policy(change);
    Rig::start(config).expect("a fenced store")
}

fn ours(change: impl FnOnce(&mut Value)) -> Rig {
    rig_of("fencegate", change)
}

fn external(change: impl FnOnce(&mut Value)) -> Rig {
    rig_of("external", change)
}

fn read(token: Option<(&str, &str)>) -> Request {
    let request = Request::new("GET", PATH).header("Host", "store.example");
    match token {
        Some((token, holder)) => request
            .header("Fencing-Token", token)
            .header("Fencing-Holder", holder),
        None => request,
    }
}

#[test]
fn observe_lets_pass_what_it_would_refuse_and_counts_it() {
    let rig = ours(|policy| policy["rules"][0]["token"] = json!("observe"));
    let old = rig.grant("job:1", "worker-a", 1000);
    rig.issuer.release(&old, true).expect("an answer");
    let new = rig.grant("job:1", "worker-b", 60_000);
    assert_eq!(rig.write(PATH, &old).status, 201);
    assert_eq!(rig.send(&bare_write(PATH)).status, 200);
    assert_eq!(rig.write(PATH, &new).status, 200);
    assert_eq!(rig.reached(), 3);
    let counter = |name: &str| {
        rig.envoy
            .counter(&format!("wasmcustom.fencegate_{name}"))
            .expect("stats")
    };
    assert_eq!(counter("observed_stale_total"), 1);
    assert_eq!(counter("observed_token_required_total"), 1);
    assert_eq!(
        counter("admitted_total"),
        1,
        "only what would have been admitted"
    );
}

#[test]
fn reads_can_be_fenced_too() {
    let rig = ours(|policy| policy["rules"][0]["reads"] = json!("fence"));
    let old = rig.grant("job:1", "worker-a", 1000);
    rig.issuer.release(&old, true).expect("an answer");
    let new = rig.grant("job:1", "worker-b", 60_000);
    rig.refused(&read(Some((&old.token, "worker-a"))), 412, "stale");
    rig.refused(&read(None), 428, "token_required");
    assert_eq!(rig.write(PATH, &new).status, 201);
    assert_eq!(rig.send(&read(Some((&new.token, "worker-b")))).status, 200);
}

#[test]
fn a_strict_lease_ends_with_its_time() {
    let rig = ours(|policy| policy["rules"][0]["after_expiry"] = json!("refuse"));
    let grant = rig.grant("job:1", "worker-a", 1000);
    assert_eq!(rig.write(PATH, &grant).status, 201);
    std::thread::sleep(Duration::from_millis(1100));
    rig.refused(&write(PATH, &grant.token, "worker-a"), 412, "lease_ended");
}

#[test]
fn a_lease_that_ended_is_good_until_somebody_else_has_one() {
    let rig = ours(|_| {});
    let grant = rig.grant("job:1", "worker-a", 1000);
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(rig.write(PATH, &grant).status, 201, "nobody was harmed");
    rig.grant("job:1", "worker-b", 1000);
    rig.refused(&write(PATH, &grant.token, "worker-a"), 412, "stale");
}

#[test]
fn what_matches_no_rule_passes_or_is_rejected() {
    let other = Request::new("PUT", "/other/x")
        .header("Host", "store.example")
        .body("x");
    let rig = ours(|_| {});
    assert_eq!(rig.send(&other).status, 201);
    drop(rig);
    let rig = ours(|policy| policy["unmatched"] = json!("reject"));
    rig.refused(&other, 403, "unmatched");
    let grant = rig.grant("job:1", "worker-a", 60_000);
    assert_eq!(rig.write(PATH, &grant).status, 201);
}

#[test]
fn a_rule_can_be_for_some_authorities_only() {
    let rig = ours(|policy| policy["rules"][0]["match"]["authority"] = json!(["store.example"]));
    for authority in [
        "store.example",
        "STORE.example",
        "store.example:80",
        "store.example.",
    ] {
        let request = Request::new("PUT", PATH)
            .header("Host", authority)
            .body("x");
        let answer = rig.send(&request);
        assert!(
            [400, 428].contains(&answer.status),
            "{authority}: {}",
            answer.status
        );
    }
    assert_eq!(rig.reached(), 0);
    let request = Request::new("PUT", PATH)
        .header("Host", "other.example")
        .body("x");
    assert_eq!(rig.send(&request).status, 201);
}

#[test]
fn without_disclosure_a_refusal_says_no_token_of_others() {
    let rig = ours(|policy| policy["disclose"] = json!(false));
    let old = rig.grant("job:1", "worker-a", 1000);
    rig.issuer.release(&old, true).expect("an answer");
    let new = rig.grant("job:1", "worker-b", 60_000);
    let answer = rig.refused(&write(PATH, &old.token, "worker-a"), 412, "stale");
    assert!(
        answer.text("fencing-token-mark").is_none() && !answer.body_text().contains(&new.token)
    );
}

#[test]
fn the_headers_can_have_other_names() {
    let rig =
        ours(|policy| policy["headers"] = json!({ "token": ["x-epoch"], "holder": ["x-worker"] }));
    let grant = rig.grant("job:1", "worker-a", 60_000);
    rig.refused(
        &write(PATH, &grant.token, "worker-a"),
        428,
        "token_required",
    );
    let request = bare_write(PATH)
        .header("X-Epoch", &grant.token)
        .header("X-Worker", "worker-a");
    assert_eq!(rig.send(&request).status, 201);
}

#[test]
fn external_tokens_raise_the_mark_and_never_lower_it() {
    let rig = external(|_| {});
    assert_eq!(
        rig.send(&write(PATH, "41", "worker-a")).status,
        201,
        "a cold start admits the first one"
    );
    assert_eq!(rig.send(&write(PATH, "42", "worker-a")).status, 200);
    assert_eq!(
        rig.send(&write(PATH, "42", "worker-a")).status,
        200,
        "equal, the same holder"
    );
    let answer = rig.refused(&write(PATH, "41", "worker-a"), 412, "stale");
    assert_eq!(answer.json()["current"], "42");
    rig.refused(&write(PATH, "42", "worker-b"), 409, "held_by_another");
    assert_eq!(
        rig.send(&write(PATH, "1.1", "worker-b")).status,
        200,
        "an epoch outranks every number"
    );
    rig.refused(&write(PATH, "4294967296", "worker-b"), 412, "stale");
    rig.refused(
        &bare_write(PATH).header("Fencing-Token", "1.2"),
        428,
        "holder_required",
    );
    rig.refused(
        &bare_write(PATH).header("Fencing-Holder", "worker-a"),
        428,
        "token_required",
    );
    assert_eq!(
        rig.send(&write("/jobs/2/x", "7", "worker-a")).status,
        201,
        "each resource has a mark of its own"
    );
    let delete = Request::new("DELETE", PATH).header("Host", "store.example");
    let delete = delete
        .header("Fencing-Token", "1.1")
        .header("Fencing-Holder", "worker-b");
    assert_eq!(rig.send(&delete).status, 204);
    rig.refused(&write(PATH, "42", "worker-a"), 412, "stale");
}

#[test]
fn an_external_claim_raises_the_mark_before_any_write() {
    let rig = external(|_| {});
    let claim =
        |holder: &str, token: &str| rig.issuer.claim("job:1", holder, token).expect("an answer");
    assert_eq!(rig.send(&write(PATH, "5", "worker-a")).status, 201);
    let claimed = claim("worker-b", "6");
    assert_eq!(
        (claimed.status, claimed.json()["mark"].as_str()),
        (200, Some("6"))
    );
    rig.refused(&write(PATH, "5", "worker-a"), 412, "stale");
    assert_eq!(
        (claim("worker-a", "5").status, claim("worker-c", "6").status),
        (412, 409)
    );
    assert_eq!(rig.send(&write(PATH, "6", "worker-b")).status, 200);
}

#[test]
fn an_external_jump_can_be_limited() {
    let rig = external(|policy| policy["issuer"]["external"]["jump_max"] = json!(1000));
    assert_eq!(rig.send(&write(PATH, "10", "worker-a")).status, 201);
    rig.refused(&write(PATH, "2000", "worker-a"), 403, "jump_too_far");
    assert_eq!(rig.send(&write(PATH, "1010", "worker-a")).status, 200);
}

#[test]
fn holders_can_be_left_out_where_the_configuration_gives_the_law_up() {
    let rig = external(|policy| {
        policy["issuer"]["external"]["holder"] = json!("optional_law_4_is_given_up")
    });
    let bare = |token: &str| bare_write(PATH).header("Fencing-Token", token);
    assert_eq!(rig.send(&bare("5")).status, 201);
    assert_eq!(rig.send(&bare("5")).status, 200);
    assert_eq!(rig.send(&write(PATH, "6", "worker-a")).status, 200);
    rig.refused(&bare("6"), 409, "held_by_another");
    rig.refused(&bare("5"), 412, "stale");
}

#[test]
fn when_no_more_marks_can_be_kept_new_resources_are_refused_and_old_marks_stay() {
    let rig = external(|policy| policy["authority"]["memory"]["resources"] = json!(64));
    let put =
        |job: u32, token: &str| rig.send(&write(&format!("/jobs/{job}/x"), token, "worker-a"));
    let mut admitted = Vec::new();
    let mut full = 0;
    for job in 0..3000 {
        let answer = put(job, "5");
        match answer.status {
            201 => admitted.push(job),
            503 => full += 1,
            status => panic!("{status}: {}", answer.body_text()),
        }
        assert!(
            answer.status != 503 || answer.reason() == "full",
            "{}",
            answer.body_text()
        );
    }
    println!("{} marks kept, {full} resources refused", admitted.len());
    assert!(admitted.len() >= 64 && full > 0);
    assert_eq!(rig.reached(), admitted.len());
    for job in admitted {
        assert_eq!(put(job, "4").status, 412, "job {job}: a mark was forgotten");
    }
    let counted = rig
        .envoy
        .counter("wasmcustom.fencegate_rejected_full_total")
        .expect("stats");
    assert_eq!(counted, full);
}
