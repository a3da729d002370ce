//! The search against the stories: it finds what each broken variant breaks without being told
//! when the accident happens, and its table says of every variant what else can be broken.

use fencegate_core::sim::laws::Law;
use fencegate_core::sim::scenario::Scenario;
use fencegate_core::sim::search::{Bounds, Found, SEED, Search, Verdict, all_laws};
use fencegate_core::sim::stories::{self, Story};
use fencegate_core::sim::timeline::Timeline;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::OnceLock;

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

/// What a search found in a variant: every law that can be broken, one after the other.
struct Finding {
    scenario: Scenario,
    faults: u8,
    found: Vec<(Law, usize)>,
    /// What became of the other laws.
    left: usize,
    end: Verdict,
}

fn look(scenario: Scenario, states_max: usize) -> Finding {
    let bounds = Bounds::of(&scenario);
    let mut laws = all_laws(&bounds);
    let mut found = Vec::new();
    loop {
        let mut search = search(&scenario, &laws, states_max);
        match search.run() {
            Verdict::Found(broken) => {
                plays(&search, &broken);
                found.push((broken.law, broken.trace.len()));
                laws.retain(|law| *law != broken.law);
            }
            end => {
                return Finding {
                    scenario,
                    faults: bounds.faults,
                    found,
                    left: laws.len(),
                    end,
                };
            }
        }
    }
}

/// Looked for once, for every test of this file.
fn findings() -> &'static [Finding] {
    static FINDINGS: OnceLock<Vec<Finding>> = OnceLock::new();
    FINDINGS.get_or_init(|| {
        let variants = stories::ALL.iter().flat_map(Story::variants);
        variants.map(|it| look(it, TABLE_STATES_MAX)).collect()
    })
}

impl Finding {
    fn laws(&self) -> BTreeSet<Law> {
        self.found.iter().map(|(law, _)| *law).collect()
    }

    const fn is_exhausted(&self) -> bool {
        matches!(self.end, Verdict::Exhausted { .. })
    }

    fn rows(&self) -> String {
        let scenario = &self.scenario;
        let mut out = format!("  {} ({} faults)\n", scenario.name, self.faults);
        for (law, events) in &self.found {
            let told = if scenario.breaks.contains(law) {
                ""
            } else if scenario.only_as_told.contains(law) {
                " (holds only as it is told)"
            } else {
                " (not told)"
            };
            let _ = writeln!(out, "    {:<24}{events:>4} events{told}", law.name());
        }
        let (left, end) = (self.left, &self.end);
        let _ = match end {
            Verdict::Exhausted { states, depth } => writeln!(
                out,
                "    of the other {left} none: exhausted, {states} states, depth {depth}"
            ),
            Verdict::NoneWithin { states, depth } => writeln!(
                out,
                "    of the other {left} none within {states} states, depth {depth}"
            ),
            Verdict::Found(_) => Ok(()),
        };
        out
    }
}

fn names<'l>(laws: impl IntoIterator<Item = &'l Law>) -> Vec<&'static str> {
    laws.into_iter().map(|law| law.name()).collect()
}

#[test]
fn the_search_breaks_what_a_variant_names_and_no_other_law() {
    let mut wrong = String::new();
    for finding in findings() {
        let Scenario {
            name,
            breaks,
            only_as_told,
            ..
        } = &finding.scenario;
        let found = finding.laws();
        let named: BTreeSet<Law> = breaks.iter().chain(only_as_told).copied().collect();
        let mut must: BTreeSet<Law> = only_as_told.iter().copied().collect();
        if finding.is_exhausted() {
            must.extend(breaks);
        }
        let odd = found.difference(&named);
        let missing = must.difference(&found);
        let (odd, missing) = (names(odd), names(missing));
        if !odd.is_empty() || !missing.is_empty() {
            let _ = writeln!(wrong, "{name}: not told {odd:?}, not found {missing:?}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_mended_variant_holds_under_search() {
    for finding in findings().iter().filter(|it| it.scenario.is_mended()) {
        let (name, found) = (&finding.scenario.name, finding.laws());
        assert!(found.is_empty(), "{name} breaks {:?}", names(&found));
    }
}

#[test]
fn what_can_be_broken_in_every_variant_is_as_its_table_says() {
    let mut table = String::from(
        "What the search finds in each variant, with as many faults of the kinds that the story tells of,\n\
         at any step: each law that can be broken, in how many events, and what is left.\n",
    );
    let mut findings = findings().iter();
    for story in &stories::ALL {
        let _ = writeln!(table, "\n{}. {}", story.number, story.title);
        for finding in findings.by_ref().take(story.variants().len()) {
            table.push_str(&finding.rows());
        }
    }
    is_as_kept("stories.txt", &table);
}

#[test]
#[ignore = "minutes: cargo test -p fencegate-core --release --test sim_search_stories -- --ignored"]
fn mended_variants_that_the_table_does_not_exhaust_hold_for_longer() {
    let mut table = String::from(
        "The mended variants that stories.txt does not exhaust, looked at for longer: every law holds.\n\n",
    );
    let variants = stories::ALL.iter().flat_map(Story::variants);
    for scenario in variants.filter(Scenario::is_mended) {
        let short = look(scenario.clone(), TABLE_STATES_MAX);
        if short.is_exhausted() {
            continue;
        }
        let long = look(scenario, LESSON_STATES_MAX);
        table.push_str(&long.rows());
        assert!(long.found.is_empty(), "{table}");
    }
    is_as_kept("stories-longer.txt", &table);
}

/// Compares with what is checked in, or writes it anew.
#[track_caller]
fn is_as_kept(name: &str, text: &str) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/bounds");
    let file = folder.join(name);
    if std::env::var_os("FENCEGATE_RENEW").is_some() {
        std::fs::write(&file, text).expect("it can be written");
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == text,
        "other than in {}: FENCEGATE_RENEW=1 writes it anew, read the difference\n{text}",
        file.display()
    );
}
