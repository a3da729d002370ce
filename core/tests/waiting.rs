//! Waiting for a lease: first come, first served, among those who are still there.

mod common;

use common::{ACQUIRE, World, granted, held, secs};
use fencegate_core::check::Presented;
use fencegate_core::lease::{Acquire, Acquired, Leave, Left, NotGranted, PATIENCE, Release, Wait};
use fencegate_core::queue::{self, QueueChange, Ticket, WAITERS_MAX};
use fencegate_core::token::Token;
use proptest::prelude::*;
use std::time::Duration;

const TICK: Duration = Duration::from_millis(500);

fn wait(holder: &'static str, ticket: u64) -> Wait<'static> {
    Wait {
        acquire: Acquire { holder, ..ACQUIRE },
        ticket: Ticket(ticket),
    }
}

fn release(holder: &'static str, token: Token) -> Release<'static> {
    Release {
        presented: Presented {
            token,
            holder: Some(holder),
        },
        writes_answered: true,
        generation: ACQUIRE.generation,
    }
}

fn is_held(acquired: Acquired) -> bool {
    matches!(acquired, Acquired::NotGranted(NotGranted::Held { .. }))
}

#[test]
fn a_free_lease_is_granted_to_a_waiter_at_once() {
    let mut world = World::default();
    granted(world.run(wait("b", 1)));
}

#[test]
fn the_first_to_come_is_granted_first() {
    let mut world = World::default();
    let first = world.grant("a");
    assert!(is_held(world.run(wait("b", 1))));
    assert!(is_held(world.run(wait("c", 2))));
    world.run(release("a", first));
    // C asks before B does, and D without waiting at all.
    assert!(is_held(world.run(wait("c", 2))));
    assert!(is_held(world.run(Acquire {
        holder: "d",
        ..ACQUIRE
    })));
    let second = granted(world.run(wait("b", 1)));
    assert!(second.token > first);
    assert!(is_held(world.run(wait("c", 2))), "B holds it now");
}

#[test]
fn a_lease_that_was_waited_for_starts_when_it_is_granted() {
    let mut world = World::default();
    world.grant("a");
    let mut acquired = world.run(wait("b", 1));
    while is_held(acquired) {
        world.now = world.now.after(TICK);
        acquired = world.run(wait("b", 1));
    }
    assert_eq!(granted(acquired).left, ACQUIRE.ttl, "nothing of it is over");
}

#[test]
fn who_left_is_passed_over_at_once() {
    let mut world = World::default();
    world.grant("a");
    assert!(is_held(world.run(wait("b", 1))));
    assert!(is_held(world.run(wait("c", 2))));
    assert_eq!(world.run(Leave { ticket: Ticket(1) }), Left::Done);
    world.now = world.now.after(ACQUIRE.ttl);
    granted(world.run(wait("c", 2)));
}

#[test]
fn who_is_silent_is_passed_over_after_the_patience() {
    let mut world = World::default();
    world.grant("a");
    world.now = world.now.after(ACQUIRE.ttl - TICK);
    assert!(is_held(world.run(wait("b", 1))));
    assert!(is_held(world.run(wait("c", 2))));
    // B's worker is gone without a word; C goes on asking.
    world.now = world.now.after(TICK);
    assert!(is_held(world.run(wait("c", 2))), "B may still be there");
    world.now = world.now.after(PATIENCE - TICK);
    granted(world.run(wait("c", 2)));
}

#[test]
fn who_goes_on_asking_keeps_its_place() {
    let mut world = World::default();
    let first = world.grant("a");
    for _ in 0..30 {
        assert!(is_held(world.run(wait("b", 1))));
        assert!(is_held(world.run(wait("c", 2))));
        world.now = world.now.after(Duration::from_millis(300));
    }
    world.run(release("a", first));
    assert!(is_held(world.run(wait("c", 2))));
    granted(world.run(wait("b", 1)));
}

#[test]
fn a_repeated_request_that_waits_twice_gets_one_grant() {
    let mut world = World::default();
    world.grant("a");
    let again = |ticket| Wait {
        acquire: Acquire {
            holder: "b",
            request_id: Some("one"),
            ..ACQUIRE
        },
        ticket: Ticket(ticket),
    };
    assert!(is_held(world.run(again(1))));
    assert!(is_held(world.run(again(2))));
    world.now = world.now.after(secs(9));
    assert!(is_held(world.run(again(1))));
    world.now = world.now.after(secs(1));
    let first = granted(world.run(again(1)));
    assert_eq!(granted(world.run(again(2))).token, first.token);
}

#[test]
fn a_full_queue_refuses_and_loses_nobody() {
    let mut waiters = Vec::new();
    let now = World::default().now;
    for ticket in 0..WAITERS_MAX as u64 {
        let join = QueueChange::Join(Ticket(ticket), now.after(secs(1)));
        waiters = queue::changed(&waiters, 0, join, now).expect("there is room");
    }
    let one_more = QueueChange::Join(Ticket(99), now.after(secs(1)));
    assert_eq!(queue::changed(&waiters, 0, one_more, now), None);
    let later = now.after(secs(1));
    let fresh = queue::changed(&waiters, 0, QueueChange::Join(Ticket(99), later), later);
    assert_eq!(fresh.expect("the silent ones went").len(), 1);
}

#[test]
fn a_held_lease_is_still_told_with_its_wait() {
    let mut world = World::default();
    world.grant("a");
    assert_eq!(held(world.run(wait("b", 1))), ACQUIRE.ttl);
}

const NAMES: [&str; 4] = ["w0", "w1", "w2", "w3"];

/// Workers that wait in line before one lease.
struct Line {
    world: World,
    /// Who waits, first come first.
    waiting: Vec<usize>,
    /// Whose lease it is, with its token.
    holder: Option<(&'static str, Token)>,
}

impl Line {
    fn ask(&mut self, who: usize) -> Result<(), TestCaseError> {
        let acquired = self.world.run(wait(NAMES[who], who as u64));
        if is_held(acquired) {
            if !self.waiting.contains(&who) {
                self.waiting.push(who);
            }
            return Ok(());
        }
        let next = self.waiting.first().copied();
        prop_assert!(next.is_none() || next == Some(who), "{who} before {next:?}");
        self.waiting.retain(|other| *other != who);
        self.holder = Some((NAMES[who], granted(acquired).token));
        Ok(())
    }

    fn leave(&mut self, who: usize) {
        self.world.run(Leave {
            ticket: Ticket(who as u64),
        });
        self.waiting.retain(|other| *other != who);
    }

    fn release(&mut self) {
        if let Some((holder, token)) = self.holder.take() {
            self.world.run(release(holder, token));
        }
    }
}

proptest! {
    /// Whoever is granted, nobody who came before and was there all the time still waits.
    #[test]
    fn nobody_is_overtaken(steps in prop::collection::vec((0_u8..4, 0_usize..4, 0_usize..4), 1..100)) {
        let mut world = World::default();
        let first = world.grant("a");
        let mut line = Line { world, waiting: Vec::new(), holder: Some(("a", first)) };
        for (step, who, turn) in steps {
            match step {
                0 => line.release(),
                1 => line.leave(who),
                _ => line.ask(who)?,
            }
            // All who wait ask within their patience, in some order.
            line.world.now = line.world.now.after(Duration::from_millis(200));
            let mut order = line.waiting.clone();
            let turn = turn % order.len().max(1);
            order.rotate_left(turn);
            for who in order {
                line.ask(who)?;
            }
        }
    }
}
