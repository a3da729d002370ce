//! ZooKeeper: every change has a zxid, whose upper half is the leader's epoch and whose lower half
//! counts. The zxid that created a lock node (`czxid`) is the token.

use crate::token::Token;
use core::fmt;

/// A transaction id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Zxid {
    /// The leader's epoch.
    pub epoch: u32,
    /// The change within it, from 1.
    pub counter: u32,
}

impl Zxid {
    /// As a token; `None` where the system has no such number.
    #[must_use]
    pub const fn token(self) -> Option<Token> {
        Token::new(self.epoch, self.counter as u64)
    }

    /// What a token stands for.
    #[must_use]
    pub fn of(token: Token) -> Self {
        Self {
            epoch: token.epoch(),
            counter: u32::try_from(token.number()).unwrap_or(u32::MAX),
        }
    }
}

impl fmt::Display for Zxid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "zxid 0x{:x}{:08x}", self.epoch, self.counter)
    }
}
