//! What holds for all requests and rules, tried at random and, where it is small, everywhere.

#[path = "policy_support/mod.rs"]
mod support;

use std::collections::BTreeMap;

use fencegate_core::path::Path;
use fencegate_core::policy::{Policy, Reason, Route};
use proptest::prelude::*;
use support::{build, policy, request, rule};

const TOKEN: &[(&str, &str)] = &[("fencing-token", "42")];

/// The key that a path gets, or the reason why not.
fn key(policy: &Policy, path: &[u8]) -> Result<String, Option<Reason>> {
    match policy.route(&request("PUT", "h", path, TOKEN)) {
        Route::Guarded(guarded) => Ok(guarded.resource),
        Route::Refused(refused) => Err(Some(refused.refusal.reason())),
        Route::Unguarded | Route::Unmatched => Err(None),
    }
}

/// Every byte encoded: the spelling that is never taken for anything else.
fn encoded(segment: &str) -> String {
    segment.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// Segments that have a clear spelling.
fn segment() -> impl Strategy<Value = String> {
    "[a-c .+:@=,é{}|~-]{1,4}".prop_filter("dots", |text| text != "." && text != "..")
}

fn guarding() -> Policy {
    policy(&[rule("h", "/jobs/{job}/{*rest}", "job:{job}:{rest}", "")])
}

proptest! {
    /// Any mix of raw and encoded bytes: the same key or ambiguous, nothing else.
    #[test]
    fn any_encoding_of_a_path_is_the_same_key_or_ambiguous(
        job in segment(),
        rest in proptest::collection::vec(segment(), 0..3),
        choices in proptest::collection::vec(0..3_u8, 64),
        slash in any::<bool>(),
    ) {
        let policy = guarding();
        let mut segments = vec!["jobs".to_owned(), job];
        segments.extend(rest);
        let all: String = segments.iter().map(|segment| format!("/{}", encoded(segment))).collect();
        let wanted = key(&policy, all.as_bytes());
        prop_assert!(wanted.is_ok(), "{all}");

        let mut choices = choices.into_iter().cycle();
        let mut mixed = Vec::new();
        for segment in &segments {
            mixed.push(b'/');
            for byte in segment.bytes() {
                match choices.next() {
                    Some(0) => mixed.extend(format!("%{byte:02X}").bytes()),
                    Some(1) => mixed.extend(format!("%{byte:02x}").bytes()),
                    _ => mixed.push(byte),
                }
            }
        }
        if slash {
            mixed.push(b'/');
        }
        let unclear = mixed.iter().any(|byte| matches!(byte, b'+' | b' '));
        let expected = if unclear { Err(Some(Reason::Ambiguous)) } else { wanted };
        prop_assert_eq!(key(&policy, &mixed), expected);
    }

    /// Different values never share a key, whatever stands between them.
    #[test]
    fn different_values_have_different_keys(
        one in (segment(), segment(), proptest::collection::vec(segment(), 0..3)),
        two in (segment(), segment(), proptest::collection::vec(segment(), 0..3)),
        template in prop_oneof![
            Just("{a}:{b}:{rest}"), Just("{a}/{b}/{rest}"), Just("{rest}:{b}@{a}"), Just("x{b}=y-{rest}+{a}z"),
        ],
    ) {
        let policy = policy(&[rule("h", "/{a}/{b}/{*rest}", template, "")]);
        let path = |(a, b, rest): &(String, String, Vec<String>)| {
            let rest: String = rest.iter().map(|segment| format!("/{}", encoded(segment))).collect();
            format!("/{}/{}{rest}", encoded(a), encoded(b))
        };
        let keys = [&one, &two].map(|values| key(&policy, path(values).as_bytes()));
        for key in keys.iter().flatten() {
            prop_assert!(policy.produces(key), "{key}");
        }
        if let [Ok(first), Ok(second)] = &keys {
            prop_assert_eq!(first == second, one == two, "{} {}", first, second);
        }
    }

    /// Whatever bytes come as a path and a host, and what a key of them is produced.
    #[test]
    fn random_bytes_never_panic_and_keys_are_produced(
        path in prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..40),
            "/jobs(/[a-c%2-5EF.;+é]{0,4}){0,4}".prop_map(String::into_bytes),
        ],
        host in proptest::collection::vec(any::<u8>(), 0..8),
    ) {
        let policy = guarding();
        if let Ok(key) = key(&policy, &path) {
            prop_assert!(policy.produces(&key), "{key}");
        }
        let headers = [(":method", &b"PUT"[..]), (":authority", &host[..]), (":path", &path[..])];
        let _ = policy.route(&support::raw(&headers));
    }

    /// Reading rules never panics, whatever they say.
    #[test]
    fn random_rules_never_panic(path in "(/?[a{}*/%.]{0,3}){0,5}", resource in "[a{}:*/%]{0,8}", host in "[a.*:\\[\\]@0-9]{0,6}") {
        if let Ok(policy) = build(&[rule(&host, &path, &resource, "")]) {
            let _ = policy.produces(&resource);
        }
    }

    /// A key that is said to be produced is one that some request gets.
    #[test]
    fn what_is_produced_is_reached(text in "[ab.~%2EF:/-]{1,8}") {
        let policy = policy(&[rule("h", "/{a}/{*rest}", "{a}:{rest}", "")]);
        let reached = text.split_once(':').is_some_and(|(a, rest)| {
            let slash = if rest.is_empty() { "" } else { "/" };
            // A trailing slash, which requests may have, is not part of a key.
            !rest.ends_with('/') && key(&policy, format!("/{a}{slash}{rest}").as_bytes()).as_ref() == Ok(&text)
        });
        prop_assert_eq!(policy.produces(&text), reached);
    }
}

