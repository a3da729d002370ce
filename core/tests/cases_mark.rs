//! Cases from public bug reports: the mark, tokens, and what they are compared with.
//!
//! The number is that of the case in `docs/cases.md`.

mod common;

use common::{ACQUIRE, World, admits, external, reason, release, secs, token, write};
use fencegate_core::check::{Access, Check, External, Judgement, Presented};
use fencegate_core::laws::{Event, Law, Observer, Tokens};
use fencegate_core::lease::{Acquire, Acquired};
use fencegate_core::token::{Token, TokenError};
use fencegate_core::verdict::{Fault, Reason};

#[test]
fn b29_a_claim_counts_before_any_write_and_after_a_reload() {
    let mut world = World::default();
    // A claim is an admitted write that nothing is forwarded for.
    assert!(admits(world.run(external("a", token(5)))));
    // What is kept outlives whoever wrote it: another filter reads the same bytes.
    let mut another = World {
        cells: world.cells.clone(),
        ..World::default()
    };
    assert_eq!(
        reason(another.run(external("b", token(4)))),
        Some(Reason::Stale)
    );
    assert_eq!(
        another
            .record("r")
            .ok()
            .flatten()
            .map(|record| record.token),
        Some(token(5))
    );
}

#[test]
fn b32_what_was_forgotten_admits_nothing() {
    let mut world = World::default();
    let first = world.grant("a");
    world.pass(secs(10));
    let second = world.grant("b");
    world.run(release("b", second));
    world.pass(secs(20));
    assert!(world.forget("r"));
    for stale in [first, second] {
        assert_eq!(reason(world.run(write("a", stale))), Some(Reason::NoGrant));
    }
    assert!(world.grant("c") > second);
}

#[test]
fn b35_a_resource_that_is_created_again_does_not_count_from_the_beginning() {
    // The mark is that of the name: deleting the object is a write like any other.
    let mut world = World::default();
    assert!(admits(world.run(external("a", token(3)))));
    assert!(admits(world.run(external("a", token(3)))), "the deletion");
    for number in 1..=2 {
        assert_eq!(
            reason(world.run(external("b", token(number)))),
            Some(Reason::Stale)
        );
    }
    assert_eq!(
        reason(world.run(external("b", token(3)))),
        Some(Reason::HeldByAnother)
    );
    assert!(admits(world.run(external("b", token(4)))));
    assert_eq!(
        reason(world.run(external("a", token(3)))),
        Some(Reason::Stale)
    );
}

#[test]
fn b36_an_issuer_that_begins_anew_is_told_apart_by_its_epoch_and_lowers_no_mark() {
    let mut world = World::default();
    let at = |epoch, number| Token::new(epoch, number).expect("above 0");
    assert!(admits(world.run(external("a", at(1, 40)))));
    assert_eq!(
        reason(world.run(external("b", at(1, 1)))),
        Some(Reason::Stale)
    );
    assert!(admits(world.run(external("b", at(2, 1)))));
    // Our own issuer says that it is behind, and grants nothing.
    let mut world = World::started(secs(5000), 0);
    let mark = world.grant("a");
    world.pass(secs(10));
    world.start = World::started(secs(1000), 0).start;
    let behind = world.run(Acquire {
        holder: "b",
        ..ACQUIRE
    });
    assert_eq!(behind, Acquired::Undecided(Fault::IssuerBehind));
    assert_eq!(
        world.record("r").ok().flatten().map(|record| record.token),
        Some(mark)
    );
}

#[test]
fn b38_two_grants_with_one_token_break_a_law_by_name() {
    let mut observer = Observer::new(Tokens::Ours);
    let again = |holder| Event::Granted {
        resource: "r",
        token: token(7),
        holder,
        request_id: None,
    };
    assert_eq!(observer.observe(&again("a")), Ok(()));
    let violation = observer.observe(&again("b")).expect_err("the same token");
    assert_eq!(violation.law, Law::TokensOnlyRise);
    let mut world = World::default();
    let mut last = world.grant("a");
    for holder in ["b", "a", "a", "b"] {
        world.pass(secs(10));
        let next = world.grant(holder);
        assert!(next > last);
        last = next;
    }
}

