//! Creating and replacing shared values is safe on every host, whatever its dialect of
//! compare-and-swap; and doing it the obvious way is not.

mod support;

use fencegate::host::shared::{Creation, create, replace};
use fencegate::host::{Cas, Host, NotSet};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use support::host::FakeHost;
use support::turns::{self, Turn, Work};
use support::world::{Dialect, World};

const KEY: &[u8] = b"mark";

/// A host whose shared calls wait for their turn.
fn host(world: &World, turn: Turn) -> FakeHost {
    let host = FakeHost::new(world);
    host.hook(move |call| {
        if call.is_shared() {
            turn.wait();
        }
        None
    });
    host
}

/// What looks right: if there is none, put one.
fn create_naively(host: &dyn Host, key: &[u8], value: &[u8]) -> Creation {
    match host.shared(key, &mut Vec::new()) {
        Ok(Some(_)) => Creation::Present,
        _ => match host.set_shared(key, value, 0) {
            Ok(()) => Creation::Created,
            Err(_) => Creation::Present,
        },
    }
}

fn create_safely(host: &dyn Host, key: &[u8], value: &[u8]) -> Creation {
    create(host, key, value, &mut Vec::new()).expect("the host works")
}

/// Lets `creator` of the mark 5 be overtaken at its second call by a worker that makes the mark 7;
/// gives the mark that is left.
fn overtaken(dialect: Dialect, creator: fn(&dyn Host, &[u8], &[u8]) -> Creation) -> u8 {
    let world = World::new(dialect);
    let slow = FakeHost::new(&world);
    let fast = FakeHost::new(&world);
    slow.hook(move |call| {
        if call.index == 1 {
            create_safely(&fast, KEY, &[7]);
        }
        None
    });
    creator(&slow, KEY, &[5]);
    // A creator that needs one call only has not been overtaken: then the other comes after.
    create_safely(&FakeHost::new(&world), KEY, &[7]);
    world.value(KEY)[0]
}

#[test]
fn creating_with_0_after_not_found_moves_a_mark_back_on_envoy() {
    assert_eq!(overtaken(Dialect::Envoy, create_naively), 5, "7 was there");
    assert_eq!(overtaken(Dialect::NgxWasm, create_naively), 7);
    assert_eq!(overtaken(Dialect::Mosn, create_naively), 7);
}

#[test]
fn creating_safely_never_overwrites_when_overtaken() {
    // Where creating takes a single call, nobody can come between.
    assert_eq!(overtaken(Dialect::Envoy, create_safely), 5);
    assert_eq!(overtaken(Dialect::Mosn, create_safely), 5);
    assert_eq!(overtaken(Dialect::NgxWasm, create_safely), 7);
}

#[test]
fn of_several_creators_exactly_one_creates_in_any_order() {
    for dialect in Dialect::ALL {
        let runs = turns::explore(usize::MAX, |choose| {
            let world = World::new(dialect);
            let works = (0..3_u8).map(|name| -> Work<'_, Creation> {
                let world = &world;
                Box::new(move |turn| {
                    let host = host(world, turn);
                    let creation = create_safely(&host, KEY, &[name]);
                    host.unhook();
                    let there = world.value(KEY);
                    let mine = there == [name];
                    assert_eq!(creation == Creation::Created, mine, "{dialect:?}");
                    creation
                })
            });
            let creations = turns::run(works.collect(), choose);
            let created = creations.iter().filter(|&&made| made == Creation::Created);
            assert_eq!(created.count(), 1, "{dialect:?}: {creations:?}");
        });
        assert!(runs >= 6, "{dialect:?}: {runs} orders");
    }
}

#[test]
fn a_creator_that_is_late_never_undoes_a_replacement() {
    for dialect in Dialect::ALL {
        let world = World::new(dialect);
        let raised = Rc::new(RefCell::new(BTreeSet::new()));
        // At each call of the late creator, somebody creates and raises the value.
        let (other, seen) = (FakeHost::new(&world), Rc::clone(&raised));
        let late = FakeHost::new(&world);
        late.hook(move |_| {
            create_safely(&other, KEY, &[1]);
            let mut value = Vec::new();
            let cas = other.shared(KEY, &mut value).expect("the host works");
            let next = value[0] + 1;
            replace(&other, KEY, &[next], cas.expect("a value")).expect("nobody else");
            seen.borrow_mut().insert(next);
            None
        });
        assert_eq!(create_safely(&late, KEY, &[0]), Creation::Present);
        let highest = *raised.borrow().last().expect("it was raised");
        assert_eq!(world.value(KEY), [highest], "{dialect:?}");
    }
}

#[test]
fn a_replacement_is_conditional_in_every_dialect() {
    for dialect in Dialect::ALL {
        let world = World::new(dialect);
        let host = FakeHost::new(&world);
        create_safely(&host, KEY, &[1]);
        let first = host
            .shared(KEY, &mut Vec::new())
            .expect("works")
            .expect("there");
        assert_eq!(replace(&host, KEY, &[2], first), Ok(()));
        assert_eq!(
            replace(&host, KEY, &[3], first),
            Err(NotSet::Mismatch),
            "{dialect:?}"
        );
        assert_eq!(
            replace(&host, KEY, &[3], Cas(0)),
            Err(NotSet::Mismatch),
            "{dialect:?}"
        );
        assert_eq!(world.value(KEY), [2]);
    }
}

/// Three workers count up one value, each once, in every order; whether in some order a step of
/// theirs was lost.
fn counting_loses_steps(dialect: Dialect, compares: bool) -> bool {
    let mut lost = false;
    turns::explore(usize::MAX, |choose| {
        let world = World::new(dialect);
        if !compares {
            world.stop_comparing();
        }
        create_safely(&FakeHost::new(&world), KEY, &[0]);
        let count_up = |turn| {
            let host = host(&world, turn);
            let mut value = Vec::new();
            let cas = host.shared(KEY, &mut value).expect("the host works");
            replace(&host, KEY, &[value[0] + 1], cas.expect("a value")).is_ok()
        };
        let works = (0..3).map(|_| -> Work<'_, bool> { Box::new(count_up) });
        let done = turns::run(works.collect(), choose);
        let steps = done.iter().filter(|&&done| done).count();
        lost |= usize::from(world.value(KEY)[0]) != steps;
    });
    lost
}

#[test]
fn no_replacement_is_lost_in_any_order() {
    for dialect in Dialect::ALL {
        assert!(!counting_loses_steps(dialect, true), "{dialect:?}");
    }
}

#[test]
fn a_store_that_does_not_compare_loses_replacements() {
    assert!(counting_loses_steps(Dialect::Envoy, false));
}
