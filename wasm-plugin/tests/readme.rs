//! The contract's table in the README is the filter's own.

use fencegate::reply::Kind;
use std::collections::BTreeSet;

/// Status and reason of each row of the README's table of refusals.
fn shown() -> BTreeSet<(u16, String)> {
    let readme = include_str!("../../README.md");
    let rows = readme.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        let status = cells.next()?.parse().ok()?;
        let reason = cells.next()?.trim_matches('`').to_owned();
        Some((status, reason))
    });
    rows.collect()
}

#[test]
fn the_readme_shows_every_refusal_with_its_status() {
    let ours: BTreeSet<_> = Kind::of_requests()
        .into_iter()
        .map(|kind| (kind.status, kind.reason.to_owned()))
        .collect();
    assert_eq!(shown(), ours);
}
