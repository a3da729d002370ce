//! Tables in `docs/` that are made from what a test saw.
//!
//! A test that publishes makes its page anew each time and compares; `FENCEGATE_RENEW=1` writes it.

use std::path::PathBuf;

/// Checks that `docs/NAME` is what a test made; with `FENCEGATE_RENEW` in the environment, writes it.
///
/// # Panics
/// When the page is stale, or cannot be written.
pub fn is_fresh(name: &str, made: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../docs")
        .join(name);
    if std::env::var_os("FENCEGATE_RENEW").is_some() {
        std::fs::write(&path, made).expect("docs can be written");
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = there.lines().zip(made.lines()).find(|(a, b)| a != b);
    assert!(
        there == made,
        "docs/{name} is stale: run its test with FENCEGATE_RENEW=1 and read what it changed; first: {differs:#?}"
    );
}

/// Text as it stands in a cell.
#[must_use]
pub fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
