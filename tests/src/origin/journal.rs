//! What reached the origin: every request, how much of its body, and what was applied, in order.
//!
//! The journal is a witness. It is written before anything is judged or applied, and it counts the
//! bytes of a body as they come in, so that "not one byte arrived" can be read off it, also for a
//! request whose body never ended. It grows with the traffic: it is made for tests and for a demo.

use serde::{Deserialize, Serialize};

/// How much of a body is kept, in bytes, to be shown to a person.
const BODY_START_BYTES: usize = 120;

/// Everything that an origin received since it was started.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Journal {
    /// The requests in the order in which their headers arrived; `entries[n].sequence == n`.
    pub entries: Vec<Entry>,
    /// The sequence numbers of the writes that were applied, in the order of their versions.
    pub applied: Vec<usize>,
}

/// One request as far as it was received.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Its place in the order of arrival, from 0.
    pub sequence: usize,
    /// The method.
    pub method: String,
    /// The path with its query, as sent.
    pub path: String,
    /// Every header line in order, names in lower case; each byte of a value is one `char`.
    pub headers: Vec<(String, String)>,
    /// How many bytes of the body arrived.
    pub body_bytes: u64,
    /// The body's first bytes, each one `char`.
    pub body_start: String,
    /// Whether the body arrived to its end.
    pub body_complete: bool,
    /// The answer's status, once there was one.
    pub status: Option<u16>,
    /// The version that this request wrote, if it was applied.
    pub version: Option<u64>,
}

impl Journal {
    /// The requests that carried `token` in any `Fencing-Token` header.
    pub fn with_token<'a>(&'a self, token: &'a str) -> impl Iterator<Item = &'a Entry> {
        self.entries
            .iter()
            .filter(move |entry| entry.values("fencing-token").any(|value| value == token))
    }

    /// The requests whose path (with query) is `path`.
    pub fn at_path<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a Entry> {
        self.entries.iter().filter(move |entry| entry.path == path)
    }

    /// The writes that were applied, in the order of their versions.
    pub fn applied_writes(&self) -> impl Iterator<Item = &Entry> {
        self.applied.iter().map(|sequence| &self.entries[*sequence])
    }

    pub(super) fn begin(
        &mut self,
        method: String,
        path: String,
        headers: Vec<(String, String)>,
    ) -> usize {
        let sequence = self.entries.len();
        self.entries.push(Entry {
            sequence,
            method,
            path,
            headers,
            body_bytes: 0,
            body_start: String::new(),
            body_complete: false,
            status: None,
            version: None,
        });
        sequence
    }

    pub(super) fn body_arrived(&mut self, sequence: usize, bytes: &[u8]) {
        let entry = &mut self.entries[sequence];
        let room = BODY_START_BYTES
            .saturating_sub(entry.body_bytes as usize)
            .min(bytes.len());
        entry.body_start.push_str(&text(&bytes[..room]));
        entry.body_bytes += bytes.len() as u64;
    }

    pub(super) fn body_ended(&mut self, sequence: usize) {
        self.entries[sequence].body_complete = true;
    }

    pub(super) fn applied(&mut self, sequence: usize, version: u64) {
        self.entries[sequence].version = Some(version);
        self.applied.push(sequence);
    }

    pub(super) fn answered(&mut self, sequence: usize, status: u16) {
        self.entries[sequence].status = Some(status);
    }
}

impl Entry {
    /// The values of every line of one header; `name` in lower case.
    pub fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.headers
            .iter()
            .filter(move |(found, _)| found == name)
            .map(|(_, value)| value.as_str())
    }
}

/// Bytes as text, one `char` a byte, so that nothing is lost or replaced.
pub(super) fn text(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

/// The bytes that [`text`] was made of.
pub(super) fn bytes(text: &str) -> Vec<u8> {
    text.chars()
        .map(|char| u8::try_from(u32::from(char)).unwrap_or(b'?'))
        .collect()
}
