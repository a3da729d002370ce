//! Second opinions on the search, from whole worlds that nothing was made simpler in: a depth-first
//! walk that is dumb on purpose, and the model checker `stateright`. All must meet the same states
//! and come to the same verdicts.
#![cfg(not(target_arch = "wasm32"))]

mod sim_search;

use fencegate_core::sim::event::{Accident, What};
use fencegate_core::sim::laws::Law;
use fencegate_core::sim::mechanism::{Check, Mechanism, Window, WindowFlaw};
use fencegate_core::sim::scenario::Op;
use fencegate_core::sim::search::{Choice, Kind, Question, SEED, Search, Verdict, next_events};
use fencegate_core::sim::who::Who;
use fencegate_core::sim::world::World;
use sim_search::{KEPT, PUT, bounds, mechanism, question, scenario, search, window};
use stateright::{Checker, Model, Property};
use std::collections::{BTreeMap, BTreeSet};

/// A world, and how many faults there were.
type State = (World, u8);

struct Raw(Question, Search);

impl Raw {
    fn of(search: &Search, question: &Question) -> Self {
        let asked = Question {
            scenario: search.scenario().clone(),
            ..question.clone()
        };
        Self(asked, search.clone())
    }

    fn start(&self) -> State {
        (World::new(&self.0.scenario, SEED), 0)
    }

    fn choices(&self, (world, faults): &State) -> Vec<Choice> {
        let left = self.0.bounds.faults - faults;
        let mut choices = next_events(&self.0.scenario, world, &self.0.bounds, left);
        // No fault is spent on a message that nobody waits for.
        let live = self.1.without_the_dead(world);
        let lives = |id| live.messages.iter().any(|message| message.id == id);
        choices.retain(|choice| match choice.event.what {
            What::Lose(id) | What::Duplicate(id) | What::Delay { message: id, .. } => {
                !choice.is_fault || lives(id)
            }
            _ => true,
        });
        choices
    }

    fn after(&self, (world, faults): &State, choice: Choice) -> Option<State> {
        let mut world = world.clone();
        world.step(&self.0.scenario, SEED, &choice.event, &mut Vec::new());
        let inside = world.witness.grants.len() <= usize::from(self.0.bounds.tokens);
        inside.then(|| (world, faults + u8::from(choice.is_fault)))
    }

    fn holds(&self, (world, _): &State) -> bool {
        let mut laws = self.0.laws.iter();
        laws.all(|law| law.judge(&self.0.scenario, world).is_ok())
    }
}

impl Model for Raw {
    type State = State;
    type Action = Choice;

    fn init_states(&self) -> Vec<State> {
        vec![self.start()]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Choice>) {
        actions.extend(self.choices(state));
    }

    fn next_state(&self, state: &State, choice: Choice) -> Option<State> {
        self.after(state, choice)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("laws", |raw: &Self, state| {
            raw.holds(state)
        })]
    }
}

/// Every world that can be reached, depth first.
fn walk(raw: &Raw) -> BTreeSet<State> {
    let (mut met, mut open) = (BTreeSet::new(), vec![raw.start()]);
    while let Some(state) = open.pop() {
        if met.contains(&state) {
            continue;
        }
        for choice in raw.choices(&state) {
            open.extend(raw.after(&state, choice));
        }
        met.insert(state);
    }
    met
}

/// Worlds with one key lead to the same keys: what the canonical form leaves out matters to nothing.
#[track_caller]
fn have_the_same_future(raw: &Raw, search: &Search, worlds: &BTreeSet<State>) {
    let mut futures: BTreeMap<u128, (&State, BTreeSet<u128>)> = BTreeMap::new();
    for state in worlds {
        let live = (search.without_the_dead(&state.0), state.1);
        let next = raw.choices(&live).into_iter();
        let next = next.filter_map(|choice| raw.after(&live, choice));
        let next = next.map(|(world, faults)| search.key(&world, faults));
        let here = search.key(&state.0, state.1);
        let next: BTreeSet<u128> = next.filter(|key| *key != here).collect();
        let (other, future) = futures.entry(here).or_insert_with(|| (state, next.clone()));
        assert!(
            *future == next,
            "one key, and two futures:\n{:#?}\n{:#?}",
            search.without_the_dead(&other.0),
            live.0
        );
    }
}

