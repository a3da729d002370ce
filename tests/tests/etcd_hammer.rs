//! The hammer at two proxies of two workers each, over a real etcd whose leader is killed, stopped and
//! cut off again and again: not one write below an answered token, at either of them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fencegate_tests::config::Config;
use fencegate_tests::etcd::Etcd;
use fencegate_tests::fleet::Fleet;
use fencegate_tests::hammer::{Plan, Report, Target, Tokens, run};
use fencegate_tests::seed;
use serde_json::{Value, json};

/// Short, so that there are many takeovers.
const WINDOW: &str = "50ms";

fn fleet(etcd: &Etcd, change: impl FnOnce(&mut Value)) -> Fleet {
    etcd.operate(&["init", "--window", WINDOW])
        .expect("an init");
    let config = Config::example("etcd").expect("the example");
    let config = config.with_direct_response().with_policy(|policy| {
        policy["authority"]["etcd"]
            .as_object_mut()
            .expect("an object")
            .remove("window_ms");
        change(policy);
    });
    let fleet = Fleet::start(2, config, etcd).expect("two Envoys");
    fleet.wait_until_ready().expect("ready issuers");
    fleet
}

fn target(fleet: &Fleet, tokens: Tokens) -> Target {
    Target {
        addresses: fleet.proxies.iter().map(|proxy| proxy.address).collect(),
        tokens,
        ttl_ms: 2000,
    }
}

/// Hammers while the leader of etcd has a bad time; how often it had.
fn hammered(etcd: &mut Etcd, target: &Target, plan: &Plan) -> (Report, usize) {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let trouble = scope.spawn(|| {
            let mut troubles = 0;
            while !done.load(Ordering::SeqCst) {
                trouble(etcd, troubles);
                troubles += 1;
            }
            troubles
        });
        let report = run(target, plan);
        done.store(true, Ordering::SeqCst);
        let troubles = trouble.join().expect("an etcd that comes back");
        (report.expect("listeners"), troubles)
    })
}

/// Kills, stops or cuts off whoever leads, and lets it come back when another one does.
fn trouble(etcd: &mut Etcd, turn: usize) {
    let leader = etcd.wait_for_leader(&[]).expect("a leader");
    match turn % 3 {
        0 => etcd.kill(leader).expect("killed"),
        1 => etcd.stop(leader).expect("stopped"),
        _ => etcd.cut_off(leader),
    }
    etcd.wait_for_leader(&[leader]).expect("another leader");
    std::thread::sleep(Duration::from_millis(500));
    match turn % 3 {
        0 => etcd.restart(leader).expect("started"),
        1 => etcd.resume(leader).expect("going on"),
        _ => etcd.reconnect(leader),
    }
    etcd.wait_until_ready().expect("all of them");
    // In between, leases are taken over and many writes decided.
    std::thread::sleep(Duration::from_secs(3));
}

fn plan(test: &str, requests: u64) -> Plan {
    Plan {
        requests,
        writers: 8,
        seed: seed::announced(test),
        round: 0,
    }
}

#[test]
fn no_stale_write_is_admitted_while_the_leader_of_etcd_is_killed_stopped_and_cut_off() {
    let test = "hammer, etcd, our tokens";
    let mut etcd = Etcd::start(3).expect("an etcd");
    let fleet = fleet(&etcd, |policy| {
        policy["issuer"]["fencegate"]["lock_delay_ms"] = json!(0);
    });
    let plan = plan(test, 120_000);
    let (report, troubles) = hammered(&mut etcd, &target(&fleet, Tokens::Ours), &plan);
    println!("{test}: {troubles} troubles: {report}");
    assert_eq!((report.violations, report.unanswered), (0, 0), "{report}");
    assert!(
        report.decided() >= 100_000,
        "{} decided: {report}",
        report.decided()
    );
    assert!(
        troubles >= 3 && report.raised > 300 && report.admitted > plan.requests / 8,
        "{report}"
    );
}

#[test]
fn no_stale_write_with_external_tokens_is_admitted_while_the_leader_of_etcd_is_killed_stopped_and_cut_off()
 {
    let test = "hammer, etcd, external tokens";
    let mut etcd = Etcd::start(3).expect("an etcd");
    let fleet = fleet(&etcd, |policy| {
        policy["issuer"] = json!({ "external": { "path": "/fence/v1", "access": "anyone" } });
    });
    let plan = plan(test, 20_000);
    let (report, troubles) = hammered(&mut etcd, &target(&fleet, Tokens::External), &plan);
    println!("{test}: {troubles} troubles: {report}");
    assert_eq!((report.violations, report.unanswered), (0, 0), "{report}");
    assert!(
        report.decided() > plan.requests / 2,
        "{} decided: {report}",
        report.decided()
    );
    assert!(
        troubles >= 3 && report.raised > 100 && report.admitted > plan.requests / 20,
        "{report}"
    );
}
