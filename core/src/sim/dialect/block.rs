//! Block storage: the control plane gives each attachment of a volume a generation, and the volume
//! accepts I/O of the newest one only; attaching to the same node again is a new one.

use crate::token::Token;
use core::fmt;

/// An attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Generation {
    /// Its generation, from 1.
    pub number: u64,
}

impl Generation {
    /// As a token; `None` where the system has no such number.
    #[must_use]
    pub const fn token(self) -> Option<Token> {
        Token::new(0, self.number)
    }

    /// What a token stands for.
    #[must_use]
    pub const fn of(token: Token) -> Self {
        Self {
            number: token.number(),
        }
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "generation {}", self.number)
    }
}
