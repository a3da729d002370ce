//! Leases that are renewed, released and broken.

mod common;

use common::{ACQUIRE, BREAK, World, by, granted, held, lost, ms, release, renew, secs};
use fencegate_core::check::Presented;
use fencegate_core::lease::{Acquire, Acquired, Break, Broken, Owned, Release, Renew};
use fencegate_core::token::Token;
use fencegate_core::verdict::{Fault, Reason};

/// An acquire by `b`.
const B: Acquire<'static> = Acquire {
    holder: "b",
    ..ACQUIRE
};

#[test]
fn a_renewal_moves_the_end_and_never_shortens() {
    let mut world = World::default();
    let token = granted(world.run(Acquire {
        ttl: secs(30),
        ..ACQUIRE
    }))
    .token;
    for (passes, ttl, left) in [
        (secs(5), secs(10), secs(25)),
        (secs(5), secs(60), secs(60)),
        (secs(0), secs(1), secs(60)),
        (secs(59), secs(1), secs(1)),
        (ms(500), secs(1), secs(1)),
    ] {
        world.pass(passes);
        let renewed = world.run(Renew {
            ttl,
            ..renew("a", token)
        });
        let Owned::Done(leased) = renewed else {
            panic!("{renewed:?}")
        };
        assert_eq!((leased.token, leased.left), (token, left));
        assert_eq!(held(world.run(B)), left);
    }
    world.pass(secs(1));
    granted(world.run(B));
}

#[test]
fn a_renewal_keeps_the_longer_lock_delay() {
    let mut world = World::default();
    let token = granted(world.run(Acquire {
        lock_delay: secs(5),
        ..ACQUIRE
    }))
    .token;
    world.pass(secs(1));
    world.run(renew("a", token));
    assert_eq!(
        held(world.run(B)),
        secs(14),
        "the free moment does not come sooner"
    );
    world.run(Renew {
        lock_delay: secs(20),
        ..renew("a", token)
    });
    assert_eq!(held(world.run(B)), secs(30));
}

