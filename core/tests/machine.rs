//! The machine that every operation runs in: what it makes of faults and of conflicts.

mod common;

use common::{external, token, write};
use fencegate_core::check::Check;
use fencegate_core::machine::{Load, NotStored, Seen, Step};
use fencegate_core::moment::Moment;
use fencegate_core::record::Record;
use fencegate_core::verdict::{Fault, Reason, Verdict};

const NOW: Moment = Moment::from_nanos(1_000);

/// Every fault, at every place where one can come, ends undecided: nothing is let through.
#[test]
fn every_fault_denies() {
    for fault in Fault::ALL {
        for check in [write("a", token(8)), external("a", token(8))] {
            let first: Step<_, u64> = Load::new(check, 2).loaded(Err(fault), NOW);
            assert_undecided(&first, fault);
        }
        let Step::Store(storing) = loaded_none(external("a", token(8))) else {
            panic!("the first external token is stored")
        };
        assert_undecided(&storing.stored(Err(NotStored::Failed(fault))), fault);
    }
}

#[test]
fn conflicts_are_judged_again_and_bounded() {
    let mut step = loaded_none(external("a", token(8)));
    for _ in 0..2 {
        let Step::Store(storing) = step else {
            panic!("it stores")
        };
        let Step::Load(loading) = storing.stored(Err(NotStored::Conflict)) else {
            panic!("it reads again")
        };
        step = loading.loaded(Ok((nothing(), 0)), NOW);
    }
    let Step::Store(storing) = step else {
        panic!("it stores")
    };
    assert_undecided(&storing.stored(Err(NotStored::Conflict)), Fault::Contended);
}

#[test]
fn whoever_was_faster_is_met_on_the_second_reading() {
    let Step::Store(storing) = loaded_none(external("a", token(8))) else {
        panic!("it stores")
    };
    let Step::Load(loading) = storing.stored(Err(NotStored::Conflict)) else {
        panic!("it reads again")
    };
    let faster = Record {
        token: token(9),
        holder: Some("b"),
        generation: 1,
        grant: None,
    };
    let seen = Seen {
        record: Some(faster),
        spent: Default::default(),
        queue: Default::default(),
    };
    let Step::Done(verdict) = loading.loaded(Ok((seen, 1_u64)), NOW) else {
        panic!("it is decided")
    };
    assert_eq!(common::reason(verdict), Some(Reason::Stale));
}

#[test]
fn words_are_distinct() {
    let mut words: Vec<&str> = Reason::ALL.iter().map(|reason| reason.word()).collect();
    words.extend(Fault::ALL.iter().map(|fault| fault.word()));
    let count = words.len();
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), count);
}

fn nothing() -> Seen<'static> {
    Seen {
        record: None,
        spent: Default::default(),
        queue: Default::default(),
    }
}

fn loaded_none(check: Check<'_>) -> Step<Check<'_>, u64> {
    Load::new(check, 2).loaded(Ok((nothing(), 0)), NOW)
}

fn assert_undecided(step: &Step<Check<'_>, u64>, fault: Fault) {
    assert!(
        matches!(step, Step::Done(Verdict::Undecided(found)) if *found == fault),
        "{step:?}"
    );
}
