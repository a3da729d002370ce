//! Tokens from elsewhere, with marks in etcd: one mark for all proxies, and no restart forgets it.

use std::sync::{Arc, Mutex, Weak};

use fencegate_tests::config::Config;
use fencegate_tests::envoy::Options;
use fencegate_tests::fleet::{OverEtcd, Together, together};
use fencegate_tests::http::{Answer, Request};
use fencegate_tests::rig::{bare_write, check_problem, write};
use serde_json::json;

static TOGETHER: Together<OverEtcd> = Mutex::new(Weak::new());
const JUMP_MAX: u64 = 1_000_000;

fn started() -> OverEtcd {
    let config = Config::example("etcd").expect("the example");
    let config = config.with_policy(|policy| {
        policy["issuer"] = json!({ "external": { "path": "/fence/v1", "access": "anyone", "jump_max": JUMP_MAX } });
    });
    OverEtcd::start(config, &Options::default()).expect("two Envoys over an etcd")
}

fn scene() -> Arc<OverEtcd> {
    together(&TOGETHER, started)
}

fn path(job: &str) -> String {
    format!("/jobs/{job}/report.pdf")
}

fn told(answer: &Answer) -> String {
    format!("{} {}", answer.status, answer.body_text())
}

fn admitted(answer: &Answer) {
    assert!(matches!(answer.status, 200 | 201), "{}", told(answer));
}

fn refused(answer: &Answer, status: u16, reason: &str) {
    let seen = (answer.status, answer.reason());
    assert_eq!(seen, (status, reason.to_owned()), "{}", told(answer));
    check_problem(answer, &told(answer));
}

#[test]
fn a_token_that_raised_the_mark_at_one_proxy_is_the_least_at_the_other() {
    let scene = scene();
    let put = |proxy, token: &str, holder: &str| {
        scene
            .fleet
            .send(proxy, &write(&path("risen"), token, holder))
    };
    admitted(&put(0, "41", "A"));
    admitted(&put(1, "42", "B"));
    for proxy in [0, 1].repeat(4) {
        let answer = put(proxy, "41", "A");
        refused(&answer, 412, "stale");
        assert_eq!(answer.json()["current"], "42");
        admitted(&put(proxy, "42", "B"));
        refused(&put(proxy, "42", "A"), 409, "held_by_another");
    }
    // An epoch outranks every number.
    admitted(&put(0, "1.1", "A"));
    for proxy in [1, 0].repeat(4) {
        refused(&put(proxy, "4294967296", "B"), 412, "stale");
    }
    let unnamed = bare_write(&path("risen")).header("Fencing-Token", "1.2");
    refused(&scene.fleet.send(1, &unnamed), 428, "holder_required");
}

#[test]
fn a_mark_that_rises_with_every_write_at_turns_is_never_behind() {
    let scene = scene();
    for token in 1..=12_u64 {
        let proxy = (token % 2) as usize;
        let put = |proxy, token: u64| {
            scene
                .fleet
                .send(proxy, &write(&path("turns"), &token.to_string(), "A"))
        };
        admitted(&put(proxy, token));
        if token > 1 {
            refused(&put(1 - proxy, token - 1), 412, "stale");
            refused(&put(proxy, token - 1), 412, "stale");
        }
    }
}

#[test]
fn a_claim_raises_the_mark_at_both_proxies_before_any_write() {
    let scene = scene();
    let claim = |proxy: usize, holder: &str, token: &str| {
        let issuer = &scene.fleet.proxies[proxy].issuer;
        issuer
            .claim("job:claimed", holder, token)
            .expect("an answer")
    };
    let put = |proxy, token: &str, holder: &str| {
        scene
            .fleet
            .send(proxy, &write(&path("claimed"), token, holder))
    };
    admitted(&put(0, "5", "A"));
    let claimed = claim(1, "B", "6");
    assert_eq!(claimed.status, 200, "{}", told(&claimed));
    assert_eq!(claimed.json()["mark"], "6", "{}", told(&claimed));
    for proxy in [0, 1].repeat(4) {
        refused(&put(proxy, "5", "A"), 412, "stale");
    }
    for proxy in [0, 1] {
        refused(&claim(proxy, "A", "5"), 412, "stale");
        refused(&claim(proxy, "C", "6"), 409, "held_by_another");
        admitted(&put(proxy, "6", "B"));
    }
}

#[test]
fn two_holders_with_one_token_at_two_proxies_at_once_are_never_both_admitted() {
    let scene = scene();
    for round in 0..8 {
        let job = format!("tie-{round}");
        let admitted: usize = std::thread::scope(|scope| {
            let writers = [(0, "A"), (1, "B")].map(|(proxy, holder)| {
                let (scene, job) = (&scene, &job);
                scope.spawn(move || scene.fleet.send(proxy, &write(&path(job), "7", holder)))
            });
            let answers = writers.map(|writer| writer.join().expect("an answer"));
            answers.iter().filter(|it| it.status < 300).count()
        });
        assert_eq!(admitted, 1, "{job}");
    }
}

#[test]
fn a_jump_is_limited_at_whichever_proxy_it_is_tried() {
    let scene = scene();
    let put = |proxy, token: u64| {
        scene
            .fleet
            .send(proxy, &write(&path("jump"), &token.to_string(), "A"))
    };
    admitted(&put(0, 10));
    for proxy in [0, 1] {
        refused(&put(proxy, 11 + JUMP_MAX), 403, "jump_too_far");
    }
    admitted(&put(1, 10 + JUMP_MAX));
    refused(&put(0, 10), 412, "stale");
}

#[test]
fn a_read_that_the_rule_passes_needs_no_token_and_raises_nothing() {
    let scene = scene();
    admitted(&scene.fleet.send(0, &write(&path("read"), "3", "A")));
    let read = Request::new("GET", path("read")).header("Host", "store.example");
    let read = read
        .header("Fencing-Token", "9")
        .header("Fencing-Holder", "B");
    for proxy in [0, 1] {
        admitted(&scene.fleet.send(proxy, &read));
        admitted(&scene.fleet.send(proxy, &write(&path("read"), "3", "A")));
    }
}

#[test]
fn marks_outlive_a_restart_of_all_proxies_and_older_tokens_stay_stale() {
    let mut scene = started();
    let put = |scene: &OverEtcd, proxy, token: &str, holder: &str| {
        scene.fleet.send(proxy, &write(&path("1"), token, holder))
    };
    admitted(&put(&scene, 0, "41", "A"));
    admitted(&put(&scene, 1, "42", "B"));
    for proxy in [0, 1] {
        scene.fleet.restart(proxy).expect("an Envoy");
    }
    scene.fleet.wait_until_ready().expect("ready");
    for proxy in [0, 1].repeat(4) {
        refused(&put(&scene, proxy, "41", "A"), 412, "stale");
        refused(&put(&scene, proxy, "42", "A"), 409, "held_by_another");
        admitted(&put(&scene, proxy, "42", "B"));
    }
    // So do the proxies outlive a restart of etcd.
    scene.etcd.kill(0).expect("killed");
    scene.etcd.restart(0).expect("started");
    scene.etcd.wait_until_ready().expect("ready");
    refused(&put(&scene, 0, "41", "A"), 412, "stale");
}
