//! One configuration after another: from the first judgement of a newer one on, an older one
//! judges nothing, whatever the order of their calls; until then the older one works on.

use crate::laws::{self, Event, trace};
use crate::operations::{Done, MAPPING, Op, TTL, Worker, process, token};
use crate::support::turns::{self, Work};
use crate::support::world::World;
use fencegate::memory::{Buffers, Layout, Memory};
use fencegate_core::lease::NotGranted;
use fencegate_core::token::Token;
use fencegate_core::verdict::{Fault, Reason};
use std::time::Duration;

const SUPERSEDED: Done = Done::Undecided(Fault::Superseded);

/// Two resources in different buckets, granted under generation 1.
struct Scene {
    world: World,
    layout: Layout,
    near: (&'static str, Token),
    far: (&'static str, Token),
}

impl Scene {
    fn new() -> Self {
        let (world, layout) = process(3);
        let worker = Worker::new(&world, layout, 1);
        let place = |job: &str| layout.place_of(job).0;
        let near = "job:1";
        let others = ["job:2", "job:3", "job:4", "job:5"];
        let far = others.into_iter().find(|job| place(job) != place(near));
        let far = far.expect("four resources are not in one of three buckets");
        Self {
            near: (near, worker.acquire(near, "a")),
            far: (far, worker.acquire(far, "a")),
            world,
            layout,
        }
    }

    fn writes(&self) -> Vec<(&'static str, Op)> {
        [self.near, self.far, self.near]
            .map(|(job, token)| (job, Op::Write("a", token)))
            .to_vec()
    }
}

type Script = (u32, Vec<(&'static str, Op)>);

/// Runs scripts of generations in every order; after each run, no operation of an older one that
/// began after a newer one's had ended did anything.
fn in_any_order(scene: &Scene, scripts: &[Script], also: &dyn Fn(&[Event])) {
    let runs = turns::explore(2, |choose| {
        let world = scene.world.fork();
        world.advance(2 * TTL);
        let works = scripts
            .iter()
            .map(|(generation, script)| -> Work<'_, Vec<Event>> {
                let (world, layout) = (&world, scene.layout);
                Box::new(move |turn| {
                    let worker = Worker::new(world, layout, *generation);
                    trace(&worker, turn, script.iter().copied())
                })
            });
        let events = turns::run(works.collect(), choose).concat();
        for newer in &events {
            // What was not decided said nothing to anybody.
            let judged = !matches!(newer.done, Done::Undecided(_));
            let later = |older: &&Event| {
                judged && older.generation < newer.generation && older.began > newer.ended
            };
            for older in events.iter().filter(later) {
                assert_eq!(older.done, SUPERSEDED, "{older:?} after {newer:?}");
            }
        }
        laws::hold(&events).unwrap_or_else(|law| panic!("{law}"));
        also(&events);
    });
    assert!(runs > 50, "{runs} orders");
}

#[test]
fn once_the_newer_one_has_judged_the_older_never_admits_in_any_order() {
    let scene = Scene::new();
    let acquire = Op::Acquire {
        holder: "b",
        id: None,
    };
    let newer = vec![("job:1", acquire)];
    in_any_order(&scene, &[(1, scene.writes()), (2, newer)], &|events| {
        let granted = |event: &Event| matches!(event.done, Done::Granted { .. });
        assert!(
            events.iter().any(granted),
            "the newer one gets on: {events:?}"
        );
    });
}

#[test]
fn two_workers_put_one_generation_in_force_in_any_order() {
    let scene = Scene::new();
    let stale = (scene.near.0, Op::Write("a", scene.near.1));
    let scripts = [(2, vec![stale]), (2, vec![stale]), (1, scene.writes())];
    in_any_order(&scene, &scripts, &|events| {
        for event in events.iter().filter(|event| event.generation == 2) {
            // A grant of the older one is no grant under other rules.
            let no_grant = matches!(event.done,
                Done::Rejected(rejection) if rejection.reason == Reason::NoGrant);
            assert!(no_grant, "{event:?}");
        }
    });
}

#[test]
fn of_three_generations_the_newest_stays_in_force_in_any_order() {
    let scene = Scene::new();
    let (job, old) = scene.near;
    let write = vec![(job, Op::Write("a", old))];
    let scripts = [(1, scene.writes()), (2, write.clone()), (3, write)];
    in_any_order(&scene, &scripts, &|events| {
        let newest = events.iter().find(|event| event.generation == 3);
        assert!(matches!(newest.expect("an event").done, Done::Rejected(_)));
    });
}

#[test]
fn external_marks_are_kept_over_a_new_generation_in_any_order() {
    let scene = Scene::new();
    let worker = Worker::new(&scene.world, scene.layout, 1);
    worker.run("job:x", Op::Raise(Some("a"), token(5)));
    let raise = |number| ("job:x", Op::Raise(Some("a"), token(number)));
    let scripts = [(1, vec![raise(6), raise(7)]), (2, vec![raise(4), raise(9)])];
    in_any_order(&scene, &scripts, &|events| {
        assert!(matches!(events[2].done, Done::Rejected(_)), "{events:?}");
        assert!(matches!(events[3].done, Done::Admitted(_)), "{events:?}");
    });
}

#[test]
fn a_configuration_that_never_judges_leaves_the_older_one_working() {
    let scene = Scene::new();
    let older = Worker::new(&scene.world, scene.layout, 1);
    let newer = Worker::new(&scene.world, scene.layout, 2);
    let accepted = newer
        .memory
        .accepts(&newer.host, &mut newer.buffers.borrow_mut());
    assert_eq!(accepted, Ok(()));
    for (job, write) in scene.writes() {
        assert!(matches!(older.run(job, write), Done::Admitted(_)));
    }
    older.acquire("job:new", "a");
    let another = Worker::new(&scene.world, scene.layout, 1);
    assert!(matches!(
        another.run(scene.near.0, Op::Renew("a", scene.near.1)),
        Done::Renewed(_)
    ));
}

/// Memory of a generation with another mapping than all others here.
fn remapped(layout: Layout, generation: u32) -> Memory {
    Memory::new(layout, generation, !MAPPING, Duration::ZERO)
}

#[test]
fn the_same_generation_with_other_rules_is_refused_when_loaded_and_when_judging() {
    let scene = Scene::new();
    let worker = Worker::new(&scene.world, scene.layout, 1);
    let mut other = Worker::new(&scene.world, scene.layout, 1);
    other.memory = remapped(scene.layout, 1);
    let refused = other.memory.accepts(&other.host, &mut Buffers::default());
    assert_eq!(
        refused.expect_err("generation 1 has other rules"),
        "generation: the rules now map requests to other resources than the generation 1 in force; raise it to 2 or more"
    );
    let (job, token) = scene.near;
    assert_eq!(other.run(job, Op::Write("a", token)), SUPERSEDED);
    assert!(matches!(
        worker.run(job, Op::Write("a", token)),
        Done::Admitted(_)
    ));
}

#[test]
fn of_two_mappings_loaded_under_one_generation_only_the_first_to_judge_judges() {
    let (world, layout) = process(3);
    let worker = Worker::new(&world, layout, 1);
    let mut other = Worker::new(&world, layout, 1);
    other.memory = remapped(layout, 1);
    let buffers = &mut Buffers::default();
    assert_eq!(worker.memory.accepts(&worker.host, buffers), Ok(()));
    assert_eq!(other.memory.accepts(&other.host, buffers), Ok(()));
    let acquire = Op::Acquire {
        holder: "a",
        id: None,
    };
    assert!(matches!(other.run("job:1", acquire), Done::Granted { .. }));
    assert_eq!(worker.run("job:1", acquire), SUPERSEDED);
}

#[test]
fn an_older_generation_is_refused_when_loaded() {
    let scene = Scene::new();
    let newer = Worker::new(&scene.world, scene.layout, 3);
    newer.run(scene.near.0, Op::Write("a", scene.near.1));
    let older = Worker::new(&scene.world, scene.layout, 2);
    let refused = older.memory.accepts(&older.host, &mut Buffers::default());
    assert_eq!(
        refused.expect_err("3 is in force"),
        "generation: 3 is in force already; give a higher one than that, not 2"
    );
}

/// Requests that no record decides, and looks at all leases, meet the newer generation too.
#[test]
fn a_superseded_worker_neither_passes_nor_lists_nor_is_ready() {
    let scene = Scene::new();
    let older = Worker::new(&scene.world, scene.layout, 1);
    let (job, token) = scene.near;
    older.run(job, Op::Write("a", token));
    let newer = Worker::new(&scene.world, scene.layout, 2);
    newer.run(job, Op::Write("a", token));
    let (host, buffers) = (&older.host, &mut Buffers::default());
    assert_eq!(
        older.memory.not_superseded(host, buffers),
        Err(Fault::Superseded)
    );
    assert_eq!(
        older.memory.closed_for(host, buffers),
        Err(Fault::Superseded)
    );
    let listed = older.memory.records_in(host, buffers, 0, &mut |_, _| {});
    assert_eq!(listed, Err(Fault::Superseded));
}

#[test]
fn a_new_generation_repeats_the_quarantine_for_grants_only() {
    let (world, layout) = process(3);
    let quarantined =
        |generation| Worker::quarantined(&world, layout, generation, Duration::from_secs(5));
    world.advance(Duration::from_secs(60));
    let first = quarantined(1);
    let mark = first.acquire("job:1", "a");
    let second = quarantined(2);
    let acquire = Op::Acquire {
        holder: "b",
        id: None,
    };
    let starting = |seconds| Done::Undecided(Fault::Starting(Duration::from_secs(seconds)));
    assert_eq!(second.run("job:2", acquire), starting(5));
    world.advance(Duration::from_secs(4));
    assert_eq!(second.run("job:2", acquire), starting(1));
    assert_eq!(
        quarantined(2).run("job:2", acquire),
        starting(1),
        "on every worker"
    );
    assert!(matches!(
        second.run("job:1", Op::Write("a", mark)),
        Done::Rejected(_)
    ));
    world.advance(Duration::from_secs(1));
    assert!(second.acquire("job:2", "b") > mark);
}

/// Its bytes from before the newer generation was put in force: whatever was granted since would
/// be forgotten.
#[test]
fn an_older_generations_bucket_is_garbled() {
    let (world, layout) = process(1);
    let older = Worker::new(&world, layout, 1);
    older.acquire("job:1", "a");
    let keys = world.keys().into_iter();
    let before: Vec<_> = keys
        .filter(|key| key.starts_with(b"fencegate.b"))
        .map(|key| (world.value(&key), key))
        .collect();
    let newer = Worker::new(&world, layout, 2);
    world.advance(2 * TTL);
    let token = newer.acquire("job:1", "b");
    for (value, key) in before {
        world.overwrite(&key, value);
    }
    for op in [Op::Write("b", token), Op::Write("a", token), Op::Break] {
        let done = newer.run("job:1", op);
        assert_eq!(done, Done::Undecided(Fault::Garbled), "{op:?}");
    }
}

#[test]
fn a_request_id_that_is_over_stays_over_in_a_new_generation() {
    let (world, layout) = process(3);
    let older = Worker::new(&world, layout, 1);
    let id = Some("id-1");
    let first = older.acquire_as("job:1", "a", id);
    older.run("job:1", Op::Release("a", first));
    older.acquire("job:1", "b");
    world.advance(2 * TTL);
    let newer = Worker::new(&world, layout, 2);
    let again = newer.run("job:1", Op::Acquire { holder: "a", id });
    assert_eq!(again, Done::NotGranted(NotGranted::GrantEnded));
}
