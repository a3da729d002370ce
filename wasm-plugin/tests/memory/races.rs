//! Operations of two and three workers, in every order of their calls: the laws hold. With a
//! store that overwrites without comparing the same search finds them broken.

use crate::laws::{self, Event, Watch, trace};
use crate::operations::{Done, Op, Worker, process, token};
use crate::support::turns::{self, Work};
use crate::support::world::World;
use fencegate::memory::Layout;
use fencegate_core::token::Token;
use std::time::Duration;

const JOB: &str = "job:1";

/// What each worker does, one after another.
type Scripts = Vec<Vec<Op>>;

/// Runs the scripts on a copy of `world` in one order.
fn run(
    world: &World,
    layout: Layout,
    scripts: &Scripts,
    choose: &mut dyn FnMut(&[usize]) -> usize,
) -> Result<Vec<Event>, String> {
    let world = world.fork();
    let works = scripts.iter().map(|script| -> Work<'_, Vec<Event>> {
        let world = &world;
        Box::new(move |turn| {
            let worker = Worker::new(world, layout, 1);
            trace(&worker, turn, script.iter().map(|op| (JOB, *op)))
        })
    });
    let mut watch = Watch::new(Worker::new(&world, layout, 1));
    let events = turns::run(works.collect(), &mut |waiting| {
        watch.look();
        choose(waiting)
    });
    watch.look();
    let events = events.concat();
    watch.held()?;
    laws::hold(&events)?;
    Ok(events)
}

/// A resource whose lease of `a` is over, and the token of it.
fn after_a_lease() -> (World, Layout, Token) {
    let (world, layout) = process(1);
    let token = Worker::new(&world, layout, 1).acquire(JOB, "a");
    world.advance(Duration::from_secs(60));
    (world, layout, token)
}

fn all_orders(
    world: &World,
    layout: Layout,
    scripts: &Scripts,
    switches_max: usize,
    also: impl Fn(&[Event]),
) {
    let runs = turns::explore(switches_max, |choose| {
        let events = run(world, layout, scripts, choose).unwrap_or_else(|law| panic!("{law}"));
        for event in &events {
            assert!(!matches!(event.done, Done::Undecided(_)), "{event:?}");
        }
        also(&events);
    });
    assert!(runs > 10, "{runs} orders");
}

fn acquire(holder: &'static str) -> Op {
    Op::Acquire { holder, id: None }
}

fn granted(events: &[Event]) -> usize {
    let granted = |event: &&Event| matches!(event.done, Done::Granted { .. });
    events.iter().filter(granted).count()
}

#[test]
fn of_two_workers_that_acquire_exactly_one_is_granted_in_any_order() {
    let (world, layout, old) = after_a_lease();
    let scripts = vec![vec![acquire("b")], vec![acquire("c")]];
    all_orders(&world, layout, &scripts, 4, |events| {
        assert_eq!(granted(events), 1);
    });
    let scripts = vec![
        vec![acquire("b")],
        vec![acquire("c")],
        vec![Op::Write("a", old), Op::Write("a", old)],
    ];
    all_orders(&world, layout, &scripts, 2, |events| {
        assert_eq!(granted(events), 1);
    });
}

#[test]
fn one_request_id_on_two_workers_gets_one_grant() {
    let (world, layout, _) = after_a_lease();
    let same = Op::Acquire {
        holder: "b",
        id: Some("incarnation-1"),
    };
    let scripts = vec![vec![same], vec![same]];
    all_orders(&world, layout, &scripts, 4, |events| {
        assert_eq!(events[0].done.mark(), events[1].done.mark());
        assert_eq!(granted(events), 2, "both are told so");
    });
}

#[test]
fn a_lease_is_renewed_released_broken_and_taken_in_any_order() {
    let (world, layout) = process(1);
    let token = Worker::new(&world, layout, 1).acquire(JOB, "a");
    for first in [Op::Renew("a", token), Op::Release("a", token), Op::Break] {
        for second in [Op::Release("a", token), Op::Break] {
            let scripts = vec![
                vec![first, Op::Write("a", token)],
                vec![second],
                vec![acquire("b")],
            ];
            all_orders(&world, layout, &scripts, 2, |events| {
                let over = |event: &Event| matches!(event.done, Done::Released | Done::Broken(_));
                let lease_ended = events.iter().any(over);
                assert!(granted(events) == 0 || lease_ended, "{events:?}");
            });
        }
    }
}

#[test]
fn external_marks_only_rise_in_any_order() {
    let (world, layout) = process(1);
    let raise = |holder, number| Op::Raise(Some(holder), token(number));
    // Also from nothing, where each of them believes to be the first.
    let scripts = vec![
        vec![raise("a", 5)],
        vec![raise("b", 7)],
        vec![raise("c", 6), raise("a", 5)],
    ];
    all_orders(&world, layout, &scripts, 3, |events| {
        let highest = events
            .iter()
            .find(|event| matches!(event.op, Op::Raise(Some("b"), _)));
        assert!(matches!(highest.expect("an event").done, Done::Admitted(_)));
    });
}

#[test]
fn an_equal_external_token_is_admitted_for_one_holder_in_any_order() {
    let (world, layout) = process(1);
    let raise = |holder| Op::Raise(holder, token(5));
    let scripts = vec![
        vec![raise(Some("a"))],
        vec![raise(Some("b"))],
        vec![raise(None)],
    ];
    all_orders(&world, layout, &scripts, 3, |events| {
        let admitted = |event: &&Event| matches!(event.done, Done::Admitted(_));
        assert_eq!(events.iter().filter(admitted).count(), 1);
    });
}

/// The law that the search finds broken where writes are not compared.
fn found(scripts: &Scripts, world: &World, layout: Layout) -> Option<String> {
    world.stop_comparing();
    let mut found = None;
    turns::explore(2, |choose| {
        if let Err(law) = run(world, layout, scripts, choose) {
            found = Some(law);
        }
    });
    found
}

#[test]
fn a_replacement_that_does_not_compare_is_found() {
    let (world, layout) = process(1);
    let raise = |holder, number| Op::Raise(Some(holder), token(number));
    let scripts = vec![vec![raise("a", 5)], vec![raise("b", 7)]];
    let law = found(&scripts, &world, layout).expect("the mark fell");
    assert!(law.starts_with("mark_never_falls"), "{law}");

    let (world, layout, _) = after_a_lease();
    let scripts = vec![vec![acquire("b")], vec![acquire("c")]];
    let law = found(&scripts, &world, layout).expect("a token was granted twice, or a mark fell");
    assert!(
        law.starts_with("tokens_only_rise") || law.starts_with("mark_never"),
        "{law}"
    );
}
