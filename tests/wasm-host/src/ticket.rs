//! One request as the proxy and its client see it.

use crate::client::{Composed, Meaning};
use core::fmt;
use fencegate_core::laws::Asked;

/// Names a request.
pub type TicketId = usize;

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Nothing yet.
    Open,
    /// It went on to the origin.
    Forwarded,
    /// It was answered by the filter.
    Answered,
}

/// Which configuration a filter has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Configured {
    /// Its generation.
    pub generation: u32,
    /// Its mapping.
    pub mapping: u8,
}

/// One request.
#[derive(Clone, Debug)]
pub struct Ticket {
    /// Its bytes and their meaning.
    pub sent: Composed,
    /// The filter that got it; `None`: one without a configuration.
    pub filter: Option<Configured>,
    /// What was known when it could be decided first.
    pub asked: Asked,
    /// The newest configuration that had decided something by then.
    pub in_force: Option<Configured>,
    /// When it was sent.
    pub sent_at: u64,
    /// Whether the filter was told that it begins, and not that it is over.
    pub alive: bool,
    /// When the filter had seen the first of it.
    pub arrived_at: Option<u64>,
    /// Whether its headers came.
    pub headers_came: bool,
    /// Whether its end came after its headers.
    pub end_came: bool,
    /// How much of its body is there.
    pub body_len: usize,
    /// What became of it.
    pub fate: Fate,
    /// The proxy did something for which no answer can be expected.
    pub excused: bool,
    /// Its headers were handed over as they are.
    pub headers_sound: bool,
    /// Its body was handed over as it is.
    pub body_sound: bool,
    /// The last reading of a record for it: whether it was sound.
    pub record_sound: Option<bool>,
    /// Whether any reading of a record for it was sound.
    pub once_sound: bool,
    /// Whether the last writing of a record for it was said to have failed.
    pub store_failed: bool,
    /// How often it was counted as admitted.
    pub counted_admitted: u32,
    /// The decision left for the log.
    pub logged: Option<String>,
}

impl Ticket {
    /// A request that was just sent.
    #[must_use]
    pub fn new(sent: Composed, filter: Option<Configured>, sent_at: u64) -> Self {
        Self {
            sent,
            filter,
            asked: Asked::default(),
            in_force: None,
            sent_at,
            alive: false,
            arrived_at: None,
            headers_came: false,
            end_came: false,
            body_len: 0,
            fate: Fate::Open,
            excused: false,
            headers_sound: true,
            body_sound: true,
            record_sound: None,
            once_sound: false,
            store_failed: false,
            counted_admitted: 0,
            logged: None,
        }
    }

    /// Until when it waits for a lease, if it does.
    #[must_use]
    pub fn waits_until(&self) -> Option<u64> {
        match self.sent.meaning {
            Meaning::Acquire {
                wait_ms: wait_ms @ 1..,
                ..
            } => Some(
                self.arrived_at?
                    .saturating_add(u64::from(wait_ms) * 1_000_000),
            ),
            _ => None,
        }
    }

    /// Whether what it was decided by is surely known.
    #[must_use]
    pub fn is_surely_known(&self) -> bool {
        if self.waits_until().is_some() {
            // Once it is decided, its place in the queue is given up: that may fail.
            return self.once_sound;
        }
        self.record_sound == Some(true) && !self.store_failed
    }
}

/// As it is told in the story of a breach.
impl fmt::Display for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        for (name, value) in &self.sent.headers {
            write!(f, "{}={} ", text(name), text(value))?;
        }
        let body = self.sent.body.get(..200).unwrap_or(&self.sent.body);
        let (filter, sound) = (self.filter, self.record_sound);
        write!(
            f,
            "{:?} (by {filter:?}, record sound: {sound:?})",
            text(body)
        )
    }
}
