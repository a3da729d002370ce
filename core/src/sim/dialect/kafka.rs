//! Kafka: a transactional producer has an id and an epoch. `InitProducerId` raises the epoch, and
//! brokers refuse what carries a lower one. Each write has a sequence number beside.

use crate::token::Token;
use core::fmt;

/// A producer and its epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Producer {
    /// The producer id: another one only when the epochs are used up.
    pub id: u32,
    /// The epoch, from 0; it is signed in the protocol, so it ends at 32767.
    pub epoch: u16,
}

impl Producer {
    /// As a token; `None` where the system has no such number.
    #[must_use]
    pub const fn token(self) -> Option<Token> {
        if self.epoch > 0x7fff {
            return None;
        }
        // Epoch 0 is an epoch, but 0 is no token.
        Token::new(self.id, (self.epoch as u64).saturating_add(1))
    }

    /// What a token stands for.
    #[must_use]
    pub fn of(token: Token) -> Self {
        let epoch = token.number().saturating_sub(1);
        Self {
            id: token.epoch(),
            epoch: u16::try_from(epoch).unwrap_or(u16::MAX),
        }
    }
}

impl fmt::Display for Producer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "producer {} epoch {}", self.id, self.epoch)
    }
}
