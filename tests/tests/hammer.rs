//! At least 300,000 requests by many writers at once: not one write below an answered token.

use std::path::PathBuf;

use fencegate_tests::config::{Config, FENCED};
use fencegate_tests::envoy::{Envoy, Options};
use fencegate_tests::hammer::{Plan, Report, Target, Tokens, run};
use fencegate_tests::issuer::Issuer;
use fencegate_tests::seed;

const REQUESTS: u64 = 150_000;

fn hammered(test: &str, example: &str, tokens: Tokens, plugin: Option<PathBuf>) -> Report {
    let config = Config::example(example)
        .expect("an example")
        .with_direct_response();
    let options = Options {
        concurrency: 4,
        plugin,
        ..Options::default()
    };
    let envoy = Envoy::start_with(&config, options).expect("an Envoy");
    let address = envoy.address(FENCED).expect("a listener");
    Issuer::at(address)
        .wait_until_ready()
        .expect("a ready issuer");
    let plan = Plan {
        requests: REQUESTS,
        writers: 8,
        seed: seed::announced(test),
    };
    let report = run(&Target { address, tokens }, &plan).expect("every request answered");
    println!("{test}: {report}");
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

/// The same hammer against a store without compare-and-swap: it must find that out, or it proves
/// nothing above. `FENCEGATE_PLUGIN_NAIVE` names that filter.
#[test]
fn the_hammer_finds_a_store_that_is_naive() {
    let Some(naive) = std::env::var_os("FENCEGATE_PLUGIN_NAIVE").map(PathBuf::from) else {
        println!("FENCEGATE_PLUGIN_NAIVE is not set: the naive store was not tried");
        return;
    };
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
