//! Checks at the authority of many proxies, case by case.

mod quorum_world;

use fencegate_core::check::{Access, External};
use fencegate_core::quorum::{Call, Init, Outcome, Step, Survey, Wanted};
use fencegate_core::token::Token;
use fencegate_core::verdict::{Admission, Fault, Reason, Verdict};
use fencegate_core::window::{Decided, Question, Whose};
use quorum_world::proxy::{Fate, INIT, Proxy, R};
use quorum_world::store::{Store, group};
use quorum_world::*;

const FREE: External = External {
    jump_max: None,
    unnamed_may_share: false,
};

fn token(number: u64) -> Token {
    Token::new(0, number).expect("above 0")
}

fn external(holder: Option<&str>, number: u64, access: Access, external: External) -> Wanted {
    Wanted::Check {
        bearer: fencegate_core::quorum::Bearer {
            token: token(number),
            holder: holder.map(str::to_owned),
        },
        access,
        whose: Whose::External(external),
    }
}

fn raise(holder: &str, number: u64) -> Wanted {
    external(Some(holder), number, Access::Write, FREE)
}

fn leased() -> (Store, Proxy, Token) {
    let (mut store, mut proxy) = world();
    let token = granted(&proxy.run(&mut store, acquire("a"))).token;
    proxy.calls.clear();
    (store, proxy, token)
}

const fn raised(outcome: &Outcome) -> Option<bool> {
    match outcome {
        Outcome::Verdict(Verdict::Admit(Admission { advanced, .. })) => Some(*advanced),
        _ => None,
    }
}

#[test]
fn what_is_fresh_is_answered_from_memory_without_a_call() {
    let (mut store, mut proxy, token) = leased();
    assert!(admitted(&proxy.run(&mut store, write("a", token))));
    let below = Token::new(5, token.number() - 1).expect("above 0");
    for (outcome, why) in [
        (proxy.run(&mut store, write("a", below)), Reason::Stale),
        (
            proxy.run(&mut store, write("b", token)),
            Reason::HeldByAnother,
        ),
    ] {
        assert_eq!(reason(&outcome), Some(why));
    }
    assert!(proxy.calls.is_empty());
    // The same without a flow: nothing is allocated for it.
    let bearer = by("a", token);
    let question = Question {
        presented: fencegate_core::check::Presented {
            token,
            holder: bearer.holder.as_deref(),
        },
        access: Access::Write,
        whose: Whose::Ours,
        arrived: proxy.now(),
    };
    let decided = proxy
        .known
        .decide(&question, &proxy.heard, &proxy.terms, proxy.now());
    assert!(matches!(decided, Decided::Done(Verdict::Admit(_))));
}

#[test]
fn never_issued_is_said_only_from_a_reading_of_its_own() {
    let (mut store, mut proxy, token) = leased();
    let above = Token::new(5, token.number() + 9).expect("above 0");
    let outcome = proxy.run(&mut store, write("a", above));
    assert_eq!(reason(&outcome), Some(Reason::NeverIssued));
    assert_eq!(proxy.calls.len(), 1);
    let (mut store, mut proxy) = world();
    let outcome = proxy.run(&mut store, write("a", token));
    assert_eq!(reason(&outcome), Some(Reason::NoGrant));
}

#[test]
fn a_record_that_is_not_fresh_asks_for_a_background_read_first() {
    let (store, mut proxy, token) = leased();
    proxy.millis += 1_000;
    let step = proxy.begin(write("a", token));
    let Step::Stale(stale) = step else {
        panic!("known, not fresh: {step:?}");
    };
    // The driver surveys.
    let sent = proxy.now();
    let in_force = proxy.heard.in_force.expect("known");
    let survey = Call::Survey(Survey {
        init: in_force.at,
        since: 0,
    });
    let fencegate_core::quorum::Reply::Surveyed(surveyed) =
        store.clone().call(R, &survey).expect("answered")
    else {
        panic!("a survey");
    };
    let now = proxy.now();
    let heard = proxy
        .heard
        .surveyed((sent, in_force.at), &surveyed, &proxy.terms, now);
    assert_eq!(heard, Ok(proxy.heard.in_force));
    let version = surveyed.versions.iter().find(|(it, _)| *it == group(R));
    let init = proxy.heard.window().expect("in force");
    proxy.known.cover(sent, &init, version.expect("put").1);
    let step = proxy.at(|at| stale.surveyed(at));
    assert!(matches!(step, Step::Done(outcome, None) if admitted(&outcome)));
}

