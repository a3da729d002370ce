//! What the marks and leases outlive: new configurations, rejected ones, a filter that is taken away
//! and given back. And what they do not: a restart of Envoy, after which every older token is refused.

use fencegate_tests::config::{Config, FENCED};
use fencegate_tests::envoy::{Envoy, Options, Pushed};
use fencegate_tests::http::Answer;
use fencegate_tests::issuer::{Grant, Issuer};
use fencegate_tests::rig::{Rig, bare_write, write};
use serde_json::{Value, json};

const PATH: &str = "/jobs/1/report.pdf";

fn example() -> Config {
    Config::example("fencegate").expect("the example")
}

fn dynamic(config: Config) -> Rig {
    let options = Options {
        dynamic: true,
        ..Options::default()
    };
    Rig::start_with(config, options).expect("a fenced store")
}

/// Sends a write to wherever the fenced listener is now.
fn put(envoy: &Envoy, grant: &Grant) -> Answer {
    let address = envoy.address(FENCED).expect("the listener");
    write(PATH, &grant.token, &grant.holder)
        .send_to(address)
        .expect("an answer")
}

fn push(rig: &Rig, config: &Config) -> Pushed {
    let config = config.clone().with_store(rig.origin.address());
    rig.envoy.push(&config).expect("Envoy's word")
}

/// An old and a new grant of job:1.
fn old_and_new(rig: &Rig) -> (Grant, Grant) {
    let old = rig.grant("job:1", "worker-a", 1000);
    rig.issuer.release(&old, true).expect("an answer");
    (old, rig.grant("job:1", "worker-b", 60_000))
}

#[test]
fn a_new_configuration_keeps_marks_and_leases() {
    let rig = dynamic(example());
    let (old, new) = old_and_new(&rig);
    let changed = example().with_policy(|policy| policy["disclose"] = json!(false));
    let changed =
        changed.with_connection_manager(|manager| manager["stream_idle_timeout"] = json!("29s"));
    assert_eq!(push(&rig, &changed), Pushed::Accepted);
    let answer = put(&rig.envoy, &old);
    assert_eq!(
        (answer.status, answer.reason().as_str()),
        (412, "stale"),
        "{}",
        answer.body_text()
    );
    assert_eq!(put(&rig.envoy, &new).status, 201);
    let issuer = Issuer::at(rig.envoy.address(FENCED).expect("the listener"));
    assert_eq!(
        issuer
            .acquire("job:1", "worker-c", 1000)
            .expect("an answer")
            .status,
        409,
        "still held"
    );
}

type Change = Box<dyn FnOnce(&mut Value)>;

/// Configurations that must be refused, each with a word that the sentence in Envoy's log has.
fn bad() -> Vec<(&'static str, Change)> {
    fn to(pointer: &'static str, value: Value) -> Change {
        Box::new(move |policy| {
            *policy.pointer_mut(pointer).expect("a field of the example") = value
        })
    }
    fn add(pointer: &'static str, field: &'static str, value: Value) -> Change {
        Box::new(move |policy| {
            policy
                .pointer_mut(pointer)
                .expect("an object of the example")[field] = value
        })
    }
    let twice = json!({
        "match": { "authority": ["*"], "path": "/jobs/{number}/{*rest}" }, "resource": "number:{number}",
        "token": "required", "reads": "pass", "after_expiry": "admit_until_superseded",
    });
    vec![
        ("surprise", add("", "surprise", json!(1))),
        ("generation", to("/generation", json!(0))),
        ("token", to("/rules/0/token", json!("sometimes"))),
        ("resource", to("/rules/0/resource", json!("job:{other}"))),
        ("path", to("/rules/0/match/path", json!("jobs/{job}"))),
        ("rules", to("/rules", json!([]))),
        ("etcd", to("/authority", json!({ "etcd": {} }))),
        (
            "ttl_ms",
            to(
                "/issuer/fencegate/ttl_ms",
                json!({ "min": 5000, "default": 1000, "max": 60000 }),
            ),
        ),
        ("access", to("/issuer/fencegate/access", json!("everyone"))),
        ("drain", add("/issuer/fencegate", "drain", json!({}))),
        ("seal", add("/rules/0", "seal", json!({ "profile": "s3" }))),
        (
            "headers",
            add(
                "",
                "headers",
                json!({ "token": [], "holder": ["fencing-holder"] }),
            ),
        ),
        (
            "rules[1].match",
            Box::new(move |policy| policy["rules"].as_array_mut().expect("rules").push(twice)),
        ),
    ]
}

#[test]
fn a_rejected_configuration_leaves_the_old_one_serving() {
    let rig = dynamic(example());
    let (old, new) = old_and_new(&rig);
    for (word, change) in bad() {
        let pushed = push(&rig, &example().with_policy(change));
        let Pushed::Rejected(log) = pushed else {
            panic!("{word}: accepted")
        };
        assert!(
            log.contains(word),
            "{word}: no sentence about it in:\n{log}"
        );
        assert_eq!(put(&rig.envoy, &old).status, 412, "{word}");
        assert!([200, 201].contains(&put(&rig.envoy, &new).status), "{word}");
    }
    for text in ["", "null", "{", "[]", "{}"] {
        let pushed = push(&rig, &example().with_policy_text(text));
        assert!(
            matches!(pushed, Pushed::Rejected(_)),
            "{text:?} as the filter's configuration"
        );
    }
    assert_eq!(put(&rig.envoy, &new).status, 200);
}

