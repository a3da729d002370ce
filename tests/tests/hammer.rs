//! At least 300,000 requests by many writers at once: not one write below an answered token.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fencegate_tests::config::{Config, FENCED};
use fencegate_tests::envoy::{Envoy, Options, Pushed, naive_plugin};
use fencegate_tests::hammer::{Plan, Report, Target, Tokens, run};
use fencegate_tests::issuer::Issuer;
use fencegate_tests::seed;
use serde_json::json;

const REQUESTS: u64 = 150_000;

fn envoy(config: &Config, options: Options) -> (Envoy, SocketAddr) {
    let config = config.clone().with_direct_response();
    let envoy = Envoy::start_with(&config, options).expect("an Envoy");
    let address = envoy.address(FENCED).expect("a listener");
    Issuer::at(address)
        .wait_until_ready()
        .expect("a ready issuer");
    (envoy, address)
}

fn plan(test: &str, requests: u64) -> Plan {
    Plan {
        requests,
        writers: 8,
        seed: seed::announced(test),
        round: 0,
    }
}

fn hammered(test: &str, example: &str, tokens: Tokens, plugin: Option<PathBuf>) -> Report {
    let options = Options {
        concurrency: 4,
        plugin,
        ..Options::default()
    };
    let (_envoy, address) = envoy(&Config::example(example).expect("an example"), options);
    let report = run(
        &Target {
            addresses: vec![address],
            tokens,
            ttl_ms: 1000,
        },
        &plan(test, REQUESTS),
    )
    .expect("a listener");
    println!("{test}: {report}");
    assert_eq!(report.unanswered, 0, "{report}");
    report
}

/// Only these refusals may occur in such a storm; an unexpected 5xx would hide a weak test.
fn assert_only(report: &Report, expected: &[&str]) {
    for reason in report.refused.keys() {
        assert!(
            expected.contains(&reason.as_str()),
            "unexpected: {reason}\n{report}"
        );
    }
}

#[test]
fn no_stale_write_is_admitted_with_our_tokens() {
    let report = hammered("hammer, our tokens", "fencegate", Tokens::Ours, None);
    assert_eq!(report.violations, 0, "{report}");
    assert!(
        report.requests >= REQUESTS && report.raised > 1_000 && report.admitted > REQUESTS / 8,
        "{report}"
    );
    assert_only(
        &report,
        &[
            "412 stale",
            "412 released",
            "412 no_grant",
            "403 never_issued",
            "409 held_by_another",
            "409 held",
            "410 released",
            "410 stale",
            "410 lease_ended",
            "410 no_grant",
            "503 contended",
        ],
    );
}

#[test]
fn no_stale_write_is_admitted_with_external_tokens() {
    let report = hammered(
        "hammer, external tokens",
        "external",
        Tokens::External,
        None,
    );
    assert_eq!(report.violations, 0, "{report}");
    assert!(
        report.requests >= REQUESTS && report.raised > 1_000 && report.admitted > REQUESTS / 8,
        "{report}"
    );
    assert_only(
        &report,
        &["412 stale", "409 held_by_another", "503 contended"],
    );
}

/// New filters take over under load, every half second, while the old ones still serve what they
/// have; all of them share the marks.
#[test]
fn no_stale_write_is_admitted_while_configurations_come_and_go() {
    let test = "hammer, new configurations";
    let config = Config::example("fencegate")
        .expect("an example")
        .with_policy(|policy| {
            policy["issuer"]["fencegate"]["listener_drain_ms"] = json!(1000);
        });
    let options = Options {
        concurrency: 4,
        dynamic: true,
        ..Options::default()
    };
    let (envoy, address) = envoy(&config, options);
    let (target, plan) = (
        Target {
            addresses: vec![address],
            tokens: Tokens::Ours,
            ttl_ms: 1000,
        },
        plan(test, REQUESTS / 3),
    );
    let done = AtomicBool::new(false);
    let (report, pushes) = std::thread::scope(|scope| {
        let pushing = scope.spawn(|| {
            let mut pushes = 0;
            while !done.load(Ordering::SeqCst) {
                let idle = json!(format!("{}s", 20 + pushes));
                let next = config.clone().with_direct_response();
                let next = next.with_connection_manager(|manager| {
                    manager["stream_idle_timeout"] = idle.clone()
                });
                assert_eq!(envoy.push(&next).expect("Envoy's word"), Pushed::Accepted);
                pushes += 1;
                std::thread::sleep(Duration::from_millis(500));
            }
            pushes
        });
        let report = run(&target, &plan);
        done.store(true, Ordering::SeqCst);
        (
            report.expect("a listener"),
            pushing.join().expect("every push accepted"),
        )
    });
    println!("{test}: {pushes} of them: {report}");
    assert!(
        pushes >= 3 && report.admitted > plan.requests / 8,
        "{report}"
    );
    assert_eq!(report.violations, 0, "{report}");
}

/// The same hammer against a store without compare-and-swap: it must find that out, or it proves
/// nothing above.
#[test]
fn the_hammer_finds_a_store_that_is_naive() {
    let naive = naive_plugin().expect("a naive filter");
    let report = hammered(
        "hammer, naive store",
        "external",
        Tokens::External,
        Some(naive),
    );
    assert!(
        report.violations > 0,
        "the naive store was not found out\n{report}"
    );
}
