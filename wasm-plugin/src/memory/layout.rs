//! Where records lie: how many buckets there are and which one a resource is in.
//!
//! The layout is made once, by whichever thread is first, and fixed as long as the shared data
//! lives. Resources are spread by a hash with a secret key, so that nobody can aim at one bucket.

use super::bucket::{self, Place};
use super::{Buffers, START_KEY, generation};
use crate::host::shared::{self, Creation};
use crate::host::{Cas, Host, HostError, NotSet};
use core::fmt;
use core::hash::Hasher;
use fencegate_core::codec::{Garbled, checksum, take};
use fencegate_core::start::{Start, StartError};
use siphasher::sip128::{Hasher128, SipHasher13};

const KEY: &[u8] = b"fencegate.layout";
/// Also tells this value from the other small ones, should they be mixed up.
const FORMAT: u8 = b'l';
/// Records that a bucket holds on average when the promised number of resources is there; by
/// chance the fullest of many buckets holds about twice as many, and [`bucket::RECORDS_MAX`] fit.
const RECORDS_MEAN: u32 = 16;

/// How many buckets there are, and the secret that spreads resources over them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    buckets: u32,
    secret: [u64; 2],
    /// Tells this layout's buckets from another's.
    instance: u64,
}

/// Why the shared data could not be set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetUpError {
    /// The host lacks something that is needed, or failed.
    Host(HostError),
    /// There is a layout, and it does not verify.
    Garbled,
    /// There is a layout for another number of resources.
    OtherSize {
        /// The number of resources, rounded up, that the living layout has room for.
        resources: u32,
    },
    /// A bucket that must be there is not.
    Missing,
    /// The issuer cannot start.
    Start(StartError),
}

impl Layout {
    /// The layout in shared data, with room for `resources`; made if there is none.
    ///
    /// # Errors
    /// See [`SetUpError`].
    pub fn set_up(
        host: &dyn Host,
        buffers: &mut Buffers,
        resources: u32,
    ) -> Result<Self, SetUpError> {
        let buckets = resources.div_ceil(RECORDS_MEAN).max(1);
        let (layout, complete, cas) = Self::find_or_make(host, &mut buffers.small, buckets)?;
        if layout.buckets != buckets {
            return Err(SetUpError::OtherSize {
                resources: layout.buckets.saturating_mul(RECORDS_MEAN),
            });
        }
        if complete {
            return Ok(layout);
        }
        // Until the layout is complete nobody has judged by it, so a value that is missing now
        // was never there: this is the only time at which one is made.
        layout.make_values(host, buffers)?;
        match shared::replace(host, KEY, &layout.encode(true), cas) {
            Ok(()) | Err(NotSet::Mismatch) => Ok(layout),
            Err(NotSet::Failed(error)) => Err(SetUpError::Host(error)),
        }
    }

    fn find_or_make(
        host: &dyn Host,
        small: &mut Vec<u8>,
        buckets: u32,
    ) -> Result<(Self, bool, Cas), SetUpError> {
        let random = || host.random().map_err(SetUpError::Host);
        if host.shared(KEY, small).map_err(SetUpError::Host)?.is_none() {
            let layout = Self {
                buckets,
                secret: [random()?, random()?],
                instance: random()?,
            };
            shared::create(host, KEY, &layout.encode(false), small).map_err(SetUpError::Host)?;
        }
        // Read back: another thread may have been faster.
        let cas = host
            .shared(KEY, small)
            .map_err(SetUpError::Host)?
            .ok_or(SetUpError::Missing)?;
        let (layout, complete) = Self::decode(small).map_err(|Garbled| SetUpError::Garbled)?;
        Ok((layout, complete, cas))
    }

    fn make_values(&self, host: &dyn Host, buffers: &mut Buffers) -> Result<(), SetUpError> {
        let wall = host.wall().map_err(SetUpError::Host)?;
        let now = host.now().map_err(SetUpError::Host)?;
        let random = host.random().map_err(SetUpError::Host)?;
        let start = Start::new(wall, now, random).map_err(SetUpError::Start)?;
        let create = |key: &[u8], value: &[u8], scratch: &mut Vec<u8>| {
            shared::create(host, key, value, scratch).map_err(SetUpError::Host)
        };
        let small = &mut buffers.small;
        let _: Creation = create(START_KEY, &start.encode(), small)?;
        create(generation::KEY, &generation::none_yet(now), small)?;
        for index in 0..self.buckets {
            let place = self.place_at(index);
            bucket::write_empty(&place, &mut buffers.rebuilt);
            create(&place.key(), &buffers.rebuilt, small)?;
        }
        Ok(())
    }

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

    fn encode(&self, complete: bool) -> Vec<u8> {
        let mut out = vec![FORMAT, u8::from(complete)];
        out.extend_from_slice(&self.buckets.to_le_bytes());
        for number in [self.secret[0], self.secret[1], self.instance] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        let sum = checksum(&out);
        out.extend_from_slice(&sum);
        out
    }

    fn decode(bytes: &[u8]) -> Result<(Self, bool), Garbled> {
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

impl fmt::Display for SetUpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host(HostError(status)) => write!(
                f,
                "this proxy lacks shared data, a monotonic clock or random numbers, or refuses them (status {status}): the authority `memory` needs all three"
            ),
            Self::Garbled => f.write_str(
                "the shared data under this vm_id does not verify: use another vm_id, or restart the proxy",
            ),
            Self::OtherSize { resources } => write!(
                f,
                "authority.memory.resources: the marks that are kept now have room for {resources}; give a number that rounds up to it, or restart the proxy"
            ),
            Self::Missing => f.write_str(
                "part of the shared data under this vm_id is gone: restart the proxy",
            ),
            Self::Start(StartError::EpochOverflow) => {
                f.write_str("the wall clock is past the year 2106: set it right")
            }
            Self::Start(StartError::NumbersUsedUp) => f.write_str("there is no token left"),
        }
    }
}
