//! The observer: each law is broken by its own history, and by no lawful one.

mod common;

use common::token;
use fencegate_core::check::Access;
use fencegate_core::laws::{Event, Law, Observer, Tokens};

const R: &str = "r";

fn granted(number: u64) -> Event<'static> {
    by("a", number, None)
}

fn by(holder: &'static str, number: u64, request_id: Option<&'static str>) -> Event<'static> {
    Event::Granted {
        resource: R,
        token: token(number),
        holder,
        request_id,
    }
}

fn admitted(holder: Option<&'static str>, number: u64) -> Event<'static> {
    Event::Admitted {
        resource: R,
        token: token(number),
        holder,
        access: Access::Write,
    }
}

fn read(number: u64) -> Event<'static> {
    Event::Admitted {
        resource: R,
        token: token(number),
        holder: Some("a"),
        access: Access::Read,
    }
}

fn mark(number: Option<u64>) -> Event<'static> {
    Event::Mark {
        resource: R,
        mark: number.map(token),
    }
}

fn claimed(number: u64) -> Event<'static> {
    Event::Claimed {
        resource: R,
        token: token(number),
        holder: Some("a"),
    }
}

const UNREADABLE: Event<'static> = Event::Unreadable { resource: R };
const READABLE: Event<'static> = Event::Readable { resource: R };

