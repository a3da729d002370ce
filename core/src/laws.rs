//! The laws that speak of histories: an observer is fed with what happened and names the law
//! that was broken.
//!
//! It knows nothing of how an answer came about: a simulator, a search over interleavings and a
//! client that hammers a real proxy feed it alike. It has no clock. What it needs instead is what
//! was known when a request was *sent* ([`Observer::asking`]): an answer may overtake another
//! one, and only what was answered before a request was sent binds the answer to it.

mod asked;
mod history;
mod observer;

pub use asked::Asked;
pub use observer::Observer;

use crate::check::Access;
use crate::token::Token;
use core::fmt;

/// A law that a history can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Law {
    /// `tokens_only_rise`
    TokensOnlyRise,
    /// `mark_never_falls`
    MarkNeverFalls,
    /// `stale_never_admitted`
    StaleNeverAdmitted,
    /// `equal_token_one_holder`
    EqualTokenOneHolder,
    /// `unknown_is_not_empty`
    UnknownIsNotEmpty,
    /// `holder_stops_in_time`
    HolderStopsInTime,
}

impl Law {
    /// Every law that an [`Observer`] looks after.
    pub const ALL: [Self; 6] = [
        Self::TokensOnlyRise,
        Self::MarkNeverFalls,
        Self::StaleNeverAdmitted,
        Self::EqualTokenOneHolder,
        Self::UnknownIsNotEmpty,
        Self::HolderStopsInTime,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TokensOnlyRise => "tokens_only_rise",
            Self::MarkNeverFalls => "mark_never_falls",
            Self::StaleNeverAdmitted => "stale_never_admitted",
            Self::EqualTokenOneHolder => "equal_token_one_holder",
            Self::UnknownIsNotEmpty => "unknown_is_not_empty",
            Self::HolderStopsInTime => "holder_stops_in_time",
        }
    }

    /// What it says.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::TokensOnlyRise => {
                "Two grants of one resource never carry the same token, and within one start of the issuer they only rise."
            }
            Self::MarkNeverFalls => "A mark that was seen or answered is never seen lower again.",
            Self::StaleNeverAdmitted => {
                "Once a token was granted, claimed or admitted to write, no token below it is admitted, and none of an earlier start."
            }
            Self::EqualTokenOneHolder => {
                "A token is admitted again only for the holder it is bound to, and an unnamed holder equals nobody."
            }
            Self::UnknownIsNotEmpty => {
                "A mark that is lost, unreadable or unreachable is never read as no mark: nothing is granted or admitted."
            }
            Self::HolderStopsInTime => {
                "No holder believes that it may write once somebody else was granted."
            }
        }
    }
}

/// Whose tokens a history is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tokens {
    /// The issuer's whose starts are observed: only what it granted may ever be admitted.
    Ours,
    /// Somebody else's. After a restart of the authority nothing of before is known.
    External,
}

/// Something that happened. An answer counts when it is received.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A lease was granted, or the same grant answered again to the same request id.
    Granted {
        /// Of what.
        resource: &'a str,
        /// With this token.
        token: Token,
        /// To whom.
        holder: &'a str,
        /// The request that it answers.
        request_id: Option<&'a str>,
    },
    /// A lease was broken: the mark was raised to a token that nobody holds.
    Broken {
        /// Whose lease.
        resource: &'a str,
        /// The mark since.
        token: Token,
    },
    /// A claim was answered with success.
    Claimed {
        /// Of what.
        resource: &'a str,
        /// The claimed token.
        token: Token,
        /// By whom.
        holder: Option<&'a str>,
    },
    /// A request was admitted.
    Admitted {
        /// To what.
        resource: &'a str,
        /// With this token.
        token: Token,
        /// Of whom.
        holder: Option<&'a str>,
        /// Whether it writes.
        access: Access,
    },
    /// The authority, or an answer, said what the mark is; `None`: "none yet".
    Mark {
        /// Of what.
        resource: &'a str,
        /// The mark.
        mark: Option<Token>,
    },
    /// What is kept of the resource cannot be read, from now on.
    Unreadable {
        /// Of what.
        resource: &'a str,
    },
    /// It can be read again.
    Readable {
        /// Of what.
        resource: &'a str,
    },
    /// A holder believes, at this true instant, that it may write.
    Believes {
        /// What.
        resource: &'a str,
        /// With this token.
        token: Token,
    },
    /// The authority started anew, with nothing of before.
    Restarted,
}

/// A law that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The law.
    pub law: Law,
    /// The resource it was broken for.
    pub resource: String,
    /// The token that should not have been answered.
    pub token: Option<Token>,
    /// The token that it was held against, where there is one.
    pub against: Option<Token>,
}

impl<'a> Event<'a> {
    /// What it is about; `None` for a restart, which is about everything.
    #[must_use]
    pub const fn resource(&self) -> Option<&'a str> {
        match *self {
            Self::Granted { resource, .. }
            | Self::Broken { resource, .. }
            | Self::Claimed { resource, .. }
            | Self::Admitted { resource, .. }
            | Self::Mark { resource, .. }
            | Self::Unreadable { resource }
            | Self::Readable { resource }
            | Self::Believes { resource, .. } => Some(resource),
            Self::Restarted => None,
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is broken for {}", self.law.name(), self.resource)?;
        if let Some(token) = self.token {
            write!(f, " by {token}")?;
        }
        if let Some(against) = self.against {
            write!(f, " against {against}")?;
        }
        write!(f, ". {}", self.law.sentence())
    }
}

impl core::error::Error for Violation {}
