//! However many workers set the shared data up at once, and in whatever order: one layout comes
//! of it, nothing is made twice, and who is done first may judge at once.

use crate::operations::{Done, Op, Worker, set_up};
use crate::support::host::FakeHost;
use crate::support::turns::{self, Turn, Work};
use crate::support::world::{Dialect, World};
use fencegate::memory::{self, Buffers, Layout, SetUpError};
use std::collections::BTreeMap;
use std::time::Duration;

const LAYOUT: &[u8] = b"fencegate.layout";

fn set_up_in_turns(world: &World, turn: Turn) -> Layout {
    let host = FakeHost::new(world);
    host.hook(move |call| {
        if call.is_shared() {
            turn.wait();
        }
        None
    });
    memory::set_up(&host, &mut Buffers::default(), 32).expect("a sound host")
}

/// Looks between steps whether a value that was made is ever made again.
fn watched<'c>(
    world: &'c World,
    choose: &'c mut dyn FnMut(&[usize]) -> usize,
) -> impl FnMut(&[usize]) -> usize + 'c {
    let mut seen = BTreeMap::new();
    move |waiting| {
        for key in world.keys().into_iter().filter(|key| key != LAYOUT) {
            let value = world.value(&key);
            let first = seen.entry(key).or_insert_with(|| value.clone());
            assert_eq!(*first, value, "it was made twice");
        }
        choose(waiting)
    }
}

fn one_layout_in_any_order(workers: usize, switches_max: usize) {
    for dialect in Dialect::ALL {
        let runs = turns::explore(switches_max, |choose| {
            let world = World::new(dialect);
            let work = |turn| set_up_in_turns(&world, turn);
            let works = (0..workers).map(|_| -> Work<'_, Layout> { Box::new(work) });
            let layouts = turns::run(works.collect(), &mut watched(&world, choose));
            assert!(layouts.iter().all(|layout| *layout == layouts[0]));
            let later = set_up(&world, 2);
            assert_eq!(later, layouts[0], "{dialect:?}: who comes later finds it");
        });
        assert!(runs > 50, "{dialect:?}: {runs} orders");
    }
}

#[test]
fn two_workers_make_one_layout_in_any_order() {
    one_layout_in_any_order(2, 2);
}

#[test]
fn three_workers_make_one_layout_in_any_order() {
    one_layout_in_any_order(3, 1);
}

/// The first worker to be done grants a lease while the other still makes values.
#[test]
fn a_slow_set_up_never_undoes_what_a_fast_one_granted() {
    for dialect in Dialect::ALL {
        turns::explore(2, |choose| {
            let world = World::new(dialect);
            // Half a second later the epoch's second has come.
            let work = |turn: Turn| {
                let layout = set_up_in_turns(&world, turn);
                world.advance(Duration::from_secs(1));
                let worker = Worker::new(&world, layout, 1);
                let token = worker.acquire("job:1", "a");
                match worker.run("job:1", Op::Release("a", token)) {
                    Done::Released => token,
                    other => panic!("{other:?}"),
                }
            };
            let works = (0..2).map(|_| -> Work<'_, _> { Box::new(work) });
            let tokens = turns::run(works.collect(), choose);
            assert_ne!(tokens[0], tokens[1]);
            let worker = Worker::new(&world, set_up(&world, 2), 1);
            let last = tokens.into_iter().max();
            assert_eq!(worker.marks().get("job:1").copied(), last, "{dialect:?}");
        });
    }
}

#[test]
fn another_number_of_resources_is_refused_while_the_marks_live() {
    let world = World::new(Dialect::Envoy);
    set_up(&world, 2);
    let host = FakeHost::new(&world);
    let again = |resources| memory::set_up(&host, &mut Buffers::default(), resources);
    assert!(again(17).is_ok(), "it rounds up to the same");
    for other in [1, 16, 33, 1000] {
        assert_eq!(again(other), Err(SetUpError::OtherSize { resources: 32 }));
    }
}

/// Only who sets up makes values: a value that is lost later is never made again.
#[test]
fn a_lost_value_is_not_made_again_by_a_later_set_up() {
    let world = World::new(Dialect::Envoy);
    set_up(&world, 2);
    for key in world.keys().into_iter().filter(|key| key != LAYOUT) {
        let damaged = world.fork();
        damaged.lose(&key);
        set_up(&damaged, 2);
        assert_eq!(damaged.read(&key), None, "{}", key.escape_ascii());
    }
}

#[test]
fn a_damaged_layout_is_refused_bit_by_bit() {
    let world = World::new(Dialect::Envoy);
    set_up(&world, 2);
    let sound = world.value(LAYOUT);
    for bit in 0..sound.len() * 8 {
        let mut value = sound.clone();
        value[bit / 8] ^= 1 << (bit % 8);
        world.overwrite(LAYOUT, value);
        let host = FakeHost::new(&world);
        let read = memory::set_up(&host, &mut Buffers::default(), 32);
        assert_eq!(read, Err(SetUpError::Garbled), "bit {bit}");
    }
}