/// All templates of up to three pieces over a small alphabet.
fn templates() -> Vec<String> {
    let mut all = vec![String::new()];
    for at in 0..3 {
        let longest: Vec<String> = all
            .iter()
            .filter(|path| path.matches('/').count() == at)
            .cloned()
            .collect();
        for path in longest {
            all.extend([
                format!("{path}/a"),
                format!("{path}/b"),
                format!("{path}/{{v{at}}}"),
            ]);
        }
    }
    let resting: Vec<String> = all.iter().map(|path| format!("{path}/{{*rest}}")).collect();
    all.extend(resting);
    all.iter()
        .map(|path| {
            if path.is_empty() {
                "/".into()
            } else {
                path.clone()
            }
        })
        .collect()
}

/// All paths of up to five segments over the same alphabet and one more letter.
fn paths() -> Vec<String> {
    let mut all = vec!["/".to_owned()];
    let mut longest = vec![String::new()];
    for _ in 0..5 {
        longest = longest
            .iter()
            .flat_map(|path| ["a", "b", "c"].map(|piece| format!("{path}/{piece}")))
            .collect();
        all.extend(longest.iter().cloned());
    }
    all
}

/// Two rules are refused exactly if some small path is matched by both: a second opinion on the
/// overlap check, by trying all. Larger paths bring nothing new, since no template is longer.
#[test]
fn overlap_agrees_with_a_search_for_a_witness() {
    let (templates, paths) = (templates(), paths());
    let alone: Vec<Policy> = templates
        .iter()
        .map(|path| policy(&[rule("h", path, "r", "")]))
        .collect();
    let matched: Vec<Vec<bool>> = alone
        .iter()
        .map(|policy| {
            paths
                .iter()
                .map(|path| key(policy, path.as_bytes()).is_ok())
                .collect()
        })
        .collect();
    let mut seen = BTreeMap::new();
    for (one, mine) in templates.iter().zip(&matched) {
        for (two, theirs) in templates.iter().zip(&matched) {
            let witness = mine
                .iter()
                .zip(theirs)
                .any(|(mine, theirs)| *mine && *theirs);
            let refused = build(&[rule("h", one, "r", ""), rule("h", two, "r", "")]).is_err();
            assert_eq!(refused, witness, "{one} and {two}");
            *seen.entry(refused).or_insert(0) += 1;
        }
    }
    assert!(
        seen[&true] > 500 && seen[&false] > 500,
        "both answers are tried: {seen:?}"
    );
}

/// The control of the test above: it would notice a check that forgets that a rest may be empty.
#[test]
fn the_search_finds_an_empty_rest() {
    let rest = policy(&[rule("h", "/a/{*rest}", "r", "")]);
    assert!(key(&rest, b"/a").is_ok() && paths().contains(&"/a".to_owned()));
    assert!(Path::read(b"/a").is_ok());
}

/// The path that a refusal of two rules shows is one that both match.
#[test]
fn the_witness_of_an_overlap_is_true() {
    let templates = templates();
    for one in &templates {
        for two in &templates {
            let Err(error) = build(&[rule("h", one, "r", ""), rule("h", two, "r", "")]) else {
                continue;
            };
            let sentence = error.to_string();
            let witness = sentence
                .strip_prefix("rules[1].match: ")
                .and_then(|rest| rest.split(' ').next())
                .unwrap();
            for template in [one, two] {
                let alone = policy(&[rule("h", template, "r", "")]);
                assert!(
                    key(&alone, witness.as_bytes()).is_ok(),
                    "{one} and {two}: {witness}"
                );
            }
        }
    }
}

/// The control of `different_values_have_different_keys`: the templates which it does not try,
/// because they are refused, would fail it.
#[test]
fn unseparated_templates_would_share_keys() {
    let join = |separator: &str, a: &str, b: &str| format!("{a}{separator}{b}");
    for (separator, one, two) in [
        ("", ("a", "bc"), ("ab", "c")),
        ("-", ("a-b", "c"), ("a", "b-c")),
    ] {
        assert_eq!(join(separator, one.0, one.1), join(separator, two.0, two.1));
        assert!(build(&[rule("h", "/{a}/{b}", &join(separator, "{a}", "{b}"), "")]).is_err());
    }
}
