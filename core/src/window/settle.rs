//! From a mark that was raised to its answer: whoever answers a grant, a repeated request or a
//! claim, and whoever meets a record that its raiser never settled.
//!
//! ```text
//!   SitOut --woken, the wait is over--> Settling (put `settled`, if nothing else was put since)
//!                                          | stored, or perhaps not --> Answer
//!                                          \ conflict --> ReadAgain
//! ```

use super::clock::{Instants, RateError};
use super::knowledge::Knowledge;
use crate::machine::NotStored;
use crate::moment::Moment;
use crate::token::Token;

/// What the driver must do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum SettleStep {
    /// Wait until then by the monotonic clock alone: a suspended machine waits longer.
    SitOut(SitOut, Moment),
    /// Put `settled` on the record, under the version that was read.
    Settle(Settling),
    /// The token may be answered.
    Answer(Token),
    /// Read the record, and start again if it is still this token's.
    ReadAgain,
}

/// Waits until everybody else's older knowledge has run out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SitOut {
    token: Token,
}

/// Waits for `settled` to be put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settling {
    /// The token that is settled.
    pub token: Token,
    /// The version that the record must still have.
    pub version: u64,
}

impl SitOut {
    /// Starts for a `token` that was raised or found here.
    #[must_use]
    pub const fn new(token: Token) -> Self {
        Self { token }
    }

    /// Looks at the clock and at what is known.
    pub fn woken<T: Clone>(
        self,
        knowledge: &Knowledge<T>,
        rate: RateError,
        now: Instants,
    ) -> SettleStep {
        match (&knowledge.record, knowledge.settles(rate)) {
            (Some(record), Some(settles)) if record.token == self.token => {
                if record.settled {
                    SettleStep::Answer(self.token)
                } else if now.mono >= settles {
                    SettleStep::Settle(Settling {
                        token: self.token,
                        version: knowledge.version,
                    })
                } else {
                    SettleStep::SitOut(self, settles)
                }
            }
            _ => SettleStep::ReadAgain,
        }
    }
}

impl Settling {
    /// Takes the answer. The wait is over in any case, so the token may be answered even if nobody
    /// knows whether `settled` was stored; the next proxy then waits itself.
    pub const fn stored(self, answer: Result<(), NotStored>) -> SettleStep {
        match answer {
            Ok(()) | Err(NotStored::Failed(_)) => SettleStep::Answer(self.token),
            Err(NotStored::Conflict) => SettleStep::ReadAgain,
        }
    }
}
