//! Kubernetes: a Lease object counts how often its holder changed (`leaseTransitions`). The count
//! begins at 0 when the object was deleted and made anew, so it is a token only together with the
//! object's incarnation.

use crate::token::Token;
use core::fmt;

/// The transitions of one Lease object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Transitions {
    /// How often the object was made before: not its uid, which has no order.
    pub incarnation: u32,
    /// `leaseTransitions`, from 0.
    pub count: u32,
}

impl Transitions {
    /// As a token; `None` where the system has no such number.
    #[must_use]
    pub const fn token(self) -> Option<Token> {
        Token::new(self.incarnation, (self.count as u64).saturating_add(1))
    }

    /// What a token stands for.
    #[must_use]
    pub fn of(token: Token) -> Self {
        let count = token.number().saturating_sub(1);
        Self {
            incarnation: token.epoch(),
            count: u32::try_from(count).unwrap_or(u32::MAX),
        }
    }
}

impl fmt::Display for Transitions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "object {} transition {}", self.incarnation, self.count)
    }
}
