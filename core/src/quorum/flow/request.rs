//! What is asked, with all its text owned: a request is paused while it is on its way.

use super::outcome::Outcome;
use crate::check::{Access, Presented};
use crate::lease::{Acquired, Broken, Owned};
use crate::quorum::transaction::LeaseId;
use crate::token::Token;
use crate::verdict::Fault;
use crate::window::{Instants, Whose};
use core::time::Duration;

/// One request on one resource.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Request {
    /// The resource.
    pub resource: String,
    /// What is wanted.
    pub wanted: Wanted,
    /// When it arrived.
    pub arrived: Instants,
    /// Drawn at random: names this attempt.
    pub nonce: u128,
    /// Drawn at random: the lease that it may have to ask for.
    pub lease: LeaseId,
}

/// Whoever presents a token.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bearer {
    /// The token.
    pub token: Token,
    /// The holder it claims to be.
    pub holder: Option<String>,
}

/// What is wanted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wanted {
    /// That it may pass; a claim is the check of a write.
    Check {
        /// What it presents.
        bearer: Bearer,
        /// Whether it writes.
        access: Access,
        /// Whose tokens they are.
        whose: Whose,
    },
    /// A lease: see [`crate::lease::Acquire`].
    Acquire {
        /// Who asks.
        holder: String,
        /// Names this incarnation of the holder.
        request_id: Option<String>,
        /// The mark that the caller has seen.
        expect_mark: Option<Token>,
        /// How long the lease is to run.
        ttl: Duration,
    },
    /// That a lease goes on: see [`crate::lease::Renew`].
    Renew {
        /// Whose lease.
        bearer: Bearer,
        /// How long from now it is to run.
        ttl: Duration,
    },
    /// That a lease ends: see [`crate::lease::Release`].
    Release {
        /// Whose lease.
        bearer: Bearer,
        /// Whether the holder says that all its writes were answered.
        writes_answered: bool,
    },
    /// That whatever lease there is ends: see [`crate::lease::Break`].
    Break,
    /// What is kept.
    Look,
    /// Whether leases are granted; of no resource in particular.
    Ready,
}

impl Bearer {
    pub(super) fn presented(&self) -> Presented<'_> {
        Presented {
            token: self.token,
            holder: self.holder.as_deref(),
        }
    }
}

impl Wanted {
    /// The outcome where it cannot be decided.
    pub(super) const fn failed(&self, fault: Fault) -> Outcome {
        match self {
            Self::Check { .. } => Outcome::Verdict(crate::verdict::Verdict::Undecided(fault)),
            Self::Acquire { .. } => Outcome::Acquired(Acquired::Undecided(fault)),
            Self::Renew { .. } => Outcome::Renewed(Owned::Undecided(fault)),
            Self::Release { .. } => Outcome::Released(Owned::Undecided(fault)),
            Self::Break => Outcome::Broken(Broken::Undecided(fault)),
            Self::Look => Outcome::Looked(Err(fault)),
            Self::Ready => Outcome::Ready(Err(fault)),
        }
    }
}
