//! The window, case by case and by random orders of answers.

mod common;

use common::{by, secs, token};
use fencegate_core::check::{Access, External};
use fencegate_core::machine::NotStored;
use fencegate_core::moment::Moment;
use fencegate_core::verdict::{Fault, Reason, Verdict};
use fencegate_core::window::{
    Decided, Init, Instants, Knowledge, Known, Learned, Question, RateError, Reading, SettleStep,
    SitOut, Step, Whose,
};
use proptest::prelude::*;
use std::time::Duration;

const RATE: RateError = RateError { ppm: 0 };
const ANY: External = External {
    jump_max: None,
    unnamed_may_share: false,
};
const INIT: Init = Init {
    revision: 1,
    epoch: 0,
    trust: Duration::from_secs(2),
    wait: Duration::from_secs(2),
};

const fn at(second: u64) -> Instants {
    let moment = Moment::from_nanos(second * 1_000_000_000);
    Instants {
        mono: moment,
        wall: moment,
    }
}

fn reading(number: u64, version: u64, settled: bool) -> Reading<&'static str> {
    Reading {
        init: INIT,
        header: version,
        version,
        record: (number > 0).then(|| Known {
            token: token(number),
            holder: Some("a"),
            released: false,
            settled,
        }),
    }
}

fn knows(number: u64, settled: bool) -> Knowledge<&'static str> {
    let mut knowledge = Knowledge::default();
    assert_eq!(
        knowledge.learn(at(10), &reading(number, 5, settled), at(10)),
        Learned::Fresh
    );
    knowledge
}

fn write(number: u64) -> Question<'static> {
    Question {
        presented: by("a", token(number)),
        access: Access::Write,
        whose: Whose::Ours,
        arrived: at(10),
    }
}

const fn reason(decided: Decided) -> Option<Reason> {
    match decided {
        Decided::Done(Verdict::Reject(why)) => Some(why.reason),
        _ => None,
    }
}

#[test]
fn what_cannot_change_is_answered_from_memory_of_any_age() {
    let mut knowledge = knows(5, true);
    let old = at(1_000);
    let answer =
        |question: Question<'_>, knowledge: &_| reason(question.decide(knowledge, RATE, old));
    assert_eq!(answer(write(4), &knowledge), Some(Reason::Stale));
    let mut other = write(5);
    other.presented.holder = Some("b");
    assert_eq!(answer(other, &knowledge), Some(Reason::HeldByAnother));
    assert_eq!(write(5).decide(&knowledge, RATE, old), Decided::Ask);
    assert_eq!(write(6).decide(&knowledge, RATE, old), Decided::Ask);
    if let Some(record) = &mut knowledge.record {
        record.released = true;
    }
    assert_eq!(answer(write(5), &knowledge), Some(Reason::Released));
    if let Some(init) = &mut knowledge.init {
        init.epoch = 1;
    }
    assert_eq!(answer(write(5), &knowledge), Some(Reason::NoGrant));
}

#[test]
fn what_can_change_needs_fresh_knowledge_and_a_settled_mark() {
    let admits = |decided| matches!(decided, Decided::Done(Verdict::Admit(_)));
    assert!(admits(write(5).decide(&knows(5, true), RATE, at(11))));
    assert_eq!(write(5).decide(&knows(5, true), RATE, at(12)), Decided::Ask);
    let settles = Decided::Settling(at(12).mono);
    assert_eq!(write(5).decide(&knows(5, false), RATE, at(11)), settles);
    let mut waited = knows(5, false);
    waited.learn(at(12), &reading(5, 5, false), at(12));
    assert!(admits(write(5).decide(&waited, RATE, at(12))));
}

#[test]
fn never_issued_needs_a_read_that_was_sent_after_the_request_arrived() {
    let same_instant = knows(5, true);
    assert_eq!(write(6).decide(&same_instant, RATE, at(11)), Decided::Ask);
    let mut later = knows(5, true);
    later.learn(at(11), &reading(5, 5, true), at(11));
    assert_eq!(
        reason(write(6).decide(&later, RATE, at(11))),
        Some(Reason::NeverIssued)
    );
    let mut none = Knowledge::default();
    none.learn(at(11), &reading(0, 1, false), at(11));
    assert_eq!(
        reason(write(6).decide(&none, RATE, at(11))),
        Some(Reason::NoGrant)
    );
    let external = Question {
        whose: Whose::External(ANY),
        ..write(6)
    };
    assert_eq!(external.decide(&later, RATE, at(11)), Decided::Raise);
}

#[test]
fn an_answer_that_is_too_old_is_asked_for_again_and_then_given_up() {
    let mut knowledge = Knowledge::default();
    let mut step = write(5).start(&knowledge, RATE, 2, at(10));
    let mut asks = 0;
    let verdict = loop {
        step = match step {
            Step::Ask(asking) => {
                asks += 1;
                let asked = asking.sent(at(10));
                asked.answered(Ok(&reading(5, 5, true)), &mut knowledge, RATE, at(12))
            }
            Step::Done(verdict) => break verdict,
            other => panic!("asked or done, but {other:?}"),
        };
    };
    assert_eq!((asks, verdict), (2, Verdict::Undecided(Fault::Unreachable)));
}