#[test]
fn a_background_read_that_does_not_do_is_followed_by_a_reading() {
    let (mut store, mut proxy, token) = leased();
    proxy.millis += 1_000;
    let Step::Stale(stale) = proxy.begin(write("a", token)) else {
        panic!("known, not fresh");
    };
    let init = proxy.heard.window().expect("in force");
    let now = proxy.now();
    // Another resource of its group was put.
    proxy.known.cover(now, &init, 1_000);
    let step = proxy.at(|at| stale.surveyed(at));
    assert!(matches!(&step, Step::Call(calling, _) if calling.may_share()));
    assert!(admitted(&proxy.finish(&mut store, step)));
}

#[test]
fn others_wait_for_one_reading_and_are_judged_on_it() {
    let (mut store, proxy, token) = leased();
    let mut other = Proxy::beside(&proxy);
    let first = other.begin(write("a", token));
    let Step::Call(second, _) = other.begin(write("b", token)) else {
        panic!("it knows nothing");
    };
    assert!(second.may_share());
    assert!(admitted(&other.finish(&mut store, first)));
    let step = other.at(|at| second.read_by_another(at));
    let Step::Done(outcome, None) = step else {
        panic!("it is known by now: {step:?}");
    };
    assert_eq!(reason(&outcome), Some(Reason::HeldByAnother));
}

#[test]
fn a_proxy_that_meets_an_unsettled_mark_waits_itself() {
    let (mut store, mut proxy) = world();
    let step = proxy.begin(acquire("a"));
    drop(proxy.until_wait(&mut store, step));
    let token = proxy.known.kept().expect("put").token;
    let mut other = Proxy::beside(&proxy);
    let began = other.millis;
    assert!(admitted(&other.run(&mut store, write("a", token))));
    assert!(other.millis - began >= 250);
    // Only once.
    let began = other.millis;
    assert!(admitted(&other.run(&mut store, write("a", token))));
    assert_eq!(other.millis, began);
}

#[test]
fn an_answer_that_is_too_old_when_it_arrives_is_asked_for_again_and_given_up() {
    let (mut store, proxy, token) = leased();
    let mut other = Proxy::beside(&proxy);
    other.latency = 250;
    let outcome = other.run(&mut store, write("a", token));
    assert_eq!(fault(&outcome), Some(Fault::Unreachable));
    assert_eq!(other.calls.len(), 16);
    other.latency = 249;
    assert!(admitted(&other.run(&mut store, write("a", token))));
}

#[test]
fn stale_is_said_from_memory_while_the_store_is_gone_and_nothing_else() {
    let (mut store, mut proxy, token) = leased();
    proxy.millis += 100_000;
    proxy.fates = vec![Fate::Lost; 100].into();
    let below = Token::new(5, 1).expect("above 0");
    let outcome = proxy.run(&mut store, write("a", below));
    assert_eq!(reason(&outcome), Some(Reason::Stale));
    let outcome = proxy.run(&mut store, write("a", token));
    assert_eq!(fault(&outcome), Some(Fault::Unreachable));
}

#[test]
fn a_token_from_elsewhere_raises_the_mark_waits_and_settles() {
    let (mut store, mut proxy) = world();
    let began = proxy.millis;
    let outcome = proxy.run(&mut store, raise("a", 7));
    assert_eq!(raised(&outcome), Some(true));
    assert!(proxy.millis - began >= 250);
    assert!(proxy.known.kept().expect("kept").settled);
    assert_eq!(raised(&proxy.run(&mut store, raise("a", 7))), Some(false));
    let mut other = Proxy::beside(&proxy);
    let began = other.millis;
    assert_eq!(
        reason(&other.run(&mut store, raise("a", 6))),
        Some(Reason::Stale)
    );
    let outcome = other.run(&mut store, raise("b", 7));
    assert_eq!(reason(&outcome), Some(Reason::HeldByAnother));
    assert_eq!(raised(&other.run(&mut store, raise("a", 7))), Some(false));
    assert!(other.millis - began < 250, "it is settled");
    assert_eq!(raised(&other.run(&mut store, raise("b", 8))), Some(true));
    assert_eq!(
        reason(&other.run(&mut store, raise("a", 7))),
        Some(Reason::Stale)
    );
}

#[test]
fn a_raise_is_put_over_what_was_read_or_judged_again() {
    let (mut store, mut slow) = world();
    let mut fast = Proxy::beside(&slow);
    let step = slow.begin(raise("slow", 7));
    let step = slow.step(&mut store, step);
    assert!(matches!(&step, Step::Call(calling, _) if !calling.may_share()));
    assert_eq!(raised(&fast.run(&mut store, raise("fast", 8))), Some(true));
    assert_eq!(reason(&slow.finish(&mut store, step)), Some(Reason::Stale));

    let (mut store, mut slow) = world();
    let mut fast = Proxy::beside(&slow);
    let step = slow.begin(raise("slow", 8));
    let step = slow.step(&mut store, step);
    assert_eq!(raised(&fast.run(&mut store, raise("fast", 7))), Some(true));
    assert_eq!(raised(&slow.finish(&mut store, step)), Some(true));
}

