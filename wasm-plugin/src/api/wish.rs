//! What a call of the lease API asks for, once its body was read and its caller may ask for it; and
//! what the authority says to that.
//!
//! All text is owned: an authority that is elsewhere answers when the request's body is gone.

use core::time::Duration;
use fencegate_core::lease::{Acquired, Broken, Released, Renewed};
use fencegate_core::quorum::Looked;
use fencegate_core::record::Record;
use fencegate_core::token::Token;
use fencegate_core::verdict::{Fault, Verdict};

/// What is asked for, of one resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// Its name.
    pub resource: String,
    /// What is to be done.
    pub deed: Deed,
}

/// What is to be done with a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Grant a lease.
    Acquire {
        /// Who asks.
        holder: String,
        /// Names this incarnation of the holder.
        request_id: Option<String>,
        /// Grant only if this is still the mark.
        expect_mark: Option<Token>,
        /// How long the lease is to run.
        ttl: Duration,
        /// How long to wait for it.
        wait: Duration,
    },
    /// Move a lease's end.
    Renew {
        /// Whose lease.
        holder: String,
        /// By its token.
        token: Token,
        /// How long from now it is to run.
        ttl: Duration,
    },
    /// End a lease.
    Release {
        /// Whose lease.
        holder: String,
        /// By its token.
        token: Token,
        /// Whether all of the holder's writes were answered.
        writes_answered: bool,
    },
    /// Raise the mark, or confirm it, without a write.
    Claim {
        /// Who claims.
        holder: Option<String>,
        /// With which token.
        token: Token,
    },
    /// End somebody else's lease.
    Break {
        /// Who says so.
        operator: String,
    },
    /// Tell what is kept.
    Look,
    /// Tell whether leases can be granted. Of no resource in particular.
    Ready,
    /// Tell what is kept of one resource after the other.
    List {
        /// Where to go on. Empty: at the start.
        after: String,
        /// About how many.
        limit: u16,
    },
}

impl Deed {
    /// The holder that it is for.
    #[must_use]
    pub fn holder(&self) -> Option<&str> {
        match self {
            Self::Acquire { holder, .. }
            | Self::Renew { holder, .. }
            | Self::Release { holder, .. } => Some(holder),
            Self::Claim { holder, .. } => holder.as_deref(),
            Self::Break { .. } | Self::Look | Self::Ready | Self::List { .. } => None,
        }
    }

    /// The token that it presents.
    #[must_use]
    pub const fn token(&self) -> Option<Token> {
        match self {
            Self::Renew { token, .. } | Self::Release { token, .. } | Self::Claim { token, .. } => {
                Some(*token)
            }
            _ => None,
        }
    }
}

/// What the authority says.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// To an acquire.
    Acquired(Acquired),
    /// To a renewal.
    Renewed(Renewed),
    /// To a release.
    Released(Released),
    /// To a claim.
    Claimed(Verdict),
    /// To a break.
    Broken(Broken),
    /// To a look, from memory.
    Found(Option<Record>),
    /// To a look, from elsewhere.
    Looked(Option<Looked>),
    /// To a question whether leases can be granted: yes.
    Ready,
    /// To a list: resources in JSON, with commas between them, and where to go on.
    Listed(String, Option<String>),
    /// To anything: nobody knows.
    Undecided(Fault),
}

impl From<Fault> for Outcome {
    fn from(fault: Fault) -> Self {
        Self::Undecided(fault)
    }
}
