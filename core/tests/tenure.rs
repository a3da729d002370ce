//! The holder's side: it stops by its own timer, counted from the time it sent the request.

mod common;

use common::{ms, secs, token};
use fencegate_core::moment::Moment;
use fencegate_core::tenure::{Caution, Left, RenewAnswer, Tenure, Turn, Why};
use std::time::Duration;

const EXACT: Caution = Caution {
    rate_error_ppm: 0,
    slack: Duration::ZERO,
};

fn at(moment: Duration) -> Moment {
    Moment::from_nanos(0).after(moment)
}

const fn left(left: Duration) -> Left {
    Left {
        waited: Duration::ZERO,
        left,
    }
}

/// Active with token 1 until 10 s.
fn active() -> Tenure {
    let mut tenure = Tenure::new(EXACT);
    let turn = tenure.granted(token(1), at(secs(0)), left(secs(10)), at(secs(1)));
    assert_eq!(turn, Some(Turn::Started(token(1))));
    tenure
}

#[test]
fn what_is_believed_is_counted_from_the_sending() {
    for (rate_error_ppm, slack, waited, lease, until) in [
        (0, secs(0), secs(0), secs(10), Some(secs(10))),
        (0, secs(1), secs(0), secs(10), Some(secs(9))),
        (1_000, secs(0), secs(0), secs(10), Some(ms(9_990))),
        (1_000, secs(1), secs(0), secs(10), Some(ms(8_990))),
        (500_000, secs(0), secs(0), secs(10), Some(secs(5))),
        (0, secs(0), secs(3), secs(10), Some(secs(13))),
        (1_000, ms(7), secs(3), secs(10), Some(ms(12_980))),
        // Nothing is left of it.
        (0, secs(10), secs(0), secs(10), None),
        (0, secs(11), secs(0), secs(10), None),
        (1_000_000, secs(0), secs(0), secs(10), None),
        (u32::MAX, secs(0), secs(0), secs(10), None),
        (0, secs(0), secs(0), secs(0), None),
    ] {
        let caution = Caution {
            rate_error_ppm,
            slack,
        };
        let left = Left {
            waited,
            left: lease,
        };
        let sent = at(secs(100));
        let tenure = Tenure::new(caution);
        let believed = tenure.believable_until(sent, left);
        assert_eq!(
            believed,
            sent.after(until.unwrap_or_default()),
            "{caution:?} {left:?}"
        );
    }
}

#[test]
fn enormous_leases_do_not_wrap() {
    let caution = Caution {
        rate_error_ppm: 999_999,
        slack: Duration::ZERO,
    };
    let left = Left {
        waited: Duration::MAX,
        left: Duration::MAX,
    };
    for caution in [caution, EXACT] {
        let until = Tenure::new(caution).believable_until(at(secs(1)), left);
        assert!(until > at(secs(1_000_000)));
    }
}

#[test]
fn writing_ends_at_the_deadline_without_any_call() {
    let tenure = active();
    assert_eq!(tenure.deadline(), Some(at(secs(10))));
    for (now, writes) in [
        (secs(1), true),
        (ms(9_999), true),
        (secs(10), false),
        (secs(99), false),
    ] {
        assert_eq!(tenure.may_write(at(now)).is_some(), writes, "{now:?}");
    }
}

#[test]
fn a_stop_is_told_exactly_once() {
    let mut tenure = active();
    assert_eq!(tenure.tick(at(ms(9_999))), None);
    let stopped = Turn::Stopped(token(1), Why::Abdicated);
    assert_eq!(tenure.tick(at(secs(10))), Some(stopped));
    assert_eq!(tenure.tick(at(secs(11))), None);
    assert_eq!(
        tenure.renewed(at(secs(11)), RenewAnswer::Lost, at(secs(12))),
        None
    );
    assert_eq!(tenure.release_sent(at(secs(12))), None);
    assert_eq!(tenure.deadline(), None);
}

