//! What is wrong on purpose is found: otherwise a hostile day without a breach shows nothing.

mod common;

use common::{filter, naive_filter, tiny};
use fencegate_wasm_host::ask::{Ask, Pick, Sent, Who};
use fencegate_wasm_host::breach;
use fencegate_wasm_host::day::{Callback, Day, Step};
use fencegate_wasm_host::generate;
use fencegate_wasm_host::instance::Loaded;
use fencegate_wasm_host::run::{Control, run};
use fencegate_wasm_host::shared::Dialect;
use fencegate_wasm_host::shrink::shrink;

/// The filter's laws that a store without compare-and-swap breaks.
const LAWS: [&str; 4] = [
    "tokens_only_rise",
    "mark_never_falls",
    "stale_never_admitted",
    "equal_token_one_holder",
];

/// A day on Envoy, where 0 overwrites: elsewhere a naive store is merely refused.
fn day_on_envoy(seed: u64) -> Day {
    let mut day = generate::day(seed);
    day.setting.dialect = Dialect::Envoy;
    day
}

#[test]
fn a_store_that_overwrites_is_found_and_its_day_gets_small() {
    let naive = naive_filter();
    let found = (0..300).map(day_on_envoy).find(|day| {
        let report = run(&naive, day, Control::default());
        report
            .breach
            .is_some_and(|breach| LAWS.contains(&breach.law))
    });
    let day = found.expect("a day on which a naive store breaks a law");
    let shrunk = shrink(&naive, &day, Control::default()).expect("it breaks a law");
    println!("{:?}\n{:#?}", shrunk.report.breach, shrunk.day.steps);
    assert!(
        shrunk.day.steps.len() <= 12,
        "{} steps",
        shrunk.day.steps.len()
    );
    let sound = run(&filter(), &shrunk.day, Control::default());
    assert_eq!(sound.breach, None, "the shipped filter keeps that law");
}

#[test]
fn a_proxy_that_forwards_what_is_held_is_found() {
    let control = Control {
        forwards_despite_pause: true,
    };
    let report = run(&filter(), &generate::day(1), control);
    let breach = report.breach.expect("it forwards what was refused");
    assert_eq!(breach.law, breach::REJECTED_IS_NOT_APPLIED, "{breach}");
}

/// What a filter breaks that does `body` with the headers of a request of this kind.
fn breaks(body: &[u8], ask: Ask) -> (&'static str, String) {
    let filter = Loaded::from_bytes(&tiny::module(body)).expect("a filter");
    let script = vec![Callback::Create, Callback::Headers(true), Callback::Delete];
    let request = Step::Request {
        worker: 0,
        ask,
        script,
        faults: Vec::new(),
    };
    let day = Day {
        steps: vec![request],
        ..generate::day(1)
    };
    let report = run(&filter, &day, Control::default());
    let breach = report.breach.expect("it breaks something");
    (breach.law, breach.story)
}

#[test]
fn a_trap_is_noticed() {
    let unreachable = [0x00];
    let (law, story) = breaks(&unreachable, Ask::Free);
    assert_eq!(law, breach::NO_TRAP);
    assert!(story.contains("unreachable"), "{story}");
}

#[test]
fn a_filter_that_reads_outside_its_memory_is_noticed() {
    // The 32 bits at address -8.
    let (law, story) = breaks(&[0x41, 0x78, 0x28, 2, 0], Ask::Free);
    assert_eq!(law, breach::NO_TRAP);
    assert!(story.contains("out of bounds"), "{story}");
}

#[test]
fn a_filter_that_never_returns_is_noticed() {
    // A loop that branches to its begin.
    let (law, story) = breaks(&[0x03, 0x40, 0x0c, 0, 0x0b, 0x41, 0], Ask::Free);
    assert_eq!(law, breach::NO_TRAP);
    assert!(story.contains("fuel"), "{story}");
}

#[test]
fn a_filter_that_calls_for_ever_is_noticed() {
    // The same, with a line for the log each time.
    let (law, _) = breaks(
        &[
            0x03, 0x40, 0x41, 2, 0x41, 0, 0x41, 0, 0x10, 0, 0x1a, 0x0c, 0, 0x0b, 0x41, 0,
        ],
        Ask::Free,
    );
    assert_eq!(law, breach::NO_TRAP);
}

#[test]
fn a_filter_that_lets_everything_pass_is_found() {
    let (law, _) = breaks(&[0x41, 0], Ask::Ready);
    assert_eq!(law, breach::REJECTED_IS_NOT_APPLIED);
    let token = Sent::One(Pick::Newest);
    let guarded = Ask::Guarded {
        resource: 0,
        who: Who::Owner,
        token,
        method: 2,
    };
    let (law, _) = breaks(&[0x41, 0], guarded);
    assert_eq!(law, breach::UNKNOWN_IS_NOT_EMPTY);
}

#[test]
fn a_filter_that_holds_everything_is_found() {
    let (law, _) = breaks(&[0x41, 1], Ask::Ready);
    assert_eq!(law, breach::ONE_DECISION);
}
