//! Time travel: seeking is exact in both directions, a fork keeps the old branch, and what is
//! kept as JSON tells the same story.

use fencegate_core::sim::diff::{Difference, between};
use fencegate_core::sim::event::{Accident, Event, Native, What};
use fencegate_core::sim::scenario::{Scenario, ScenarioError};
use fencegate_core::sim::stories::{self, Story};
use fencegate_core::sim::timeline::{Run, Timeline};
use fencegate_core::sim::who::NOBODY;
use fencegate_core::sim::who::Who;
use fencegate_core::sim::world::{Life, World};
use proptest::prelude::*;

/// More events than any story has.
const EVENTS_MAX: usize = 2_000;

fn variants() -> Vec<Scenario> {
    stories::ALL.iter().flat_map(Story::variants).collect()
}

fn variant(name: &str) -> Scenario {
    let found = variants().into_iter().find(|it| it.name == name);
    found.unwrap_or_else(|| panic!("no story has a variant {name}"))
}

fn who() -> impl Strategy<Value = Who> {
    prop_oneof![
        Just(Who::Issuer),
        Just(Who::Store),
        (0..2_u8).prop_map(Who::Proxy),
        (0..3_u8).prop_map(Who::Holder),
    ]
}

fn accident() -> impl Strategy<Value = Accident> {
    prop_oneof![
        (who(), any::<bool>()).prop_map(|(who, clock_stops)| Accident::Pause { who, clock_stops }),
        who().prop_map(Accident::Resume),
        who().prop_map(Accident::Crash),
        (who(), any::<bool>())
            .prop_map(|(who, with_memory)| Accident::Restart { who, with_memory }),
        (who(), who()).prop_map(|(from, to)| Accident::Cut { from, to }),
        (who(), who()).prop_map(|(from, to)| Accident::Heal { from, to }),
        (who(), who(), 0..9_000_u32).prop_map(|(from, to, by_ms)| Accident::Slow {
            from,
            to,
            by_ms
        }),
        (who(), who()).prop_map(|(from, to)| Accident::LoseNext { from, to }),
        (who(), who()).prop_map(|(from, to)| Accident::DuplicateNext { from, to }),
        who().prop_map(Accident::Stall),
        who().prop_map(Accident::Unstall),
        (who(), -90_000..90_000_i32).prop_map(|(who, by_ms)| Accident::StepClock { who, by_ms }),
        (who(), -200_000..200_000_i32)
            .prop_map(|(who, rate_ppm)| Accident::Drift { who, rate_ppm }),
        Just(Accident::Snapshot),
        Just(Accident::Restore),
        Just(Accident::Break),
        (0..3_u8).prop_map(|by| Accident::Native(Native::CloseSession(by))),
        (0..3_u8).prop_map(|by| Accident::Native(Native::FlushBuffers(by))),
        Just(Accident::Native(Native::AbortTransaction)),
        Just(Accident::Native(Native::DeleteLeaseObject)),
        any::<u8>().prop_map(|many| Accident::Native(Native::OtherKeys(many))),
    ]
}

/// What a visitor does: lets the story go on, or interferes with whatever there is.
#[derive(Clone, Copy, Debug)]
enum Deed {
    GoOn,
    Befall(Accident),
    Deliver(u16),
    Lose(u16),
    Duplicate(u16),
    Delay(u16, u32),
    Timer(Who),
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        12 => Just(Deed::GoOn),
        2 => accident().prop_map(Deed::Befall),
        1 => (0..90_u16).prop_map(Deed::Deliver),
        1 => (0..90_u16).prop_map(Deed::Lose),
        1 => (0..90_u16).prop_map(Deed::Duplicate),
        1 => (0..90_u16, 0..5_000_u32).prop_map(|(id, by)| Deed::Delay(id, by)),
        1 => who().prop_map(Deed::Timer),
    ]
}

fn do_it(timeline: &mut Timeline, branch: usize, deed: Deed) {
    let what = match deed {
        Deed::GoOn => {
            timeline.advance(branch);
            return;
        }
        Deed::Befall(accident) => What::Accident(accident),
        Deed::Deliver(id) => What::Deliver(id),
        Deed::Lose(id) => What::Lose(id),
        Deed::Duplicate(id) => What::Duplicate(id),
        Deed::Delay(message, by_ms) => What::Delay { message, by_ms },
        Deed::Timer(who) => What::Timer(who),
    };
    let at = timeline.branches()[branch].end().now;
    timeline.take(branch, Event { at, what });
}

