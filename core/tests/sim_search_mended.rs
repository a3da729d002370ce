//! The mended design, exhausted: three holders, two proxies, one issuer, every order of events
//! within bounds. The questions and what came of them are checked in beside this file.
//!
//! With one fault in every test run; with two by `cargo test --release --test sim_search_mended
//! -- --ignored`, or one by one by `make search SCENARIO=core/tests/bounds/check-2.json`.
//! That workers of one proxy interleave between load and swap is exhausted in `exhaustive.rs`.

mod sim_search;

use fencegate_core::sim::search::{Question, Verdict};
use sim_search::{any_order, mended, question, search};
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/bounds")
}

/// Compares with what is checked in, or writes it anew.
#[track_caller]
fn is_as_kept(name: &str, text: &str) {
    let file = folder().join(name);
    if std::env::var_os("FENCEGATE_RENEW").is_some() {
        std::fs::write(&file, text).expect("it can be written");
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == text,
        "other than in {}: FENCEGATE_RENEW=1 writes it anew, read the difference\n{text}",
        file.display()
    );
}

fn json(question: &Question) -> String {
    let mut text = serde_json::to_string_pretty(question).expect("a question is JSON");
    text.push('\n');
    text
}

/// One line: what was asked, and what came of it. How long it took is printed beside it.
#[track_caller]
#[allow(clippy::disallowed_methods, reason = "the test measures")]
fn exhausted(question: &Question, what: &str) -> String {
    let mut search = search(question);
    let began = Instant::now();
    let verdict = search.run();
    let took = began.elapsed();
    let progress = search.progress();
    let Verdict::Exhausted { states, depth } = verdict else {
        panic!("{}: {verdict:?}", question.scenario.name);
    };
    let laws = question.laws.len();
    let mut line = String::new();
    let _ = writeln!(
        line,
        "{:<8}{what:<20}{laws:>2} laws hold: {states:>8} states, {:>8} events, {:>6} of them outside, depth {depth}",
        question.scenario.name, progress.steps, progress.outside
    );
    println!("{} ({took:.1?})", line.trim_end());
    line
}

fn with_faults(faults: u8) {
    let mut table = String::new();
    for question in mended(faults) {
        let name = format!("{}-{faults}.json", question.scenario.name);
        is_as_kept(&name, &json(&question));
        table.push_str(&exhausted(&question, &format!("{faults} faults, punctual")));
    }
    is_as_kept(&format!("mended-{faults}.txt"), &table);
}

#[test]
fn the_mended_design_holds_with_one_fault_at_any_step() {
    with_faults(1);
}

#[test]
#[ignore = "a minute in release: cargo test -p fencegate-core --release --test sim_search_mended -- --ignored"]
fn the_mended_design_holds_with_two_faults_at_any_step() {
    with_faults(2);
}

#[test]
fn two_holders_hold_in_a_network_without_any_order() {
    let mut table = String::new();
    for mut asked in mended(0) {
        if asked.scenario.mechanism.drain_ms.is_some() {
            // Here a write may come after any bound.
            continue;
        }
        asked.scenario.holders.truncate(2);
        let messages = 3;
        let mut bounds = any_order(&asked.scenario, messages);
        // Past the end of the first lease and the second grant.
        bounds.until_ms = Some(4_000);
        let asked = question(asked.scenario, bounds, &asked.laws);
        let what = "in 4 s, any order";
        table.push_str(&exhausted(&asked, what));
    }
    is_as_kept("any-order.txt", &table);
}
