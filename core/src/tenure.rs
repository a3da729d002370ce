//! The holder's side: how long may I believe that I hold the lease?
//!
//! A holder learns that its lease is over from its own timer, with no message from anyone. What
//! it counts from is the time it *sent* the request: the answer may have been on its way for any
//! length of time.
//!
//! ```text
//!   Idle --granted--> Active --renewed(kept)--> Active
//!                       |---- deadline, or renewed(lost) ----> Stopped
//!                       \---- release_sent ----> Releasing --released--> Stopped
//! ```
//!
//! Use a clock that goes on while the machine is suspended (`CLOCK_BOOTTIME` on Linux).

use crate::moment::Moment;
use crate::token::Token;
use core::time::Duration;
use serde::{Deserialize, Serialize};

/// How far the holder's clock can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Caution {
    /// By how many millionths the two clocks' rates may differ; 1,000,000 or more trusts nothing.
    pub rate_error_ppm: u32,
    /// What is subtracted besides: the time from "may I?" to the write's arrival.
    pub slack: Duration,
}

/// What an answer says of the lease. Both durations refer to one instant and count from the
/// arrival of the request that is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Left {
    /// How long the request waited before the instant.
    pub waited: Duration,
    /// What was left at the instant.
    pub left: Duration,
}

/// The answer to a renewal, as the holder got it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenewAnswer {
    /// It is still held.
    Kept(Left),
    /// It is not.
    Lost,
    /// No answer, or an error: that is no proof of loss. Ask again until the deadline.
    Unknown,
}

/// A change that the holder's work must follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It may write, with this token.
    Started(Token),
    /// It must not write any more. Told exactly once for each `Started`.
    Stopped(Token, Why),
}

/// Why a tenure ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The deadline passed without a renewal.
    Abdicated,
    /// The issuer said that the lease is lost.
    Lost,
    /// The holder gave it back.
    Released,
}

/// One holder's belief about one lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tenure {
    caution: Caution,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum State {
    Idle,
    Active {
        token: Token,
        until: Moment,
    },
    /// Stopped, but the issuer may not know: the release must be repeated until it is answered
    /// or the lease has run out.
    Releasing {
        token: Token,
        until: Moment,
    },
}

impl Tenure {
    /// A holder that holds nothing.
    #[must_use]
    pub const fn new(caution: Caution) -> Self {
        Self {
            caution,
            state: State::Idle,
        }
    }

    /// The latest moment up to which `left`, answered to a request sent at `sent`, may be believed.
    #[must_use]
    pub fn believable_until(&self, sent: Moment, left: Left) -> Moment {
        let Caution {
            rate_error_ppm,
            slack,
        } = self.caution;
        let trusted = 1_000_000_u32.saturating_sub(rate_error_ppm);
        let span = left.waited.saturating_add(left.left);
        // Divided first: it rounds down, and cannot overflow.
        let span = span
            .checked_div(1_000_000)
            .unwrap_or_default()
            .saturating_mul(trusted);
        sent.after(span.saturating_sub(slack))
    }

    /// Takes the grant of `token`, answered to an acquire sent at `sent`; `None` if it arrived
    /// dead, or if the holder is active already.
    pub fn granted(&mut self, token: Token, sent: Moment, left: Left, now: Moment) -> Option<Turn> {
        let until = self.believable_until(sent, left);
        if now >= until || matches!(self.state, State::Active { .. }) {
            return None;
        }
        self.state = State::Active { token, until };
        Some(Turn::Started(token))
    }

    /// Takes the answer to a renewal sent at `sent`.
    ///
    /// An answer that comes after the deadline revives nothing: the work has been stopped.
    pub fn renewed(&mut self, sent: Moment, answer: RenewAnswer, now: Moment) -> Option<Turn> {
        if let Some(stopped) = self.tick(now) {
            return Some(stopped);
        }
        let State::Active { token, until } = self.state else {
            return None;
        };
        match answer {
            RenewAnswer::Unknown => None,
            RenewAnswer::Lost => self.stop(token, Why::Lost),
            RenewAnswer::Kept(left) => {
                let until = until.max(self.believable_until(sent, left));
                self.state = State::Active { token, until };
                None
            }
        }
    }

    /// Whether a write may be sent at `now`: from memory, without asking anyone.
    #[must_use]
    pub fn may_write(&self, now: Moment) -> Option<Token> {
        match self.state {
            State::Active { token, until } if now < until => Some(token),
            _ => None,
        }
    }

    /// When [`Self::tick`] must be called at the latest.
    #[must_use]
    pub const fn deadline(&self) -> Option<Moment> {
        match self.state {
            State::Active { until, .. } | State::Releasing { until, .. } => Some(until),
            State::Idle => None,
        }
    }

    /// Looks at the clock: abdicates when the deadline has passed.
    pub fn tick(&mut self, now: Moment) -> Option<Turn> {
        match self.state {
            State::Active { token, until } if now >= until => self.stop(token, Why::Abdicated),
            State::Releasing { until, .. } if now >= until => {
                self.state = State::Idle;
                None
            }
            _ => None,
        }
    }

    /// The holder stops and sends a release.
    pub fn release_sent(&mut self, now: Moment) -> Option<Turn> {
        if let Some(stopped) = self.tick(now) {
            return Some(stopped);
        }
        let State::Active { token, until } = self.state else {
            return None;
        };
        self.state = State::Releasing { token, until };
        Some(Turn::Stopped(token, Why::Released))
    }

    /// The token whose release is not answered yet: repeat it.
    #[must_use]
    pub fn release_unknown(&self, now: Moment) -> Option<Token> {
        match self.state {
            State::Releasing { token, until } if now < until => Some(token),
            _ => None,
        }
    }

    /// The release was answered, in whatever way.
    pub fn released(&mut self) {
        if matches!(self.state, State::Releasing { .. }) {
            self.state = State::Idle;
        }
    }

    fn stop(&mut self, token: Token, why: Why) -> Option<Turn> {
        self.state = State::Idle;
        Some(Turn::Stopped(token, why))
    }
}
