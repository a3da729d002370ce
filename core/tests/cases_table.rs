//! `docs/cases.md` has every case once, and every test and story that it or the README names exists.

use fencegate_core::laws::Law;
use fencegate_core::sim::stories::{self, Story};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Cases whose numbers have gaps.
const B: [u32; 34] = [
    1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 15, 16, 17, 18, 19, 20, 21, 22, 23, 25, 26, 27, 28, 29, 32,
    33, 35, 36, 37, 38, 40, 42, 43,
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

struct Row {
    id: String,
    shown_by: String,
}

fn rows() -> Vec<Row> {
    let text = fs::read_to_string(root().join("docs/cases.md")).expect("the table is there");
    let cells = text.lines().filter_map(|line| {
        let line = line.strip_prefix("| ")?.strip_suffix(" |")?;
        Some(line.split(" | ").map(str::to_owned).collect::<Vec<_>>())
    });
    cells
        .filter(|cells| cells.first().is_some_and(|id| id != "id"))
        .map(|cells| {
            let [id, _, shown_by] = cells.try_into().expect("a row has three cells");
            Row { id, shown_by }
        })
        .collect()
}

/// What is written like code and looks like a test.
fn tests(cell: &str) -> impl Iterator<Item = (&str, &str)> {
    cell.split('`')
        .skip(1)
        .step_by(2)
        .filter_map(|code| code.split_once("::"))
}

#[test]
fn every_case_is_there_once_and_in_order() {
    let expected: Vec<String> = B
        .into_iter()
        .map(|number| format!("B{number:02}"))
        .chain((1..=18).map(|number| format!("V{number}")))
        .chain((1..=25).map(|number| format!("P{number:02}")))
        .collect();
    let found: Vec<String> = rows().into_iter().map(|row| row.id).collect();
    assert_eq!(found, expected);
}

#[test]
fn every_named_test_exists() {
    let mut files = BTreeMap::new();
    for page in ["docs/cases.md", "README.md"] {
        let text = fs::read_to_string(root().join(page)).expect("the page is there");
        let rows = text.lines().filter(|line| line.starts_with("| "));
        for (path, name) in rows.flat_map(tests) {
            let text = files.entry(path.to_owned()).or_insert_with(|| {
                fs::read_to_string(root().join(path))
                    .unwrap_or_else(|error| panic!("{page}: {path}: {error}"))
            });
            assert!(
                text.contains(&format!("fn {name}(")),
                "{page}: no test {name} in {path}"
            );
        }
    }
    assert!(files.len() > 10, "tests are named like `path.rs::name`");
}

/// What is written like code after "told in", and is no test, is a variant.
#[test]
fn every_named_story_is_told() {
    let variants: BTreeSet<String> = stories::ALL
        .iter()
        .flat_map(Story::variants)
        .map(|it| it.name)
        .collect();
    let mut named = 0;
    for row in rows() {
        let told = row.shown_by.split("old in ").nth(1).unwrap_or_default();
        for name in told.split('`').skip(1).step_by(2) {
            let is_a_test = name.contains("::");
            assert!(is_a_test || variants.contains(name), "{}: {name}", row.id);
            named += usize::from(!is_a_test);
        }
    }
    assert!(named > 30, "stories are named after `told in`");
}

#[test]
fn the_readme_has_every_law() {
    let text = fs::read_to_string(root().join("README.md")).expect("the page is there");
    for law in Law::ALL {
        assert!(
            text.contains(&format!("| **`{}`** ", law.name())),
            "{}",
            law.name()
        );
    }
}

#[test]
fn a_case_without_a_test_has_a_sentence() {
    for row in rows() {
        let says_why = ["Not in this version", "The design answers otherwise"]
            .iter()
            .any(|start| row.shown_by.starts_with(start));
        assert!(
            tests(&row.shown_by).next().is_some() || says_why,
            "{}",
            row.id
        );
    }
}

/// A case that is named by its number in a test is in the table with that test.
#[test]
fn every_numbered_test_is_in_the_table() {
    let shown: Vec<String> = rows().into_iter().map(|row| row.shown_by).collect();
    for file in ["cases_lease.rs", "cases_takeover.rs", "cases_mark.rs"] {
        let path = format!("core/tests/{file}");
        let text = fs::read_to_string(root().join(&path)).expect("a file of cases");
        let names = text
            .split("#[test]\nfn ")
            .skip(1)
            .filter_map(|rest| rest.split_once("()"));
        for (name, _) in names {
            let reference = format!("`{path}::{name}`");
            assert!(
                shown.iter().any(|cell| cell.contains(&reference)),
                "{reference} is not in the table"
            );
        }
    }
}
