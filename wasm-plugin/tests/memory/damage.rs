//! Law 5, `unknown_is_not_empty`: a value that is garbled, gone or another's changes an outcome
//! only into "nobody knows". Never into an admission, a grant, "no grant" or a cold start.

use crate::operations::{Done, Op, TTL, Worker, process, set_up, token};
use crate::support::world::{Dialect, World};
use fencegate::memory::Layout;
use fencegate_core::token::Token;
use fencegate_core::verdict::Fault;
use std::time::Duration;

const GENERATION: &[u8] = b"fencegate.generation";
const START: &[u8] = b"fencegate.start";

/// A process with records in every state, and what is asked of them.
struct Scene {
    world: World,
    layout: Layout,
    asked: Vec<(&'static str, Op)>,
}

impl Scene {
    fn ours() -> Self {
        Self::ours_in(World::new(Dialect::Envoy))
    }

    fn ours_in(world: World) -> Self {
        let layout = set_up(&world, 1);
        world.advance(Duration::from_secs(1));
        let worker = Worker::new(&world, layout, 1);
        let ended = worker.acquire_as("job:ended", "a", Some("id-1"));
        world.advance(2 * TTL);
        let superseded = worker.acquire("job:passed-on", "a");
        worker.run("job:passed-on", Op::Release("a", superseded));
        worker.acquire("job:passed-on", "b");
        let held = worker.acquire_as("job:held", "a", Some("id-2"));
        let above = Token::new(held.epoch(), held.number() + 9).expect("a token");
        let acquire = |holder, id| Op::Acquire { holder, id };
        let asked = vec![
            ("job:held", Op::Write("a", held)),
            ("job:held", Op::Write("b", held)),
            ("job:held", Op::Write("a", above)),
            ("job:held", acquire("a", Some("id-2"))),
            ("job:held", acquire("b", None)),
            ("job:held", Op::Renew("a", held)),
            ("job:held", Op::Release("a", held)),
            ("job:held", Op::Break),
            ("job:passed-on", Op::Write("a", superseded)),
            ("job:passed-on", Op::Renew("a", superseded)),
            ("job:ended", Op::Renew("a", ended)),
            ("job:ended", acquire("a", Some("id-1"))),
            ("job:ended", acquire("b", None)),
            ("job:none", Op::Write("a", held)),
            ("job:none", acquire("a", None)),
        ];
        Self {
            world,
            layout,
            asked,
        }
    }

    fn external() -> Self {
        let (world, layout) = process(1);
        let worker = Worker::new(&world, layout, 1);
        worker.run("job:1", Op::Raise(Some("a"), token(7)));
        worker.run("job:2", Op::Raise(Some("b"), token(3)));
        let raise = |resource, holder, number| (resource, Op::Raise(Some(holder), token(number)));
        let asked = vec![
            raise("job:1", "a", 6),
            raise("job:1", "a", 7),
            raise("job:1", "b", 7),
            raise("job:1", "b", 8),
            raise("job:2", "b", 3),
            raise("job:none", "c", 1),
        ];
        Self {
            world,
            layout,
            asked,
        }
    }

    /// What is answered after `damage`, by a worker that has judged before it or by a new one.
    fn outcomes(&self, has_judged: bool, damage: &dyn Fn(&World)) -> Vec<Done> {
        let ask = |(resource, op): &(&'static str, Op)| {
            let world = self.world.fork();
            let worker = Worker::new(&world, self.layout, 1);
            if has_judged {
                worker.run(resource, Op::Write("a", token(1)));
            }
            damage(&world);
            worker.run(resource, *op)
        };
        self.asked.iter().map(ask).collect()
    }

