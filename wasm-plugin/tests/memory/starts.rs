//! One start of the issuer after another: what the time before the first grant is for, and that
//! no token comes twice.

use crate::operations::{Done, Op, Worker, set_up};
use crate::support::world::{Dialect, World};
use fencegate_core::verdict::Fault;
use std::collections::BTreeSet;
use std::time::Duration;

const ACQUIRE: Op = Op::Acquire {
    holder: "a",
    id: None,
};

fn starting(millis: u64) -> Done {
    Done::Undecided(Fault::Starting(Duration::from_millis(millis)))
}

#[test]
fn nothing_is_granted_before_the_second_of_the_epoch_has_come() {
    let world = World::new(Dialect::Envoy);
    // The process starts in the middle of a second.
    let worker = Worker::new(&world, set_up(&world, 1), 1);
    assert_eq!(worker.run("job:1", ACQUIRE), starting(500));
    world.advance(Duration::from_millis(499));
    assert_eq!(worker.run("job:1", ACQUIRE), starting(1));
    world.advance(Duration::from_millis(1));
    let token = worker.acquire("job:1", "a");
    assert_eq!(u64::from(token.epoch()), world.wall().as_secs());
}

#[test]
fn nothing_is_granted_while_leases_of_before_the_start_may_go_on() {
    let world = World::new(Dialect::Envoy);
    let layout = set_up(&world, 1);
    let worker = Worker::quarantined(&world, layout, 1, Duration::from_secs(5));
    for passed in 0..5 {
        assert_eq!(worker.run("job:1", ACQUIRE), starting(5000 - passed * 1000));
        let buffers = &mut *worker.buffers.borrow_mut();
        let closed = worker.memory.closed_for(&worker.host, buffers);
        assert_eq!(closed, Ok(Some(Duration::from_secs(5 - passed))));
        world.advance(Duration::from_secs(1));
    }
    worker.acquire("job:1", "a");
}

#[test]
fn a_wall_clock_that_is_set_neither_ends_nor_prolongs_anything() {
    let world = World::new(Dialect::Envoy);
    let worker = Worker::new(&world, set_up(&world, 1), 1);
    world.set_wall(Duration::ZERO);
    assert_eq!(worker.run("job:1", ACQUIRE), starting(500));
    world.set_wall(Duration::from_secs(3_000_000_000));
    assert_eq!(worker.run("job:1", ACQUIRE), starting(500));
    world.advance(Duration::from_secs(1));
    let token = worker.acquire("job:1", "a");
    for wall in [0, 3_000_000_000] {
        world.set_wall(Duration::from_secs(wall));
        let write = worker.run("job:1", Op::Write("a", token));
        assert!(matches!(write, Done::Admitted(_)));
        let other = worker.run(
            "job:1",
            Op::Acquire {
                holder: "b",
                id: None,
            },
        );
        assert!(matches!(other, Done::NotGranted(_)), "{other:?}");
    }
}

/// The clock may be stepped back over a restart, so a second can come twice.
#[test]
fn numbers_never_repeat_over_restarts_within_one_second() {
    let mut seen = BTreeSet::new();
    for seed in 0..200 {
        let world = World::new(Dialect::Envoy).seeded(seed);
        let worker = Worker::new(&world, set_up(&world, 1), 1);
        world.advance(Duration::from_millis(500));
        let tokens = ["job:1", "job:2", "job:3"].map(|job| worker.acquire(job, "a"));
        assert!(tokens.is_sorted() && tokens.iter().all(|token| token.number() <= 1 << 62));
        assert!(
            tokens.into_iter().all(|token| seen.insert(token)),
            "seed {seed}"
        );
    }
    assert_eq!(
        seen.iter()
            .map(|token| token.epoch())
            .collect::<BTreeSet<_>>()
            .len(),
        1
    );
}

#[test]
fn no_token_of_an_older_start_is_admitted_whatever_the_clock_did() {
    let world = World::new(Dialect::Envoy).seeded(7);
    let worker = Worker::new(&world, set_up(&world, 1), 1);
    world.advance(Duration::from_secs(1));
    let old = worker.acquire("job:1", "a");
    for wall in [1_000, 1_796_049_502, 2_000_000_000] {
        let world = World::new(Dialect::Envoy).seeded(8);
        world.set_wall(Duration::from_secs(wall));
        let worker = Worker::new(&world, set_up(&world, 1), 1);
        world.advance(Duration::from_secs(1));
        let write = worker.run("job:1", Op::Write("a", old));
        assert!(matches!(write, Done::Rejected(_)), "{write:?}");
        let new = worker.acquire("job:1", "a");
        assert_ne!(new, old);
        let write = worker.run("job:1", Op::Write("a", old));
        assert!(
            matches!(write, Done::Rejected(_)),
            "wall second {wall}: {write:?}"
        );
    }
}
