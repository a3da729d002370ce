//! A filter runs for months: what it needs after an hour it needs after a year.

mod common;

use common::filter;
use fencegate_wasm_host::breach::NO_TRAP;
use fencegate_wasm_host::day::{CallFault, Callback, Day, Fault, Step};
use fencegate_wasm_host::generate;
use fencegate_wasm_host::run::{Control, run};

/// A day without anything that would give an instance up, or keep a request for ever.
fn long_living(seed: u64) -> Day {
    let Day { setting, mut steps } = generate::day(seed);
    steps.retain(|step| {
        !matches!(
            step,
            Step::Kill(_) | Step::Restart | Step::Configure { .. } | Step::Spoil { .. }
        )
    });
    let stay = |faults: &mut Vec<CallFault>| faults.retain(|each| each.fault != Fault::Die);
    for step in &mut steps {
        match step {
            Step::Request { script, faults, .. } => {
                script.retain(|callback| *callback != Callback::Hold);
                stay(faults);
            }
            Step::Resume { faults, .. } | Step::Tick { faults, .. } => stay(faults),
            _ => {}
        }
    }
    Day { setting, steps }
}

#[test]
fn memory_does_not_grow_after_the_first_hundreds_of_requests() {
    let filter = filter();
    for seed in 0..6 {
        let day = long_living(seed);
        let sizes = [2, 20].map(|times| {
            let steps = core::iter::repeat_n(day.steps.clone(), times)
                .flatten()
                .collect();
            let report = run(
                &filter,
                &Day {
                    setting: day.setting.clone(),
                    steps,
                },
                Control::default(),
            );
            assert_eq!(report.breach, None, "{seed}");
            (report.memory, report.values)
        });
        assert_eq!(
            sizes[0],
            sizes[1],
            "seed {seed}: after {} and {} requests",
            2 * 200,
            20 * 200
        );
        println!("seed {seed}: {:?}", sizes[1]);
    }
}

/// Envoy has no limit for the memory of a filter; other proxies have. Where it is met, an
/// allocation fails: the filter refuses, or traps as at any mistake, and forwards nothing.
#[test]
fn a_filter_that_runs_out_of_memory_forwards_nothing_that_it_did_not_admit() {
    const PAGE: usize = 64 * 1024;
    let mut trapped = 0;
    for pages in 16..40 {
        let filter = filter().with_memory_max(pages * PAGE);
        let report = run(&filter, &long_living(1), Control::default());
        if let Some(breach) = report.breach {
            assert_eq!(breach.law, NO_TRAP, "{pages} pages: {breach}");
            trapped += 1;
        }
    }
    assert!(trapped > 0, "the limit was never met");
    println!("of 24 limits {trapped} were met");
}
