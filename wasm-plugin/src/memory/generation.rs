//! Which configuration is in force.
//!
//! A newer configuration may map requests to other resources. If an older filter went on
//! judging (on a listener that is being drained, or on a worker that learns of the update
//! later), the two would guard the same object by different records. So the generation is one
//! shared value, and it is written into every bucket before the newer configuration judges for
//! the first time; an older filter meets it in whatever bucket it reads.
//!
//! ```text
//!   none --first judged request--> n, raising buckets --> n, complete --> n+1, raising ...
//! ```

use super::bucket;
use super::layout::Layout;
use super::{Buffers, CONFLICTS_MAX, unreachable};
use crate::host::{Cas, Host, NotSet, shared};
use core::cell::Cell;
use fencegate_core::codec::{Garbled, checksum, take};
use fencegate_core::moment::Moment;
use fencegate_core::verdict::Fault;

pub(super) const KEY: &[u8] = b"fencegate.generation";
/// Also tells this value from the other small ones, should they be mixed up.
const FORMAT: u8 = b'g';
/// Where the value names its layout.
pub(super) const INSTANCE_AT: usize = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Published {
    /// Which layout's buckets it speaks of.
    instance: u64,
    generation: u32,
    mapping_hash: u64,
    /// When it was published; for the first one, when the issuer started.
    since: Moment,
    /// Whether every bucket has it.
    complete: bool,
}

/// The value before any configuration has judged.
pub(super) fn none_yet(instance: u64, now: Moment) -> Vec<u8> {
    Published {
        instance,
        generation: 0,
        mapping_hash: 0,
        since: now,
        complete: true,
    }
    .encode()
}

/// One configuration's claim to be the one in force.
#[derive(Debug)]
pub(super) struct InForce {
    instance: u64,
    generation: u32,
    mapping_hash: u64,
    /// Whether this thread has seen every bucket raised to its generation.
    published: Cell<bool>,
}

impl InForce {
    pub(super) const fn new(instance: u64, generation: u32, mapping_hash: u64) -> Self {
        Self {
            instance,
            generation,
            mapping_hash,
            published: Cell::new(false),
        }
    }

    pub(super) fn accepts(&self, host: &dyn Host, small: &mut Vec<u8>) -> Result<(), String> {
        let (there, _) = self.read(host, small).map_err(|fault| {
            format!("the generation in force cannot be read ({})", fault.word())
        })?;
        if there.generation > self.generation {
            return Err(format!(
                "generation: {} is in force already; give a higher one than that, not {}",
                there.generation, self.generation
            ));
        }
        if there.generation == self.generation && there.mapping_hash != self.mapping_hash {
            return Err(format!(
                "generation: the rules now map requests to other resources than the generation {} in force; raise it to {} or more",
                self.generation,
                self.generation.saturating_add(1)
            ));
        }
        Ok(())
    }

    pub(super) fn not_superseded(&self, host: &dyn Host, small: &mut Vec<u8>) -> Result<(), Fault> {
        let (there, _) = self.read(host, small)?;
        self.stands(&there)
    }

    fn stands(&self, there: &Published) -> Result<(), Fault> {
        let same = there.generation == self.generation;
        if there.generation > self.generation || (same && there.mapping_hash != self.mapping_hash) {
            return Err(Fault::Superseded);
        }
        Ok(())
    }

    pub(super) fn since(&self, host: &dyn Host, small: &mut Vec<u8>) -> Result<Moment, Fault> {
        let (there, _) = self.read(host, small)?;
        self.stands(&there)?;
        Ok(there.since)
    }

    /// A bucket of this generation may be judged by; one of another may not.
    pub(super) fn check(&self, bucket: &bucket::Bucket<'_>) -> Result<(), Fault> {
        match bucket.generation.cmp(&self.generation) {
            core::cmp::Ordering::Equal => Ok(()),
            core::cmp::Ordering::Greater => Err(Fault::Superseded),
            // Every bucket was raised before anything was judged.
            core::cmp::Ordering::Less => Err(Fault::Garbled),
        }
    }

