//! Kinds of events that a visitor may jump between.

use fencegate_core::sim::laws::Law;
use fencegate_core::sim::told::{Explained, Told};

/// A kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A lease is granted.
    Grant,
    /// Something is written.
    Write,
    /// A write is rejected, by whoever checks or by the store's own condition.
    Rejection,
    /// Something befell somebody, or a message.
    Fault,
    /// A law is broken.
    Broken,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 5] = [
        Self::Grant,
        Self::Write,
        Self::Rejection,
        Self::Fault,
        Self::Broken,
    ];

    /// Whether an event is of this kind.
    #[must_use]
    pub fn fits(self, event: &Explained) -> bool {
        match self {
            Self::Broken => !event.broken.is_empty(),
            _ => event.told.iter().any(|told| self.is(told)),
        }
    }

    const fn is(self, told: &Told) -> bool {
        match self {
            Self::Grant => matches!(told, Told::Grants(_, _, _, false)),
            Self::Write => matches!(told, Told::Stores(..)),
            Self::Rejection => matches!(told, Told::Rejects(..) | Told::ConditionFails(_)),
            Self::Fault => matches!(
                told,
                Told::Befell(_) | Told::LostMessage(..) | Told::CameTwice(..) | Told::Delayed(..)
            ),
            Self::Broken => false,
        }
    }

    /// Whether a law speaks of the data itself.
    #[must_use]
    pub const fn is_of_the_data(law: Law) -> bool {
        matches!(
            law,
            Law::NoLostUpdate | Law::ReportStaysWhole | Law::NoDualWrite | Law::SealedAtTheOrigin
        )
    }
}
