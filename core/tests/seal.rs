//! The seal, case by case: conditions, the replies of each kind of store, and what is told.

mod common;

use common::{by, token};
use fencegate_core::seal::{
    ClientCondition, Condition, Etag, EtagList, Headed, Meaning, NotApplied, Object, Outcome,
    Profile, Reply, Sealed, Stamp, Step, Write,
};
use fencegate_core::verdict::{Fault, Reason};

fn etag(text: &str) -> Etag {
    Etag::parse(text).expect("a tag")
}

fn object(number: u64, nonce: u64) -> Headed {
    Headed::Found(Object {
        etag: Some(etag("\"x\"")),
        generation: Some(7),
        stamp: Some(Stamp {
            token: token(number),
            holder: Some("a".to_owned()),
            nonce,
        }),
    })
}

fn write(profile: Profile) -> Write<'static> {
    Write {
        presented: by("a", token(5)),
        nonce: 9,
        client: ClientCondition::default(),
        deletes: false,
        attempted_before: false,
        profile,
    }
}

fn headed(write: Write<'static>, answer: Headed) -> Step<'static> {
    match Sealed::start(write, 1) {
        Step::Head(head) => head.headed(answer),
        other => panic!("HEAD first, but {other:?}"),
    }
}

#[track_caller]
fn refused(step: Step<'_>) -> NotApplied {
    match step {
        Step::Done(Outcome::NotApplied(why)) => why,
        other => panic!("not applied, but {other:?}"),
    }
}

#[track_caller]
fn condition(step: Step<'_>) -> Condition {
    match step {
        Step::Forward(forward) => forward.condition().clone(),
        other => panic!("forwarded, but {other:?}"),
    }
}

#[test]
fn etags_are_read_strictly_and_compared_strongly() {
    for bad in ["x", "\"x", "W/x", "\"a\"b\"", "", "w/\"x\""] {
        assert_eq!(Etag::parse(bad), None, "{bad}");
    }
    let list = EtagList::parse(" \"a,b\" , W/\"c\",\"d\"").expect("a list");
    assert!(list.contains(&etag("\"a,b\"")) && list.contains(&etag("\"d\"")));
    assert!(!list.contains(&etag("W/\"c\"")) && list.contains_weakly(&etag("\"c\"")));
    assert_eq!(EtagList::parse("*"), Some(EtagList::Any));
    for bad in ["", "\"a\" \"b\"", "a, b", "\"a\", *"] {
        assert_eq!(EtagList::parse(bad), None, "{bad}");
    }
}

#[test]
fn one_condition_is_forwarded() {
    let found = || object(5, 1);
    assert_eq!(
        condition(headed(write(Profile::S3), found())),
        Condition::Match(etag("\"x\""))
    );
    assert_eq!(
        condition(headed(write(Profile::Gcs), found())),
        Condition::Generation(7)
    );
    assert_eq!(
        condition(headed(write(Profile::S3), Headed::Absent)),
        Condition::Absent
    );
    let mut listed = write(Profile::S3);
    listed.client.if_match = EtagList::parse("\"w\", \"x\"");
    assert_eq!(
        condition(headed(listed.clone(), found())),
        Condition::Match(etag("\"x\""))
    );
    assert_eq!(
        refused(headed(listed.clone(), Headed::Absent)),
        NotApplied::OriginCondition
    );
    listed.client.if_match = EtagList::parse("\"w\"");
    assert_eq!(
        refused(headed(listed, found())),
        NotApplied::OriginCondition
    );
    let mut creates = write(Profile::S3);
    creates.client.if_none_match = Some(EtagList::Any);
    assert_eq!(
        condition(headed(creates.clone(), Headed::Absent)),
        Condition::Absent
    );
    assert_eq!(
        refused(headed(creates, found())),
        NotApplied::OriginCondition
    );
}

#[test]
fn what_head_finds_is_judged() {
    let reason = |step| match refused(step) {
        NotApplied::Rejected(rejection) => rejection.reason,
        other => panic!("rejected, but {other:?}"),
    };
    assert_eq!(
        reason(headed(write(Profile::S3), object(6, 1))),
        Reason::Stale
    );
    let mut other = write(Profile::S3);
    other.presented.holder = Some("b");
    assert_eq!(reason(headed(other, object(5, 1))), Reason::HeldByAnother);
    let fault = Headed::Fault(Fault::Garbled);
    assert_eq!(
        refused(headed(write(Profile::S3), fault)),
        NotApplied::Undecided(Fault::Garbled)
    );
    let weak = Headed::Found(Object {
        etag: Some(etag("W/\"x\"")),
        generation: None,
        stamp: None,
    });
    assert_eq!(
        refused(headed(write(Profile::Http), weak)),
        NotApplied::CannotBeSealed
    );
    let mut deletes = write(Profile::S3);
    deletes.deletes = true;
    assert_eq!(
        refused(headed(deletes, Headed::Absent)),
        NotApplied::NotThere
    );
}

#[test]
fn replies_mean_what_each_store_says() {
    use Meaning::{Again, Applied, Conflict, Refused, Unconditional, Unknown};
    let rows = [
        (201, [Applied; 4], [Applied; 4]),
        (412, [Conflict; 4], [Conflict; 4]),
        (
            409,
            [Again, Refused, Refused, Refused],
            [Again, Conflict, Refused, Refused],
        ),
        (404, [Conflict, Conflict, Conflict, Refused], [Refused; 4]),
        (403, [Refused; 4], [Refused; 4]),
        (408, [Unknown; 4], [Unknown; 4]),
        (500, [Unknown; 4], [Unknown; 4]),
        (501, [Unconditional; 4], [Unconditional; 4]),
        (503, [Unknown; 4], [Unknown; 4]),
    ];
    for (status, matching, absent) in rows {
        for (at, profile) in Profile::ALL.into_iter().enumerate() {
            let reply = Reply::Status(status);
            assert_eq!(
                profile.meaning(reply, false),
                matching[at],
                "{profile:?} {status}"
            );
            assert_eq!(
                profile.meaning(reply, true),
                absent[at],
                "{profile:?} {status} absent"
            );
            assert_eq!(profile.meaning(Reply::None, false), Unknown);
        }
    }
}

#[test]
fn again_is_bounded() {
    let mut step = Sealed::start(write(Profile::S3), 1);
    let mut heads = 0;
    let outcome = loop {
        step = match step {
            Step::Head(head) => {
                heads += 1;
                head.headed(object(5, 1))
            }
            Step::Forward(forward) => forward.replied(Reply::Status(409)),
            Step::Prove(_) => panic!("409 says that it was not applied"),
            Step::Done(outcome) => break outcome,
        };
    };
    assert_eq!(
        (heads, outcome),
        (2, Outcome::NotApplied(NotApplied::Contended))
    );
}

#[test]
fn a_refusal_after_an_attempt_that_was_perhaps_applied_is_unknown_unless_head_proves_otherwise() {
    let retried = |reply, found: Headed| {
        let again = Write {
            attempted_before: true,
            ..write(Profile::Azure)
        };
        let Step::Forward(forward) = headed(again, object(4, 1)) else {
            panic!("forwarded");
        };
        match forward.replied(reply) {
            Step::Prove(prove) => prove.headed(&found),
            other => panic!("looked for, but {other:?}"),
        }
    };
    let why = Some(NotApplied::OriginCondition);
    for reply in [Reply::Status(412), Reply::Status(403), Reply::None] {
        assert_eq!(retried(reply, object(5, 9)), Outcome::Applied);
    }
    let refused = Reply::Status(412);
    // Another write of the same token, of a higher one, and nothing: none of them proves anything.
    for found in [
        object(5, 8),
        object(6, 1),
        Headed::Absent,
        Headed::Fault(Fault::Unreachable),
    ] {
        assert_eq!(retried(refused, found), Outcome::Unknown(why));
    }
    let found = Write {
        attempted_before: true,
        ..write(Profile::Azure)
    };
    assert!(matches!(
        headed(found, object(5, 9)),
        Step::Done(Outcome::Applied)
    ));
}

#[test]
fn a_deletion_that_was_perhaps_applied_stays_unknown() {
    let deletes = Write {
        deletes: true,
        ..write(Profile::S3)
    };
    let Step::Forward(forward) = headed(deletes, object(5, 1)) else {
        panic!("forwarded");
    };
    assert!(matches!(
        forward.replied(Reply::None),
        Step::Done(Outcome::Unknown(None))
    ));
}

proptest::proptest! {
    /// Whatever stands in the header, reading it neither fails nor makes up a tag.
    #[test]
    fn any_text_is_a_list_or_none(text in "[\"a-c,* W/]{0,20}") {
        if let Some(EtagList::Of(tags)) = EtagList::parse(&text) {
            proptest::prop_assert!(!tags.is_empty());
            for tag in tags {
                proptest::prop_assert!(text.contains(tag.as_str()));
            }
        }
    }

    /// Whatever HEAD and the store say, there is an outcome; and a write that may have been tried
    /// before is never told to be "not applied".
    #[test]
    fn every_write_has_an_outcome(
        before in proptest::bool::ANY,
        answers in proptest::collection::vec((0..7_u64, 0..3_u64, 100..600_u16), 4),
    ) {
        let mut step = Sealed::start(Write { attempted_before: before, ..write(Profile::S3) }, 2);
        let mut answers = answers.into_iter().cycle();
        let outcome = loop {
            let (number, nonce, status) = answers.next().expect("without end");
            let found = if number == 0 { Headed::Absent } else { object(number, nonce) };
            step = match step {
                Step::Head(head) => head.headed(found),
                Step::Forward(forward) if status < 110 => forward.replied(Reply::None),
                Step::Forward(forward) => forward.replied(Reply::Status(status)),
                Step::Prove(prove) => break prove.headed(&found),
                Step::Done(outcome) => break outcome,
            };
        };
        proptest::prop_assert!(!(before && matches!(outcome, Outcome::NotApplied(_))));
    }
}
