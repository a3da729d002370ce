//! What is forgotten when a bucket is full, and what never is.

use crate::operations::{Done, Op, TTL, Worker, process, token};
use fencegate_core::lease::NotGranted;
use fencegate_core::verdict::{Fault, Reason};

/// How many records fit into a bucket.
const ROOM: usize = 48;
/// How many request ids a bucket keeps after their records.
const IDS: usize = 32;

/// Names that live as long as the test.
fn name(kind: &str, index: usize) -> &'static str {
    format!("{kind}:{index}").leak()
}

fn acquire(holder: &'static str, id: Option<&'static str>) -> Op {
    Op::Acquire { holder, id }
}

#[test]
fn a_full_bucket_of_leases_refuses_another_and_nothing_else() {
    let (world, layout) = process(1);
    let worker = Worker::new(&world, layout, 1);
    let tokens: Vec<_> = (0..ROOM)
        .map(|n| worker.acquire(name("job", n), "a"))
        .collect();
    let one_more = worker.run("job:more", acquire("a", None));
    assert_eq!(one_more, Done::Undecided(Fault::Full));
    for (n, token) in tokens.iter().enumerate() {
        let write = worker.run(name("job", n), Op::Write("a", *token));
        assert!(matches!(write, Done::Admitted(_)), "{n}: {write:?}");
    }
    // Those that are there go on, and are granted again.
    assert_eq!(
        worker.run("job:0", Op::Release("a", tokens[0])),
        Done::Released
    );
    assert!(worker.acquire("job:0", "b") > tokens[0]);
    assert_eq!(worker.run("job:more", acquire("a", None)), one_more);
}

#[test]
fn a_lease_is_forgotten_one_ttl_after_its_end_and_not_before() {
    let (world, layout) = process(1);
    let worker = Worker::new(&world, layout, 1);
    for n in 0..ROOM {
        worker.acquire(name("job", n), "a");
    }
    world.advance(2 * TTL - std::time::Duration::from_nanos(1));
    let full = Done::Undecided(Fault::Full);
    assert_eq!(worker.run("job:more", acquire("a", None)), full);
    world.advance(std::time::Duration::from_nanos(1));
    worker.acquire("job:more", "a");
}

#[test]
fn no_more_is_forgotten_than_there_is_need_for() {
    let (world, layout) = process(1);
    let worker = Worker::new(&world, layout, 1);
    for n in 0..ROOM {
        worker.acquire(name("job", n), "a");
    }
    world.advance(2 * TTL);
    worker.acquire("job:more", "a");
    let marks = worker.marks();
    assert_eq!(marks.len(), ROOM);
    assert!(
        !marks.contains_key("job:0"),
        "the one that was changed longest ago"
    );
}

/// A forgotten grant's token admits nothing, and its request id gets no second grant.
#[test]
fn what_is_forgotten_admits_nothing_and_answers_grant_ended() {
    let (world, layout) = process(1);
    let worker = Worker::new(&world, layout, 1);
    let id = |n| Some(name("id", n));
    let tokens: Vec<_> = (0..ROOM)
        .map(|n| worker.acquire_as(name("job", n), "a", id(n)))
        .collect();
    world.advance(2 * TTL);
    for n in 0..IDS {
        worker.acquire(name("new", n), "b");
    }
    for (n, token) in tokens.iter().enumerate() {
        let again = worker.run(name("job", n), acquire("a", id(n)));
        assert_eq!(again, Done::NotGranted(NotGranted::GrantEnded), "{n}");
        let write = worker.run(name("job", n), Op::Write("a", *token));
        match write {
            Done::Rejected(rejection) => {
                assert!(n < IDS);
                assert_eq!(rejection.reason, Reason::NoGrant);
            }
            // Not forgotten, and nobody else was granted.
            _ => assert!(
                n >= IDS && matches!(write, Done::Admitted(_)),
                "{n}: {write:?}"
            ),
        }
    }
    // The same id of another holder, or for another resource, is another request.
    world.advance(2 * TTL);
    assert!(matches!(
        worker.run("job:0", acquire("b", id(0))),
        Done::Granted { .. }
    ));
    assert!(matches!(
        worker.run("new:0", acquire("a", id(0))),
        Done::Granted { .. }
    ));
}

#[test]
fn a_request_id_is_over_once_somebody_else_was_granted() {
    let (world, layout) = process(1);
    let worker = Worker::new(&world, layout, 1);
    let first = worker.acquire_as("job:1", "a", Some("id"));
    assert_eq!(worker.run("job:1", Op::Release("a", first)), Done::Released);
    worker.acquire("job:1", "b");
    world.advance(2 * TTL);
    let again = worker.run("job:1", acquire("a", Some("id")));
    assert_eq!(again, Done::NotGranted(NotGranted::GrantEnded));
}

#[test]
fn a_token_granted_after_forgetting_is_above_the_forgotten_one() {
    let (world, layout) = process(1);
    let worker = Worker::new(&world, layout, 1);
    let old = worker.acquire("job:old", "a");
    world.advance(2 * TTL);
    for n in 0..ROOM {
        worker.acquire(name("job", n), "b");
    }
    assert!(!worker.marks().contains_key("job:old"));
    world.advance(2 * TTL);
    assert!(worker.acquire("job:old", "c") > old);
    let write = worker.run("job:old", Op::Write("a", old));
    assert!(matches!(write, Done::Rejected(rejection) if rejection.reason == Reason::Stale));
}

#[test]
fn external_marks_are_never_forgotten() {
    let (world, layout) = process(1);
    let worker = Worker::new(&world, layout, 1);
    let raise = |n, number| worker.run(name("job", n), Op::Raise(Some("a"), token(number)));
    for n in 0..ROOM {
        assert!(matches!(raise(n, 5), Done::Admitted(_)));
    }
    for _ in 0..3 {
        world.advance(std::time::Duration::from_secs(1_000_000));
        assert_eq!(raise(ROOM, 5), Done::Undecided(Fault::Full));
    }
    for n in 0..ROOM {
        let stale = raise(n, 4);
        assert!(matches!(stale, Done::Rejected(rejection) if rejection.reason == Reason::Stale));
        assert!(
            matches!(raise(n, 6), Done::Admitted(_)),
            "its own place is there"
        );
    }
}