    /// Puts this configuration in force, once a thread.
    pub(super) fn publish(
        &self,
        host: &dyn Host,
        layout: &Layout,
        buffers: &mut Buffers,
    ) -> Result<(), Fault> {
        if self.published.get() {
            return Ok(());
        }
        for _ in 0..=CONFLICTS_MAX {
            let (there, cas) = self.read(host, &mut buffers.small)?;
            self.stands(&there)?;
            if there.generation == self.generation && there.complete {
                self.published.set(true);
                return Ok(());
            }
            self.advance(host, layout, buffers, there, cas)?;
        }
        Err(Fault::Contended)
    }

    /// Takes one step: claims the value, or raises the buckets and completes it.
    fn advance(
        &self,
        host: &dyn Host,
        layout: &Layout,
        buffers: &mut Buffers,
        there: Published,
        cas: Cas,
    ) -> Result<(), Fault> {
        let next = if there.generation < self.generation {
            let first = there.generation == 0;
            Published {
                instance: self.instance,
                generation: self.generation,
                mapping_hash: self.mapping_hash,
                since: if first {
                    there.since
                } else {
                    host.now().map_err(unreachable)?
                },
                complete: false,
            }
        } else {
            for index in 0..layout.buckets() {
                self.raise(host, layout, buffers, index)?;
            }
            Published {
                complete: true,
                ..there
            }
        };
        match shared::replace(host, KEY, &next.encode(), cas) {
            Ok(()) | Err(NotSet::Mismatch) => Ok(()),
            Err(NotSet::Failed(error)) => Err(unreachable(error)),
        }
    }

    fn raise(
        &self,
        host: &dyn Host,
        layout: &Layout,
        buffers: &mut Buffers,
        index: u32,
    ) -> Result<(), Fault> {
        let place = layout.place_at(index);
        for _ in 0..=CONFLICTS_MAX {
            let cas = bucket::load(host, &place, &mut buffers.bucket)?;
            let bucket = bucket::Bucket::read(&buffers.bucket, &place)?;
            if bucket.generation > self.generation {
                return Err(Fault::Superseded);
            }
            if bucket.generation == self.generation {
                return Ok(());
            }
            let rebuilt = &mut buffers.rebuilt;
            bucket::write_raised(&buffers.bucket, &place, self.generation, rebuilt)?;
            match shared::replace(host, &place.key(), rebuilt, cas) {
                Ok(()) => return Ok(()),
                Err(NotSet::Mismatch) => {}
                Err(NotSet::Failed(error)) => return Err(unreachable(error)),
            }
        }
        Err(Fault::Contended)
    }

    fn read(&self, host: &dyn Host, small: &mut Vec<u8>) -> Result<(Published, Cas), Fault> {
        let cas = host
            .shared(KEY, small)
            .map_err(unreachable)?
            .ok_or(Fault::Missing)?;
        match Published::decode(small) {
            Ok(there) if there.instance == self.instance => Ok((there, cas)),
            _ => Err(Fault::Garbled),
        }
    }
}

impl Published {
    fn encode(&self) -> Vec<u8> {
        let mut out = vec![FORMAT, u8::from(self.complete)];
        out.extend_from_slice(&self.instance.to_le_bytes());
        out.extend_from_slice(&self.generation.to_le_bytes());
        out.extend_from_slice(&self.mapping_hash.to_le_bytes());
        out.extend_from_slice(&self.since.nanos().to_le_bytes());
        let sum = checksum(&out);
        out.extend_from_slice(&sum);
        out
    }

    fn decode(bytes: &[u8]) -> Result<Self, Garbled> {
        let (body, sum) = bytes.split_last_chunk::<8>().ok_or(Garbled)?;
        let mut rest = body;
        let [format, complete] = take(&mut rest)?;
        if checksum(body) != *sum || format != FORMAT {
            return Err(Garbled);
        }
        Ok(Self {
            instance: u64::from_le_bytes(take(&mut rest)?),
            generation: u32::from_le_bytes(take(&mut rest)?),
            mapping_hash: u64::from_le_bytes(take(&mut rest)?),
            since: Moment::from_nanos(u64::from_le_bytes(take(&mut rest)?)),
            complete: complete == 1,
        })
    }
}
