//! The story that `make demo` tells, told to a test: real processes, a real Envoy, a real pause.

use std::path::Path;

use fencegate_tests::story::{Outcome, Settings, tell};

/// `FENCEGATE_SEED_NUMBERS=1` takes a lease of 30 s and a pause of 35 s.
fn outcome() -> Outcome {
    let worker = Path::new(env!("CARGO_BIN_EXE_worker"));
    let settings = Settings::quick(worker.parent().expect("a folder").to_owned());
    let long = std::env::var("FENCEGATE_SEED_NUMBERS").is_ok_and(|value| value == "1");
    let settings = if long {
        settings.with_seed_numbers()
    } else {
        settings
    };
    let mut transcript = Vec::new();
    let outcome = tell(&settings, &mut transcript, None);
    println!("{}", String::from_utf8_lossy(&transcript));
    outcome.expect("a story told to its end")
}

#[test]
fn a_lock_alone_loses_the_report_and_the_fence_keeps_it() {
    let Outcome { plain, fenced } = outcome();

    assert_eq!(plain.a_status, 200, "nobody stops the late write");
    assert_eq!(
        plain.report, plain.half,
        "half of A's report lies where B's whole one was"
    );
    assert_eq!(plain.arrived_from_a, 1);

    assert_eq!(fenced.a_status, 412);
    assert_eq!(
        fenced.insisted, [412; 4],
        "trying again with the old token is of no use"
    );
    assert_eq!(fenced.report, fenced.whole, "B's report, byte for byte");
    assert_eq!(
        fenced.arrived_from_a, 0,
        "not one request of A reached the store"
    );

    let problem: serde_json::Value =
        serde_json::from_str(&fenced.a_body).expect("a problem in JSON");
    assert_eq!(problem["reason"], "stale");
    assert_eq!(problem["presented"], fenced.a_token.as_str());
    assert_eq!(problem["current"], fenced.b_token.as_str());
    assert_eq!(problem["outcome"], "not_applied");
    assert_eq!(problem["retryable"], false);
}

fn outcome_over_etcd(settings: impl FnOnce(Settings) -> Settings) -> Outcome {
    let worker = Path::new(env!("CARGO_BIN_EXE_worker"));
    let quick = Settings::quick(worker.parent().expect("a folder").to_owned());
    let mut transcript = Vec::new();
    let outcome = tell(&settings(quick), &mut transcript, None);
    println!("{}", String::from_utf8_lossy(&transcript));
    outcome.expect("a story told to its end")
}

#[test]
fn the_fence_keeps_the_report_across_two_proxies() {
    let outcome = outcome_over_etcd(Settings::with_etcd);
    assert_eq!(outcome.verdict(), Ok(()));
}

#[test]
fn the_fence_keeps_the_report_while_the_lease_services_leader_is_killed() {
    let outcome = outcome_over_etcd(Settings::with_a_leader_killed);
    assert_eq!(outcome.verdict(), Ok(()));
}
