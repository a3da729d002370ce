//! What can be said of a request: admitted, rejected for a reason, or not decided because of a fault.
//!
//! The words are stable: they are the `reason` of answers and the names of counters.

use crate::token::Token;
use core::time::Duration;
use serde::{Deserialize, Serialize};

/// The answer to "may this request pass?".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Verdict {
    /// It may.
    Admit(Admission),
    /// It may not, and asking again with the same token changes nothing.
    Reject(Rejection),
    /// Nobody knows. Whoever asks must refuse.
    Undecided(Fault),
}

/// What an admitted request found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Admission {
    /// The mark after this request; `None` for a read of a resource that has none yet.
    pub mark: Option<Token>,
    /// Whether this request raised it.
    pub advanced: bool,
}

/// Why a request was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The reason.
    pub reason: Reason,
    /// The mark it was judged against, if there is one.
    pub mark: Option<Token>,
}

/// The reasons of a rejection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The token is below the mark: somebody newer was here.
    Stale,
    /// Nothing is granted for this resource: acquire first.
    NoGrant,
    /// The token is above everything that was granted for this resource.
    NeverIssued,
    /// The token is further above the mark than the configuration allows.
    JumpTooFar,
    /// The lease of this token was given back or broken.
    Released,
    /// The token is bound to another holder.
    HeldByAnother,
    /// The lease has ended, and the rule says that its token ends with it.
    LeaseEnded,
}

/// Why nothing could be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// Others changed the record faster than we could; ask again.
    Contended,
    /// The record is there and does not verify.
    Garbled,
    /// The record's place is not there although it must be.
    Missing,
    /// The authority does not answer, or refuses.
    Unreachable,
    /// There is no room for another resource.
    Full,
    /// A newer configuration is in force.
    Superseded,
    /// The issuer has just started: leases of before may still run.
    Starting(Duration),
    /// The issuer's next token would not be above the mark.
    IssuerBehind,
    /// The mark is new: for so long others may still trust an older one.
    Settling(Duration),
    /// The authority is not the one that it was: restored, wiped or another one.
    Replaced,
    /// The authority's window is not the one that this configuration expects.
    OtherWindow,
}

impl Reason {
    /// Every reason, in the order of the contract.
    pub const ALL: [Self; 7] = [
        Self::Stale,
        Self::NoGrant,
        Self::NeverIssued,
        Self::JumpTooFar,
        Self::Released,
        Self::HeldByAnother,
        Self::LeaseEnded,
    ];

    /// Its stable name.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Stale => "stale",
            Self::NoGrant => "no_grant",
            Self::NeverIssued => "never_issued",
            Self::JumpTooFar => "jump_too_far",
            Self::Released => "released",
            Self::HeldByAnother => "held_by_another",
            Self::LeaseEnded => "lease_ended",
        }
    }
}

impl Reason {
    /// The HTTP status that the contract gives it. A stale token is never a 409: clients of
    /// object stores repeat those by themselves.
    #[must_use]
    pub const fn status(self) -> u16 {
        match self {
            Self::Stale | Self::NoGrant | Self::Released | Self::LeaseEnded => 412,
            Self::NeverIssued | Self::JumpTooFar => 403,
            Self::HeldByAnother => 409,
        }
    }
}

impl Fault {
    /// The HTTP status that the contract gives every one of them.
    pub const STATUS: u16 = 503;

    /// One of every kind, for tables.
    pub const ALL: [Self; 11] = [
        Self::Contended,
        Self::Garbled,
        Self::Missing,
        Self::Unreachable,
        Self::Full,
        Self::Superseded,
        Self::Starting(Duration::ZERO),
        Self::IssuerBehind,
        Self::Settling(Duration::ZERO),
        Self::Replaced,
        Self::OtherWindow,
    ];

    /// Whether a check can meet it; the others come up where tokens are drawn.
    #[must_use]
    pub const fn is_of_checks(&self) -> bool {
        !matches!(self, Self::Starting(_) | Self::IssuerBehind)
    }

    /// Its stable name.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Contended => "contended",
            Self::Garbled => "garbled",
            Self::Missing => "missing",
            Self::Unreachable => "authority_unavailable",
            Self::Full => "full",
            Self::Superseded => "superseded",
            Self::Starting(_) => "starting",
            Self::IssuerBehind => "issuer_behind",
            Self::Settling(_) => "settling",
            Self::Replaced => "authority_replaced",
            Self::OtherWindow => "window_mismatch",
        }
    }
}

impl From<Fault> for Verdict {
    fn from(fault: Fault) -> Self {
        Self::Undecided(fault)
    }
}
