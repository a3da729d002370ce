//! Hundreds of hostile days on the filter that is shipped.

mod common;

use common::{filter, keeps_everything, kept};
use fencegate_wasm_host::day::Step;
use fencegate_wasm_host::figures::Figures;
use fencegate_wasm_host::run::{Control, run};
use fencegate_wasm_host::{generate, seed};
use std::time::{Duration, Instant};

/// How many days are run: fewer only where they would take longer than [`TIME_MAX`].
const DAYS: u64 = 600;
const DAYS_MIN: u64 = 100;
const TIME_MAX: Duration = Duration::from_secs(60);

#[test]
fn the_laws_hold_on_hostile_days() {
    let filter = filter();
    let first = seed::asked().unwrap_or_else(seed::fresh);
    println!("hostile days: FENCEGATE_SEED={first}");
    let begin = Instant::now();
    let mut sum = Figures::default();
    for seed in first..first.saturating_add(DAYS) {
        let day = generate::day(seed);
        sum.add(&keeps_everything(&filter, seed, &day).figures);
        if sum.days >= DAYS_MIN && begin.elapsed() > TIME_MAX {
            break;
        }
    }
    println!("{sum}\nanswers by status {:?}", sum.statuses);
    // What follows from nothing shows nothing: things worked, and they failed.
    assert!(sum.faults > 5 * sum.days, "{sum}");
    assert!(sum.turns > sum.days, "{sum}");
    assert!(
        sum.granted > 3 * sum.days && sum.admitted > 5 * sum.days,
        "{sum}"
    );
    for status in [
        200, 201, 400, 403, 404, 408, 409, 410, 412, 413, 425, 428, 503,
    ] {
        assert!(
            sum.statuses.contains_key(&status),
            "no answer {status} in {:?}",
            sum.statuses
        );
    }
}

#[test]
fn each_day_is_as_long_and_as_hostile_as_a_day_must_be() {
    let filter = filter();
    for seed in 0..20 {
        let day = generate::day(seed);
        let requests = day
            .steps
            .iter()
            .filter(|step| matches!(step, Step::Request { .. }))
            .count();
        assert!(
            requests >= generate::REQUESTS_MIN,
            "{seed}: {requests} requests"
        );
        let report = keeps_everything(&filter, seed, &day);
        assert!(report.figures.faults >= 5, "{seed}: {}", report.figures);
    }
}

#[test]
fn the_same_day_runs_the_same_way() {
    let filter = filter();
    for seed in 100..110 {
        let day = generate::day(seed);
        let [first, second] = [(); 2].map(|()| run(&filter, &day, Control::default()));
        assert_eq!(first.figures, second.figures);
        assert_eq!(first.log, second.log);
    }
}

#[test]
fn days_that_once_broke_something_break_nothing() {
    let filter = filter();
    let days = kept();
    assert!(!days.is_empty());
    for (name, day) in days {
        println!("{name}");
        keeps_everything(&filter, 0, &day);
    }
}