#[test]
fn a_raise_whose_outcome_nobody_knows_is_read_again() {
    for fate in [Fate::AnswerLost, Fate::Lost] {
        let (mut store, mut proxy) = world();
        proxy.fates = [Fate::Answered, fate].into();
        assert!(admitted(&proxy.run(&mut store, raise("a", 7))), "{fate:?}");
        assert!(proxy.known.kept().expect("kept").settled, "{fate:?}");
    }
}

#[test]
fn a_raise_that_is_dropped_while_it_waits_is_settled_by_whoever_comes_next() {
    let (mut store, mut proxy) = world();
    let step = proxy.begin(raise("a", 7));
    drop(proxy.until_wait(&mut store, step));
    let mut other = Proxy::beside(&proxy);
    let began = other.millis;
    assert!(admitted(&other.run(&mut store, raise("a", 7))));
    assert!(other.millis - began >= 250);
}

#[test]
fn a_jump_is_too_far_only_for_what_was_read_since() {
    let near = External {
        jump_max: Some(10),
        ..FREE
    };
    let write = |number| external(Some("a"), number, Access::Write, near);
    let read = |number| external(Some("a"), number, Access::Read, near);
    let (mut store, mut proxy) = world();
    assert!(admitted(&proxy.run(&mut store, write(100))));
    for too_far in [write(111), read(111)] {
        proxy.calls.clear();
        let outcome = proxy.run(&mut store, too_far);
        assert_eq!(reason(&outcome), Some(Reason::JumpTooFar));
        assert_eq!(proxy.calls.len(), 1);
    }
    // Elsewhere the mark rose meanwhile.
    let mut other = Proxy::beside(&proxy);
    assert!(admitted(&other.run(&mut store, write(110))));
    proxy.millis = other.millis;
    assert!(admitted(&proxy.run(&mut store, write(111))));
    assert!(admitted(&proxy.run(&mut store, read(121))));
    assert_eq!(proxy.known.kept().expect("kept").token, token(111));
}

/// After a restore the marks of tokens from elsewhere are those of the backup: nobody knows of later
/// ones until they are claimed again.
#[test]
fn after_a_reseed_a_mark_of_tokens_from_elsewhere_is_that_of_the_backup_until_it_is_claimed() {
    let (mut store, mut proxy) = world();
    proxy.run(&mut store, raise("a", 7));
    let mut restored = store.clone();
    proxy.run(&mut store, raise("b", 9));
    restored.put_init(
        Init {
            epoch: INIT.epoch + 1,
            ..INIT
        }
        .encode(),
    );
    let mut unclaimed = restored.clone();
    let outcome = Proxy::beside(&proxy).run(&mut unclaimed, raise("c", 8));
    assert_eq!(raised(&outcome), Some(true), "though 9 was raised");
    let mut claiming = Proxy::beside(&proxy);
    let outcome = claiming.run(&mut restored, raise("b", 9));
    assert_eq!(raised(&outcome), Some(true));
    let outcome = claiming.run(&mut restored, raise("c", 8));
    assert_eq!(reason(&outcome), Some(Reason::Stale));
}

#[test]
fn a_read_never_raises() {
    let (mut store, mut proxy) = world();
    let read = external(Some("a"), 7, Access::Read, FREE);
    assert_eq!(raised(&proxy.run(&mut store, read)), Some(false));
    assert!(store.marks.is_empty());
}

#[test]
fn unnamed_holders_share_only_where_the_law_is_given_up() {
    let share = External {
        unnamed_may_share: true,
        ..FREE
    };
    let (mut store, mut proxy) = world();
    let write = |holder, rule| external(holder, 7, Access::Write, rule);
    assert!(admitted(&proxy.run(&mut store, write(None, share))));
    for holder in [None, Some("a")] {
        let outcome = proxy.run(&mut store, write(holder, FREE));
        assert_eq!(reason(&outcome), Some(Reason::HeldByAnother));
    }
    assert_eq!(
        raised(&proxy.run(&mut store, write(None, share))),
        Some(false)
    );
    // The first that is named binds it.
    assert_eq!(
        raised(&proxy.run(&mut store, write(Some("a"), share))),
        Some(false)
    );
    for holder in [None, Some("b")] {
        let outcome = proxy.run(&mut store, write(holder, share));
        assert_eq!(reason(&outcome), Some(Reason::HeldByAnother));
    }
    assert!(admitted(&proxy.run(&mut store, write(Some("a"), share))));
}