/// State `n`, by replaying everything from the beginning.
fn replayed(timeline: &Timeline, branch: usize, n: usize) -> World {
    let (scenario, seed) = (timeline.scenario(), timeline.seed());
    let mut world = World::new(scenario, seed);
    for event in &timeline.branches()[branch].log()[..n] {
        world.step(scenario, seed, event, &mut Vec::new());
    }
    world
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Whatever a visitor does, no event panics, and every state is found again, back and forth.
    #[test]
    fn seeking_back_and_forth_equals_replaying(
        at in any::<prop::sample::Index>(),
        seed in any::<u64>(),
        deeds in prop::collection::vec(deed(), 1..160),
        seeks in prop::collection::vec(any::<prop::sample::Index>(), 1..6),
    ) {
        let scenario = at.get(&variants()).clone();
        let mut timeline = Timeline::new(scenario, seed).expect("stories can be played");
        for deed in deeds {
            do_it(&mut timeline, 0, deed);
        }
        let len = timeline.branches()[0].log().len();
        for seek in seeks {
            let n = seek.index(len + 1);
            prop_assert_eq!(timeline.at(0, n), Some(replayed(&timeline, 0, n)));
        }
    }

    /// A fork begins where it was made, goes its own way, and leaves the old branch as it was.
    #[test]
    fn a_fork_keeps_the_old_branch(
        at in any::<prop::sample::Index>(),
        n in 0..90_usize,
        deeds in prop::collection::vec(deed(), 1..60),
    ) {
        let scenario = at.get(&variants()).clone();
        let mut timeline = Timeline::new(scenario, 1).expect("stories can be played");
        timeline.play(0, EVENTS_MAX);
        let (log, end) = (timeline.branches()[0].log().to_vec(), timeline.branches()[0].end().clone());
        let fork = timeline.fork(0, n, "what if").expect("the first branch is there");
        let n = n.min(log.len());
        prop_assert_eq!(timeline.at(fork, usize::MAX), timeline.at(0, n));
        prop_assert_eq!(timeline.branches()[fork].from(), Some((0, n)));
        for deed in deeds {
            do_it(&mut timeline, fork, deed);
        }
        prop_assert_eq!(timeline.branches()[0].log(), log.as_slice());
        prop_assert_eq!(timeline.branches()[0].end(), &end);
        prop_assert_eq!(timeline.at(fork, n), timeline.at(0, n));
        let len = timeline.branches()[fork].log().len();
        prop_assert_eq!(timeline.at(fork, len), Some(replayed(&timeline, fork, len)));
    }

    /// A run and any of its states come back from JSON as they were.
    #[test]
    fn runs_and_states_come_back_from_json(
        at in any::<prop::sample::Index>(),
        deeds in prop::collection::vec(deed(), 1..120),
    ) {
        let scenario = at.get(&variants()).clone();
        let mut timeline = Timeline::new(scenario, 7).expect("stories can be played");
        for deed in deeds {
            do_it(&mut timeline, 0, deed);
        }
        let run = timeline.run(0).expect("the first branch is there");
        let text = serde_json::to_string(&run).expect("a run has a JSON form");
        let read: Run = serde_json::from_str(&text).expect("and is read back");
        prop_assert_eq!(&read, &run);
        let again = Timeline::of(read).expect("it can be played");
        prop_assert_eq!(again.branches()[0].end(), timeline.branches()[0].end());
        let world = timeline.branches()[0].end();
        let text = serde_json::to_string(world).expect("a state has a JSON form");
        let read: World = serde_json::from_str(&text).expect("and is read back");
        prop_assert_eq!(&read, world);
    }

    /// Two states that differ have a difference, and equal ones have none.
    #[test]
    fn a_difference_is_found_where_there_is_one(
        at in any::<prop::sample::Index>(),
        (one, other) in (0..120_usize, 0..120_usize),
    ) {
        let scenario = at.get(&variants()).clone();
        let mut timeline = Timeline::new(scenario, 1).expect("stories can be played");
        timeline.play(0, EVENTS_MAX);
        let (one, other) = (timeline.at(0, one).unwrap(), timeline.at(0, other).unwrap());
        let found = between(timeline.scenario(), &one, &other);
        prop_assert_eq!(found.is_empty(), without_ghosts(&one) == without_ghosts(&other));
    }
}

/// A state without what no actor can see.
fn without_ghosts(world: &World) -> World {
    World {
        witness: Default::default(),
        links: Vec::new(),
        begun: 0,
        next_message: 0,
        ..world.clone()
    }
}

