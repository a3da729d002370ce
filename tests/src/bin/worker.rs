//! The worker of the story, as naive as most workers are.
//!
//! It acquires the lease, makes its report in two halves, and writes to the store with the token of
//! its lease. It does NOT look at a clock before it writes: a worker that was frozen between such a
//! look and the write would not be helped by it. What saves the report is the check at the store's
//! door; what this worker must do is listen to a 412 and stop.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use fencegate_tests::http::{Answer, Request};
use fencegate_tests::issuer::{Grant, Issuer, retry_after};
use fencegate_tests::worker::{EXIT_FENCED, Event, half_report, whole_report};

/// Acquires a lease, makes a report, writes it to the store. Exit code 3: it was fenced and stopped.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The worker's name, which is also the holder's.
    #[arg(long)]
    name: String,
    /// Where it sends its writes.
    #[arg(long)]
    proxy: SocketAddr,
    /// Where it asks for leases; the proxy, if left out.
    #[arg(long)]
    issuer: Option<SocketAddr>,
    /// What it wants the lease of.
    #[arg(long, default_value = "job:1")]
    resource: String,
    /// The object it writes.
    #[arg(long, default_value = "/jobs/1/report.pdf")]
    path: String,
    /// How long a lease it asks for.
    #[arg(long, default_value_t = 3000)]
    ttl_ms: u64,
    /// How long each half of the report takes, and looking it over once more.
    #[arg(long, default_value_t = 150)]
    work_ms: u64,
    /// How much of the report it writes.
    #[arg(long, value_enum, default_value_t = Part::Whole)]
    save: Part,
    /// Uses this token instead of acquiring a lease.
    #[arg(long)]
    token: Option<String>,
    /// After a 412 it tries three times more with the old token.
    #[arg(long)]
    stubborn: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    Half,
    Whole,
}

fn main() -> ExitCode {
    match work(&Arguments::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("the worker failed: {error}");
            ExitCode::FAILURE
        }
    }
}

fn work(arguments: &Arguments) -> io::Result<ExitCode> {
    let issuer = Issuer::at(arguments.issuer.unwrap_or(arguments.proxy));
    let grant = match &arguments.token {
        Some(token) => known(arguments, token),
        None => acquire(&issuer, arguments)?,
    };
    let report = make_report(arguments)?;
    let mut answer = write(arguments, &grant, &report)?;
    if answer.status == 412 && arguments.stubborn {
        for _ in 0..3 {
            say(&Event::Insists)?;
            answer = write(arguments, &grant, &report)?;
        }
    }
    if (200..300).contains(&answer.status) {
        let status = issuer.release(&grant, true)?.status;
        say(&Event::Released { status })?;
        return Ok(ExitCode::SUCCESS);
    }
    say(&Event::Stopped)?;
    Ok(ExitCode::from(EXIT_FENCED))
}

fn acquire(issuer: &Issuer, arguments: &Arguments) -> io::Result<Grant> {
    loop {
        let answer = issuer.acquire(&arguments.resource, &arguments.name, arguments.ttl_ms)?;
        if let Some(grant) = Grant::from_answer(&answer) {
            say(&Event::Acquired {
                token: grant.token.clone(),
                ttl_ms: grant.ttl_ms,
            })?;
            return Ok(grant);
        }
        if !matches!(answer.status, 409 | 503) {
            return Err(io::Error::other(format!(
                "{} {}",
                answer.status,
                answer.body_text()
            )));
        }
        let wait = retry_after(&answer);
        say(&Event::Waiting {
            reason: answer.reason(),
            retry_after_ms: wait.as_millis() as u64,
        })?;
        sleep(wait);
    }
}

fn make_report(arguments: &Arguments) -> io::Result<String> {
    let work = Duration::from_millis(arguments.work_ms);
    sleep(work);
    say(&Event::HalfReady)?;
    sleep(work);
    if arguments.save == Part::Half {
        return Ok(half_report(&arguments.resource, &arguments.name));
    }
    say(&Event::WholeReady)?;
    Ok(whole_report(&arguments.resource, &arguments.name))
}

fn write(arguments: &Arguments, grant: &Grant, report: &str) -> io::Result<Answer> {
    say(&Event::Writing {
        bytes: report.len(),
        token: grant.token.clone(),
    })?;
    let answer = Request::new("PUT", &arguments.path)
        .header("Host", "store.example")
        .header("Fencing-Token", &grant.token)
        .header("Fencing-Holder", &arguments.name)
        .body(report)
        .send_to(arguments.proxy)?;
    say(&Event::Answered {
        status: answer.status,
        content_type: answer.text("content-type"),
        body: answer.body_text(),
    })?;
    Ok(answer)
}

fn known(arguments: &Arguments, token: &str) -> Grant {
    Grant {
        resource: arguments.resource.clone(),
        holder: arguments.name.clone(),
        token: token.to_owned(),
        ttl_ms: 0,
    }
}

fn say(event: &Event) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(event)?)?;
    out.flush()
}
