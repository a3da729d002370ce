//! The hammer at two proxies of two workers each, over a real etcd whose leader is killed, stopped and
//! cut off again and again: not one write below an answered token, at either of them.

use fencegate_tests::config::Config;
use fencegate_tests::hammer::{Plan, Report, Tokens, Troubled};
use fencegate_tests::seed;
use serde_json::{Value, json};

fn hammered(test: &str, requests: u64, tokens: Tokens, policy: impl FnOnce(&mut Value)) -> Report {
    let config = Config::example("etcd")
        .expect("the example")
        .with_policy(policy);
    let mut troubled = Troubled::start(config, tokens).expect("proxies and an etcd");
    let plan = Plan {
        requests,
        // Most of them wait: for a window, or for an etcd in trouble.
        writers: if tokens == Tokens::Ours { 16 } else { 6 },
        seed: seed::announced(test),
        round: 0,
    };
    let (report, troubles) = troubled.hammer(&plan).expect("an etcd that comes back");
    println!(
        "{test}: {troubles} troubles, {} decided: {report}",
        report.decided()
    );
    assert_eq!((report.violations, report.unanswered), (0, 0), "{report}");
    assert!(troubles >= 3, "{troubles} troubles: {report}");
    report
}

#[test]
fn no_stale_write_is_admitted_while_the_leader_of_etcd_is_killed_stopped_and_cut_off() {
    let report = hammered(
        "hammer, etcd, our tokens",
        125_000,
        Tokens::Ours,
        |policy| {
            policy["issuer"]["fencegate"]["lock_delay_ms"] = json!(0);
        },
    );
    assert!(
        report.decided() >= 100_000,
        "{} decided: {report}",
        report.decided()
    );
    assert!(report.raised > 300 && report.admitted > 12_500, "{report}");
}

#[test]
fn no_stale_write_with_external_tokens_is_admitted_while_etcd_is_in_trouble() {
    let report = hammered(
        "hammer, etcd, external tokens",
        15_000,
        Tokens::External,
        |policy| {
            policy["issuer"] = json!({ "external": { "path": "/fence/v1", "access": "anyone" } });
        },
    );
    assert!(
        report.decided() > 7_500,
        "{} decided: {report}",
        report.decided()
    );
    assert!(report.raised > 50 && report.admitted > 500, "{report}");
}
