//! The one condition under which a write is forwarded.
//!
//! A client's If-Match may name several ETags, any of which will do: forwarded as it is, it would
//! let a late write pass that found another of them. So it is compared with what HEAD found, and
//! that one value is forwarded.

use super::etag::{Etag, EtagList};

/// What the client itself asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientCondition {
    /// Its If-Match.
    pub if_match: Option<EtagList>,
    /// Its If-None-Match.
    pub if_none_match: Option<EtagList>,
}

/// What is forwarded instead.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// Only if the object is still this one.
    Match(Etag),
    /// Only if its generation is still this one.
    Generation(u64),
    /// Only if there is none yet.
    Absent,
}

impl ClientCondition {
    /// Whether what the client asks for holds for an object that `exists` or not, with `etag`.
    /// Where a list cannot be compared, because there is no ETag, it does not hold.
    #[must_use]
    pub fn holds(&self, exists: bool, etag: Option<&Etag>) -> bool {
        let matches = match &self.if_match {
            None => true,
            Some(EtagList::Any) => exists,
            Some(list) => exists && etag.is_some_and(|etag| list.contains(etag)),
        };
        let differs = match &self.if_none_match {
            None => true,
            Some(EtagList::Any) => !exists,
            Some(list) => !exists || etag.is_some_and(|etag| !list.contains_weakly(etag)),
        };
        matches && differs
    }
}
