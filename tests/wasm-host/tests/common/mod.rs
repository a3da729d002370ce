//! What the tests share: the modules under test, and where kept days lie.

#![allow(dead_code, reason = "no test uses all of it")]

pub(crate) mod tiny;

use fencegate_wasm_host::day::Day;
use fencegate_wasm_host::instance::Loaded;
use fencegate_wasm_host::run::{Control, Report, run};
use fencegate_wasm_host::shrink;
use std::path::PathBuf;

/// The filter that is shipped.
pub(crate) fn filter() -> Loaded {
    loaded("FENCEGATE_PLUGIN", "make plugin")
}

/// The filter that is wrong on purpose.
pub(crate) fn naive_filter() -> Loaded {
    loaded("FENCEGATE_PLUGIN_NAIVE", "make naive-plugin")
}

fn loaded(variable: &str, target: &str) -> Loaded {
    let path = std::env::var(variable).unwrap_or_else(|_| {
        panic!("{variable} names no .wasm: `{target}` makes it, `make test-hostile` runs this test")
    });
    Loaded::from_file(&PathBuf::from(path)).expect("a module")
}

/// Runs a day on which nothing may break.
pub(crate) fn keeps_everything(loaded: &Loaded, seed: u64, day: &Day) -> Report {
    let report = run(loaded, day, Control::default());
    assert!(
        report.breach.is_none(),
        "{}",
        shrink::story(loaded, seed, day, Control::default())
    );
    report
}

/// The days that once broke something, by their names.
pub(crate) fn kept() -> Vec<(String, Day)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/kept");
    let files = std::fs::read_dir(folder).expect("the folder of kept days");
    let mut days: Vec<_> = files
        .map(|file| {
            let path = file.expect("a file").path();
            let text = std::fs::read(&path).expect("a kept day");
            let name = path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let day =
                serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            (name, day)
        })
        .collect();
    days.sort_by(|(a, _), (b, _)| a.cmp(b));
    days
}
