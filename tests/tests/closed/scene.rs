//! Two Envoys over one etcd, a holder and somebody who was one before, both known to every worker.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use fencegate_tests::config::Config;
use fencegate_tests::etcd::{Etcd, Options};
use fencegate_tests::fleet::Fleet;
use fencegate_tests::http::{Answer, Request};
use fencegate_tests::issuer::Grant;
use fencegate_tests::rig::{check_problem, write};
use serde_json::{Value, json};

/// `authority.etcd.timeout_ms` of the example is 500; the rest is for a machine under load. etcd by
/// itself would take seven seconds and more.
const LIMIT: Duration = Duration::from_millis(500 + 4_000);
/// So many connections meet both workers of an Envoy, all but surely.
const CONNECTIONS: usize = 16;
/// How long to wait for what must come by itself.
const PATIENCE: Duration = Duration::from_secs(40);

pub(crate) struct Scene {
    pub(crate) etcd: Etcd,
    pub(crate) fleet: Fleet,
    pub(crate) holder: Grant,
    before: Grant,
    resources: usize,
}

/// What was answered: statuses with reasons.
pub(crate) type Seen = BTreeSet<(u16, String)>;

impl Scene {
    pub(crate) fn open(options: Options) -> Self {
        Self::open_with(Etcd::start_with(options).expect("an etcd"), |_| ())
    }

    /// With another policy than the example's.
    pub(crate) fn open_with(etcd: Etcd, change: impl FnOnce(&mut Value)) -> Self {
        let fleet = fleet(&etcd, change);
        etcd.operate(&["init"]).expect("an init");
        Self::enter(etcd, fleet)
    }

    /// With an etcd that was made an authority already.
    pub(crate) fn enter(etcd: Etcd, fleet: Fleet) -> Self {
        fleet.wait_until_ready().expect("ready issuers");
        let issuer = &fleet.proxies[0].issuer;
        let before = issuer
            .acquire_patiently("job:1", "A", 60_000)
            .expect("a grant");
        let released = issuer.release(&before, true).expect("an answer");
        assert_eq!(released.status, 200, "{}", released.body_text());
        let holder = fleet.proxies[1]
            .issuer
            .acquire_patiently("job:1", "B", 60_000);
        let mut scene = Self {
            etcd,
            fleet,
            holder: holder.expect("a grant"),
            before,
            resources: 0,
        };
        for _ in 0..2 {
            assert_eq!(scene.current(), only(200, ""));
            assert_eq!(scene.stale(), only(412, "stale"));
        }
        scene
    }

    /// Writes with the token that is good.
    pub(crate) fn current(&mut self) -> Seen {
        let token = self.holder.token.clone();
        self.write(&token, "B")
    }

    /// Writes with the token of before. Whatever happens, none of it lands.
    pub(crate) fn stale(&mut self) -> Seen {
        let token = self.before.token.clone();
        let before = self.landed(&token);
        let seen = self.write(&token, "A");
        assert_eq!(self.landed(&token), before, "a stale write landed");
        seen
    }

    /// Acquires a resource that nobody holds, at each of the proxies.
    pub(crate) fn acquire(&mut self) -> Seen {
        let calls = self.fleet.proxies.iter().map(|proxy| {
            self.resources += 1;
            let resource = format!("job:other-{}", self.resources);
            let start = Instant::now();
            let answer = proxy
                .issuer
                .acquire(&resource, "C", 2_000)
                .expect("an answer");
            refused_in_time(&answer, start.elapsed());
            told(&answer)
        });
        calls.collect()
    }

    /// Reads the object, which the rule lets pass; how many of the proxies let it reach the store.
    pub(crate) fn read(&self) -> usize {
        let request = Request::new("GET", "/jobs/1/report.pdf").header("Host", "store.example");
        let before = self.fleet.reached();
        for proxy in &self.fleet.proxies {
            request.send_to(proxy.address).expect("an answer");
        }
        self.fleet.reached() - before
    }

    /// Writes at each of the proxies, over many connections.
    fn write(&self, token: &str, holder: &str) -> Seen {
        let request = write("/jobs/1/report.pdf", token, holder);
        let mut seen = Seen::new();
        for proxy in &self.fleet.proxies {
            std::thread::scope(|scope| {
                let one = || {
                    let start = Instant::now();
                    let answer = request.send_to(proxy.address).expect("an answer");
                    refused_in_time(&answer, start.elapsed());
                    told(&answer)
                };
                let all: Vec<_> = (0..CONNECTIONS).map(|_| scope.spawn(one)).collect();
                seen.extend(all.into_iter().map(|one| one.join().expect("an answer")));
            });
        }
        seen
    }

    fn landed(&self, token: &str) -> usize {
        self.fleet.origin.journal().with_token(token).count()
    }

    /// Waits until something is seen, by nobody's doing.
    pub(crate) fn until(&mut self, wanted: &Seen, look: impl Fn(&mut Self) -> Seen) {
        let start = Instant::now();
        loop {
            let seen = look(self);
            if seen == *wanted {
                return;
            }
            assert!(
                start.elapsed() < PATIENCE,
                "still {seen:?} in place of {wanted:?}"
            );
            assert!(
                self.stale()
                    .iter()
                    .all(|(status, _)| matches!(status, 412 | 503))
            );
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

/// Two Envoys of the example, over this etcd.
pub(crate) fn fleet(etcd: &Etcd, change: impl FnOnce(&mut Value)) -> Fleet {
    let config = Config::example("etcd").expect("the example");
    let config = config.with_policy(|policy| {
        policy["issuer"]["fencegate"]["lock_delay_ms"] = json!(0);
        change(policy);
    });
    Fleet::start(2, config, etcd).expect("two Envoys")
}

pub(crate) fn only(status: u16, reason: &str) -> Seen {
    Seen::from([(status, reason.to_owned())])
}

/// 200 and 201 are one to whoever wants to write.
fn told(answer: &Answer) -> (u16, String) {
    match answer.status {
        200..300 => (200, String::new()),
        status => (status, answer.reason()),
    }
}

fn refused_in_time(answer: &Answer, took: Duration) {
    let text = answer.body_text();
    if answer.status == 503 {
        assert!(
            answer.text("retry-after").is_some(),
            "no Retry-After: {text}"
        );
        assert!(took < LIMIT, "refused only after {took:?}: {text}");
        check_problem(answer, &text);
    }
}
