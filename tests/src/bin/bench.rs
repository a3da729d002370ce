//! What the filter costs, as ratios that were measured side by side.

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use fencegate_tests::bench::{Contender, Plan, measure, ratio, table};
use fencegate_tests::config::{Config, FENCED, PLAIN};
use fencegate_tests::envoy::{Envoy, EnvoyError, Options};
use fencegate_tests::etcd::Etcd;
use fencegate_tests::http::Request;
use fencegate_tests::issuer::Issuer;
use fencegate_tests::process::end_all_on_signal;

/// A steady leader writes through several Envoys of one worker each; Envoy answers by itself.
#[derive(Parser)]
#[command(
    version,
    after_help = "`make bench` builds what it needs and says where it is."
)]
struct Arguments {
    /// How many rounds count.
    #[arg(long, default_value_t = 15)]
    rounds: usize,
    /// How long each contender is loaded in a round, in ms.
    #[arg(long, default_value_t = 1000)]
    slice_ms: u64,
    /// How many requests are under way at once.
    #[arg(long, default_value_t = 16)]
    connections: usize,
}

fn main() -> ExitCode {
    match bench(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("the bench cannot go on: {error}");
            ExitCode::FAILURE
        }
    }
}

fn bench(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    end_all_on_signal(|| 130)?;
    let etcd = Etcd::start(3)?;
    etcd.operate(&["init"])?;
    let over_etcd = Config::example("etcd")?.with_etcd(&etcd);
    let mut memory = envoy(Config::example("fencegate")?.with_plain_listener())?;
    let mut window = envoy(over_etcd.clone())?;
    let mut each = envoy(
        over_etcd
            .with_plain_listener()
            .with_lua(PLAIN, ASKS_FOR_EACH),
    )?;
    let contenders = [
        contender("no filter", &mut memory, PLAIN)?,
        contender("memory", &mut memory, FENCED)?,
        contender("etcd, with the window", &mut window, FENCED)?,
        contender("etcd, a transaction for each write", &mut each, PLAIN)?,
    ];
    let plan = Plan {
        rounds: arguments.rounds,
        slice: Duration::from_millis(arguments.slice_ms),
        connections: arguments.connections,
    };
    println!(
        "Writes of a steady leader; an etcd of three members runs beside them all the while.\n"
    );
    let slices = measure(&contenders, &plan, |round, contender, slice| {
        println!(
            "round {round:2}  {:36} {:7.0} answers/s",
            contender.name, slice.rate
        );
    })?;
    println!("\nAgainst no filter:\n\n{}", table(&contenders, &slices, 0));
    println!(
        "Against memory:\n\n{}",
        table(&contenders[1..], &slices[1..], 0)
    );
    let reached = ratio(&slices[2], &slices[1], |slice| slice.rate);
    let word = if reached >= GOAL { "reached" } else { "missed" };
    println!("goal: etcd with the window at {GOAL} of memory's rate or more: {reached:.2}, {word}");
    Ok(())
}

/// The rate over etcd, in parts of the rate with memory.
const GOAL: f64 = 0.85;

/// What the window is there for: a fence that asks etcd for each write, as small as it can be.
const ASKS_FOR_EACH: &str = r#"
function envoy_on_request(request)
  local headers, body = request:httpCall("etcd",
    { [":method"] = "POST", [":path"] = "/v3/kv/txn", [":authority"] = "etcd" },
    '{"success":[{"request_range":{"key":"L2ZlbmNlZ2F0ZS9tL2pvYjox"}}]}', 500)
  if headers[":status"] ~= "200" then
    request:respond({ [":status"] = "503" }, "")
  end
end
"#;

fn envoy(config: Config) -> Result<Envoy, EnvoyError> {
    let options = Options {
        concurrency: 1,
        ..Options::default()
    };
    Envoy::start_with(&config.with_direct_response(), options)
}

/// The leader's writes at a listener; a token is acquired where there is an issuer.
fn contender(name: &str, envoy: &mut Envoy, listener: &str) -> Result<Contender, Box<dyn Error>> {
    let address = envoy.address(listener)?;
    let request = match listener {
        PLAIN => write("1"),
        _ => {
            let issuer = Issuer::at(address);
            issuer.wait_until_ready()?;
            let grant = issuer.acquire_patiently("job:1", "A", 60_000)?;
            write(&grant.token)
        }
    };
    Ok(Contender {
        name: name.to_owned(),
        address,
        pid: envoy.process().child().id(),
        request: request.bytes(),
        status: 200,
    })
}

/// Without a body: Envoy, answering by itself, would close the connection before it has read one.
fn write(token: &str) -> Request {
    Request::new("PUT", "/jobs/1/report.pdf")
        .header("Host", "store.example")
        .header("Fencing-Token", token)
        .header("Fencing-Holder", "A")
        .body("")
}
