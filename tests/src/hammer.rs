//! The hammer: many writers at once, looking for one admission too many.
//!
//! It watches from outside and in real time. For every resource it keeps a *floor*: the highest
//! token whose grant, claim or admission has been answered. A writer reads the floor BEFORE it sends
//! its request; if the request is admitted although its token is below that floor, then a stale
//! write was admitted, whatever happened inside the proxy. Floors only rise (`fetch_max`), and all
//! of it is one process with one memory, so no clock is needed.
//!
//! The resources change as the hammering goes on: a few are hot at a time, so that writers meet, and
//! new ones come all the time, so that first writes meet too. The same hammer runs against a store
//! that is naive on purpose, and must find it out there.

mod external;
mod ours;
mod troubled;

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use fastrand::Rng;

pub use troubled::Troubled;

use crate::http::{Answer, Connection, Request};

/// How many resources are hot at a time.
const HOT: u64 = 4;
/// After how many requests the next resource becomes hot.
const REQUESTS_PER_RESOURCE: u64 = 300;
/// After how many requests a writer connects anew, so that all workers of the proxy get their share.
const REQUESTS_PER_CONNECTION: u64 = 2_000;
/// How many violations are described in full.
const DESCRIBED_MAX: usize = 20;

/// Where tokens come from at the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tokens {
    /// The proxy's own issuer grants them.
    Ours,
    /// They come from elsewhere: the hammer draws them.
    External,
}

/// What is hammered.
#[derive(Clone, Debug)]
pub struct Target {
    /// The fenced listeners of all proxies that keep the same marks; they should answer admitted
    /// writes by themselves, for speed.
    pub addresses: Vec<SocketAddr>,
    /// Where tokens come from.
    pub tokens: Tokens,
    /// The shortest lease that the issuer grants, in milliseconds.
    pub ttl_ms: u64,
}

/// How hard, and with which dice.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How many requests are sent at least.
    pub requests: u64,
    /// How many writers there are at once.
    pub writers: usize,
    /// The seed of the dice. The order in which the proxy meets the requests is not repeatable.
    pub seed: u64,
    /// Which run it is at this target: every run has resources of its own.
    pub round: u64,
}

/// What was seen.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// All answered requests, the issuer's calls among them.
    pub requests: u64,
    /// Writes that were admitted.
    pub admitted: u64,
    /// Grants and claims that were answered with success.
    pub raised: u64,
    /// Everything that was refused, by status and reason.
    pub refused: BTreeMap<String, u64>,
    /// Requests whose connection broke before an answer: nothing is known of them.
    pub unanswered: u64,
    /// Admissions that must not have been.
    pub violations: u64,
    /// The first of them in words.
    pub described: Vec<String>,
    /// The seed.
    pub seed: u64,
    /// How long it took, in seconds.
    pub seconds: f64,
}

/// Hammers until the plan's requests are answered.
///
/// # Errors
/// When the target accepts no connection.
pub fn run(target: &Target, plan: &Plan) -> io::Result<Report> {
    let field = Field::new(target.clone(), plan);
    let start = Instant::now();
    let parts: Vec<io::Result<Report>> = std::thread::scope(|scope| {
        let writers = (0..plan.writers).map(|number| {
            let field = &field;
            scope.spawn(move || hammer(field, number as u64))
        });
        let writers: Vec<_> = writers.collect();
        writers
            .into_iter()
            .map(|writer| writer.join().expect("a writer does not panic"))
            .collect()
    });
    let mut whole = Report {
        seed: plan.seed,
        ..Report::default()
    };
    for part in parts {
        whole.add(part?);
    }
    whole.seconds = start.elapsed().as_secs_f64();
    Ok(whole)
}

fn hammer(field: &Field, number: u64) -> io::Result<Report> {
    let mut writer = Writer::new(field, number)?;
    while writer.field.sent.load(Ordering::Relaxed) < field.requests {
        match field.target.tokens {
            Tokens::External => external::strike(&mut writer)?,
            Tokens::Ours => ours::strike(&mut writer)?,
        }
    }
    Ok(writer.report)
}

/// What all writers share.
struct Field {
    target: Target,
    requests: u64,
    seed: u64,
    round: u64,
    sent: AtomicU64,
    resources: Vec<Resource>,
}

#[derive(Default)]
struct Resource {
    /// The highest token whose grant, claim or admission was answered.
    floor: AtomicU64,
    /// The highest token that any writer drew (external).
    drawn: AtomicU64,
    ours: ours::Holding,
}

impl Field {
    fn new(target: Target, plan: &Plan) -> Self {
        let resources = plan.requests / REQUESTS_PER_RESOURCE + HOT + 1 + plan.writers as u64;
        let resources = (0..resources).map(|_| Resource::default()).collect();
        Self {
            target,
            requests: plan.requests,
            seed: plan.seed,
            round: plan.round,
            sent: AtomicU64::new(0),
            resources,
        }
    }

