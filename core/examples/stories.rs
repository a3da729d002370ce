//! Prints the stories, or one of them: `cargo run -p fencegate-core --example stories -- [name]`.

use fencegate_core::sim::laws::Law;
use fencegate_core::sim::scenario::Scenario;
use fencegate_core::sim::stories::{self, Story};
use fencegate_core::sim::timeline::Timeline;
use fencegate_core::sim::words::{English, Words};
use std::fmt::Write;
use std::process::ExitCode;

/// More events than any story has.
const EVENTS_MAX: usize = 2_000;

fn main() -> ExitCode {
    let Some(name) = std::env::args().nth(1) else {
        for story in &stories::ALL {
            print!("{}", told(story, ""));
        }
        return ExitCode::SUCCESS;
    };
    match stories::find(&name) {
        Some(story) => {
            print!("{}", told(story, &name));
            ExitCode::SUCCESS
        }
        None => {
            eprintln!("No story is called {name}. There are:");
            for story in &stories::ALL {
                eprintln!("{:>4} {:<14} {}", story.number, story.name, story.title);
            }
            ExitCode::FAILURE
        }
    }
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
    let verdict = match scenario.breaks.as_slice() {
        [] => "all laws hold".to_owned(),
        breaks => {
            let names: Vec<&str> = breaks.iter().map(|law| Law::name(*law)).collect();
            format!("breaks {}", names.join(", "))
        }
    };
    let mut out = format!(
        "\n   {} ({verdict})\n   {}\n\n",
        scenario.name, scenario.shows
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
            English.line(&explained, dialect)
        );
    }
    out
}
