//! The names of the laws that a world can break. What each says of a world is in [`super::laws`].

use crate::laws;
use serde::{Deserialize, Serialize};

/// A law that a world can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Law {
    /// [`laws::Law::TokensOnlyRise`]
    TokensOnlyRise,
    /// [`laws::Law::MarkNeverFalls`]
    MarkNeverFalls,
    /// [`laws::Law::StaleNeverAdmitted`]
    StaleNeverAdmitted,
    /// [`laws::Law::EqualTokenOneHolder`]
    EqualTokenOneHolder,
    /// [`laws::Law::UnknownIsNotEmpty`]
    UnknownIsNotEmpty,
    /// [`laws::Law::HolderStopsInTime`]
    HolderStopsInTime,
    /// Where writes are sealed, the store itself refuses what is older than what it has.
    SealedAtTheOrigin,
    /// Within the bound after a holder vanished, somebody is granted.
    SomeoneCanAcquire,
    /// The newest holder's write is never refused as too old.
    NewestNotRefused,
    /// No write lands on a version that its writer never saw.
    NoLostUpdate,
    /// A report that was whole stays whole, and its halves are by one writer, but for the newest
    /// holder's work under way.
    ReportStaysWhole,
    /// Once a newer holder's write landed, no older holder's does.
    NoDualWrite,
}

impl Law {
    /// The same law where histories are observed.
    #[must_use]
    pub const fn of_histories(self) -> Option<laws::Law> {
        Some(match self {
            Self::TokensOnlyRise => laws::Law::TokensOnlyRise,
            Self::MarkNeverFalls => laws::Law::MarkNeverFalls,
            Self::StaleNeverAdmitted => laws::Law::StaleNeverAdmitted,
            Self::EqualTokenOneHolder => laws::Law::EqualTokenOneHolder,
            Self::UnknownIsNotEmpty => laws::Law::UnknownIsNotEmpty,
            Self::HolderStopsInTime => laws::Law::HolderStopsInTime,
            _ => return None,
        })
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.of_histories() {
            Some(law) => law.name(),
            None => match self {
                Self::SealedAtTheOrigin => "sealed_at_the_origin",
                Self::SomeoneCanAcquire => "someone_can_acquire",
                Self::NewestNotRefused => "newest_not_refused",
                Self::NoLostUpdate => "no_lost_update",
                Self::ReportStaysWhole => "report_stays_whole",
                _ => "no_dual_write",
            },
        }
    }
}
