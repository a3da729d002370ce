//! One write in many spellings, and what becomes of each at a real Envoy.
//!
//! All rows mean to write to one place with the right token of its resource, [`KEY`], in a way that
//! somebody could hope to pass with: another spelling of the path or the host, or a request that says
//! more than one thing. [`Probe`] sends a row and says what happened by the store's own journal.

mod requests;

use std::io;
use std::net::SocketAddr;

pub use requests::requests;

use crate::http::{Answer, Request};
use crate::issuer::Grant;
use crate::origin::Origin;
use crate::wire::Wire;

/// The resource that all rows mean, under the rule `/jobs/{job}/{*rest}` of `store.example`.
pub const KEY: &str = "job:a1:out/part";
/// Its plain spelling.
pub const PATH: &str = "/jobs/a1/out/part";
/// The host that the rule is for.
pub const HOST: &str = "store.example";

/// A token and its holder, or none.
pub type Token<'a> = Option<(&'a str, &'a str)>;

/// One row of the table.
pub struct Row {
    /// What is sent, for people.
    pub shown: String,
    /// What is special about it.
    pub why: String,
    /// What the fence itself makes of it: `same`, `admitted`, or status and reason.
    pub expected: String,
    /// Makes the request from the right token and holder; `None`: without them.
    pub make: Box<dyn Fn(Token<'_>) -> Request + Send + Sync>,
}

/// A request as the store got it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrived {
    /// The values of `Host`, with a comma between them.
    pub host: String,
    /// The target.
    pub path: String,
}

/// What became of one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It reached the store.
    Reached(Arrived),
    /// The fence refused it: status, reason, and the resource that it named.
    Refused(u16, String, Option<String>),
    /// Envoy refused it by itself.
    Envoy(u16),
    /// Envoy closed or reset instead of answering.
    Closed,
}

/// Spellings of the path; the data is the core's own.
#[must_use]
pub fn paths() -> Vec<Row> {
    let lines = include_str!("../../core/tests/path_spellings.tsv").lines();
    let rows = lines.filter(|line| !line.starts_with('#')).map(|line| {
        let mut cells = line.split('\t').map(str::to_owned);
        let mut next = || cells.next().expect("three columns");
        let (shown, outcome, why) = (next(), next(), next());
        let target = unescaped(&shown);
        Row {
            shown,
            why,
            expected: same_or_ambiguous(outcome == "same"),
            make: Box::new(move |token| {
                with_token(Request::new("PUT", &target).header("Host", HOST), token).body("x")
            }),
        }
    });
    rows.collect()
}

/// Spellings of the host.
#[must_use]
pub fn hosts() -> Vec<Row> {
    let table = [
        ("STORE.EXAMPLE", true, "another case"),
        ("store.example:443", true, "a port"),
        ("store.example.", true, "a last dot"),
        ("Store.Example.:8080", true, "case, a last dot and a port"),
        ("store.example:", true, "an empty port"),
        ("", false, "no host"),
        ("user@store.example", false, "a user"),
        ("store.example,other.example", false, "a list"),
        (
            "other.example,store.example",
            false,
            "a list, the other way round",
        ),
        ("store..example", false, "an empty label"),
        ("store.example..", false, "two last dots"),
        ("store.example:80:80", false, "two ports"),
        ("store.example:x", false, "a port that is no number"),
        ("store%2eexample", false, "an encoded dot"),
        ("store.example/", false, "a slash"),
        ("[store.example]", false, "brackets"),
        ("st\u{f6}re.example", false, "a letter beyond ASCII"),
    ];
    let rows = table.into_iter().map(|(host, same, why)| Row {
        shown: format!("Host: {host}"),
        why: why.to_owned(),
        expected: same_or_ambiguous(same),
        make: Box::new(move |token| {
            with_token(Request::new("PUT", PATH).header("Host", host), token).body("x")
        }),
    });
    rows.collect()
}

fn same_or_ambiguous(same: bool) -> String {
    if same { "same" } else { "400 ambiguous" }.to_owned()
}

fn with_token(request: Request, token: Token<'_>) -> Request {
    match token {
        Some((token, holder)) => request
            .header("Fencing-Token", token)
            .header("Fencing-Holder", holder),
        None => request,
    }
}

/// `\xNN` is one byte.
fn unescaped(text: &str) -> Vec<u8> {
    let mut parts = text.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (digits, rest) = part.split_at(2);
        bytes.push(u8::from_str_radix(digits, 16).expect("two digits"));
        bytes.extend_from_slice(rest.as_bytes());
    }
    bytes
}

/// Sends rows to one Envoy and watches its store.
pub struct Probe<'a> {
    /// The fenced listener.
    pub address: SocketAddr,
    /// The store behind it.
    pub origin: &'a Origin,
    /// How requests travel.
    pub wire: Wire,
}

impl Probe<'_> {
    /// Sends one request and says what became of it.
    ///
    /// # Panics
    /// When it reached the store and was refused all the same, or the store saw it twice.
    pub fn send(&self, request: &Request) -> Outcome {
        let before = self.origin.journal().entries.len();
        let answer = self.wire.send(self.address, request);
        let journal = self.origin.journal();
        let by_store = |answer: &Answer| answer.text("x-envoy-upstream-service-time").is_some();
        let by_store = answer.as_ref().is_ok_and(by_store);
        let outcome = outcome_of(answer);
        match (&outcome, &journal.entries[before..]) {
            // The store's HTTP library refuses some bytes before the store sees the request.
            (Outcome::Envoy(_), []) if by_store => Outcome::Reached(Arrived::default()),
            (Outcome::Refused(..) | Outcome::Closed | Outcome::Envoy(_), []) => outcome,
            (Outcome::Envoy(_), [entry]) if by_store => {
                let hosts: Vec<&str> = entry.values("host").collect();
                Outcome::Reached(Arrived {
                    host: hosts.join(","),
                    path: entry.path.clone(),
                })
            }
            other => panic!("{other:?}"),
        }
    }

    /// Sends a row with the right token.
    pub fn with_grant(&self, row: &Row, grant: &Grant) -> Outcome {
        self.send(&(row.make)(Some((&grant.token, &grant.holder))))
    }

    /// Sends a row without a token.
    pub fn bare(&self, row: &Row) -> Outcome {
        self.send(&(row.make)(None))
    }
}

fn outcome_of(answer: io::Result<Answer>) -> Outcome {
    let Ok(answer) = answer else {
        return Outcome::Closed;
    };
    let problem = answer.json();
    let named = problem["type"].as_str().unwrap_or_default();
    if !named.starts_with("urn:fencegate:") {
        return Outcome::Envoy(answer.status);
    }
    let resource = problem["resource"].as_str().map(str::to_owned);
    Outcome::Refused(answer.status, answer.reason(), resource)
}