    /// That `damage` changes outcomes into faults only, and into which ones.
    fn survives(&self, what: &str, damage: &dyn Fn(&World), faults: &[Fault]) {
        for has_judged in [true, false] {
            let sound = self.outcomes(has_judged, &|_| {});
            let damaged = self.outcomes(has_judged, damage);
            for ((sound, damaged), asked) in sound.iter().zip(damaged).zip(&self.asked) {
                let unknown = matches!(damaged, Done::Undecided(fault) if faults.contains(&fault));
                assert!(
                    unknown || *sound == damaged,
                    "{what}: {asked:?} gives {damaged:?} instead of {sound:?}"
                );
            }
        }
    }
}

fn flipped(mut value: Vec<u8>, bit: usize) -> Vec<u8> {
    value[bit / 8] ^= 1 << (bit % 8);
    value
}

#[test]
fn any_flipped_bit_is_garbled_or_changes_nothing() {
    for scene in [Scene::ours(), Scene::external()] {
        for key in scene.world.keys() {
            let sound = scene.world.value(&key);
            for bit in 0..sound.len() * 8 {
                let value = flipped(sound.clone(), bit);
                let damage = |world: &World| world.overwrite(&key, value.clone());
                let what = format!("bit {bit} of {}", key.escape_ascii());
                scene.survives(&what, &damage, &[Fault::Garbled]);
            }
        }
    }
}

#[test]
fn a_value_cut_short_or_prolonged_is_garbled_or_changes_nothing() {
    for scene in [Scene::ours(), Scene::external()] {
        for key in scene.world.keys() {
            let sound = scene.world.value(&key);
            for len in 0..sound.len() + 9 {
                let mut value = sound.clone();
                value.resize(len, 0);
                let damage = |world: &World| world.overwrite(&key, value.clone());
                let what = format!("{len} bytes of {}", key.escape_ascii());
                scene.survives(&what, &damage, &[Fault::Garbled]);
            }
        }
    }
}

#[test]
fn a_lost_value_is_missing_and_never_a_cold_start() {
    for scene in [Scene::ours(), Scene::external()] {
        for key in scene.world.keys() {
            let what = format!("without {}", key.escape_ascii());
            scene.survives(&what, &|world| world.lose(&key), &[Fault::Missing]);
        }
        let all = |world: &World| {
            for key in world.keys() {
                world.lose(&key);
            }
        };
        let outcomes = scene.outcomes(true, &all);
        let missing = Done::Undecided(Fault::Missing);
        assert!(outcomes.iter().all(|done| *done == missing), "{outcomes:?}");
    }
}

#[test]
fn another_values_bytes_are_garbled() {
    for scene in [Scene::ours(), Scene::external()] {
        let keys = scene.world.keys();
        for key in &keys {
            for other in keys.iter().filter(|other| *other != key) {
                let value = scene.world.value(other);
                let what = format!("{} in {}", other.escape_ascii(), key.escape_ascii());
                let damage = |world: &World| world.overwrite(key, value.clone());
                scene.survives(&what, &damage, &[Fault::Garbled]);
            }
        }
    }
}

/// What lies in one place must not be taken for what belongs in another, even where it would
/// do no harm: by a hash of the keys alone, as one host has it, two values can change places.
#[test]
fn no_small_value_is_read_as_a_generation() {
    let scene = Scene::ours();
    for key in scene.world.keys().iter().filter(|key| *key != GENERATION) {
        let world = scene.world.fork();
        let worker = Worker::new(&world, scene.layout, 1);
        world.overwrite(GENERATION, world.value(key));
        let buffers = &mut *worker.buffers.borrow_mut();
        assert_eq!(
            worker.memory.not_superseded(&worker.host, buffers),
            Err(Fault::Garbled),
            "{}",
            key.escape_ascii()
        );
    }
}

#[test]
fn a_bucket_of_another_place_is_garbled() {
    let (world, layout) = process(4);
    let worker = Worker::new(&world, layout, 1);
    let held = worker.acquire("job:1", "a");
    let buckets = world
        .keys()
        .into_iter()
        .filter(|key| key.starts_with(b"fencegate.b"));
    let buckets: Vec<_> = buckets.collect();
    assert_eq!(buckets.len(), 4);
    let ask = |world: &World| Worker::new(world, layout, 1).run("job:1", Op::Write("a", held));
    let mut garbled = 0;
    for place in &buckets {
        for other in buckets.iter().filter(|other| *other != place) {
            let damaged = world.fork();
            damaged.overwrite(place, world.value(other));
            match ask(&damaged) {
                Done::Undecided(Fault::Garbled) => garbled += 1,
                done => assert_eq!(done, ask(&world), "{}", place.escape_ascii()),
            }
        }
    }
    assert_eq!(garbled, 3, "each of the others in the resource's own place");
}

#[test]
fn another_instances_bucket_is_garbled() {
    let scene = Scene::ours();
    // The same resources in the same states, in shared data that was made anew.
    let other = Scene::ours_in(World::new(Dialect::Envoy).seeded(99));
    for key in scene.world.keys() {
        let value = other.world.value(&key);
        let damage = |world: &World| world.overwrite(&key, value.clone());
        let what = format!("another {}", key.escape_ascii());
        scene.survives(&what, &damage, &[Fault::Garbled]);
    }
}

/// Another start's counter may be behind, even one that says it is of this layout: then nothing is drawn rather than a token twice.
#[test]
fn another_instances_start_never_grants_below_a_mark() {
    let scene = Scene::ours();
    for seed in 2..40 {
        let other = Scene::ours_in(World::new(Dialect::Envoy).seeded(seed));
        let world = scene.world.fork();
        let worker = Worker::new(&world, scene.layout, 1);
        let mark = worker.marks()["job:ended"];
        let ([layout, _], [_, counter]) = [&scene.world, &other.world]
            .map(|world| world.value(START))
            .map(|value| [value[..8].to_vec(), value[8..].to_vec()])
            .into();
        world.overwrite(START, [layout, counter].concat());
        match worker.run(
            "job:ended",
            Op::Acquire {
                holder: "b",
                id: None,
            },
        ) {
            Done::Granted { token, .. } => assert!(token > mark, "seed {seed}"),
            done => assert_eq!(done, Done::Undecided(Fault::IssuerBehind), "seed {seed}"),
        }
    }
}
