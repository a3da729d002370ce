//! Several Envoys over one etcd start from the example, and nobody of them admits a write while the
//! prefix is not in force.

use std::time::{Duration, Instant};

use fencegate_tests::config::Config;
use fencegate_tests::etcd::{Etcd, Options};
use fencegate_tests::fleet::{Fleet, Proxy};
use fencegate_tests::http::Request;
use fencegate_tests::rig::{check_problem, write};

fn nobody_admits(fleet: &Fleet) {
    for proxy in &fleet.proxies {
        // It asks and is told so: not that nobody answers, as in the first moments.
        let start = Instant::now();
        while refusal(proxy) != "missing" {
            assert!(start.elapsed() < Duration::from_secs(10), "it never knows");
            std::thread::sleep(Duration::from_millis(50));
        }
        let acquired = proxy.issuer.acquire("job:1", "worker-a", 5000);
        assert_eq!(acquired.expect("an answer").status, 503);
        assert_eq!(proxy.issuer.ready().expect("an answer").status, 503);
        let unguarded = Request::new("GET", "/other").header("Host", "store.example");
        let answer = unguarded.send_to(proxy.address).expect("an answer");
        assert_eq!(answer.status, 404);
    }
    // Only what is not guarded came through.
    assert_eq!(fleet.reached(), fleet.proxies.len());
}

/// Why a proxy admits no write.
fn refusal(proxy: &Proxy) -> String {
    let put = write("/jobs/1/report.pdf", "1.1", "worker-a");
    let answer = put.send_to(proxy.address).expect("an answer");
    let told = format!("{} {}", answer.status, answer.body_text());
    assert_eq!(answer.status, 503, "{told}");
    check_problem(&answer, &told);
    answer.reason()
}

#[test]
fn without_init_no_proxy_admits_a_write() {
    let etcd = Etcd::start(3).expect("an etcd");
    let config = Config::example("etcd").expect("the example");
    nobody_admits(&Fleet::start(2, config, &etcd).expect("a fleet"));
}

#[test]
fn without_init_no_proxy_admits_a_write_over_tls_with_a_user() {
    let mut options = Options::of(1);
    options.tls = true;
    let etcd = Etcd::start_with(options).expect("an etcd");
    let users = etcd.switch_users_on("/fencegate/", "/fencegate0");
    let [_, proxy] = users.expect("on");
    let config = Config::example("etcd-tls").expect("the example");
    let config = config.with_policy(|policy| {
        let auth = &mut policy["authority"]["etcd"]["auth"];
        auth["user"] = proxy.name.into();
        auth["password"] = proxy.password.into();
    });
    nobody_admits(&Fleet::start(2, config, &etcd).expect("a fleet"));
}
