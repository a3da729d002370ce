//! Two Envoys that reach etcd through somebody who is not always honest.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use fencegate_tests::config::Config;
use fencegate_tests::envoy::{Envoy, Options};
use fencegate_tests::etcd::Etcd;
use fencegate_tests::fleet::{Fleet, Together, together};
use fencegate_tests::http::{Answer, Request};
use fencegate_tests::issuer::Grant;
use fencegate_tests::rig::{check_problem, write};
use serde_json::json;

use super::middleman::{Manner, Middleman};

/// `authority.etcd.timeout_ms` of the example is 500; the rest is for a machine under load.
pub(crate) const LIMIT: Duration = Duration::from_millis(500 + 3_000);
/// How long to wait for what must come by itself.
const PATIENCE: Duration = Duration::from_secs(15);

static TOGETHER: Together<Scene> = Mutex::new(Weak::new());

pub(crate) struct Scene {
    pub(crate) fleet: Fleet,
    pub(crate) etcd: Etcd,
    pub(crate) middleman: Middleman,
    turn: Mutex<()>,
}

/// How calls are handled, for one test at a time; honestly afterwards.
pub(crate) struct Turn<'a> {
    scene: &'a Scene,
    _turn: MutexGuard<'a, ()>,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.scene.middleman.behaves(Manner::Honest);
    }
}

/// The example's, which the tests have together.
pub(crate) fn scene() -> Arc<Scene> {
    together(&TOGETHER, || Scene::start(|config| config))
}

impl Scene {
    pub(crate) fn start(change: impl FnOnce(Config) -> Config) -> Self {
        let etcd = Etcd::start(1).expect("an etcd");
        etcd.operate(&["init", "--window", "250ms"])
            .expect("an init");
        let middleman = Middleman::before(etcd.address(0));
        let config = Config::example("etcd").expect("the example");
        let config = config.with_policy(|policy| {
            policy["issuer"]["fencegate"]["lock_delay_ms"] = json!(0);
        });
        let config = change(config.with_members(&[middleman.address]));
        let fleet = Fleet::start_as_is(2, config, &Options::default()).expect("two Envoys");
        fleet.wait_until_ready().expect("ready issuers");
        Self {
            fleet,
            etcd,
            middleman,
            turn: Mutex::new(()),
        }
    }

    pub(crate) fn turn(&self) -> Turn<'_> {
        Turn {
            scene: self,
            _turn: self.turn.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// An older and the current grant of a job, both known to every worker.
    pub(crate) fn old_and_new(&self, job: &str) -> [Grant; 2] {
        let resource = format!("job:{job}");
        let old = self.fleet.grant(0, &resource, "A", 60_000);
        let issuer = &self.fleet.proxies[1].issuer;
        assert_eq!(issuer.release(&old, true).expect("an answer").status, 200);
        let new = self.fleet.grant(1, &resource, "B", 60_000);
        for _ in 0..16 {
            for proxy in [0, 1] {
                let answer = self.fleet.send(proxy, &put(&new));
                assert!(answer.status < 300, "{}", told(&answer));
            }
        }
        [old, new]
    }
}

pub(crate) fn put(grant: &Grant) -> Request {
    let job = &grant.resource["job:".len()..];
    write(
        &format!("/jobs/{job}/report.pdf"),
        &grant.token,
        &grant.holder,
    )
}

pub(crate) fn told(answer: &Answer) -> String {
    format!("{} {}", answer.status, answer.body_text())
}

/// Sends, and checks that a 503 came in time; how long it took.
pub(crate) fn timed(send: impl FnOnce() -> Answer) -> (Answer, Duration) {
    let start = Instant::now();
    let answer = send();
    let took = start.elapsed();
    if answer.status == 503 {
        assert!(took < LIMIT, "only after {took:?}: {}", told(&answer));
        assert!(answer.text("retry-after").is_some(), "{}", told(&answer));
        check_problem(&answer, &told(&answer));
    }
    (answer, took)
}

pub(crate) fn unavailable(answer: &Answer) {
    let seen = (answer.status, answer.reason());
    let wanted = (503, "authority_unavailable".to_owned());
    assert_eq!(seen, wanted, "{}", told(answer));
}

/// Waits for an answer with such a status, which must come by itself.
pub(crate) fn until(is_it: impl Fn(u16) -> bool, send: impl Fn() -> Answer) -> Answer {
    let start = Instant::now();
    loop {
        let (answer, _) = timed(&send);
        if is_it(answer.status) {
            return answer;
        }
        assert!(start.elapsed() < PATIENCE, "still {}", told(&answer));
        std::thread::sleep(Duration::from_millis(20));
    }
}

pub(crate) fn failures(fleet: &Fleet) -> u64 {
    fleet.counter("wasmcustom.fencegate_authority_failures_total")
}

/// No worker's filter ended or was started anew.
pub(crate) fn no_filter_died(envoy: &Envoy) {
    let stats = envoy.admin("/stats?filter=wasm.*(vm_reload|vm_fail|runtime_error)");
    let stats = stats.expect("stats");
    assert!(
        stats.lines().all(|line| line.ends_with(": 0")),
        "a filter died:\n{stats}"
    );
    let log = envoy.log();
    for word in ["panic", "trap", "Function: "] {
        assert!(!log.contains(word), "{word:?} in the log:\n{log}");
    }
}
