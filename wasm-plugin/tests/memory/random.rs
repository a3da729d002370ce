//! Three workers do whatever they like to two resources, in any order of calls, while time
//! passes: the laws hold. With a store that does not compare, proptest finds them broken.

use crate::laws::{self, Event, Watch, step};
use crate::operations::{Op, Worker, process, token};
use crate::support::turns::{self, Turn, Work, by_list};
use fencegate_core::token::Token;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::rc::Rc;
use std::sync::Mutex;
use std::time::Duration;

const JOBS: [&str; 2] = ["job:1", "job:2"];
const HOLDERS: [&str; 3] = ["a", "b", "c"];
const IDS: [Option<&str>; 3] = [None, Some("id-1"), Some("id-2")];

/// What a worker does next; numbers choose among what is there by then.
#[derive(Clone, Copy, Debug)]
enum Wish {
    Acquire(usize, usize),
    Renew(usize),
    Release(usize),
    Write(usize),
    Break,
    Sleep(u64),
}

/// A whole run: wishes by worker, each about a resource, and the order of calls.
#[derive(Clone, Debug)]
struct Plan {
    wishes: Vec<Vec<(usize, Wish)>>,
    order: Vec<u8>,
}

fn wish() -> impl Strategy<Value = Wish> {
    prop_oneof![
        4 => (0..3_usize, 0..3_usize).prop_map(|(holder, id)| Wish::Acquire(holder, id)),
        2 => (0..8_usize).prop_map(Wish::Renew),
        2 => (0..8_usize).prop_map(Wish::Release),
        4 => (0..8_usize).prop_map(Wish::Write),
        1 => Just(Wish::Break),
        2 => (1..15_u64).prop_map(Wish::Sleep),
    ]
}

fn plan() -> impl Strategy<Value = Plan> {
    let script = prop::collection::vec((0..2_usize, wish()), 1..5);
    let wishes = prop::collection::vec(script, 2..4);
    let order = prop::collection::vec(any::<u8>(), 0..60);
    (wishes, order).prop_map(|(wishes, order)| Plan { wishes, order })
}

/// What was granted so far: the resource, the holder, the token.
type Pool = Mutex<Vec<(usize, &'static str, Token)>>;

/// The operation that a wish comes to; for a token out of nowhere, where nothing was granted yet.
fn operation(pool: &Pool, job: usize, wish: Wish) -> Option<Op> {
    let pool = pool.lock().expect("no worker failed");
    let granted: Vec<_> = pool.iter().filter(|(other, ..)| *other == job).collect();
    let pick = |index: usize| match granted.len() {
        0 => ("a", token(1)),
        len => (granted[index % len].1, granted[index % len].2),
    };
    Some(match wish {
        Wish::Acquire(holder, id) => Op::Acquire {
            holder: HOLDERS[holder],
            id: IDS[id],
        },
        Wish::Renew(index) => Op::Renew(pick(index).0, pick(index).1),
        Wish::Release(index) => Op::Release(pick(index).0, pick(index).1),
        Wish::Write(index) => Op::Write(pick(index).0, pick(index).1),
        Wish::Break => Op::Break,
        Wish::Sleep(_) => return None,
    })
}

fn live(worker: &Worker, turn: Turn, pool: &Pool, wishes: &[(usize, Wish)]) -> Vec<Event> {
    let turn = Rc::new(turn);
    worker.take_turns(Rc::clone(&turn));
    let mut events = Vec::new();
    for (job, wish) in wishes {
        if let Wish::Sleep(seconds) = wish {
            worker.host.world.advance(Duration::from_secs(*seconds));
        }
        let Some(op) = operation(pool, *job, *wish) else {
            continue;
        };
        let event = step(worker, &turn, JOBS[*job], op);
        if let (Op::Acquire { holder, .. }, Some(token)) = (op, event.done.mark()) {
            pool.lock()
                .expect("no worker failed")
                .push((*job, holder, token));
        }
        events.push(event);
    }
    events
}

fn run(plan: &Plan, compares: bool) -> Result<(), String> {
    let (world, layout) = process(1);
    if !compares {
        world.stop_comparing();
    }
    let pool = Pool::default();
    let works = plan.wishes.iter().map(|wishes| -> Work<'_, Vec<Event>> {
        let (world, pool) = (&world, &pool);
        Box::new(move |turn| live(&Worker::new(world, layout, 1), turn, pool, wishes))
    });
    let mut choose = by_list(&plan.order);
    let mut watch = Watch::new(Worker::new(&world, layout, 1));
    let events = turns::run(works.collect(), &mut |waiting| {
        watch.look();
        choose(waiting)
    });
    watch.look();
    watch.held()?;
    laws::hold(&events.concat())
}

proptest! {
    #![proptest_config(Config::with_cases(400))]
    #[test]
    fn the_laws_hold_whatever_workers_do(plan in plan()) {
        prop_assert_eq!(run(&plan, true), Ok(()));
    }
}

/// The test above would notice.
#[test]
fn without_comparing_the_laws_are_found_broken() {
    let config = Config {
        failure_persistence: None,
        ..Config::with_cases(2000)
    };
    let mut runner = TestRunner::new(config);
    let found = runner.run(&plan(), |plan| {
        run(&plan, false).map_err(TestCaseError::fail)
    });
    let found = found
        .expect_err("2000 runs on a store that overwrites")
        .to_string();
    assert!(
        found.contains("mark_never_falls") || found.contains("tokens_only_rise"),
        "{found}"
    );
}