/// The keeper's configuration in a filter's place is a mistake that must not open the door.
#[test]
fn a_filter_with_the_keepers_configuration_lets_nothing_pass() {
    let rig = dynamic(example());
    let (_, new) = old_and_new(&rig);
    let pushed = push(&rig, &example().with_policy_text("\"keeper\""));
    let address = rig.envoy.address(FENCED).expect("the listener");
    let answer = bare_write(PATH).send_to(address).expect("an answer");
    assert!(
        answer.status >= 400,
        "a write without token: {} {pushed:?}",
        answer.status
    );
    assert_eq!(rig.origin.journal().entries.len(), 0);
    assert_eq!(push(&rig, &example()), Pushed::Accepted);
    assert_eq!(put(&rig.envoy, &new).status, 201, "the marks were kept");
}

#[test]
fn a_filter_that_is_taken_away_and_given_back_finds_its_marks_through_the_keeper() {
    let rig = dynamic(example());
    let (old, new) = old_and_new(&rig);
    assert_eq!(push(&rig, &example().without_listeners()), Pushed::Accepted);
    rig.envoy.wait_until_drained().expect("no listener is left");
    assert!(rig.envoy.address(FENCED).is_err(), "no listener serves");
    assert_eq!(push(&rig, &example()), Pushed::Accepted);
    let answer = put(&rig.envoy, &old);
    assert_eq!(
        (answer.status, answer.reason().as_str()),
        (412, "stale"),
        "{}",
        answer.body_text()
    );
    assert_eq!(put(&rig.envoy, &new).status, 201);
}

#[test]
fn after_a_restart_every_older_token_is_refused_and_new_ones_are_higher() {
    let rig = Rig::start(example()).expect("a fenced store");
    let old = rig.grant("job:1", "worker-a", 60_000);
    let elsewhere = rig.grant("job:2", "worker-a", 60_000);
    assert_eq!(rig.write(PATH, &old).status, 201);
    let Rig { envoy, origin, .. } = rig;
    envoy.stop();

    let config = example().with_store(origin.address());
    let envoy = Envoy::start(&config).expect("an Envoy");
    let answer = put(&envoy, &old);
    assert!(
        [412, 503].contains(&answer.status),
        "{}",
        answer.body_text()
    );
    let issuer = Issuer::at(envoy.address(FENCED).expect("the listener"));
    let new = issuer
        .acquire_patiently("job:1", "worker-a", 60_000)
        .expect("a restart ends all leases");
    for grant in [&old, &elsewhere] {
        let answer = put(&envoy, grant);
        let refused = [(412, "stale"), (403, "never_issued")];
        assert!(
            refused.contains(&(answer.status, answer.reason().as_str())),
            "{}",
            answer.body_text()
        );
    }
    let epoch = |grant: &Grant| {
        grant
            .token
            .split_once('.')
            .and_then(|(epoch, _)| epoch.parse::<u32>().ok())
    };
    assert!(
        epoch(&new) > epoch(&old),
        "{} then {}",
        old.token,
        new.token
    );
    assert_eq!(put(&envoy, &new).status, 200);
}

#[test]
fn a_new_generation_supersedes_the_old_filter_and_waits_before_it_grants() {
    let rig = dynamic(example());
    let (old, _) = old_and_new(&rig);
    let newer = example().with_policy(|policy| {
        policy["generation"] = json!(2);
        policy["rules"][0]["resource"] = json!("task:{job}");
    });
    assert_eq!(push(&rig, &newer), Pushed::Accepted);
    let issuer = Issuer::at(rig.envoy.address(FENCED).expect("the listener"));
    let answer = put(&rig.envoy, &old);
    assert!(
        [412, 503].contains(&answer.status),
        "old and new mapping never meet: {}",
        answer.body_text()
    );
    let grant = issuer
        .acquire_patiently("task:1", "worker-a", 60_000)
        .expect("a grant");
    assert_eq!(put(&rig.envoy, &grant).status, 201);
    let back = push(&rig, &example());
    let answer = put(&rig.envoy, &grant);
    assert!(
        matches!(back, Pushed::Rejected(_))
            || (answer.status, answer.reason().as_str()) == (503, "superseded"),
        "an older generation never serves again: {back:?} {}",
        answer.body_text()
    );
}

#[test]
fn the_same_generation_with_other_rules_is_refused() {
    let rig = dynamic(example());
    let (_, new) = old_and_new(&rig);
    assert_eq!(put(&rig.envoy, &new).status, 201);
    let other =
        example().with_policy(|policy| policy["rules"][0]["resource"] = json!("task:{job}"));
    let pushed = push(&rig, &other);
    let answer = put(&rig.envoy, &new);
    let refused = matches!(pushed, Pushed::Rejected(_)) && answer.status == 200;
    assert!(
        refused || answer.status == 503,
        "{pushed:?}: {}",
        answer.body_text()
    );
}
