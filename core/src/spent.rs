//! Request ids whose grant is over.
//!
//! A late copy of an acquire must not be granted anew: nobody waits for that lease, and it would
//! block the resource for a ttl. An authority therefore keeps a fingerprint of the ids that it no
//! longer has in a record.

use core::hash::Hasher;
use siphasher::sip::SipHasher13;

/// How many fingerprints are kept beside a record; the oldest goes first.
pub const SPENT_MAX: usize = 32;

/// Stands for one request id of one holder of one resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint(pub [u8; 8]);

impl Fingerprint {
    /// The fingerprint of `request_id` as used by `holder` for `resource`.
    #[must_use]
    pub fn of(resource: &str, holder: &str, request_id: &str) -> Self {
        let mut hasher = SipHasher13::new();
        for part in [resource, holder, request_id] {
            hasher.write(part.as_bytes());
            // No name has a zero byte, so two lists of names never look alike.
            hasher.write_u8(0);
        }
        Self(hasher.finish().to_le_bytes())
    }
}

/// The fingerprints kept beside a record, oldest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent<'a>(pub &'a [[u8; 8]]);

impl Spent<'_> {
    /// Whether the grant that answered this request is over and gone.
    #[must_use]
    pub fn contains(self, fingerprint: Fingerprint) -> bool {
        self.0.contains(&fingerprint.0)
    }
}
