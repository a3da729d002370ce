//! Two Envoys of the example over one etcd, which all these tests have together: each has resources of
//! its own.

use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use fencegate_tests::config::Config;
use fencegate_tests::envoy::Options;
use fencegate_tests::fleet::{OverEtcd, Together, together};
use fencegate_tests::http::Answer;
use fencegate_tests::issuer::Grant;
use fencegate_tests::rig::{check_problem, write};
use serde_json::{Value, json};

static TOGETHER: Together<OverEtcd> = Mutex::new(Weak::new());

/// With a lease of two seconds just below three, since etcd counts whole ones.
pub(crate) const LOCK_DELAY: Duration = Duration::from_millis(900);
/// And what the prefix has.
pub(crate) const WINDOW: Duration = Duration::from_millis(250);
/// etcd ends a lease by whole seconds, and half a second late at most; the rest is this machine's.
pub(crate) const ENDED: Duration = Duration::from_secs(4);

pub(crate) struct Scene(Arc<OverEtcd>);

impl std::ops::Deref for Scene {
    type Target = OverEtcd;

    fn deref(&self) -> &OverEtcd {
        &self.0
    }
}

pub(crate) fn scene() -> Scene {
    Scene(together(&TOGETHER, || {
        let config = Config::example("etcd").expect("the example");
        let config = config.with_policy(|policy| {
            let issuer = &mut policy["issuer"]["fencegate"];
            issuer["break_access"] = json!("anyone");
            issuer["lock_delay_ms"] = json!(LOCK_DELAY.as_millis() as u64);
        });
        OverEtcd::start(config, &Options::default()).expect("two Envoys over an etcd")
    }))
}

impl Scene {
    /// A call of the lease API at one of the two proxies.
    pub(crate) fn call(&self, proxy: usize, verb: &str, body: &Value) -> Answer {
        let issuer = &self.fleet.proxies[proxy].issuer;
        issuer.call(verb, body).expect("an answer")
    }

    pub(crate) fn acquire(&self, proxy: usize, resource: &str, holder: &str) -> Answer {
        let body = json!({ "resource": resource, "holder": holder, "ttl_ms": 10_000 });
        self.call(proxy, "acquire", &body)
    }

    pub(crate) fn grant(&self, proxy: usize, resource: &str, holder: &str, ttl_ms: u64) -> Grant {
        self.fleet.grant(proxy, resource, holder, ttl_ms)
    }

    pub(crate) fn renew(&self, proxy: usize, grant: &Grant, ttl_ms: u64) -> Answer {
        let issuer = &self.fleet.proxies[proxy].issuer;
        issuer.renew(grant, ttl_ms).expect("an answer")
    }

    pub(crate) fn release(&self, proxy: usize, grant: &Grant, writes_answered: bool) -> Answer {
        let issuer = &self.fleet.proxies[proxy].issuer;
        issuer.release(grant, writes_answered).expect("an answer")
    }

    pub(crate) fn write(&self, proxy: usize, grant: &Grant) -> Answer {
        let request = write(&path(&grant.resource), &grant.token, &grant.holder);
        self.fleet.send(proxy, &request)
    }

    /// A grant is good at both proxies.
    pub(crate) fn is_good(&self, grant: &Grant) {
        for proxy in [0, 1] {
            let answer = self.write(proxy, grant);
            assert!(matches!(answer.status, 200 | 201), "{}", told(&answer));
        }
    }

    /// A grant is refused at both proxies, over several connections each, now that another one was
    /// answered. A worker that knows of its release and of nothing later says so.
    pub(crate) fn is_stale(&self, grant: &Grant) {
        for proxy in [0, 1].repeat(4) {
            let answer = self.write(proxy, grant);
            match answer.reason().as_str() {
                "released" => refused(&answer, 412, "released"),
                _ => refused(&answer, 412, "stale"),
            }
        }
    }

    /// Waits until the lock of a resource is gone from etcd.
    pub(crate) fn until_unlocked(&self, resource: &str) {
        let start = Instant::now();
        while self.etcd.lease_of(&lock(resource)).is_some() {
            assert!(start.elapsed() < Duration::from_secs(20), "still locked");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// The key of a resource's lock.
pub(crate) fn lock(resource: &str) -> String {
    format!("/fencegate/l/{resource}")
}

fn path(resource: &str) -> String {
    format!("/jobs/{}/report.pdf", &resource["job:".len()..])
}

pub(crate) fn refused(answer: &Answer, status: u16, reason: &str) {
    let seen = (answer.status, answer.reason());
    assert_eq!(seen, (status, reason.to_owned()), "{}", told(answer));
    check_problem(answer, &told(answer));
}

pub(crate) fn told(answer: &Answer) -> String {
    format!("{} {}", answer.status, answer.body_text())
}

/// A number in an answer, in milliseconds.
pub(crate) fn millis(answer: &Answer, field: &str) -> Duration {
    let number = answer.json()[field].as_u64();
    Duration::from_millis(number.unwrap_or_else(|| panic!("{field}: {}", told(answer))))
}

/// The second part of a token.
pub(crate) fn number(grant: &Grant) -> u64 {
    let number = grant
        .token
        .split_once('.')
        .map(|(_, number)| number.parse());
    number.expect("an epoch").expect("a number")
}
