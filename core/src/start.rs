//! One start of an issuer that keeps everything in memory.
//!
//! After a restart nothing is known of earlier tokens, so none of them may ever be drawn again:
//! the epoch is the wall second after the start, and no token is drawn before that second has
//! come. A wall clock can be stepped back, so numbers begin at a random base as well: a second
//! that comes twice does not repeat a token. Order across starts is not relied upon, since our
//! rule of judgement admits only the token that equals the record's grant.

use crate::codec::{Garbled, checksum, take};
use crate::moment::Moment;
use crate::token::Token;
use core::time::Duration;
use serde::{Deserialize, Serialize};

const FORMAT: u8 = 1;
const BASE_MAX: u64 = (1 << 62) - 1;

/// What one start of the issuer is made of. The epoch and the last number are one value, so
/// that they are replaced together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    epoch: u32,
    last: u64,
    began: Moment,
    opens: Moment,
}

/// Why no start can be made, or no token drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartError {
    /// The wall clock is past the last second that an epoch can name (in the year 2106).
    EpochOverflow,
    /// Every number of this epoch was drawn.
    NumbersUsedUp,
}

impl Start {
    /// A start at `wall` (time since 1970 by the wall clock) and `now` (monotonic), with its base
    /// taken from `random`.
    ///
    /// # Errors
    /// [`StartError::EpochOverflow`].
    pub fn new(wall: Duration, now: Moment, random: u64) -> Result<Self, StartError> {
        let epoch = wall
            .as_secs()
            .checked_add(1)
            .and_then(|second| u32::try_from(second).ok())
            .ok_or(StartError::EpochOverflow)?;
        let into_second = Duration::from_nanos(wall.subsec_nanos().into());
        Ok(Self {
            epoch,
            last: random & BASE_MAX,
            began: now,
            opens: now.after(Duration::from_secs(1).saturating_sub(into_second)),
        })
    }

    /// How long from `now` until tokens may be drawn, where leases of before may go on for
    /// `quarantine` after the start; `None`: they may.
    #[must_use]
    pub fn closed_for(&self, quarantine: Duration, now: Moment) -> Option<Duration> {
        let opens = self.opens.max(self.began.after(quarantine));
        (now < opens).then(|| opens.since(now))
    }

    /// The next token, and the start to put in place of this one *before* the token is used.
    ///
    /// # Errors
    /// [`StartError::NumbersUsedUp`].
    pub fn draw(&self) -> Result<(Token, Self), StartError> {
        let last = self.last.checked_add(1).ok_or(StartError::NumbersUsedUp)?;
        let token = Token::new(self.epoch, last).ok_or(StartError::NumbersUsedUp)?;
        Ok((token, Self { last, ..*self }))
    }

    /// The start as bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = vec![FORMAT];
        out.extend_from_slice(&self.epoch.to_le_bytes());
        for number in [self.last, self.began.nanos(), self.opens.nanos()] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        let sum = checksum(&out);
        out.extend_from_slice(&sum);
        out
    }

    /// Reads what [`Self::encode`] wrote.
    ///
    /// # Errors
    /// [`Garbled`], if it is anything else.
    pub fn decode(bytes: &[u8]) -> Result<Self, Garbled> {
        let (body, sum) = bytes.split_last_chunk::<8>().ok_or(Garbled)?;
        let mut rest = body;
        let [format] = take(&mut rest)?;
        if checksum(body) != *sum || format != FORMAT {
            return Err(Garbled);
        }
        let start = Self {
            epoch: u32::from_le_bytes(take(&mut rest)?),
            last: u64::from_le_bytes(take(&mut rest)?),
            began: Moment::from_nanos(u64::from_le_bytes(take(&mut rest)?)),
            opens: Moment::from_nanos(u64::from_le_bytes(take(&mut rest)?)),
        };
        if rest.is_empty() {
            Ok(start)
        } else {
            Err(Garbled)
        }
    }
}
