//! What an authority keeps of one resource: the mark, whose it is, and the lease if we granted it.
//!
//! Knows nothing of bytes (see [`crate::codec`]) and decides nothing (see [`crate::check`] and
//! [`crate::lease`]).

use crate::moment::Moment;
use crate::token::Token;
use core::time::Duration;
use serde::{Deserialize, Serialize};

/// A resource's record. `T` is its text: `&str` where it is read in place, `String` where it is kept.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record<T = String> {
    /// The mark: the highest token that the resource has seen.
    pub token: Token,
    /// Whom the token is bound to; `None` for an unnamed holder, and after a break.
    pub holder: Option<T>,
    /// The configuration's generation under which it was written.
    pub generation: u32,
    /// The grant that the token stands for; `None` where tokens come from elsewhere.
    pub grant: Option<Grant<T>>,
}

/// The lease behind a token that we issued.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grant<T = String> {
    /// The request that it answers: it names this incarnation of the holder.
    pub request_id: Option<T>,
    /// The length it was granted or last renewed for.
    pub ttl: Duration,
    /// When the lease ends by itself.
    pub ends: Moment,
    /// From when somebody else may be granted: the end, and the lock delay.
    pub free: Moment,
    /// Whether its holder gave it back, or an operator broke it.
    pub released: bool,
}

impl<T> Grant<T> {
    /// Whether the lease is running at `now`.
    #[must_use]
    pub fn is_held(&self, now: Moment) -> bool {
        !self.released && now < self.ends
    }

    /// Whether nothing would be lost by forgetting the grant at `now`: it is over, its lock
    /// delay too, and one more ttl has passed, so that whoever asks late still meets it.
    #[must_use]
    pub fn is_forgettable(&self, now: Moment) -> bool {
        now >= self.free.after(self.ttl)
    }
}

impl<T: AsRef<str>> Record<T> {
    /// The same record, its text borrowed.
    #[must_use]
    pub fn borrowed(&self) -> Record<&str> {
        self.map(|text| text.as_ref())
    }

    /// The same record, its text owned.
    #[must_use]
    pub fn to_owned(&self) -> Record<String> {
        self.map(|text| text.as_ref().to_owned())
    }

    fn map<'a, U>(&'a self, text: impl Fn(&'a T) -> U) -> Record<U> {
        Record {
            token: self.token,
            holder: self.holder.as_ref().map(&text),
            generation: self.generation,
            grant: self.grant.as_ref().map(|grant| Grant {
                request_id: grant.request_id.as_ref().map(&text),
                ttl: grant.ttl,
                ends: grant.ends,
                free: grant.free,
                released: grant.released,
            }),
        }
    }
}