/// All three meet the same states, and find no law broken.
#[track_caller]
fn agree(mut asked: Question) {
    // What nobody waits for counts in a world that nothing was made simpler in.
    asked.bounds.messages = 100;
    let mut search = search(&asked);
    let raw = Raw::of(&search, &asked);
    let Verdict::Exhausted { states, depth } = search.run() else {
        panic!("{}: {:?}", asked.scenario.name, search.progress());
    };
    let worlds = walk(&raw);
    let keys: BTreeSet<u128> = worlds
        .iter()
        .map(|(world, faults)| search.key(world, *faults))
        .collect();
    println!(
        "{}: {} worlds are {states} states, depth {depth}",
        asked.scenario.name,
        worlds.len()
    );
    have_the_same_future(&raw, &search, &worlds);
    assert!(worlds.iter().all(|state| raw.holds(state)));
    assert_eq!(keys.len(), states, "states of {}", asked.scenario.name);
    let checker = raw.checker().spawn_dfs().join();
    checker.assert_properties();
    assert_eq!(checker.unique_state_count(), worlds.len());
}

/// Stateright finds a law broken as well, and in as few events.
#[track_caller]
fn agree_that_it_breaks(asked: &Question) {
    let mut search = search(asked);
    let raw = Raw::of(&search, asked);
    let Verdict::Found(found) = search.run() else {
        panic!("{}: {:?}", asked.scenario.name, search.progress());
    };
    let checker = raw.checker().spawn_bfs().join();
    let path = checker.assert_any_discovery("laws");
    assert_eq!(path.into_actions().len(), found.trace.len());
}

fn pair(name: &str, mechanism: Mechanism, vias: &[u8], kinds: &[Kind], faults: u8) -> Question {
    let script = [Op::Acquire, PUT, Op::Release];
    let scenario = scenario(name, &script, vias, mechanism);
    let bounds = bounds(&scenario, faults, kinds);
    question(scenario, bounds, &KEPT)
}

#[test]
fn they_meet_the_same_states() {
    let kinds = [Kind::Pauses, Kind::Losses, Kind::Doubles];
    let check = mechanism(Check::Proxy);
    agree(pair("two holders, one proxy", check, &[0, 0], &kinds, 1));
    agree(pair("two holders, two proxies", check, &[0, 1], &kinds, 1));
    let delays = [Kind::Delays];
    agree(pair("late messages", check, &[0, 0], &delays, 1));
    let window = mechanism(Check::Window(window()));
    agree(pair("window", window, &[0, 1], &[Kind::Pauses], 1));
    let stands = [Kind::ProxySuspensions];
    agree(pair("window, suspended", window, &[0, 1], &stands, 1));
    agree(pair("three holders", check, &[0, 0, 0], &[], 0));
    let store = mechanism(Check::Store);
    let restores = [Kind::Restores, Kind::Crashes];
    agree(pair("crashes", store, &[0, 0], &restores[1..], 1));
    agree(pair("breaks", check, &[0, 0], &[Kind::Breaks], 0));
    let drain = Mechanism {
        drain_ms: Some(20_000),
        ..check
    };
    let kinds = [Kind::Pauses, Kind::Doubles, Kind::ProxyRestarts];
    agree(pair("drain", drain, &[0, 0], &kinds, 1));
    let mut resent = pair("drain, sent again", drain, &[0, 0], &kinds[2..], 1);
    resent
        .scenario
        .holders
        .iter_mut()
        .for_each(|it| it.tries = 1);
    resent.bounds.accidents.push(Accident::Slow {
        from: Who::Proxy(0),
        to: Who::Store,
        by_ms: 1_500,
    });
    resent.bounds.faults = 2;
    agree(resent);
    let aborting = Mechanism {
        abort: true,
        ..drain
    };
    let mut aborts = pair("drain, abort", aborting, &[0, 0], &[], 1);
    aborts.bounds.accidents = vec![
        Accident::Stall(Who::Proxy(0)),
        Accident::Slow {
            from: Who::Proxy(0),
            to: Who::Store,
            by_ms: 5_000,
        },
    ];
    agree(aborts);
    let first_write = Mechanism {
        drain_ms: Some(20_000),
        ..mechanism(Check::ProxyAtFirstWrite)
    };
    let mut drained = pair("drain at the first write", first_write, &[0, 0], &[], 1);
    drained
        .scenario
        .holders
        .iter_mut()
        .for_each(|it| it.tries = 2);
    drained.bounds.accidents = vec![Accident::Slow {
        from: Who::Proxy(0),
        to: Who::Store,
        by_ms: 5_000,
    }];
    agree(drained);
    let flawed = Window {
        flaw: Some(WindowFlaw::MonotonicOnly),
        ..sim_search::window()
    };
    let mut asked = pair(
        "monotonic",
        mechanism(Check::Window(flawed)),
        &[0, 1],
        &stands,
        1,
    );
    asked.laws = vec![Law::TokensOnlyRise];
    agree(asked);
}

