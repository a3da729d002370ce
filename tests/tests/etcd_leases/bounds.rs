//! Times: what a holder is told against what etcd keeps, and what no configuration may say.

use std::time::{Duration, Instant};

use fencegate_tests::config::Config;
use fencegate_tests::envoy::validate;
use fencegate_tests::http::Answer;
use fencegate_tests::issuer::Grant;
use serde_json::{Value, json};

use super::scene::{LOCK_DELAY, Scene, lock, millis, scene, told};

/// A lease, and until when its holder may believe in it, if its clock is right.
struct Belief {
    resource: String,
    ends: Instant,
    /// When the lock was last asked for and was there.
    locked: Instant,
    gone: bool,
}

impl Belief {
    /// After an answer to what was sent at `sent`.
    fn new(scene: &Scene, sent: Instant, answer: &Answer) -> Self {
        let (waited, ttl) = (millis(answer, "waited_ms"), millis(answer, "ttl_ms"));
        let resource = answer.json()["resource"]
            .as_str()
            .expect("a name")
            .to_owned();
        let lease = scene.etcd.lease_of(&lock(&resource)).expect("a lock");
        let [granted, left] = scene.etcd.time_to_live(lease).expect("a lease");
        let ends = sent + waited + ttl;
        let still = ends.saturating_duration_since(Instant::now());
        println!(
            "{resource}: told {} ms, of which {} ms are left; etcd's lease has {granted} s, {left} s left",
            ttl.as_millis(),
            still.as_millis()
        );
        // etcd says whole seconds, rounded down.
        assert!(
            Duration::from_secs(left as u64 + 1) >= still + LOCK_DELAY,
            "{left} s"
        );
        Self {
            resource,
            ends,
            locked: sent,
            gone: false,
        }
    }
}

#[test]
fn what_a_holder_is_told_never_outlasts_the_lock_in_etcd() {
    let scene = scene();
    let acquire = |resource: &str, ttl_ms: u64, wait_ms: u64| {
        let sent = Instant::now();
        let body =
            json!({ "resource": resource, "holder": "A", "ttl_ms": ttl_ms, "wait_ms": wait_ms });
        let answer = scene.call(0, "acquire", &body);
        assert_eq!(answer.status, 201, "{}", told(&answer));
        (
            Belief::new(&scene, sent, &answer),
            Grant::from_answer(&answer),
        )
    };
    let renew = |grant: &Option<Grant>, ttl_ms: u64| {
        let sent = Instant::now();
        let answer = scene.renew(1, grant.as_ref().expect("a grant"), ttl_ms);
        assert_eq!(answer.status, 200, "{}", told(&answer));
        Belief::new(&scene, sent, &answer)
    };
    let mut beliefs = Vec::new();
    beliefs.push(acquire("job:told", 2000, 0).0);
    let (_, renewed) = acquire("job:told-again", 2000, 0);
    beliefs.push(renew(&renewed, 2000));
    let (_, renewed) = acquire("job:told-longer", 2000, 0);
    beliefs.push(renew(&renewed, 3500));
    let held = scene.grant(1, "job:told-later", "B", 10_000);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(700));
            scene.release(1, &held, true);
        });
        beliefs.push(acquire("job:told-later", 2000, 10_000).0);
    });
    while beliefs.iter().any(|belief| !belief.gone) {
        for belief in beliefs.iter_mut().filter(|belief| !belief.gone) {
            let asked = Instant::now();
            match scene.etcd.lease_of(&lock(&belief.resource)) {
                Some(_) => belief.locked = asked,
                None => belief.gone = true,
            }
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    for belief in beliefs {
        let spare = belief
            .locked
            .saturating_duration_since(belief.ends + LOCK_DELAY);
        println!(
            "{}: unlocked {} ms after the belief and the lock delay",
            belief.resource,
            spare.as_millis()
        );
        // Between two looks, and for what this machine takes from one to the other.
        assert!(
            belief.locked + Duration::from_millis(150) >= belief.ends + LOCK_DELAY,
            "{}: the lock was gone before its holder stopped",
            belief.resource
        );
    }
}

#[test]
fn what_etcd_cannot_keep_is_refused_when_it_is_configured() {
    type Change = fn(&mut Value);
    let refused: [(&str, Change); 3] = [
        ("ttl_ms.min: with etcd at least 2000, not 1999", |policy| {
            policy["issuer"]["fencegate"]["ttl_ms"]["min"] = json!(1999);
        }),
        ("lock_delay_ms: with several proxies", |policy| {
            let issuer = policy["issuer"]["fencegate"].as_object_mut();
            issuer.expect("an issuer").remove("lock_delay_ms");
        }),
        ("after_expiry: no record in etcd says", |policy| {
            policy["rules"][0]["after_expiry"] = json!("refuse");
        }),
    ];
    for (sentence, change) in refused {
        let config = Config::example("etcd").expect("the example");
        let judged = validate(&config.with_policy(change)).expect("an Envoy that judges");
        let log = judged.expect_err(sentence);
        assert!(log.contains(sentence), "{sentence}: not in:\n{log}");
    }
}