#[test]
fn another_start_or_a_contradiction_empties_what_is_known() {
    let mut knowledge = knows(5, true);
    let mut restored = reading(3, 9, true);
    restored.init.revision = 2;
    restored.init.epoch = 1;
    assert_eq!(knowledge.learn(at(11), &restored, at(11)), Learned::Fresh);
    assert_eq!(knowledge.record.map(|record| record.token), Some(token(3)));
    // An answer of before the restore is late.
    assert_eq!(
        knowledge.learn(at(10), &reading(5, 5, true), at(12)),
        Learned::Late
    );
    // A revision that falls in an answer to a question that was asked later: a rollback.
    let mut fallen = restored;
    fallen.header = 4;
    assert_eq!(
        knowledge.learn(at(13), &fallen, at(13)),
        Learned::Contradiction
    );
    assert!(!knowledge.is_fresh(at(13)));
}

#[test]
fn settling_ends_in_an_answer_or_a_new_reading() {
    let sit_out = SitOut::new(token(5));
    let unsettled = knows(5, false);
    assert_eq!(
        sit_out.woken(&unsettled, RATE, at(11)),
        SettleStep::SitOut(sit_out, at(12).mono)
    );
    let SettleStep::Settle(settling) = sit_out.woken(&unsettled, RATE, at(12)) else {
        panic!("the wait is over");
    };
    assert_eq!(settling.version, 5);
    let answer = SettleStep::Answer(token(5));
    assert_eq!(settling.stored(Ok(())), answer);
    assert_eq!(
        settling.stored(Err(NotStored::Failed(Fault::Unreachable))),
        answer
    );
    assert_eq!(
        settling.stored(Err(NotStored::Conflict)),
        SettleStep::ReadAgain
    );
    assert_eq!(sit_out.woken(&knows(5, true), RATE, at(10)), answer);
    assert_eq!(
        sit_out.woken(&knows(6, true), RATE, at(10)),
        SettleStep::ReadAgain
    );
}

proptest! {
    /// In 128 bits there is nothing to take apart, and nothing overflows.
    #[test]
    fn the_wait_is_the_same_in_wide_numbers(
        span in prop_oneof![any::<u64>(), 0..10_u64, (u64::MAX - 10)..=u64::MAX, 0..100_000_000_000_u64],
        ppm in prop_oneof![0..1_000_000_u32, 0..3_u32, 999_997..1_000_003_u32, any::<u32>()],
    ) {
        let (whole, r) = (1_000_000_u128, u128::from(ppm));
        let wide = match whole.checked_sub(r) {
            None | Some(0) => u128::MAX,
            Some(slow) => (u128::from(span) * (whole + r)).div_ceil(slow),
        };
        let right = u64::try_from(wide).unwrap_or(u64::MAX);
        let wait = RateError { ppm }.outlast(Duration::from_nanos(span));
        prop_assert_eq!(wait, Duration::from_nanos(right));
    }

    /// However clocks differ within the bound, the wait by a fast one outlasts the trust by a slow one.
    #[test]
    fn the_wait_outlasts_the_trust(span in 0..100_000_000_000_u64, ppm in 0..999_999_u32) {
        let wait = RateError { ppm }.outlast(Duration::from_nanos(span));
        let (fast, slow) = (1_000_000 + u128::from(ppm), 1_000_000 - u128::from(ppm));
        // True time: wait / fast >= span / slow.
        prop_assert!(wait.as_nanos() * slow >= u128::from(span) * fast);
        prop_assert!(wait.as_nanos().saturating_sub(1) * slow < u128::from(span) * fast || span == 0);
    }

    /// Answers in any order: the mark is the highest heard of, and the stamp the latest of its version.
    #[test]
    fn answers_may_come_in_any_order(order in Just((1..8_u64).collect::<Vec<_>>()).prop_shuffle()) {
        let mut knowledge = Knowledge::default();
        let mut highest = 0;
        for version in order {
            // Two versions a token: unsettled, then settled. Sent when it was the latest.
            let answer = reading(version.div_ceil(2), version, version % 2 == 0);
            knowledge.learn(at(version), &answer, at(20));
            highest = highest.max(version);
            prop_assert_eq!(knowledge.record.map(|record| record.token), Some(token(highest.div_ceil(2))));
            prop_assert_eq!(knowledge.stamp, Some(at(highest)));
            prop_assert_eq!(knowledge.version, highest);
        }
    }

    /// Nothing is admitted once trust has passed by either clock, and nothing while it settles.
    #[test]
    fn trust_ends_by_either_clock(mono in 0..6_u64, wall in 0..6_u64, settled in any::<bool>()) {
        let now = Instants { mono: at(10 + mono).mono, wall: at(8 + wall).wall };
        let admitted = matches!(
            write(5).decide(&knows(5, settled), RATE, now),
            Decided::Done(Verdict::Admit(_))
        );
        prop_assert_eq!(admitted, settled && mono < 2 && (2..4).contains(&wall));
    }
}

#[test]
fn a_rate_error_of_everything_waits_for_ever() {
    let never = RateError { ppm: 1_000_000 };
    assert_eq!(never.outlast(secs(1)), Duration::from_nanos(u64::MAX));
}
