//! What a day may not show.

use core::fmt;
use fencegate_core::laws::Violation;

/// A promise that was broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// Which promise.
    pub law: &'static str,
    /// What happened.
    pub story: String,
}

/// A guest trapped, or did not end.
pub const NO_TRAP: &str = "no_trap";
/// A request was answered twice, not at all, or answered and forwarded.
pub const ONE_DECISION: &str = "one_decision";
/// A request went on to the origin that was refused, or was never admitted.
pub const REJECTED_IS_NOT_APPLIED: &str = "rejected_is_not_applied";
/// Something was admitted or granted on a record that could not be read.
pub const UNKNOWN_IS_NOT_EMPTY: &str = "unknown_is_not_empty";
/// A filter whose configuration was replaced went on deciding.
pub const SUPERSEDED_IS_SILENT: &str = "superseded_is_silent";
/// A counter or the log tells something else than what happened.
pub const TOLD_AS_IT_IS: &str = "told_as_it_is";
/// Memory of the guest or values in shared data grew beyond what they need.
pub const NOTHING_LEAKS: &str = "nothing_leaks";
/// After all faults are over, leases can be had again.
pub const SOMEONE_CAN_ACQUIRE: &str = "someone_can_acquire";

impl Breach {
    /// A breach of `law`.
    pub fn new(law: &'static str, story: impl Into<String>) -> Self {
        Self {
            law,
            story: story.into(),
        }
    }
}

impl From<Violation> for Breach {
    fn from(violation: Violation) -> Self {
        Self::new(violation.law.name(), violation.to_string())
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.law, self.story)
    }
}
