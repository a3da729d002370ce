//! Runs hostile days until time is up.

use clap::Parser;
use fencegate_wasm_host::figures::Figures;
use fencegate_wasm_host::instance::Loaded;
use fencegate_wasm_host::run::{Control, run};
use fencegate_wasm_host::{generate, seed, shrink};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Runs hostile days until time is up, and says what they came to.
#[derive(Parser)]
struct Arguments {
    /// For how long, in minutes.
    #[arg(long, default_value_t = 1.0)]
    minutes: f64,
    /// The filter.
    #[arg(long, env = "FENCEGATE_PLUGIN")]
    plugin: PathBuf,
    /// The first day's seed; the next ones have the next numbers.
    #[arg(long, env = "FENCEGATE_SEED")]
    seed: Option<u64>,
    /// One day only: that of this file, as a breach prints it.
    #[arg(long)]
    day: Option<PathBuf>,
}

/// How often it says how far it is.
const PROGRESS: Duration = Duration::from_secs(5);

/// Runs the day of a file.
fn one(loaded: &Loaded, file: &Path) -> ExitCode {
    let text = std::fs::read(file).unwrap_or_default();
    let day = match serde_json::from_slice(&text) {
        Ok(day) => day,
        Err(error) => {
            eprintln!("soak: {}: {error}", file.display());
            return ExitCode::FAILURE;
        }
    };
    let report = run(loaded, &day, Control::default());
    println!("soak: {}", report.figures);
    match report.breach {
        None => ExitCode::SUCCESS,
        Some(breach) => {
            println!("{breach}\nlog:\n  {}", report.log.join("\n  "));
            ExitCode::FAILURE
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let loaded = match Loaded::from_file(&arguments.plugin) {
        Ok(loaded) => loaded,
        Err(error) => {
            eprintln!("soak: {error:?}");
            return ExitCode::FAILURE;
        }
    };
    if let Some(file) = &arguments.day {
        return one(&loaded, file);
    }
    let first = arguments.seed.unwrap_or_else(seed::fresh);
    println!("soak: hostile days from FENCEGATE_SEED={first}");
    let begin = Instant::now();
    let end = Duration::from_secs_f64(arguments.minutes.max(0.0) * 60.0);
    let mut told = Duration::ZERO;
    let mut sum = Figures::default();
    for seed in first.. {
        let day = generate::day(seed);
        let report = run(&loaded, &day, Control::default());
        sum.add(&report.figures);
        if report.breach.is_some() {
            println!("{}", shrink::story(&loaded, seed, &day, Control::default()));
            println!("soak: {sum}, violations 1");
            return ExitCode::FAILURE;
        }
        let now = begin.elapsed();
        if now >= end {
            break;
        }
        if now - told >= PROGRESS {
            told = now;
            println!("{:5} s: {sum}, violations 0", now.as_secs());
        }
    }
    println!("soak: {} s, {sum}, violations 0", begin.elapsed().as_secs());
    println!("soak: answers by status {:?}", sum.statuses);
    ExitCode::SUCCESS
}