#[test]
fn a_lease_that_is_lost_is_not_renewed() {
    type Loss = (&'static str, Reason, fn(&mut World, Token));
    let losses: [Loss; 6] = [
        ("it ended this moment", Reason::LeaseEnded, |world, _| {
            world.pass(secs(10))
        }),
        ("released", Reason::Released, |world, token| {
            let _ = world.run(release("a", token));
        }),
        ("broken", Reason::Stale, |world, _| {
            let _ = world.run(BREAK);
        }),
        ("taken over", Reason::Stale, |world, _| {
            world.pass(secs(10));
            granted(world.run(B));
        }),
        ("forgotten", Reason::NoGrant, |world, _| {
            world.pass(secs(20));
            assert!(world.forget("r"));
        }),
        ("restarted", Reason::NoGrant, |world, _| {
            world.restart(secs(2000), 0)
        }),
    ];
    for (what, reason, lose) in losses {
        let mut world = World::default();
        let token = world.grant("a");
        lose(&mut world, token);
        assert_eq!(lost(world.run(renew("a", token))), Some(reason), "{what}");
    }
}

#[test]
fn only_the_holder_renews_and_releases() {
    let mut world = World::default();
    let token = world.grant("a");
    let never = Token::new(token.epoch(), token.number() + 1).expect("above 0");
    let nobody = Presented {
        token,
        holder: None,
    };
    for (presented, reason) in [
        (by("b", token), Reason::HeldByAnother),
        (nobody, Reason::HeldByAnother),
        (by("a", never), Reason::NeverIssued),
        (by("a", common::token(1)), Reason::Stale),
    ] {
        let renewed = world.run(Renew {
            presented,
            ..renew("a", token)
        });
        assert_eq!(lost(renewed), Some(reason));
        let released = world.run(Release {
            presented,
            ..release("a", token)
        });
        assert_eq!(lost(released), Some(reason));
    }
    assert_eq!(held(world.run(B)), secs(10), "nothing has changed");
}

#[test]
fn a_release_waits_for_what_may_be_under_way() {
    for (after, writes_answered, wait) in [
        (secs(1), true, None),
        (secs(1), false, Some(secs(5))),
        (secs(12), true, None),
        (secs(12), false, Some(secs(3))),
        (secs(15), false, None),
        (secs(500), false, None),
    ] {
        let mut world = World::default();
        let token = granted(world.run(Acquire {
            lock_delay: secs(5),
            ..ACQUIRE
        }))
        .token;
        world.pass(after);
        let released = world.run(Release {
            writes_answered,
            ..release("a", token)
        });
        assert_eq!(released, Owned::Done(()));
        match wait {
            Some(wait) => assert_eq!(held(world.run(B)), wait, "{after:?}"),
            None => assert!(granted(world.run(B)).token > token),
        }
    }
}

#[test]
fn a_late_release_does_not_put_off_forgetting() {
    let mut world = World::default();
    let token = world.grant("a");
    world.pass(secs(15));
    assert_eq!(world.run(release("a", token)), Owned::Done(()));
    world.pass(secs(5));
    assert!(world.forget("r"));
}

#[test]
fn a_release_may_come_twice_and_late_and_touches_no_newer_grant() {
    let mut world = World::default();
    let token = world.grant("a");
    for _ in 0..3 {
        assert_eq!(world.run(release("a", token)), Owned::Done(()));
    }
    assert_eq!(lost(world.run(release("b", token))), Some(Reason::Released));
    let next = world.grant("b");
    assert_eq!(lost(world.run(release("a", token))), Some(Reason::Stale));
    assert_eq!(held(world.run(ACQUIRE)), secs(10), "b still holds it");
    assert!(matches!(world.run(renew("b", next)), Owned::Done(_)));
}

/// A broken lease is bound to nobody, and nobody gives it back.
#[test]
fn an_unnamed_release_of_a_broken_lease_is_not_answered_like_its_holders() {
    let mut world = World::default();
    world.grant("a");
    let Broken::Done { mark } = world.run(BREAK) else {
        panic!("there was a lease")
    };
    let presented = Presented {
        token: mark,
        holder: None,
    };
    let released = world.run(Release {
        presented,
        ..release("a", mark)
    });
    assert_eq!(lost(released), Some(Reason::Released));
}

#[test]
fn a_break_ends_a_lease_and_its_lock_delay_runs_from_now() {
    let mut world = World::default();
    assert_eq!(world.run(BREAK), Broken::NoGrant);
    let token = granted(world.run(Acquire {
        lock_delay: secs(5),
        ..ACQUIRE
    }))
    .token;
    world.pass(secs(1));
    let delayed = Break {
        lock_delay: secs(5),
        ..BREAK
    };
    let Broken::Done { mark } = world.run(delayed) else {
        panic!("there was a lease")
    };
    assert!(mark > token);
    assert_eq!(held(world.run(B)), secs(5));
    world.pass(secs(5));
    assert!(granted(world.run(B)).token > mark);
}

#[test]
fn an_older_generation_changes_nothing_and_a_newer_one_waits_for_the_lease() {
    let mut world = World::default();
    let token = world.grant("a");
    let newer = |holder| Acquire {
        holder,
        generation: 2,
        ..ACQUIRE
    };
    assert_eq!(held(world.run(newer("b"))), secs(10));
    assert_eq!(
        lost(world.run(Renew {
            generation: 2,
            ..renew("a", token)
        })),
        Some(Reason::NoGrant)
    );
    world.pass(secs(10));
    let next = granted(world.run(newer("b"))).token;
    let superseded = Fault::Superseded;
    assert_eq!(world.run(ACQUIRE), Acquired::Undecided(superseded));
    assert_eq!(world.run(renew("b", next)), Owned::Undecided(superseded));
    assert_eq!(world.run(release("b", next)), Owned::Undecided(superseded));
    assert_eq!(world.run(BREAK), Broken::Undecided(superseded));
}

#[test]
fn a_token_that_is_not_above_the_mark_is_never_granted() {
    let mut world = World::started(secs(5000), 0);
    world.grant("a");
    world.pass(secs(10));
    // The issuer's count is set back under a record that stayed: this must not happen.
    let behind = Fault::IssuerBehind;
    for wall in [1000, 5000] {
        let start = World::started(secs(wall), 0).start;
        world.start = start;
        assert_eq!(world.run(B), Acquired::Undecided(behind));
        world.start = start;
        assert_eq!(world.run(BREAK), Broken::Undecided(behind));
    }
}

#[test]
fn unreadable_records_grant_nothing() {
    let mut world = World::default();
    let token = world.grant("a");
    let cell = world.at("r").cell;
    if let Some(bytes) = &mut cell.bytes {
        bytes[20] ^= 1;
    }
    let garbled = Fault::Garbled;
    assert_eq!(world.run(B), Acquired::Undecided(garbled));
    assert_eq!(world.run(renew("a", token)), Owned::Undecided(garbled));
    assert_eq!(world.run(release("a", token)), Owned::Undecided(garbled));
    assert_eq!(world.run(BREAK), Broken::Undecided(garbled));
}