    /// A connection to one of the proxies.
    fn connect(&self, dice: &mut Rng) -> io::Result<Connection> {
        let addresses = &self.target.addresses;
        Connection::open(addresses[dice.usize(..addresses.len())])
    }

    /// The name of a resource behind `job:` and `/jobs/`.
    fn name(&self, resource: u64) -> String {
        format!("{}-{resource}", self.round)
    }
}

/// One writer: a thread with a connection and dice of its own.
struct Writer<'a> {
    field: &'a Field,
    number: u64,
    dice: Rng,
    connection: Connection,
    report: Report,
}

impl<'a> Writer<'a> {
    fn new(field: &'a Field, number: u64) -> io::Result<Self> {
        let mut dice = Rng::with_seed(field.seed.wrapping_add(number));
        let connection = field.connect(&mut dice)?;
        Ok(Self {
            field,
            number,
            dice,
            connection,
            report: Report::default(),
        })
    }

    /// One of the resources that are hot now, and its number.
    fn hot(&mut self) -> (u64, &'a Resource) {
        let oldest = self
            .field
            .sent
            .load(Ordering::Relaxed)
            .min(self.field.requests)
            / REQUESTS_PER_RESOURCE;
        let number = oldest + self.dice.u64(..HOT);
        (number, &self.field.resources[number as usize])
    }

    /// Whether a write of `resource` is admitted; the caller has read the floor before. It has no
    /// body: an answer that comes before the end of a body costs the connection.
    fn write(&mut self, resource: u64, token: &str, holder: &str) -> io::Result<bool> {
        let request = Request::new(
            "PUT",
            format!("/jobs/{}/report.pdf", self.field.name(resource)),
        )
        .header("Host", "store.example")
        .header("Fencing-Token", token)
        .header("Fencing-Holder", holder);
        let answer = self.exchange(&request)?;
        Ok(answer.is_some_and(|answer| answer.status < 300))
    }

    /// A call of the issuer.
    fn call(&mut self, verb: &str, body: &serde_json::Value) -> io::Result<Option<Answer>> {
        let request = Request::new("POST", format!("/fence/v1/{verb}"))
            .header("Host", "issuer.example")
            .body(body.to_string());
        self.exchange(&request)
    }

    /// Sends and receives; `None` when the connection broke meanwhile.
    fn exchange(&mut self, request: &Request) -> io::Result<Option<Answer>> {
        self.field.sent.fetch_add(1, Ordering::Relaxed);
        let Ok(answer) = self.connection.exchange(request) else {
            self.report.unanswered += 1;
            self.connection = self.field.connect(&mut self.dice)?;
            return Ok(None);
        };
        self.report.requests += 1;
        let closes = answer
            .text("connection")
            .is_some_and(|value| value.eq_ignore_ascii_case("close"));
        if closes || self.report.requests.is_multiple_of(REQUESTS_PER_CONNECTION) {
            self.connection = self.field.connect(&mut self.dice)?;
        }
        if answer.status >= 300 {
            let reason = format!("{} {}", answer.status, answer.reason());
            *self.report.refused.entry(reason).or_default() += 1;
        }
        Ok(Some(answer))
    }

    /// An answered admission of `token`: checked against the floor that was read before sending.
    fn admitted(&mut self, resource: u64, token: u64, floor: u64) {
        self.report.admitted += 1;
        if token < floor {
            self.violation(format!(
                "resource {resource}: {token} was admitted after {floor} had been answered"
            ));
        }
        self.raise(resource, token);
    }

    fn raise(&mut self, resource: u64, token: u64) {
        self.field.resources[resource as usize]
            .floor
            .fetch_max(token, Ordering::SeqCst);
    }

    fn violation(&mut self, text: String) {
        self.report.violations += 1;
        if self.report.described.len() < DESCRIBED_MAX {
            self.report.described.push(text);
        }
    }
}

impl Report {
    /// How many requests were decided: admitted or refused for a reason that lies in them.
    pub fn decided(&self) -> u64 {
        let undecided = self
            .refused
            .iter()
            .filter(|(reason, _)| reason.starts_with("503"));
        self.requests - undecided.map(|(_, count)| count).sum::<u64>()
    }

    /// Adds the figures of a part.
    pub fn add(&mut self, part: Self) {
        self.requests += part.requests;
        self.admitted += part.admitted;
        self.raised += part.raised;
        self.unanswered += part.unanswered;
        self.violations += part.violations;
        self.described.extend(part.described);
        self.described.truncate(DESCRIBED_MAX);
        for (reason, count) in part.refused {
            *self.refused.entry(reason).or_default() += count;
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} requests in {:.1} s: {} writes admitted, {} grants or claims, {} unanswered, {} violations; seed {}",
            self.requests,
            self.seconds,
            self.admitted,
            self.raised,
            self.unanswered,
            self.violations,
            self.seed
        )?;
        for (reason, count) in &self.refused {
            writeln!(f, "  {count:>8} {reason}")?;
        }
        for text in &self.described {
            writeln!(f, "  VIOLATION {text}")?;
        }
        Ok(())
    }
}
