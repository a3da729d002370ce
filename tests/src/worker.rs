//! What the story's worker says and writes: the part that the `worker` program and the story share.

use serde::{Deserialize, Serialize};

/// The exit code of a worker that was fenced and stopped.
pub const EXIT_FENCED: u8 = 3;

/// How many lines each half of a report has.
const LINES_PER_HALF: u32 = 12;

/// One thing that happened to a worker; one line of JSON on its standard output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// Somebody else holds the lease, or the issuer is not ready; it asks again after that time.
    Waiting {
        /// The reason that was given.
        reason: String,
        /// How long it waits, in milliseconds.
        retry_after_ms: u64,
    },
    /// The lease is its own.
    Acquired {
        /// The fencing token that came with it.
        token: String,
        /// How long the lease lasts, in milliseconds.
        ttl_ms: u64,
    },
    /// Half of the report is there.
    HalfReady,
    /// All of the report is there.
    WholeReady,
    /// It sends what it has to the store.
    Writing {
        /// How many bytes.
        bytes: usize,
        /// With which token.
        token: String,
    },
    /// The answer to its write.
    Answered {
        /// The status.
        status: u16,
        /// The media type of the body, if there is one.
        content_type: Option<String>,
        /// The body as text.
        body: String,
    },
    /// It was told that it is not the holder any more, and stops.
    Stopped,
    /// It was told the same, and tries again with the old token all the same.
    Insists,
    /// It gave its lease back.
    Released {
        /// The status of the answer: 200, or 410 when the lease was its own no longer.
        status: u16,
    },
}

/// The first half of the report that the worker `name` makes of `resource`: not a report yet.
pub fn half_report(resource: &str, name: &str) -> String {
    let lines = (1..=LINES_PER_HALF).map(|line| format!("{name}: finding {line} of {resource}\n"));
    format!("report on {resource}, made by {name}\n") + &lines.collect::<String>()
}

/// The whole report: both halves and its end.
pub fn whole_report(resource: &str, name: &str) -> String {
    let lines =
        (1..=LINES_PER_HALF).map(|line| format!("{name}: conclusion {line} on {resource}\n"));
    half_report(resource, name) + &lines.collect::<String>() + "end of the report\n"
}
