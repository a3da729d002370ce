//! Prints the stories, or one of them, or plays a scenario of one's own:
//!
//! ```text
//! cargo run -p fencegate-core --example stories                            every story
//! cargo run -p fencegate-core --example stories -- redis                   one, with all its variants
//! cargo run -p fencegate-core --example stories -- redis.fenced            one variant
//! cargo run -p fencegate-core --example stories -- --json redis.fenced     its scenario, to be changed
//! cargo run -p fencegate-core --example stories -- --play FILE             a scenario in a file
//! cargo run -p fencegate-core --example stories -- --verdicts              of each variant and step, what is broken
//! ```

use fencegate_core::sim::laws::{self, Law};
use fencegate_core::sim::scenario::Scenario;
use fencegate_core::sim::stories::{self, Story};
use fencegate_core::sim::timeline::Timeline;
use fencegate_core::sim::words::{self, English, Words};
use serde_json::json;
use std::fmt::{Debug, Write};
use std::process::ExitCode;

/// More events than any story has.
const EVENTS_MAX: usize = 2_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let told = match arguments.as_slice() {
        [] => Ok(stories::ALL.iter().map(|story| told(story, "")).collect()),
        ["--json", name] => json(name),
        ["--play", file] => play(file),
        ["--verdicts"] => stories::ALL
            .iter()
            .flat_map(Story::variants)
            .map(verdicts)
            .collect(),
        [name] => match stories::find(name) {
            Some(story) => Ok(told(story, name)),
            None => Err(unknown(name)),
        },
        _ => Err("one story, --json VARIANT, --play FILE, --verdicts, or nothing\n".to_owned()),
    };
    match told {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(text) => {
            eprint!("{text}");
            ExitCode::FAILURE
        }
    }
}

fn unknown(name: &str) -> String {
    let mut out = format!("No story is called {name}. There are:\n");
    for story in &stories::ALL {
        let _ = writeln!(
            out,
            "{:>4} {:<14} {}",
            story.number, story.name, story.title
        );
    }
    out
}

fn json(name: &str) -> Result<String, String> {
    let variants = stories::ALL.iter().flat_map(Story::variants);
    let found = variants.into_iter().find(|variant| variant.name == name);
    let variant = found.ok_or_else(|| unknown(name))?;
    let text = serde_json::to_string_pretty(&variant).map_err(|error| error.to_string())?;
    Ok(format!("{text}\n"))
}

fn play(file: &str) -> Result<String, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}\n"))?;
    let scenario = serde_json::from_str(&text).map_err(|error| format!("{file}: {error}\n"))?;
    Ok(variant_told(scenario))
}

/// The laws that are broken at each step of a variant, as a line of JSON. What plays the stories
/// elsewhere compares itself with it.
fn verdicts(scenario: Scenario) -> Result<String, String> {
    let name = scenario.name.clone();
    let failed = |error: &dyn Debug| format!("{name}: {error:?}\n");
    let mut timeline = Timeline::new(scenario, 1).map_err(|error| failed(&error))?;
    timeline.play(0, EVENTS_MAX);
    let last = timeline.branches().first().map_or(0, |it| it.log().len());
    let worlds = (0..=last).filter_map(|step| timeline.at(0, step));
    let steps: Vec<Vec<&str>> = worlds
        .map(|world| {
            let broken = laws::broken(timeline.scenario(), &world);
            broken.map(|(law, _)| law.name()).collect()
        })
        .collect();
    let line = json!({ "variant": name, "steps": steps });
    Ok(format!("{line}\n"))
}

/// A story with all its variants, or with the one called `name`.
fn told(story: &Story, name: &str) -> String {
    let mut out = format!("{}. {}\n   {}\n", story.number, story.title, story.lesson);
    for variant in story.variants() {
        if name.is_empty() || name == story.name || name == variant.name {
            out.push_str(&variant_told(variant));
        }
    }
    out.push('\n');
    out
}

fn variant_told(scenario: Scenario) -> String {
    let dialect = scenario.dialect();
    let lucky = English.only_as_told(&scenario.only_as_told);
    let verdict = match scenario.breaks.as_slice() {
        [] if lucky.is_empty() => "all laws hold".to_owned(),
        [] => "all laws hold as it is told".to_owned(),
        breaks => {
            let names: Vec<&str> = breaks.iter().map(|law| Law::name(*law)).collect();
            format!("breaks {}", names.join(", "))
        }
    };
    let shows = format!("{} {lucky}", scenario.shows);
    let mut out = format!(
        "\n   {} ({verdict})\n   {}\n\n",
        scenario.name,
        shows.trim_end()
    );
    let mut timeline = match Timeline::new(scenario, 1) {
        Ok(timeline) => timeline,
        Err(error) => return format!("{out}   cannot be played: {error:?}\n"),
    };
    for explained in timeline.play(0, EVENTS_MAX) {
        let _ = writeln!(
            out,
            "   {:>8.3} s  {:<10}  {}",
            f64::from(explained.at) / 1_000.0,
            English.who(explained.who),
            words::line(&English, &explained, dialect)
        );
    }
    out
}
