//! etcd with TLS, client certificates and users: the example for it, and what becomes of the user's
//! token.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use fencegate_tests::config::Config;
use fencegate_tests::envoy;
use fencegate_tests::etcd::{Etcd, Options, User};
use fencegate_tests::fleet::{Fleet, Proxy};
use fencegate_tests::http::Answer;
use fencegate_tests::issuer::Grant;
use fencegate_tests::rig::write;
use serde_json::json;

struct Scene {
    fleet: Fleet,
    etcd: Etcd,
    root: User,
    user: User,
}

/// Two Envoys of the example with TLS, in which the filter and what carries it are as talkative as they
/// can be.
fn started() -> Scene {
    let options = Options {
        tls: true,
        ..Options::of(1)
    };
    let etcd = Etcd::start_with(options).expect("an etcd");
    etcd.operate(&["init", "--window", "250ms"])
        .expect("an init");
    let users = etcd.switch_users_on("/fencegate/", "/fencegate0");
    let [root, user] = users.expect("users");
    let config = Config::example("etcd-tls").expect("the example");
    let config = config.with_policy(|policy| {
        policy["authority"]["etcd"]["auth"] =
            json!({ "user": user.name, "password": user.password });
    });
    let options = envoy::Options {
        log_levels: ["trace", "info"],
        ..envoy::Options::default()
    };
    let fleet = Fleet::start_with(2, config, &etcd, &options).expect("two Envoys");
    fleet.wait_until_ready().expect("ready");
    Scene {
        fleet,
        etcd,
        root,
        user,
    }
}

impl Scene {
    fn put(&self, proxy: usize, grant: &Grant) -> Answer {
        let request = write("/jobs/1/report.pdf", &grant.token, &grant.holder);
        self.fleet.send(proxy, &request)
    }

    /// Writes at both until each was admitted several times in a row; the longest time without one.
    fn goes_on(&self, grant: &Grant) -> Duration {
        let mut worst = Duration::ZERO;
        for proxy in [0, 1] {
            let (mut last, mut in_a_row) = (Instant::now(), 0);
            while in_a_row < 16 {
                let answer = self.put(proxy, grant);
                match answer.status {
                    200 | 201 => {
                        worst = worst.max(last.elapsed());
                        (last, in_a_row) = (Instant::now(), in_a_row + 1);
                    }
                    status => {
                        assert_eq!(status, 503, "{}", answer.body_text());
                        assert!(
                            last.elapsed() < Duration::from_secs(10),
                            "a 503 that lasts: {}",
                            answer.body_text()
                        );
                        in_a_row = 0;
                    }
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        worst
    }

    fn acquires(&self, resource: &str) {
        for proxy in &self.fleet.proxies {
            let resource = format!("{resource}-{}", proxy.address.port());
            let grant = proxy.issuer.acquire_patiently(&resource, "C", 2000);
            grant.expect("a grant");
        }
    }
}

#[test]
fn with_tls_a_client_certificate_and_a_user_leases_are_granted_and_writes_are_fenced() {
    let mut scene = started();
    let old = scene.fleet.grant(0, "job:1", "A", 60_000);
    assert!(scene.put(1, &old).status < 300);
    let released = scene.fleet.proxies[1].issuer.release(&old, true);
    assert_eq!(released.expect("an answer").status, 200);
    let new = scene.fleet.grant(1, "job:1", "B", 60_000);
    for proxy in [0, 1] {
        assert!(scene.put(proxy, &new).status < 300);
        let stale = scene.put(proxy, &old);
        // A worker that knows of its release and of nothing later says so.
        let reasons = ["stale", "released"];
        assert_eq!(stale.status, 412, "{}", stale.body_text());
        assert!(reasons.contains(&&*stale.reason()), "{}", stale.body_text());
    }

    // etcd forgets the tokens that it gave out when it ends.
    scene.etcd.kill(0).expect("killed");
    scene.etcd.restart(0).expect("started");
    scene.etcd.wait_until_ready().expect("ready");
    let worst = scene.goes_on(&new);
    println!(
        "after etcd forgot all tokens: at most {} ms without an admitted write",
        worst.as_millis()
    );
    scene.acquires("job:after-a-restart");

    // And so it does when a password is changed; this time the user goes on with the old one.
    let changed = scene
        .etcd
        .change_password(&scene.root, &scene.user, &scene.user.password);
    changed.expect("changed");
    let worst = scene.goes_on(&new);
    println!(
        "after etcd took all tokens back: at most {} ms without an admitted write",
        worst.as_millis()
    );
    scene.acquires("job:after-a-change");

    for proxy in &scene.fleet.proxies {
        let log = proxy.envoy.log();
        assert!(
            log.contains("configured, generation 1"),
            "it says something"
        );
        assert_eq!(secrets(&log, &scene.user), Vec::<&str>::new());
    }
    // Envoy itself tells what it is configured with, and each header that it sends, when it is told to:
    // nothing that a filter could keep from it. So what is looked for above would be found.
    let options = envoy::Options {
        log_levels: ["debug", "debug"],
        ..envoy::Options::default()
    };
    let talkative = Proxy::start(scene.fleet.config(), options).expect("an Envoy");
    talkative.issuer.wait_until_ready().expect("ready");
    let log = talkative.envoy.log();
    let told = secrets(&log, &scene.user);
    assert!(told.contains(&&*scene.user.password), "{told:?}");
    assert!(told.iter().any(|word| is_token(word)), "{told:?}");
}

/// The password and the tokens that a text tells, each once.
fn secrets<'a>(text: &'a str, user: &'a User) -> Vec<&'a str> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.');
    let tokens = words.filter(|word| is_token(word));
    let password = text.contains(&user.password).then_some(&*user.password);
    let found: BTreeSet<&str> = tokens.chain(password).collect();
    found.into_iter().collect()
}

/// Whether it looks like one of etcd's simple tokens: sixteen letters, a dot, a number.
fn is_token(word: &str) -> bool {
    let Some((letters, number)) = word.split_once('.') else {
        return false;
    };
    letters.len() == 16
        && letters.bytes().all(|letter| letter.is_ascii_alphabetic())
        && !number.is_empty()
        && number.bytes().all(|digit| digit.is_ascii_digit())
}
