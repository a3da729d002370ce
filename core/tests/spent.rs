//! Request ids whose grant is over: each is one of one holder of one resource.

use fencegate_core::spent::{Fingerprint, Spent};

#[test]
fn a_fingerprint_is_of_resource_holder_and_request() {
    let one = Fingerprint::of("r", "a", "1");
    assert_eq!(one, Fingerprint::of("r", "a", "1"));
    for other in [
        Fingerprint::of("s", "a", "1"),
        Fingerprint::of("r", "b", "1"),
        Fingerprint::of("r", "a", "2"),
        Fingerprint::of("a", "r", "1"),
    ] {
        assert_ne!(one, other);
    }
}

#[test]
fn names_do_not_run_into_each_other() {
    let one = Fingerprint::of("ab", "c", "d");
    for other in [
        Fingerprint::of("a", "bc", "d"),
        Fingerprint::of("abc", "", "d"),
        Fingerprint::of("ab", "cd", ""),
    ] {
        assert_ne!(one, other);
    }
}

#[test]
fn a_list_has_what_is_in_it() {
    let kept = [
        Fingerprint::of("r", "a", "1").0,
        Fingerprint::of("r", "b", "1").0,
    ];
    let spent = Spent(&kept);
    assert!(spent.contains(Fingerprint::of("r", "a", "1")));
    assert!(spent.contains(Fingerprint::of("r", "b", "1")));
    assert!(!spent.contains(Fingerprint::of("s", "a", "1")));
    assert!(!Spent::default().contains(Fingerprint::of("r", "a", "1")));
}
