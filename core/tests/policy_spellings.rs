//! One place in many spellings: the same key or 400; never another key, never unmatched.
//!
//! The table is data (`path_spellings.tsv`), so that the documentation shows what is tested here.

#[path = "policy_support/mod.rs"]
mod support;

use fencegate_core::policy::{Policy, Reason, Refusal, Route};
use support::{policy, request, rule};

/// The column after the spelling: the same key, or this kind of ambiguity.
struct Row {
    path: Vec<u8>,
    outcome: &'static str,
    line: &'static str,
}

fn rows() -> Vec<Row> {
    let lines = include_str!("path_spellings.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let [spelling, outcome, _why] =
                line.split('\t').collect::<Vec<_>>().try_into().expect(line);
            Row {
                path: unescape(spelling),
                outcome,
                line,
            }
        })
        .collect()
}

/// `\xNN` is one byte.
fn unescape(text: &str) -> Vec<u8> {
    let mut parts = text.split("\\x");
    let mut bytes = parts.next().unwrap().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    bytes
}

fn guarding() -> Policy {
    policy(&[rule(
        "store.example",
        "/jobs/{job}/{*rest}",
        "job:{job}:{rest}",
        "",
    )])
}

const KEY: &str = "job:a1:out/part";

#[test]
fn same_key_or_400() {
    let policy = guarding();
    let rows = rows();
    assert!(rows.len() >= 60);
    for Row {
        path,
        outcome,
        line,
    } in &rows
    {
        let write = request("PUT", "store.example", path, &[("fencing-token", "42")]);
        let seen = match policy.route(&write) {
            Route::Guarded(guarded) => {
                assert_eq!(guarded.resource, KEY, "{line}");
                "same".into()
            }
            Route::Refused(refused) => {
                assert_eq!(refused.refusal.reason(), Reason::Ambiguous, "{line}");
                match refused.refusal {
                    Refusal::Path(why) => format!("{why:?}"),
                    other => panic!("{line}: {other:?}"),
                }
            }
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(seen, *outcome, "{line}");
    }
}

/// The same spellings as the destination of a MOVE from an unguarded place.
#[test]
fn the_destination_is_read_like_the_path() {
    let policy = guarding();
    for Row {
        path,
        outcome,
        line,
    } in &rows()
    {
        let headers = [
            (":method", &b"MOVE"[..]),
            (":authority", b"store.example"),
            (":path", b"/elsewhere"),
            ("destination", path),
            ("fencing-token", b"42"),
        ];
        match policy.route(&support::raw(&headers)) {
            Route::Guarded(guarded) => assert_eq!(
                (guarded.resource.as_str(), *outcome),
                (KEY, "same"),
                "{line}"
            ),
            Route::Refused(refused) => {
                assert_ne!(*outcome, "same", "{line}");
                assert_eq!(refused.refusal.reason(), Reason::Ambiguous, "{line}");
            }
            other => panic!("{line}: {other:?}"),
        }
    }
}

/// The control: a reader that splits and compares, as one would write it first, is led astray by
/// most of the table.
#[test]
fn a_simple_reader_is_led_astray() {
    let simple = |path: &[u8]| {
        let text = String::from_utf8_lossy(path).into_owned();
        let path = text.split('?').next().unwrap_or_default();
        let pieces: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        match pieces.as_slice() {
            ["jobs", job, rest @ ..] => Some(format!("job:{job}:{}", rest.join("/"))),
            _ => None,
        }
    };
    let rows = rows();
    let unmatched = rows
        .iter()
        .filter(|row| simple(&row.path).is_none())
        .count();
    let other_key = rows
        .iter()
        .filter(|row| simple(&row.path).is_some_and(|key| key != KEY))
        .count();
    assert!(
        unmatched > 25 && other_key > 25,
        "{unmatched} unmatched, {other_key} other keys"
    );
}

/// Hosts in other spellings reach the same rule, or are refused.
#[test]
fn same_host_or_400() {
    let policy = guarding();
    let path = b"/jobs/a1/out/part";
    let table = [
        ("store.example", true),
        ("STORE.EXAMPLE", true),
        ("store.example:443", true),
        ("store.example.", true),
        ("Store.Example.:8080", true),
        ("store.example:", true),
        ("", false),
        ("user@store.example", false),
        ("store.example,other.example", false),
        ("other.example,store.example", false),
        ("store.example ", false),
        ("store..example", false),
        ("store.example..", false),
        ("store.example:80:80", false),
        ("store.example:x", false),
        ("store%2eexample", false),
        ("store.example/", false),
        ("[store.example]", false),
        ("st\u{f6}re.example", false),
    ];
    for (host, same) in table {
        match policy.route(&request("PUT", host, path, &[("fencing-token", "42")])) {
            Route::Guarded(guarded) => {
                assert_eq!((guarded.resource.as_str(), same), (KEY, true), "{host:?}")
            }
            Route::Refused(refused) => {
                assert!(!same, "{host:?}");
                assert!(matches!(refused.refusal, Refusal::Authority(_)), "{host:?}");
            }
            other => panic!("{host:?}: {other:?}"),
        }
    }
}