#[test]
fn b40_an_unnamed_holder_never_equals_a_named_one() {
    let unnamed = |token| Check {
        presented: Presented {
            token,
            holder: None,
        },
        ..external("a", token)
    };
    let mut world = World::default();
    assert!(admits(world.run(external("a", token(8)))));
    assert_eq!(
        reason(world.run(unnamed(token(8)))),
        Some(Reason::HeldByAnother)
    );
    let mut world = World::default();
    let mine = world.grant("a");
    let nobody = Presented {
        token: mine,
        holder: None,
    };
    let check = Check {
        presented: nobody,
        ..write("a", mine)
    };
    assert_eq!(reason(world.run(check)), Some(Reason::HeldByAnother));
    // Where the law is given up in so many words, the first named holder binds it once.
    let shared = Judgement::External(External {
        jump_max: None,
        unnamed_may_share: true,
    });
    let sharing = |check: Check<'static>| Check {
        judgement: shared,
        ..check
    };
    let mut world = World::default();
    assert!(admits(world.run(sharing(unnamed(token(8))))));
    assert!(admits(world.run(sharing(external("a", token(8))))));
    let other = world.run(sharing(external("b", token(8))));
    assert_eq!(reason(other), Some(Reason::HeldByAnother));
    assert_eq!(
        reason(world.run(sharing(unnamed(token(8))))),
        Some(Reason::HeldByAnother)
    );
}

#[test]
fn v01_a_fenced_read_with_an_old_token_is_refused() {
    let mut world = World::default();
    assert!(admits(world.run(external("a", token(2)))));
    let read = Check {
        access: Access::Read,
        ..external("b", token(1))
    };
    assert_eq!(reason(world.run(read)), Some(Reason::Stale));
    let mut world = World::default();
    let first = world.grant("a");
    world.run(release("a", first));
    let read = Check {
        access: Access::Read,
        ..write("a", first)
    };
    assert_eq!(
        reason(world.run(read)),
        Some(Reason::Released),
        "a handover ends the lease first"
    );
}

#[test]
fn v02_stale_is_told_before_any_other_reason() {
    let mut world = World::default();
    let first = world.grant("a");
    world.pass(secs(10));
    let second = world.grant("b");
    world.run(release("b", second));
    // Stale, and also another holder, and also released.
    assert_eq!(reason(world.run(write("c", first))), Some(Reason::Stale));
}

#[test]
fn v10_whatever_the_random_base_every_issuer_only_rises() {
    for base in [0, 1, 12_345, u64::MAX / 3, u64::MAX] {
        let mut world = World::started(secs(1000), base);
        let mut last = world.grant("a");
        for _ in 0..20 {
            world.pass(secs(10));
            let next = world.grant("a");
            assert!(next > last);
            last = next;
        }
    }
}

#[test]
fn v11_the_same_holder_attached_again_gets_a_new_token_and_its_old_writes_are_stale() {
    let mut world = World::default();
    let first = world.grant("node-1");
    world.pass(secs(10));
    let second = world.grant("node-2");
    assert_eq!(
        reason(world.run(write("node-1", first))),
        Some(Reason::Stale)
    );
    world.pass(secs(10));
    let third = world.grant("node-1");
    assert!(third > second);
    assert_eq!(
        reason(world.run(write("node-1", first))),
        Some(Reason::Stale)
    );
    assert!(admits(world.run(write("node-1", third))));
}

#[test]
fn v17_tokens_never_wrap_are_never_negative_and_compare_as_numbers() {
    let mut world = World::default();
    assert!(admits(world.run(external("a", token(9)))));
    assert!(
        admits(world.run(external("a", token(10)))),
        "10 is above 9, though not as text"
    );
    assert!(admits(world.run(external("a", token(u64::MAX)))));
    assert_eq!(
        reason(world.run(external("a", token(1)))),
        Some(Reason::Stale)
    );
    assert_eq!(
        Token::parse(b"18446744073709551616"),
        Err(TokenError::TooLarge)
    );
    assert_eq!(Token::parse(b"-1"), Err(TokenError::NotDecimal));
    let parsed = |text: &[u8]| Token::parse(text).expect("decimal");
    assert!(parsed(b"9") < parsed(b"10"));
}