#[test]
fn they_find_the_same_failures() {
    let mut asked = pair(
        "nowhere",
        mechanism(Check::Nowhere),
        &[0, 0],
        &[Kind::Pauses],
        1,
    );
    agree_that_it_breaks(&asked);
    asked = pair(
        "straggler",
        mechanism(Check::Proxy),
        &[0, 0],
        &[Kind::Delays],
        1,
    );
    asked.laws = vec![Law::NoDualWrite];
    agree_that_it_breaks(&asked);
}

#[test]
fn symmetry_changes_no_verdict_and_saves_states() {
    let kinds = [Kind::Pauses, Kind::Losses];
    let asked = pair("three", mechanism(Check::Proxy), &[0, 0, 0], &kinds, 1);
    let with = search(&asked).run();
    let without = search(&asked).without_symmetry().run();
    let count = |verdict: &Verdict| match verdict {
        Verdict::Exhausted { states, .. } => *states,
        other => panic!("{other:?}"),
    };
    let (with, without) = (count(&with), count(&without));
    println!("three equal holders: {with} states, and {without} without symmetry");
    assert!(with * 3 < without, "{with} and {without}");
}

#[test]
fn it_can_be_stopped_at_any_state_and_goes_on_where_it_was() {
    let asked = pair(
        "steps",
        mechanism(Check::Proxy),
        &[0, 1],
        &[Kind::Pauses],
        1,
    );
    let at_once = {
        let mut search = search(&asked);
        search.run();
        search.progress()
    };
    let mut search = search(&asked);
    let mut last = search.progress();
    while last.verdict.is_none() {
        // A copy is a search of its own.
        search = search.clone();
        let next = search.step(7);
        assert!(next.states >= last.states && next.depth >= last.depth);
        last = next;
    }
    assert_eq!(last.verdict, at_once.verdict);
    assert_eq!((last.states, last.steps), (at_once.states, at_once.steps));
    assert_eq!(search.step(1_000), last, "nothing more is done");
}

#[test]
fn a_cap_is_told_as_one() {
    let asked = pair("cap", mechanism(Check::Proxy), &[0, 1], &[Kind::Pauses], 1);
    let verdict = search(&asked).capped(100).run();
    let Verdict::NoneWithin { states, depth } = verdict else {
        panic!("{verdict:?}");
    };
    assert!((100..120).contains(&states) && depth > 3, "{verdict:?}");
}
