//! etcd: one revision counts all writes of the cluster. The revision of the write that created the
//! lock key is the token, so tokens have gaps.

use crate::token::Token;
use core::fmt;

/// A revision of the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Revision {
    /// Its number, from 1.
    pub number: u64,
}

impl Revision {
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

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "revision {}", self.number)
    }
}
