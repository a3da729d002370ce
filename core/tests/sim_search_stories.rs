//! The search against the stories: it finds what each broken variant breaks without being told
//! when the accident happens, and its table says of every variant what else can be broken.

use fencegate_core::sim::laws::Law;
use fencegate_core::sim::scenario::Scenario;
use fencegate_core::sim::search::{Bounds, Found, SEED, Search, Verdict, all_laws};
use fencegate_core::sim::stories::{self, Story};
use fencegate_core::sim::timeline::Timeline;
use std::fmt::Write;
use std::path::PathBuf;

/// More events than any story has.
const EVENTS_MAX: usize = 2_000;
/// What a search of one lesson may cost.
const LESSON_STATES_MAX: usize = 3_000_000;
/// What one search for the table may cost.
const TABLE_STATES_MAX: usize = 60_000;

fn search(scenario: &Scenario, laws: &[Law], states_max: usize) -> Search {
    Search::new(scenario, Bounds::of(scenario), laws)
        .unwrap_or_else(|error| panic!("{}: {error:?}", scenario.name))
        .capped(states_max)
}

/// How many events of the told story it takes until the law is broken.
fn scripted(scenario: &Scenario, law: Law) -> Option<usize> {
    let mut timeline = Timeline::new(scenario.clone(), SEED).expect("a story can be played");
    let told = timeline.play(0, EVENTS_MAX);
    let broken = told.iter().position(|it| it.broken.contains(&law))?;
    Some(broken + 1)
}

/// Plays a trace as an ordinary timeline: the law holds until the last event, and then not.
#[track_caller]
fn plays(search: &Search, found: &Found) {
    let mut timeline = Timeline::new(search.scenario().clone(), SEED).expect("it was searched");
    for (at, event) in (1..).zip(&found.trace) {
        let explained = timeline.take(0, *event).expect("the branch is there");
        assert_eq!(
            explained.broken.contains(&found.law),
            at == found.trace.len(),
            "event {at} of {}: {event:?}",
            found.trace.len()
        );
    }
}

#[test]
fn it_finds_the_lesson_of_every_broken_variant_in_no_more_events_than_are_told() {
    let variants = stories::ALL.iter().flat_map(Story::variants);
    for scenario in variants.filter(|it| !it.breaks.is_empty()) {
        let name = &scenario.name;
        let lesson = scenario.breaks[0];
        let mut search = search(&scenario, &[lesson], LESSON_STATES_MAX);
        match search.run() {
            Verdict::Found(found) => {
                plays(&search, &found);
                let told = scripted(&scenario, lesson).expect("it is told");
                assert!(
                    found.trace.len() <= told,
                    "{name}: {} events, and {told} are told",
                    found.trace.len()
                );
            }
            none => panic!("{name}: {} is not found: {none:?}", lesson.name()),
        }
    }
}

#[test]
fn what_can_be_broken_in_every_variant_is_as_its_table_says() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/bounds/stories.txt");
    let mut table = String::from(
        "What the search finds in each variant, with as many faults of the kinds that the story tells of,\n\
         at any step: each law that can be broken, in how many events, and what is left.\n",
    );
    for story in &stories::ALL {
        let _ = writeln!(table, "\n{}. {}", story.number, story.title);
        for scenario in story.variants() {
            table.push_str(&row(&scenario));
        }
    }
    if std::env::var_os("FENCEGATE_RENEW").is_some() {
        std::fs::write(&file, &table).expect("the table can be written");
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == table,
        "other than in {}: FENCEGATE_RENEW=1 writes it anew, read the difference\n{table}",
        file.display()
    );
}

/// Every law that can be broken, one after the other, and what became of the rest.
fn row(scenario: &Scenario) -> String {
    let bounds = Bounds::of(scenario);
    let mut laws = all_laws(&bounds);
    let mut out = format!("  {} ({} faults)\n", scenario.name, bounds.faults);
    loop {
        let mut search = search(scenario, &laws, TABLE_STATES_MAX);
        match search.run() {
            Verdict::Found(found) => {
                plays(&search, &found);
                let told = if scenario.breaks.contains(&found.law) {
                    ""
                } else {
                    " (not told)"
                };
                let events = found.trace.len();
                let _ = writeln!(out, "    {:<24}{events:>4} events{told}", found.law.name());
                laws.retain(|law| *law != found.law);
            }
            Verdict::NoneWithin { states, depth } => {
                let left = laws.len();
                let _ = writeln!(
                    out,
                    "    of the other {left} none within {states} states, depth {depth}"
                );
                return out;
            }
            Verdict::Exhausted { states, depth } => {
                let left = laws.len();
                let _ = writeln!(
                    out,
                    "    of the other {left} none: exhausted, {states} states, depth {depth}"
                );
                return out;
            }
        }
    }
}
