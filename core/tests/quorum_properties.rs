//! Random histories of three proxies before one store: calls late, lost and twice, requests dropped,
//! proxies restarted and reconfigured, clocks that differ within their bound. The observer of the
//! laws is fed with what is answered.

mod quorum_crowd;
mod quorum_world;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use quorum_crowd::{Crowd, Happens};

fn happens() -> impl Strategy<Value = Happens> {
    let at = 0..3_usize;
    let resource = 0..2_usize;
    let pick = any::<usize>();
    prop_oneof![
        6 => (at.clone(), resource.clone(), 0..2_usize, proptest::option::of(0..3_u8))
            .prop_map(|(at, resource, holder, id)| Happens::Acquire { at, resource, holder, id }),
        12 => (at.clone(), resource.clone(), 0..2_usize, pick)
            .prop_map(|(at, resource, holder, pick)| Happens::Write { at, resource, holder, pick }),
        3 => (at.clone(), resource.clone(), pick, any::<bool>())
            .prop_map(|(at, resource, pick, longer)| Happens::Renew { at, resource, pick, longer }),
        3 => (at.clone(), resource.clone(), pick, any::<bool>())
            .prop_map(|(at, resource, pick, answered)| Happens::Release { at, resource, pick, answered }),
        1 => (at.clone(), resource.clone()).prop_map(|(at, resource)| Happens::Break { at, resource }),
        3 => (at.clone(), resource).prop_map(|(at, resource)| Happens::Look { at, resource }),
        6 => at.clone().prop_map(|at| Happens::Survey { at }),
        20 => pick.prop_map(Happens::Serve),
        20 => pick.prop_map(Happens::Deliver),
        15 => Just(Happens::Hurry),
        2 => pick.prop_map(Happens::Lose),
        2 => pick.prop_map(Happens::Copy),
        3 => pick.prop_map(Happens::ServeLate),
        2 => pick.prop_map(Happens::Drop),
        15 => (0..60_u64).prop_map(Happens::Pass),
        6 => (250..1_500_u64).prop_map(Happens::Pass),
        10 => pick.prop_map(Happens::Expire),
        2 => at.clone().prop_map(Happens::Restart),
        1 => at.prop_map(Happens::Reload),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn no_history_breaks_a_law(
        rates in [0..3_u64, 0..3, 0..3, 0..3],
        history in proptest::collection::vec(happens(), 100..500),
    ) {
        let mut crowd = Crowd::new(rates);
        for it in history {
            if let Err(broken) = crowd.take(it) {
                prop_assert!(false, "{broken} by {it:?}");
            }
        }
        if let Err(how) = crowd.someone_can_acquire() {
            prop_assert!(false, "nobody can acquire: {how}");
        }
    }
}

/// The histories are not empty: things are granted, admitted, rejected and waited for.
#[test]
fn much_happens_in_a_history() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let histories = proptest::collection::vec(happens(), 600);
    let (mut granted, mut admitted, mut rejected) = (0, 0, 0);
    for _ in 0..50 {
        let history = histories.new_tree(&mut runner).expect("it can be made");
        let mut crowd = Crowd::new([0, 1, 2, 1]);
        for it in history.current() {
            crowd.take(it).expect("no law is broken");
        }
        granted += crowd.granted;
        admitted += crowd.admitted;
        rejected += crowd.rejected;
    }
    println!("{granted} granted, {admitted} admitted, {rejected} rejected");
    assert!(granted > 100 && admitted > 200 && rejected > 500);
}

#[test]
fn control_proxies_that_do_not_wait_are_found() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let histories = proptest::collection::vec(happens(), 600);
    let found = (0..200).find_map(|number| {
        let history = histories.new_tree(&mut runner).expect("it can be made");
        let mut crowd = Crowd::new([0, 1, 2, 1]);
        crowd.impatient = true;
        let mut steps = history.current().into_iter();
        let violation = steps.find_map(|it| crowd.take(it).err())?;
        Some((number, violation))
    });
    let (number, violation) = found.expect("a law is broken");
    println!("history {number}: {violation}");
    assert_eq!(violation.law, fencegate_core::laws::Law::StaleNeverAdmitted);
}