/// The first broken law, and which event broke it.
fn broken(tokens: Tokens, history: &[Event<'_>]) -> Option<(usize, Law)> {
    let mut observer = Observer::new(tokens);
    history
        .iter()
        .enumerate()
        .find_map(|(at, event)| Some((at, observer.observe(event).err()?.law)))
}

#[test]
fn ours() {
    use Law::{EqualTokenOneHolder, HolderStopsInTime, MarkNeverFalls, StaleNeverAdmitted};
    use Law::{TokensOnlyRise, UnknownIsNotEmpty};
    let a = Some("a");
    let believes = |number| Event::Believes {
        resource: R,
        token: token(number),
    };
    let broke = |number| Event::Broken {
        resource: R,
        token: token(number),
    };
    #[rustfmt::skip]
    let rows: &[(&[Event<'_>], Option<Law>)] = &[
        (&[granted(1), admitted(a, 1), granted(2), admitted(a, 2)], None),
        (&[granted(2), granted(1)], Some(TokensOnlyRise)),
        (&[granted(1), granted(1)], Some(TokensOnlyRise)),
        (&[broke(1), granted(1)], Some(TokensOnlyRise)),
        (&[by("a", 1, Some("x")), by("a", 1, Some("x"))], None),
        (&[by("a", 1, Some("x")), by("b", 1, Some("x"))], Some(TokensOnlyRise)),
        (&[by("a", 1, Some("x")), by("a", 1, Some("y"))], Some(TokensOnlyRise)),
        (&[by("a", 1, Some("x")), granted(2), by("a", 1, Some("x"))], Some(TokensOnlyRise)),
        (&[granted(1), Event::Restarted, granted(1)], Some(TokensOnlyRise)),
        (&[granted(2), Event::Restarted, granted(1)], None),
        (&[mark(Some(2)), mark(Some(2)), mark(Some(1))], Some(MarkNeverFalls)),
        (&[granted(2), mark(Some(1))], Some(MarkNeverFalls)),
        (&[granted(2), mark(None), granted(3)], None),
        (&[granted(2), Event::Restarted, mark(Some(1))], None),
        (&[granted(1), granted(2), admitted(a, 1)], Some(StaleNeverAdmitted)),
        (&[granted(1), granted(2), read(1)], Some(StaleNeverAdmitted)),
        (&[granted(1), granted(2), claimed(1)], Some(StaleNeverAdmitted)),
        (&[granted(1), broke(2), admitted(a, 1)], Some(StaleNeverAdmitted)),
        (&[granted(9), Event::Restarted, admitted(a, 9)], Some(StaleNeverAdmitted)),
        (&[granted(9), Event::Restarted, granted(1), admitted(a, 9)], Some(StaleNeverAdmitted)),
        (&[granted(1), admitted(Some("b"), 1)], Some(EqualTokenOneHolder)),
        (&[granted(1), admitted(None, 1)], Some(EqualTokenOneHolder)),
        (&[granted(1), admitted(a, 2)], Some(EqualTokenOneHolder)),
        (&[broke(1), admitted(None, 1)], Some(EqualTokenOneHolder)),
        (&[granted(1), UNREADABLE, admitted(a, 1)], Some(UnknownIsNotEmpty)),
        (&[granted(1), UNREADABLE, granted(2)], Some(UnknownIsNotEmpty)),
        (&[granted(1), UNREADABLE, READABLE, admitted(a, 1)], None),
        (&[granted(1), believes(1)], None),
        (&[granted(1), granted(2), believes(1)], Some(HolderStopsInTime)),
    ];
    for (history, law) in rows {
        let last = history.len() - 1;
        let expected = law.map(|law| (last, law));
        assert_eq!(broken(Tokens::Ours, history), expected, "{history:?}");
    }
}

#[test]
fn external() {
    use Law::{EqualTokenOneHolder, MarkNeverFalls, StaleNeverAdmitted, UnknownIsNotEmpty};
    let (a, b) = (Some("a"), Some("b"));
    #[rustfmt::skip]
    let rows: &[(&[Event<'_>], Option<Law>)] = &[
        (&[admitted(a, 1), admitted(a, 1), admitted(b, 5), read(7), admitted(b, 6)], None),
        (&[admitted(a, 2), admitted(b, 1)], Some(StaleNeverAdmitted)),
        (&[claimed(2), read(1)], Some(StaleNeverAdmitted)),
        (&[admitted(a, 1), admitted(b, 1)], Some(EqualTokenOneHolder)),
        (&[admitted(a, 1), admitted(None, 1)], Some(EqualTokenOneHolder)),
        (&[admitted(None, 1), admitted(a, 1)], Some(EqualTokenOneHolder)),
        (&[admitted(None, 1), admitted(None, 1)], Some(EqualTokenOneHolder)),
        (&[admitted(a, 2), mark(Some(1))], Some(MarkNeverFalls)),
        (&[mark(None), admitted(a, 2), mark(None)], Some(UnknownIsNotEmpty)),
        (&[mark(Some(2)), mark(None)], Some(UnknownIsNotEmpty)),
        (&[admitted(a, 2), UNREADABLE, admitted(a, 2)], Some(UnknownIsNotEmpty)),
        (&[admitted(a, 2), Event::Restarted, mark(None), admitted(b, 1)], None),
    ];
    for (history, law) in rows {
        let last = history.len() - 1;
        let expected = law.map(|law| (last, law));
        assert_eq!(broken(Tokens::External, history), expected, "{history:?}");
    }
}

/// Only what was answered before a request was sent binds the answer to it.
#[test]
fn answers_may_overtake_each_other() {
    let mut observer = Observer::new(Tokens::Ours);
    let asked = observer.asking(R);
    assert_eq!(observer.answered(asked, &granted(2)), Ok(()));
    assert_eq!(observer.answered(asked, &granted(1)), Ok(()));
    assert_eq!(observer.answered(asked, &admitted(Some("a"), 1)), Ok(()));
    assert_eq!(observer.answered(asked, &mark(Some(1))), Ok(()));
    let later = observer.asking(R);
    let stale = observer.answered(later, &admitted(Some("a"), 1));
    assert_eq!(
        stale.map_err(|violation| violation.law),
        Err(Law::StaleNeverAdmitted)
    );
}

#[test]
fn a_law_that_is_given_up_is_not_looked_after() {
    let mut observer = Observer::new(Tokens::External).giving_up(Law::EqualTokenOneHolder);
    for event in [admitted(None, 1), admitted(Some("a"), 1), admitted(None, 1)] {
        assert_eq!(observer.observe(&event), Ok(()));
    }
}

#[test]
fn resources_do_not_mix() {
    let mut observer = Observer::new(Tokens::Ours);
    observer.observe(&granted(5)).expect("the first");
    let other = Event::Granted {
        resource: "s",
        token: token(1),
        holder: "a",
        request_id: None,
    };
    assert_eq!(observer.observe(&other), Ok(()));
}

#[test]
fn a_violation_says_what_and_why() {
    let mut observer = Observer::new(Tokens::Ours);
    observer.observe(&granted(2)).expect("the first");
    let violation = observer.observe(&granted(1)).expect_err("it falls");
    let text = violation.to_string();
    for part in [
        "tokens_only_rise",
        "r",
        "1",
        "2",
        Law::TokensOnlyRise.sentence(),
    ] {
        assert!(text.contains(part), "{text}");
    }
    let mut names: Vec<_> = Law::ALL.iter().map(|law| law.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Law::ALL.len());
}

/// A read binds nothing. One that was sent before the first write of its token, and answered
/// after it, may have been decided before.
#[test]
fn a_read_may_be_overtaken_by_the_first_write_of_its_token() {
    let mut observer = Observer::new(Tokens::External);
    let before = observer.asking(R);
    assert_eq!(observer.observe(&admitted(Some("b"), 7)), Ok(()));
    assert_eq!(observer.answered(before, &read(7)), Ok(()));
    let broken = observer
        .observe(&read(7))
        .map_err(|violation| violation.law);
    assert_eq!(broken, Err(Law::EqualTokenOneHolder));
}
