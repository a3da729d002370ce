//! The hammer for as long as one likes: real Envoys that live all the while, with progress, and the
//! figures at the end.

use std::io;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use fencegate_tests::config::{Config, FENCED};
use fencegate_tests::envoy::{Envoy, EnvoyError, Options, Pushed};
use fencegate_tests::hammer::{Plan, Report, Target, Tokens, Troubled, run};
use fencegate_tests::issuer::Issuer;
use fencegate_tests::process::end_all_on_signal;
use fencegate_tests::seed;
use serde_json::json;

/// Many writers at two Envoys in turn, one that grants and one with tokens from elsewhere; new
/// configurations come every few rounds. Exit code 0: not one violation.
#[derive(Parser)]
#[command(
    version,
    after_help = "FENCEGATE_ENVOY names the Envoy, FENCEGATE_PLUGIN the compiled filter; \
`make soak` sets both. FENCEGATE_SEED repeats the dice."
)]
struct Arguments {
    /// For how long; the round that is under way is ended.
    #[arg(long, default_value_t = 60.0)]
    minutes: f64,
    /// How many requests a round has.
    #[arg(long, default_value_t = 100_000)]
    requests: u64,
    /// How many writers there are at once.
    #[arg(long, default_value_t = 8)]
    writers: usize,
    /// Two Envoys over an etcd whose leader is killed, stopped and cut off, until a million requests
    /// are decided, if that takes longer.
    #[arg(long)]
    etcd: bool,
}

/// How many requests are decided over etcd at least.
const DECIDED_OVER_ETCD: u64 = 1_000_000;

/// One of the Envoys.
struct Side {
    name: &'static str,
    tokens: Tokens,
    config: Config,
    envoy: Envoy,
    report: Report,
}

/// A new configuration comes after so many rounds.
const ROUNDS_PER_PUSH: u64 = 3;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let violations = match arguments.etcd {
        false => soak(&arguments),
        true => soak_over_etcd(&arguments),
    };
    match violations {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("the hammer cannot go on: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the number of violations.
fn soak(arguments: &Arguments) -> Result<u64, Box<dyn std::error::Error>> {
    end_all_on_signal(|| 130)?;
    let seed = seed::announced("soak");
    let limit = Duration::from_secs_f64(arguments.minutes * 60.0);
    let start = Instant::now();
    let mut sides = [
        Side::start("our tokens", "fencegate", Tokens::Ours)?,
        Side::start("external tokens", "external", Tokens::External)?,
    ];
    let mut round = 0;
    while start.elapsed() < limit {
        for side in &mut sides {
            let plan = Plan {
                requests: arguments.requests,
                writers: arguments.writers,
                seed: seed.wrapping_add(round),
                round,
            };
            side.hammer(&plan)?;
            let minutes = start.elapsed().as_secs_f64() / 60.0;
            println!("{minutes:6.1} min, round {round}: {}", side.progress());
        }
        round += 1;
    }
    println!(
        "\n{round} rounds in {:.1} minutes",
        start.elapsed().as_secs_f64() / 60.0
    );
    let mut violations = 0;
    for side in &sides {
        violations += side.report.violations;
        println!("\n{}: {}", side.name, side.report);
    }
    println!("violations {violations}");
    Ok(violations)
}

/// Returns the number of violations.
fn soak_over_etcd(arguments: &Arguments) -> Result<u64, Box<dyn std::error::Error>> {
    end_all_on_signal(|| 130)?;
    let seed = seed::announced("soak over etcd");
    let limit = Duration::from_secs_f64(arguments.minutes * 60.0);
    let start = Instant::now();
    let config = Config::example("etcd")?.with_policy(|policy| {
        policy["issuer"]["fencegate"]["lock_delay_ms"] = json!(0);
    });
    let mut troubled = Troubled::start(config, Tokens::Ours)?;
    let (mut whole, mut troubles, mut round) = (Report::default(), 0, 0);
    while start.elapsed() < limit || whole.decided() < DECIDED_OVER_ETCD {
        let plan = Plan {
            requests: arguments.requests,
            writers: arguments.writers,
            seed: seed.wrapping_add(round),
            round,
        };
        let (report, more) = troubled.hammer(&plan)?;
        whole.seconds += report.seconds;
        whole.add(report);
        troubles += more;
        round += 1;
        println!(
            "{:6.1} min: etcd in trouble {troubles} times, {} decided, {} violations",
            start.elapsed().as_secs_f64() / 60.0,
            whole.decided(),
            whole.violations
        );
    }
    println!("\nover etcd: {whole}");
    Ok(whole.violations)
}

impl Side {
    fn start(name: &'static str, example: &str, tokens: Tokens) -> Result<Self, EnvoyError> {
        let config = Config::example(example)?.with_direct_response();
        let options = Options {
            concurrency: 4,
            dynamic: true,
            ..Options::default()
        };
        let envoy = Envoy::start_with(&config, options)?;
        Issuer::at(envoy.address(FENCED)?).wait_until_ready()?;
        Ok(Self {
            name,
            tokens,
            config,
            envoy,
            report: Report::default(),
        })
    }

    fn hammer(&mut self, plan: &Plan) -> Result<(), EnvoyError> {
        if plan.round % ROUNDS_PER_PUSH == ROUNDS_PER_PUSH - 1 {
            let idle = json!(format!("{}s", 20 + plan.round % 20));
            let next = self.config.clone().with_connection_manager(|manager| {
                manager["stream_idle_timeout"] = idle.clone();
            });
            let pushed = self.envoy.push(&next)?;
            if pushed != Pushed::Accepted {
                return Err(io::Error::other(format!("{pushed:?}")).into());
            }
        }
        let target = Target {
            addresses: vec![self.envoy.address(FENCED)?],
            tokens: self.tokens,
            ttl_ms: 1000,
        };
        let report = run(&target, plan)?;
        if plan.round == 0 {
            self.report.seed = plan.seed;
        }
        self.report.seconds += report.seconds;
        self.report.add(report);
        Ok(())
    }

    fn progress(&self) -> String {
        let Report {
            requests,
            admitted,
            raised,
            unanswered,
            violations,
            ..
        } = &self.report;
        format!(
            "{}: {requests} requests, {admitted} admitted, {raised} grants or claims, {unanswered} unanswered, {} MiB, {violations} violations",
            self.name,
            self.envoy.allocated().unwrap_or_default() >> 20
        )
    }
}
