//! The stories of the simulator: each breaks exactly the laws that it names, or none; what is
//! told is compared with the golden files, and a lesson that would also be learned from random
//! numbers is none.

use fencegate_core::sim::laws::Law;
use fencegate_core::sim::mechanism::Tokens;
use fencegate_core::sim::scenario::Scenario;
use fencegate_core::sim::stories::{self, Story};
use fencegate_core::sim::timeline::Timeline;
use fencegate_core::sim::told::Explained;
use fencegate_core::sim::words::{English, Words};
use fencegate_core::sim::world::Doing;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

/// More events than any story has.
const EVENTS_MAX: usize = 2_000;
/// The seed that stories are told with.
const SEED: u64 = 1;

fn play(scenario: &Scenario, seed: u64) -> (Timeline, Vec<Explained>) {
    let mut timeline = Timeline::new(scenario.clone(), seed)
        .unwrap_or_else(|error| panic!("{}: {error:?}", scenario.name));
    let told = timeline.play(0, EVENTS_MAX);
    assert!(told.len() < EVENTS_MAX, "{} has no end", scenario.name);
    (timeline, told)
}

fn broken(told: &[Explained]) -> BTreeSet<Law> {
    told.iter().flat_map(|it| it.broken.clone()).collect()
}

fn names(laws: &BTreeSet<Law>) -> Vec<&'static str> {
    laws.iter().map(|law| law.name()).collect()
}

fn every_variant() -> impl Iterator<Item = Scenario> {
    stories::ALL.iter().flat_map(Story::variants)
}

#[test]
fn every_variant_breaks_exactly_the_laws_that_it_names() {
    let mut wrong = String::new();
    for scenario in every_variant() {
        let (_, told) = play(&scenario, SEED);
        let found = broken(&told);
        let named: BTreeSet<Law> = scenario.breaks.iter().copied().collect();
        if found != named {
            let _ = writeln!(
                wrong,
                "{} breaks {:?} and names {:?}",
                scenario.name,
                names(&found),
                names(&named)
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_story_has_a_broken_and_a_mended_variant() {
    for story in &stories::ALL {
        let variants = story.variants();
        let mended = variants.iter().filter(|it| it.breaks.is_empty()).count();
        assert!(mended > 0, "{} is never mended", story.name);
        assert!(mended < variants.len(), "{} is never broken", story.name);
    }
}

#[test]
fn in_every_mended_variant_the_last_holder_gets_its_work_done() {
    for scenario in every_variant().filter(|it| it.breaks.is_empty()) {
        let (timeline, _) = play(&scenario, SEED);
        let end = timeline.branches()[0].end();
        let done = end.holders.iter().any(|it| it.doing == Doing::Finished);
        assert!(done, "in {} nobody is done", scenario.name);
    }
}

#[test]
fn no_mended_variant_holds_with_random_numbers_for_tokens() {
    for mut scenario in every_variant().filter(|it| it.breaks.is_empty()) {
        let name = scenario.name.clone();
        let before = scenario.mechanism.tokens;
        scenario.mechanism.tokens = Tokens::Random;
        let fails = (0..64).any(|seed| !broken(&play(&scenario, seed).1).is_empty());
        assert!(
            fails,
            "{name} holds with random numbers ({before:?} before)"
        );
    }
}

#[test]
fn every_variant_is_told_as_its_golden_file_says() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let renew = std::env::var_os("FENCEGATE_RENEW").is_some();
    let mut wrong = String::new();
    for story in &stories::ALL {
        let file = folder.join(format!("{:02}-{}.txt", story.number, story.name));
        let told = golden(story);
        if renew {
            std::fs::create_dir_all(&folder).expect("the folder can be made");
            std::fs::write(&file, &told).expect("a golden file can be written");
        }
        if std::fs::read_to_string(&file).unwrap_or_default() != told {
            let _ = writeln!(wrong, "{}", file.display());
        }
    }
    assert!(
        wrong.is_empty(),
        "told otherwise than in\n{wrong}FENCEGATE_RENEW=1 writes them anew: read the difference"
    );
}

fn golden(story: &Story) -> String {
    let mut out = format!("{}. {}\n{}\n", story.number, story.title, story.lesson);
    for scenario in story.variants() {
        let dialect = scenario.dialect();
        let (_, told) = play(&scenario, SEED);
        let _ = writeln!(out, "\n== {}\n{}\n", scenario.name, scenario.shows);
        for explained in told {
            let _ = writeln!(
                out,
                "{:>9} ms  {:<10}  {}",
                explained.at,
                English.who(explained.who),
                English.line(&explained, dialect)
            );
        }
    }
    out
}
