//! Why a request is refused before anybody looks at marks.

use core::fmt;

use crate::host_name::HostAmbiguity;
use crate::name::NameError;
use crate::path::PathAmbiguity;
use crate::request::{MethodFault, Several, Tunnel, Twofold};
use crate::token::TokenError;

/// Why a request is refused, with the detail that helps its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The path has several readings.
    Path(PathAmbiguity),
    /// The host has several readings.
    Authority(HostAmbiguity),
    /// The path of the destination has several readings.
    DestinationPath(PathAmbiguity),
    /// The host of the destination has several readings.
    DestinationAuthority(HostAmbiguity),
    /// The destination means another resource to a store that ignores the host in it.
    DestinationHost,
    /// The method is missing, doubled or no token.
    Method(MethodFault),
    /// The token is malformed.
    TokenMalformed(TokenError),
    /// The token has several readings.
    TokenAmbiguous(Twofold),
    /// The holder is malformed.
    HolderMalformed(NameError),
    /// The holder has several readings.
    HolderAmbiguous(Twofold),
    /// The path makes no valid resource.
    Resource(NameError),
    /// It writes to objects that its path does not name.
    Several(Several),
    /// It writes to two resources, and a token is good for one.
    TwoResources,
    /// What follows cannot be judged.
    Tunnel(Tunnel),
    /// A write in early data.
    EarlyData,
    /// There is no token.
    TokenRequired,
}

/// The `reason` of a refusal, as it stands in the answer, in logs and in counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// 400: it cannot be read.
    Malformed,
    /// 400: it can be read in more than one way.
    Ambiguous,
    /// 400: no token could make it safe.
    CannotBeFenced,
    /// 425: it may be a replay; send it again after the handshake.
    TooEarly,
    /// 428: send a token.
    TokenRequired,
}

impl Refusal {
    /// Which of the documented reasons it is.
    #[must_use]
    pub const fn reason(self) -> Reason {
        match self {
            Self::Method(MethodFault::Missing | MethodFault::Malformed)
            | Self::TokenMalformed(_)
            | Self::HolderMalformed(_)
            | Self::Resource(_) => Reason::Malformed,
            Self::Path(_)
            | Self::Authority(_)
            | Self::DestinationPath(_)
            | Self::DestinationAuthority(_)
            | Self::DestinationHost
            | Self::Method(MethodFault::Twice)
            | Self::TokenAmbiguous(_)
            | Self::HolderAmbiguous(_) => Reason::Ambiguous,
            Self::Several(_) | Self::TwoResources | Self::Tunnel(_) => Reason::CannotBeFenced,
            Self::EarlyData => Reason::TooEarly,
            Self::TokenRequired => Reason::TokenRequired,
        }
    }
}

impl Reason {
    /// Every reason, in the order of the contract.
    pub const ALL: [Self; 5] = [
        Self::Malformed,
        Self::Ambiguous,
        Self::CannotBeFenced,
        Self::TooEarly,
        Self::TokenRequired,
    ];

    /// The HTTP status that the contract gives it.
    #[must_use]
    pub const fn status(self) -> u16 {
        match self {
            Self::Malformed | Self::Ambiguous | Self::CannotBeFenced => 400,
            Self::TooEarly => 425,
            Self::TokenRequired => 428,
        }
    }

    /// Its stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::Ambiguous => "ambiguous",
            Self::CannotBeFenced => "cannot_be_fenced",
            Self::TooEarly => "too_early",
            Self::TokenRequired => "token_required",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(why) => write!(f, "the path is ambiguous: {why}"),
            Self::Authority(why) => write!(f, "the host is ambiguous: {why}"),
            Self::DestinationPath(why) => {
                write!(f, "the path of the destination is ambiguous: {why}")
            }
            Self::DestinationAuthority(why) => {
                write!(f, "the host of the destination is ambiguous: {why}")
            }
            Self::DestinationHost => f.write_str(
                "the destination is another resource to a store that ignores the host in it",
            ),
            Self::Method(why) => why.fmt(f),
            Self::TokenMalformed(why) => why.fmt(f),
            Self::TokenAmbiguous(why) => write!(f, "the token is ambiguous: {why}"),
            Self::HolderMalformed(why) => write!(f, "the holder is malformed: {why}"),
            Self::HolderAmbiguous(why) => write!(f, "the holder is ambiguous: {why}"),
            Self::Resource(why) => write!(f, "the path makes no valid resource: {why}"),
            Self::Several(why) => why.fmt(f),
            Self::TwoResources => {
                f.write_str("it writes to two resources, and a token is good for one")
            }
            Self::Tunnel(why) => why.fmt(f),
            Self::EarlyData => {
                f.write_str("a write in TLS early data may be a replay; send it again")
            }
            Self::TokenRequired => f.write_str("a write here carries a fencing token"),
        }
    }
}
