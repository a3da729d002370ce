//! Where records lie: how many buckets there are and which one a resource is in.
//!
//! Resources are spread by a hash with a secret key, so that nobody can aim at one bucket.

use super::bucket::Place;
use core::hash::Hasher;
use fencegate_core::codec::{Garbled, checksum, take};
use siphasher::sip128::{Hasher128, SipHasher13};

/// Also tells this value from the other small ones, should they be mixed up.
const FORMAT: u8 = b'l';

/// How many buckets there are, and the secret that spreads resources over them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub(super) buckets: u32,
    pub(super) secret: [u64; 2],
    /// Tells this layout's buckets from another's.
    pub(super) instance: u64,
}

impl Layout {
    /// How many buckets there are.
    #[must_use]
    pub const fn buckets(&self) -> u32 {
        self.buckets
    }

    /// The bucket of this index.
    #[must_use]
    pub const fn place_at(&self, index: u32) -> Place {
        Place {
            instance: self.instance,
            index,
        }
    }

    /// The bucket of a resource, and the resource's fingerprint in it.
    #[must_use]
    pub fn place_of(&self, resource: &str) -> (Place, u64) {
        let [k0, k1] = self.secret;
        let mut hasher = SipHasher13::new_with_keys(k0, k1);
        hasher.write(resource.as_bytes());
        let hash = hasher.finish128();
        let index = hash.h1.checked_rem(self.buckets.into()).unwrap_or_default();
        // Below the number of buckets, which is a u32.
        let index = u32::try_from(index).unwrap_or_default();
        (self.place_at(index), hash.h2)
    }

    pub(super) fn encode(&self, complete: bool) -> Vec<u8> {
        let mut out = vec![FORMAT, u8::from(complete)];
        out.extend_from_slice(&self.buckets.to_le_bytes());
        for number in [self.secret[0], self.secret[1], self.instance] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        let sum = checksum(&out);
        out.extend_from_slice(&sum);
        out
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<(Self, bool), Garbled> {
        let (body, sum) = bytes.split_last_chunk::<8>().ok_or(Garbled)?;
        let mut rest = body;
        let [format, complete] = take(&mut rest)?;
        if checksum(body) != *sum || format != FORMAT {
            return Err(Garbled);
        }
        let layout = Self {
            buckets: u32::from_le_bytes(take(&mut rest)?),
            secret: [
                u64::from_le_bytes(take(&mut rest)?),
                u64::from_le_bytes(take(&mut rest)?),
            ],
            instance: u64::from_le_bytes(take(&mut rest)?),
        };
        Ok((layout, complete == 1))
    }
}