#[test]
fn a_grant_that_arrives_dead_is_none() {
    let mut tenure = Tenure::new(EXACT);
    let late = tenure.granted(token(1), at(secs(0)), left(secs(10)), at(secs(10)));
    assert_eq!(late, None);
    assert_eq!(tenure.may_write(at(secs(0))), None);
    let in_time = tenure.granted(token(1), at(secs(0)), left(secs(10)), at(ms(9_999)));
    assert_eq!(in_time, Some(Turn::Started(token(1))));
}

#[test]
fn a_grant_never_starts_before_the_last_one_was_stopped() {
    let mut tenure = active();
    // Its deadline has passed, but nobody looked at the clock.
    let next =
        |tenure: &mut Tenure| tenure.granted(token(2), at(secs(11)), left(secs(10)), at(secs(12)));
    assert_eq!(next(&mut tenure), None);
    assert_eq!(tenure.may_write(at(secs(12))), None);
    assert!(matches!(tenure.tick(at(secs(12))), Some(Turn::Stopped(..))));
    assert_eq!(next(&mut tenure), Some(Turn::Started(token(2))));
}

#[test]
fn a_renewal_counts_from_its_own_sending_and_never_shortens() {
    let mut tenure = active();
    for (sent, lease, now, until) in [
        (secs(3), secs(10), secs(5), secs(13)),
        (secs(2), secs(10), secs(6), secs(13)), // an older answer, overtaken
        (secs(6), secs(1), secs(6), secs(13)),
        (secs(12), secs(10), ms(12_999), secs(22)),
    ] {
        let answer = RenewAnswer::Kept(left(lease));
        assert_eq!(tenure.renewed(at(sent), answer, at(now)), None);
        assert_eq!(tenure.deadline(), Some(at(until)));
    }
}

#[test]
fn an_answer_after_the_deadline_revives_nothing() {
    let mut tenure = active();
    let kept = RenewAnswer::Kept(left(secs(10)));
    let stopped = Turn::Stopped(token(1), Why::Abdicated);
    assert_eq!(
        tenure.renewed(at(secs(9)), kept, at(secs(10))),
        Some(stopped)
    );
    assert_eq!(tenure.renewed(at(secs(9)), kept, at(secs(11))), None);
    assert_eq!(tenure.may_write(at(secs(11))), None);
}

#[test]
fn errors_are_no_proof_of_loss_and_one_no_is() {
    let mut tenure = active();
    for now in 2..9 {
        assert_eq!(
            tenure.renewed(at(secs(now)), RenewAnswer::Unknown, at(secs(now))),
            None
        );
        assert_eq!(tenure.may_write(at(secs(now))), Some(token(1)));
    }
    let lost = tenure.renewed(at(secs(9)), RenewAnswer::Lost, at(secs(9)));
    assert_eq!(lost, Some(Turn::Stopped(token(1), Why::Lost)));
    assert_eq!(tenure.may_write(at(secs(9))), None);
}

#[test]
fn a_release_stops_at_once_and_is_repeated_until_answered_or_over() {
    let mut tenure = active();
    let stopped = Turn::Stopped(token(1), Why::Released);
    assert_eq!(tenure.release_sent(at(secs(2))), Some(stopped));
    assert_eq!(tenure.may_write(at(secs(2))), None);
    assert_eq!(tenure.release_unknown(at(secs(3))), Some(token(1)));
    let mut answered = tenure;
    answered.released();
    assert_eq!(answered.release_unknown(at(secs(3))), None);
    assert_eq!(tenure.release_unknown(at(secs(10))), None);
    assert_eq!(tenure.tick(at(secs(10))), None, "it was told already");
    assert_eq!(tenure.deadline(), None);
}

#[test]
fn a_release_after_the_deadline_is_an_abdication() {
    let mut tenure = active();
    let stopped = Turn::Stopped(token(1), Why::Abdicated);
    assert_eq!(tenure.release_sent(at(secs(10))), Some(stopped));
    assert_eq!(tenure.release_unknown(at(secs(10))), None);
    tenure.released();
    assert_eq!(tenure, Tenure::new(EXACT));
}