#[test]
fn the_same_seed_plays_the_same_story_on_a_bad_network() {
    let mut scenario = variant("redis.fenced");
    scenario.net.jitter_ms = 900;
    scenario.net.lost_per_mille = 150;
    scenario.net.twice_per_mille = 100;
    let play = |seed| {
        let mut timeline = Timeline::new(scenario.clone(), seed).expect("it can be played");
        timeline.play(0, EVENTS_MAX)
    };
    assert_eq!(play(3), play(3));
    assert_ne!(play(3), play(4));
}

#[test]
fn an_event_is_explained_as_when_it_happened() {
    let mut timeline = Timeline::new(variant("leaders.fenced"), 1).expect("it can be played");
    let told = timeline.play(0, EVENTS_MAX);
    for (n, explained) in (1..).zip(&told) {
        assert_eq!(timeline.explained(0, n).as_ref(), Some(explained));
    }
    assert_eq!(timeline.explained(0, 0), None);
    assert_eq!(timeline.explained(0, told.len() + 1), None);
}

#[test]
fn a_message_delivered_early_is_a_reordering() {
    let mut timeline = Timeline::new(variant("leaders.fenced"), 1).expect("it can be played");
    timeline.play(0, 1);
    let message = timeline.branches()[0].end().messages[0];
    let explained = timeline
        .take(
            0,
            Event {
                at: 0,
                what: What::Deliver(message.id),
            },
        )
        .expect("the first branch is there");
    assert_eq!(explained.who, message.to);
    assert!(explained.at < message.due, "it came before it was due");
}

#[test]
fn a_difference_names_what_changed() {
    let mut timeline = Timeline::new(variant("leaders.fenced"), 1).expect("it can be played");
    timeline.play(0, 5);
    let n = timeline.branches()[0].log().len();
    let pause = Accident::Pause {
        who: Who::Holder(1),
        clock_stops: false,
    };
    timeline.take(
        0,
        Event {
            at: 0,
            what: What::Accident(pause),
        },
    );
    let (was, is) = (timeline.at(0, n).unwrap(), timeline.at(0, n + 1).unwrap());
    assert_eq!(
        between(timeline.scenario(), &was, &is),
        [Difference::Life(Who::Holder(1), Life::Runs, Life::Paused)]
    );
}

#[test]
fn unknown_fields_and_versions_are_refused() {
    let mut timeline = Timeline::new(variant("leaders.fenced"), 1).expect("it can be played");
    timeline.play(0, 3);
    let run = serde_json::to_value(timeline.run(0)).expect("a run has a JSON form");
    let refused = |change: fn(&mut serde_json::Value)| {
        let mut run = run.clone();
        change(&mut run);
        let read = serde_json::from_str::<Run>(&run.to_string());
        read.expect_err("it is refused").to_string()
    };
    let added = refused(|run| run["scenario"]["holders"][0]["speed"] = 1.into());
    assert!(added.contains("unknown field `speed`"), "{added}");
    let added = refused(|run| run["scenario"]["mechanism"]["chek"] = 1.into());
    assert!(added.contains("unknown field `chek`"), "{added}");
    let added = refused(|run| run["log"][0] = serde_json::json!({"at": 1, "what": "sleep"}));
    assert!(added.contains("unknown variant `sleep`"), "{added}");
    let other = refused(|run| run["version"] = 2.into());
    assert!(other.contains("version 2 is not 1"), "{other}");
    let token = refused(|run| run["scenario"]["version"] = 0.into());
    assert!(token.contains("version 0 is not 1"), "{token}");
}

#[test]
fn what_cannot_be_played_is_refused() {
    let good = variant("fenced.proxy");
    let refused = |change: fn(&mut Scenario)| {
        let mut scenario = good.clone();
        change(&mut scenario);
        Timeline::new(scenario, 1).err()
    };
    assert_eq!(
        refused(|it| it.holders.truncate(1)),
        Some(ScenarioError::Holders)
    );
    assert_eq!(refused(|it| it.proxies = 4), Some(ScenarioError::Proxies));
    assert_eq!(refused(|it| it.proxies = 0), Some(ScenarioError::NoProxy));
    assert_eq!(
        refused(|it| it.holders[1].via = 1),
        Some(ScenarioError::Via)
    );
    assert_eq!(
        refused(|it| it.accidents.reverse()),
        Some(ScenarioError::Order)
    );
    assert_eq!(
        refused(|it| it.accidents[0].accident = Accident::Crash(Who::Holder(NOBODY))),
        Some(ScenarioError::Nobody)
    );
    assert_eq!(refused(|_| {}), None);
}
