//! What is damaged is never taken for an answer, and whatever comes, nothing panics.

use crate::asked::{Asked, Asking, putting, reading};
use crate::recorded::both;
use crate::scripts::all;
use fencegate_core::quorum::{Call, CallError, LeaseId, PutInit, Survey};
use proptest::prelude::*;
use std::sync::LazyLock;

/// Every step of the filter's own with its recorded answer.
static ANSWERS: LazyLock<Vec<(Asking, u16, Vec<u8>)>> = LazyLock::new(|| {
    let mut found = Vec::new();
    for conversation in all() {
        let (recorded, _) = both(&conversation);
        for (asking, step) in conversation.steps.iter().zip(&recorded.steps) {
            if !matches!(asking.asked, Asked::Else(..)) {
                found.push((
                    asking.clone(),
                    step.status,
                    step.answer.clone().into_bytes(),
                ));
            }
        }
    }
    assert!(found.len() > 50, "they are there");
    found
});

#[test]
fn a_part_of_an_answer_is_none() {
    for (asking, status, answer) in ANSWERS.iter() {
        for len in 0..answer.len() {
            let made = asking.made_of(*status, &answer[..len]);
            assert_eq!(made, Some(Err(CallError::Unknown)), "{} {len}", asking.name);
        }
    }
}

#[test]
fn an_answer_with_another_status_is_none() {
    for (asking, status, answer) in ANSWERS.iter() {
        for other in [
            0, 100, 199, 201, 204, 302, 400, 404, 412, 429, 500, 502, 503, 504,
        ] {
            let made = asking.made_of(other, answer);
            let good = *status == 200 && matches!(made, Some(Ok(_) | Err(CallError::Refused)));
            assert!(!good, "{} {other}: {made:?}", asking.name);
        }
        if *status != 200 {
            let made = asking.made_of(200, answer);
            assert_eq!(made, Some(Err(CallError::Unknown)), "{}", asking.name);
        }
    }
}

/// The answer to one transaction is not taken for that to another, about another resource.
#[test]
fn an_answer_about_another_resource_is_none() {
    let mut seen = 0;
    for (asking, status, answer) in ANSWERS.iter() {
        let whole = String::from_utf8_lossy(answer).into_owned();
        // Init alone says nothing of a resource.
        let says_something = whole.contains("\"kvs\"") && !whole.contains("aW5pdA");
        if says_something && matches!(asking.asked, Asked::Call(Call::Transact(_))) {
            seen += 1;
            let other = asking.clone().of("job:9");
            let made = other.made_of(*status, answer);
            assert_eq!(made, Some(Err(CallError::Unknown)), "{}", asking.name);
        }
    }
    assert!(seen > 5, "{seen}");
}

fn any_call() -> impl Strategy<Value = Call> {
    prop_oneof![
        Just(Call::Transact(reading(1))),
        Just(Call::Transact(putting(1, 2, "x"))),
        Just(Call::Grant(LeaseId(1), 2)),
        Just(Call::KeepAlive(LeaseId(1))),
        Just(Call::Revoke(LeaseId(1))),
        Just(Call::Survey(Survey { init: 1, since: 0 })),
        Just(Call::PutInit(PutInit {
            over: 1,
            bytes: vec![7]
        })),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_bytes_are_no_answer(
        call in any_call(), status in any::<u16>(), body in prop::collection::vec(any::<u8>(), 0..80),
    ) {
        let made = Asking::call("", call).made_of(status, &body);
        prop_assert_eq!(made, Some(Err(CallError::Unknown)));
    }

    #[test]
    fn any_jsonish_text_is_no_answer(
        call in any_call(),
        status in prop::sample::select(&[200_u16, 400, 401, 403, 404, 412, 429, 500][..]),
        body in "(\\{\"(header|responses|result|ID|TTL|code|message|error)\":)?[\\[\\]{}:,\"a-z0-9\\\\ .-]{0,40}",
    ) {
        let made = Asking::call("", call).made_of(status, body.as_bytes());
        let refused = status != 200 && body.contains("code");
        prop_assert!(refused || made == Some(Err(CallError::Unknown)), "{:?}", made);
    }

    /// One byte is another one: whatever it then means, nothing panics, and what was refused is not
    /// taken for done.
    #[test]
    fn a_damaged_answer_does_no_harm(
        at in any::<prop::sample::Index>(), which in any::<prop::sample::Index>(), byte in any::<u8>(),
    ) {
        let (asking, status, mut answer) = which.get(&ANSWERS).clone();
        let at = at.index(answer.len());
        answer[at] = byte;
        let made = asking.made_of(status, &answer);
        prop_assert!(status == 200 || !matches!(made, Some(Ok(_))), "{:?}", made);
    }
}
