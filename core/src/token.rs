//! The fencing token: a number that only rises, with the epoch of whoever issued it.
//!
//! Knows nothing of records, holders or time. Compared as numbers, never as text.

use core::fmt;
use core::num::NonZeroU64;
use core::str::FromStr;
use serde::{Deserialize, Serialize};

/// The fencing token of one grant.
///
/// Ordered by `epoch`, then `number`. The number is at least 1: a zero would be
/// read as "no token" somewhere down the line, so it is not one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Token {
    epoch: u32,
    number: NonZeroU64,
}

/// Why a text is not a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenError {
    /// Nothing between the separators.
    Empty,
    /// Something other than decimal digits and one dot: a sign, a space, a list, a second dot.
    NotDecimal,
    /// `007` and `7` would be one token with two spellings.
    LeadingZero,
    /// The number 0, or an epoch written as 0 (`0.7` is spelled `7`).
    Zero,
    /// Above 2^32 - 1 (epoch) or 2^64 - 1 (number).
    TooLarge,
}

impl Token {
    /// The longest text of a token, in bytes: ten digits, a dot, twenty digits.
    pub const TEXT_LEN_MAX: usize = 31;

    /// A token, or `None` for the number 0.
    #[must_use]
    pub const fn new(epoch: u32, number: u64) -> Option<Self> {
        match NonZeroU64::new(number) {
            Some(number) => Some(Self { epoch, number }),
            None => None,
        }
    }

    /// Which incarnation of the issuer it comes from; 0 where there is only one.
    #[must_use]
    pub const fn epoch(self) -> u32 {
        self.epoch
    }

    /// Its number within the epoch, at least 1.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.number.get()
    }

    /// Reads `42` or `2.41`.
    ///
    /// # Errors
    /// Every other spelling: see [`TokenError`].
    pub fn parse(text: &[u8]) -> Result<Self, TokenError> {
        let dot = text.iter().position(|&byte| byte == b'.');
        let (epoch, number) = match dot.and_then(|at| text.split_at_checked(at)) {
            None => (0, text),
            Some((epoch, rest)) => {
                let epoch = u32::try_from(decimal(epoch)?).map_err(|_| TokenError::TooLarge)?;
                if epoch == 0 {
                    return Err(TokenError::Zero);
                }
                (epoch, rest.strip_prefix(b".").unwrap_or(rest))
            }
        };
        Self::new(epoch, decimal(number)?).ok_or(TokenError::Zero)
    }
}

/// Decimal digits without a sign, a space or a leading zero.
fn decimal(text: &[u8]) -> Result<u64, TokenError> {
    match text {
        [] => return Err(TokenError::Empty),
        [b'0', _, ..] if text.iter().all(u8::is_ascii_digit) => {
            return Err(TokenError::LeadingZero);
        }
        _ => {}
    }
    text.iter().try_fold(0_u64, |sum, &byte| {
        if !byte.is_ascii_digit() {
            return Err(TokenError::NotDecimal);
        }
        sum.checked_mul(10)
            .and_then(|sum| sum.checked_add(u64::from(byte & 0x0f)))
            .ok_or(TokenError::TooLarge)
    })
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.epoch == 0 {
            write!(f, "{}", self.number)
        } else {
            write!(f, "{}.{}", self.epoch, self.number)
        }
    }
}

impl FromStr for Token {
    type Err = TokenError;

    fn from_str(text: &str) -> Result<Self, TokenError> {
        Self::parse(text.as_bytes())
    }
}

impl TryFrom<String> for Token {
    type Error = TokenError;

    fn try_from(text: String) -> Result<Self, TokenError> {
        text.parse()
    }
}

impl From<Token> for String {
    fn from(token: Token) -> Self {
        token.to_string()
    }
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "a token has decimal digits, like 42 or 2.41",
            Self::NotDecimal => "a token has decimal digits and at most one dot, like 42 or 2.41",
            Self::LeadingZero => "a token has no leading zero",
            Self::Zero => "neither a token's number nor a written epoch is 0",
            Self::TooLarge => "a token's epoch is below 2^32 and its number below 2^64",
        })
    }
}

impl core::error::Error for TokenError {}
