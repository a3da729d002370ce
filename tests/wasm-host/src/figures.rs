//! What was done, in numbers.

use core::fmt;
use std::collections::BTreeMap;

/// What was done, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Days.
    pub days: u64,
    /// Requests that came.
    pub requests: u64,
    /// Requests that went on to the origin.
    pub forwarded: u64,
    /// Of these, guarded ones.
    pub admitted: u64,
    /// Requests that the filter answered.
    pub answered: u64,
    /// Leases granted.
    pub granted: u64,
    /// Faults: whatever a good proxy does not do.
    pub faults: u64,
    /// Turns: steps that were done inside a host call of another instance.
    pub turns: u64,
    /// Host calls.
    pub calls: u64,
    /// Instances made.
    pub instances: u64,
    /// Answers by status.
    pub statuses: BTreeMap<u32, u64>,
}

impl Figures {
    /// Requests that were decided.
    #[must_use]
    pub const fn decisions(&self) -> u64 {
        self.forwarded + self.answered
    }

    /// Adds another day's figures.
    pub fn add(&mut self, other: &Self) {
        for (sum, more) in [
            (&mut self.days, other.days),
            (&mut self.requests, other.requests),
            (&mut self.forwarded, other.forwarded),
            (&mut self.admitted, other.admitted),
            (&mut self.answered, other.answered),
            (&mut self.granted, other.granted),
            (&mut self.faults, other.faults),
            (&mut self.turns, other.turns),
            (&mut self.calls, other.calls),
            (&mut self.instances, other.instances),
        ] {
            *sum += more;
        }
        for (status, count) in &other.statuses {
            *self.statuses.entry(*status).or_default() += count;
        }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "days {}, requests {}, decisions {} (admitted {}, granted {}), faults {}, turns {}, host calls {}",
            self.days,
            self.requests,
            self.decisions(),
            self.admitted,
            self.granted,
            self.faults,
            self.turns,
            self.calls
        )
    }
}
