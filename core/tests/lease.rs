//! Leases that are asked for: held, granted, resumed, and refused for an expected mark.

mod common;

use common::{ACQUIRE, BREAK, World, granted, held, ms, release, secs};
use fencegate_core::lease::{Acquire, Acquired, NotGranted, Owned};
use fencegate_core::token::Token;
use std::time::Duration;

/// An acquire by `b`.
const B: Acquire<'static> = Acquire {
    holder: "b",
    ..ACQUIRE
};

/// An acquire that names its incarnation.
const NAMED: Acquire<'static> = Acquire {
    request_id: Some("1"),
    ..ACQUIRE
};

const ENDED: Acquired = Acquired::NotGranted(NotGranted::GrantEnded);

fn resumed(acquired: Acquired) -> (Token, Duration, bool) {
    match acquired {
        Acquired::Granted { leased, resumed } => (leased.token, leased.left, resumed),
        other => panic!("granted, but it is {other:?}"),
    }
}

#[test]
fn a_lease_is_held_to_its_end_and_then_free() {
    let mut world = World::default();
    let first = world.grant("a");
    for (passes, left) in [(secs(0), secs(10)), (secs(9), secs(1)), (ms(999), ms(1))] {
        world.pass(passes);
        assert_eq!(held(world.run(B)), left);
        assert_eq!(
            held(world.run(ACQUIRE)),
            left,
            "the same name is another incarnation"
        );
    }
    world.pass(ms(1));
    let next = granted(world.run(B));
    assert!(next.token > first);
    assert_eq!(next.left, secs(10));
}

#[test]
fn the_lock_delay_follows_the_end() {
    let mut world = World::default();
    let delayed = Acquire {
        lock_delay: secs(5),
        ..ACQUIRE
    };
    assert_eq!(
        granted(world.run(delayed)).left,
        secs(10),
        "the holder is told of its lease only"
    );
    assert_eq!(held(world.run(B)), secs(15));
    world.pass(secs(12));
    assert_eq!(held(world.run(B)), secs(3));
    world.pass(secs(3));
    granted(world.run(B));
}

#[test]
fn the_delay_of_the_grant_counts_not_that_of_who_asks() {
    let mut world = World::default();
    world.grant("a");
    let careful = Acquire {
        lock_delay: secs(60),
        ttl: secs(60),
        ..B
    };
    assert_eq!(held(world.run(careful)), secs(10));
    world.pass(secs(10));
    granted(world.run(careful));
    assert_eq!(held(world.run(ACQUIRE)), secs(120));
}

#[test]
fn a_refused_acquire_changes_nothing() {
    let mut world = World::default();
    world.grant("a");
    let before = world.cells["r"].clone();
    held(world.run(Acquire {
        request_id: Some("x"),
        ..B
    }));
    let after = &world.cells["r"];
    assert_eq!(
        (&after.bytes, after.version),
        (&before.bytes, before.version)
    );
    world.pass(secs(10));
    granted(world.run(Acquire {
        request_id: Some("x"),
        ..B
    }));
}

#[test]
fn a_request_repeated_while_its_grant_lives_gets_the_same_grant() {
    let mut world = World::default();
    let first = granted(world.run(NAMED));
    world.pass(secs(4));
    assert_eq!(resumed(world.run(NAMED)), (first.token, secs(6), true));
    // The first answer counts: what is asked for the second time is not looked at.
    let longer = Acquire {
        ttl: secs(60),
        expect_mark: Some(common::token(1)),
        ..NAMED
    };
    assert_eq!(resumed(world.run(longer)), (first.token, secs(6), true));
}

#[test]
fn a_request_id_is_scoped_to_holder_and_resource() {
    let mut world = World::default();
    let first = granted(world.run(NAMED));
    held(world.run(Acquire {
        request_id: Some("1"),
        ..B
    }));
    held(world.run(Acquire {
        request_id: Some("2"),
        ..NAMED
    }));
    held(world.run(Acquire {
        request_id: None,
        ..NAMED
    }));
    let other = resumed(world.run_on(
        "s",
        Acquire {
            resource: "s",
            ..NAMED
        },
    ));
    assert!(!other.2 && other.0 != first.token);
}

#[test]
fn an_unnamed_request_resumes_nothing() {
    let mut world = World::default();
    world.grant("a");
    held(world.run(ACQUIRE));
}

#[test]
fn a_request_whose_grant_is_over_is_never_granted_anew() {
    type After = (&'static str, fn(&mut World, Token));
    let endings: [After; 7] = [
        ("it ended", |world, _| world.pass(secs(10))),
        ("it ended long ago", |world, _| world.pass(secs(10_000))),
        ("released", |world, token| {
            assert_eq!(world.run(release("a", token)), Owned::Done(()))
        }),
        ("broken", |world, _| {
            let _ = world.run(BREAK);
        }),
        ("somebody else was granted", |world, _| {
            world.pass(secs(10));
            granted(world.run(B));
        }),
        ("forgotten", |world, _| {
            world.pass(secs(20));
            assert!(world.forget("r"));
        }),
        ("two grants later, forgotten", |world, _| {
            world.pass(secs(10));
            granted(world.run(B));
            world.pass(secs(20));
            assert!(world.forget("r"));
        }),
    ];
    for (what, end) in endings {
        let mut world = World::default();
        let token = granted(world.run(NAMED)).token;
        end(&mut world, token);
        assert_eq!(world.run(NAMED), ENDED, "{what}");
        assert_eq!(world.run(NAMED), ENDED, "{what}, asked once more");
    }
}

#[test]
fn a_grant_is_forgettable_one_ttl_after_it_is_free() {
    let mut world = World::default();
    granted(world.run(Acquire {
        lock_delay: secs(5),
        ..NAMED
    }));
    world.pass(secs(25) - ms(1));
    assert!(!world.forget("r"));
    world.pass(ms(1));
    assert!(world.forget("r"));
    assert!(granted(world.run(B)).left == secs(10));
}

#[test]
fn the_expected_mark_must_be_the_mark() {
    let mut world = World::default();
    let unknown = Acquired::NotGranted(NotGranted::MarkUnknown);
    let expecting = |mark| Acquire {
        expect_mark: Some(mark),
        ..B
    };
    assert_eq!(world.run(expecting(common::token(1))), unknown);
    let mark = world.grant("a");
    held(world.run(expecting(mark)));
    world.pass(secs(10));
    for (epoch, number) in [(0, 1), (mark.epoch(), mark.number() + 1), (u32::MAX, 1)] {
        let other = Token::new(epoch, number).expect("above 0");
        let moved = Acquired::NotGranted(NotGranted::MarkMoved { mark });
        assert_eq!(world.run(expecting(other)), moved);
    }
    let next = granted(world.run(expecting(mark))).token;
    assert!(next > mark);
    world.pass(secs(20));
    assert!(world.forget("r"));
    assert_eq!(
        world.run(expecting(next)),
        unknown,
        "a forgotten mark cannot be compared"
    );
}

#[test]
fn a_request_of_an_older_generation_is_not_resumed() {
    let mut world = World::default();
    granted(world.run(NAMED));
    assert_eq!(
        world.run(Acquire {
            generation: 2,
            ..NAMED
        }),
        ENDED
    );
}
