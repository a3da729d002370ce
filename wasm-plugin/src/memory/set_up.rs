//! Makes the values that everything else relies upon, before traffic.
//!
//! Whichever thread is first makes the layout; all of them make what is missing, until it is
//! complete. From then on a value that is missing was lost.

use super::bucket;
use super::layout::Layout;
use super::{Buffers, START_KEY, generation, start_value};
use crate::host::shared::{self, Creation};
use crate::host::{Cas, Host, HostError, NotSet};
use core::fmt;
use fencegate_core::codec::Garbled;
use fencegate_core::start::{Start, StartError};

const KEY: &[u8] = b"fencegate.layout";
/// Records that a bucket holds on average when the promised number of resources is there; by
/// chance the fullest of many buckets holds about twice as many, and [`bucket::RECORDS_MAX`] fit.
const RECORDS_MEAN: u32 = 16;

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

/// The layout in shared data, with room for `resources`; made if there is none.
///
/// # Errors
/// See [`SetUpError`].
pub fn set_up(
    host: &dyn Host,
    buffers: &mut Buffers,
    resources: u32,
) -> Result<Layout, SetUpError> {
    let buckets = resources.div_ceil(RECORDS_MEAN).max(1);
    let (layout, complete, cas) = find_or_make(host, &mut buffers.small, buckets)?;
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
    make_values(&layout, host, buffers)?;
    match shared::replace(host, KEY, &layout.encode(true), cas) {
        Ok(()) | Err(NotSet::Mismatch) => Ok(layout),
        Err(NotSet::Failed(error)) => Err(SetUpError::Host(error)),
    }
}

fn find_or_make(
    host: &dyn Host,
    small: &mut Vec<u8>,
    buckets: u32,
) -> Result<(Layout, bool, Cas), SetUpError> {
    let random = || host.random().map_err(SetUpError::Host);
    if host.shared(KEY, small).map_err(SetUpError::Host)?.is_none() {
        let layout = Layout {
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
    let (layout, complete) = Layout::decode(small).map_err(|Garbled| SetUpError::Garbled)?;
    Ok((layout, complete, cas))
}

fn make_values(layout: &Layout, host: &dyn Host, buffers: &mut Buffers) -> Result<(), SetUpError> {
    let wall = host.wall().map_err(SetUpError::Host)?;
    let now = host.now().map_err(SetUpError::Host)?;
    let random = host.random().map_err(SetUpError::Host)?;
    let start = Start::new(wall, now, random).map_err(SetUpError::Start)?;
    let small = &mut buffers.small;
    make(host, START_KEY, &start_value(layout, &start), 0, small)?;
    let none_yet = generation::none_yet(layout.instance, now);
    make(
        host,
        generation::KEY,
        &none_yet,
        generation::INSTANCE_AT,
        small,
    )?;
    for index in 0..layout.buckets {
        let place = layout.place_at(index);
        bucket::write_empty(&place, &mut buffers.rebuilt);
        make(
            host,
            &place.key(),
            &buffers.rebuilt,
            bucket::INSTANCE_AT,
            small,
        )?;
    }
    Ok(())
}

/// Makes a value, which names its layout at `instance_at`. Another thread may have made it, for
/// the same layout. One of another layout is what is left of an authority that lost the rest, its
/// layout too: what it still knows must not be mixed with an empty new one.
fn make(
    host: &dyn Host,
    key: &[u8],
    value: &[u8],
    instance_at: usize,
    small: &mut Vec<u8>,
) -> Result<(), SetUpError> {
    if shared::create(host, key, value, small).map_err(SetUpError::Host)? == Creation::Created {
        return Ok(());
    }
    let there = host.shared(key, small).map_err(SetUpError::Host)?;
    there.ok_or(SetUpError::Missing)?;
    let instance = |bytes: &[u8]| bytes.get(instance_at..)?.first_chunk::<8>().copied();
    if instance(small) == instance(value) {
        Ok(())
    } else {
        Err(SetUpError::Garbled)
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
