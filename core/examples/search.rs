//! Searches a story or a scenario for what can go wrong. `--help` tells how.

#[path = "search/arguments.rs"]
mod arguments;

use arguments::{Asked, HELP};
use fencegate_core::sim::event::What;
use fencegate_core::sim::laws::Law;
use fencegate_core::sim::search::{Found, Progress, SEED, Search, Verdict};
use fencegate_core::sim::timeline::Timeline;
use fencegate_core::sim::words::{self, English, Words};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How many states are left between two looks at the clock.
const BUDGET: usize = 4_096;

fn main() -> ExitCode {
    let asked = match arguments::read(std::env::args().skip(1)) {
        Ok(Asked::Help) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Ok(Asked::Search(asked)) => asked,
        Err(error) => {
            eprintln!("search: {error}\n(--help tells how)");
            return ExitCode::from(2);
        }
    };
    let arguments::Search {
        question,
        states_max,
        json,
    } = *asked;
    let names: Vec<&str> = question.laws.iter().map(|law| law.name()).collect();
    println!("{}: {}", question.scenario.name, question.scenario.shows);
    println!("laws    {}", names.join(", "));
    println!("bounds  {}", told_bounds(&question.bounds));
    let search = Search::new(&question.scenario, question.bounds, &question.laws);
    let mut search = match search {
        Ok(search) => search.capped(states_max),
        Err(error) => {
            eprintln!("search: the scenario cannot be played: {error:?}");
            return ExitCode::from(2);
        }
    };
    let progress = run(&mut search);
    match progress.verdict {
        Some(Verdict::Found(found)) => {
            tell(&search, &found, json);
            ExitCode::FAILURE
        }
        Some(Verdict::NoneWithin { states, depth }) => {
            println!(
                "none within {states} states: everything of {depth} events was looked at, and not everything beyond"
            );
            ExitCode::SUCCESS
        }
        Some(Verdict::Exhausted { states, depth }) => {
            println!("exhausted, none: {states} states, the farthest {depth} events away");
            ExitCode::SUCCESS
        }
        None => ExitCode::SUCCESS,
    }
}

/// Searches to the end, and says every second how far it is. The search itself knows no clock.
#[allow(clippy::disallowed_methods, reason = "the caller measures")]
fn run(search: &mut Search) -> Progress {
    let began = Instant::now();
    let mut next = Duration::from_secs(1);
    loop {
        let progress = search.step(BUDGET);
        let done = progress.verdict.is_some();
        let passed = began.elapsed();
        if done || passed >= next {
            println!("{}", line(&progress, passed));
            next = passed + Duration::from_secs(1);
        }
        if done {
            return progress;
        }
    }
}

fn line(progress: &Progress, passed: Duration) -> String {
    let seconds = passed.as_secs_f64().max(1e-6);
    let a_second = |count: f64| count / seconds / 1e6;
    format!(
        "{:>7.1} s  {:>10} states  depth {:>3}  {:>9} open  {:.2} M events/s  {:.2} M states/s  {:>4} bytes a state",
        seconds,
        progress.states,
        progress.depth,
        progress.open,
        a_second(progress.steps as f64),
        a_second(progress.states as f64),
        progress.bytes / progress.states.max(1),
    )
}

fn told_bounds(bounds: &fencegate_core::sim::search::Bounds) -> String {
    let mut out = format!(
        "{} tokens, {} messages in flight, {} faults, {:?} network",
        bounds.tokens, bounds.messages, bounds.faults, bounds.network
    );
    for (is_on, word) in [
        (bounds.loses, "losses"),
        (bounds.doubles, "doubles"),
        (bounds.delays, "late messages"),
    ] {
        if is_on {
            out.push_str(", ");
            out.push_str(word);
        }
    }
    for accident in &bounds.accidents {
        out.push_str(&format!("\n        {accident:?}"));
    }
    if let Some(until) = bounds.until_ms {
        out.push_str(&format!(", until {until} ms"));
    }
    out
}

/// Tells a trace line by line, as a story is told.
fn tell(search: &Search, found: &Found, json: Option<std::path::PathBuf>) {
    println!(
        "found: {} is broken after {} events, {} of them faults\n",
        found.law.name(),
        found.trace.len(),
        found.faults
    );
    let scenario = search.scenario().clone();
    let dialect = scenario.dialect();
    let mut timeline = Timeline::new(scenario, SEED).expect("it was searched");
    for event in &found.trace {
        let Some(explained) = timeline.take(0, *event) else {
            continue;
        };
        let mark = match event.what {
            What::Accident(_) | What::Lose(_) | What::Duplicate(_) | What::Delay { .. } => '!',
            _ => ' ',
        };
        println!(
            "{:>9.3} s {mark} {:<9} {}",
            f64::from(explained.at) / 1_000.0,
            English.who(explained.who),
            words::line(&English, &explained, dialect)
        );
        for law in explained.broken.iter().filter(|law| **law == found.law) {
            println!(
                "{:>23}{} is broken: {:?}",
                "",
                Law::name(*law),
                found.violation
            );
        }
    }
    if let Some(path) = json {
        let run = timeline.run(0).expect("the branch is there");
        let text = serde_json::to_string_pretty(&run).expect("a run is JSON");
        match std::fs::write(&path, text) {
            Ok(()) => println!("\nwritten to {}", path.display()),
            Err(error) => eprintln!("search: {}: {error}", path.display()),
        }
    }
}
