//! How a request ended.

use crate::lease::{Acquired, Broken, Owned, Released, Renewed};
use crate::quorum::heard::InForce;
use crate::quorum::kept::Kept;
use crate::quorum::known::Known;
use crate::verdict::{Fault, Verdict};

/// How a request ended, in the words of its operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Of a check.
    Verdict(Verdict),
    /// Of an acquire. What is left counts from now; what was waited is the driver's to count, from
    /// when the request arrived.
    Acquired(Acquired),
    /// Of a renewal.
    Renewed(Renewed),
    /// Of a release.
    Released(Released),
    /// Of a break.
    Broken(Broken),
    /// What is kept; `None`: nothing yet.
    Looked(Result<Option<Looked>, Fault>),
    /// Whether leases are granted.
    Ready(Result<(), Fault>),
}

/// What is kept of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looked {
    /// The record.
    pub kept: Kept,
    /// Whether the lease runs, or its lock delay does: for how long yet, nobody knows.
    pub locked: bool,
    /// Whether it is of an earlier incarnation of the authority, so that it admits nothing.
    pub of_earlier_epoch: bool,
}

impl Looked {
    pub(super) fn of(known: &Known, in_force: InForce) -> Option<Self> {
        let kept = known.kept()?;
        Some(Self {
            kept: kept.clone(),
            locked: known.lock().is_some(),
            of_earlier_epoch: kept.grant.is_some() && kept.token.epoch() < in_force.init.epoch,
        })
    }
}

impl Outcome {
    /// Why it could not be decided; `None`: it was.
    #[must_use]
    pub const fn fault(&self) -> Option<Fault> {
        match self {
            Self::Verdict(Verdict::Undecided(fault))
            | Self::Acquired(Acquired::Undecided(fault))
            | Self::Renewed(Owned::Undecided(fault))
            | Self::Released(Owned::Undecided(fault))
            | Self::Broken(Broken::Undecided(fault))
            | Self::Looked(Err(fault))
            | Self::Ready(Err(fault)) => Some(*fault),
            _ => None,
        }
    }
}
