//! One resource's record in its bucket, as the core's driver wants it.

use super::bucket::{self, Bucket, Target};
use super::{Memory, unreachable};
use crate::host::{Cas, Host, NotSet, shared};
use fencegate_core::drive::Authority;
use fencegate_core::machine::{Change, NotStored, Seen};
use fencegate_core::moment::Moment;
use fencegate_core::token::Token;
use fencegate_core::verdict::Fault;

/// Memory that is kept from request to request.
#[derive(Debug, Default)]
pub struct Buffers {
    /// A bucket as it was read.
    pub(super) bucket: Vec<u8>,
    /// A bucket as it is to be written.
    pub(super) rebuilt: Vec<u8>,
    /// Any of the small values.
    pub(super) small: Vec<u8>,
}

/// One resource's record.
pub(super) struct Resource<'a> {
    memory: &'a Memory,
    host: &'a dyn Host,
    buffers: &'a mut Buffers,
    target: Target<'a>,
    /// Read once: an operation takes microseconds, and a lease that counts from slightly
    /// earlier only ends slightly earlier.
    now: Moment,
}

impl<'a> Resource<'a> {
    /// The record of `resource`.
    pub(super) fn new(
        memory: &'a Memory,
        host: &'a dyn Host,
        buffers: &'a mut Buffers,
        resource: &'a str,
    ) -> Result<Self, Fault> {
        let (place, fingerprint) = memory.layout.place_of(resource);
        Ok(Self {
            memory,
            host,
            buffers,
            now: host.now().map_err(unreachable)?,
            target: Target {
                place,
                fingerprint,
                resource,
            },
        })
    }
}

impl Authority for Resource<'_> {
    type Change = Change;
    type Version = Cas;

    fn now(&self) -> Moment {
        self.now
    }

    fn load(&mut self) -> Result<(Seen<'_>, Cas), Fault> {
        let Target {
            place,
            fingerprint,
            resource,
        } = self.target;
        let cas = bucket::load(self.host, &place, &mut self.buffers.bucket)?;
        let bucket = Bucket::read(&self.buffers.bucket, &place)?;
        self.memory.in_force.check(&bucket)?;
        let seen = Seen {
            record: bucket.find(fingerprint, resource)?,
            spent: bucket.spent(),
            queue: bucket.queue(fingerprint),
        };
        Ok((seen, cas))
    }

    fn draw(&mut self) -> Result<Token, Fault> {
        self.memory.draw(self.host, &mut self.buffers.small)
    }

    /// The buffer still holds the bucket as it was loaded, under the version that is compared.
    fn store(&mut self, change: &Change, version: &Cas) -> Result<(), NotStored> {
        let (bytes, rebuilt) = (&self.buffers.bucket, &mut self.buffers.rebuilt);
        bucket::write_changed(bytes, &self.target, change, self.now, rebuilt)
            .map_err(NotStored::Failed)?;
        match shared::replace(self.host, &self.target.place.key(), rebuilt, *version) {
            Ok(()) => Ok(()),
            Err(NotSet::Mismatch) => Err(NotStored::Conflict),
            Err(NotSet::Failed(error)) => Err(NotStored::Failed(unreachable(error))),
        }
    }
}
