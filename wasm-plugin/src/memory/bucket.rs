//! One bucket: a few records in one shared value, replaced as a whole.
//!
//! ```text
//!   format 1 | records 1 | spent 1 | waiters 1 | instance 8 | index 4 | generation 4
//!   | (fingerprint 8, len 2) x records | spent request id 8 x spent | waiter 24 x waiters
//!   | checksum 8
//!   | record x records
//! ```
//! The checksum covers everything before it, so that "no record here" can be said for sure
//! without verifying every record; each record carries its own.

use crate::host::{Cas, Host};
use fencegate_core::codec::{self, Garbled, checksum, take};
use fencegate_core::machine::Change;
use fencegate_core::moment::Moment;
use fencegate_core::queue::{self, Queue, WAITER_LEN};
use fencegate_core::record::Record;
use fencegate_core::spent::{Fingerprint, SPENT_MAX, Spent};
use fencegate_core::verdict::Fault;

const FORMAT: u8 = 1;
const HEADER_LEN: usize = 20;
/// Where a bucket names its layout.
pub(super) const INSTANCE_AT: usize = 4;
const ENTRY_LEN: usize = 10;
/// How many records fit.
pub(super) const RECORDS_MAX: usize = 48;

/// Which bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub(super) instance: u64,
    pub(super) index: u32,
}

impl Place {
    /// Its key in shared data.
    pub(super) fn key(&self) -> [u8; 15] {
        let mut key = *b"fencegate.b....";
        if let Some(tail) = key.last_chunk_mut::<4>() {
            *tail = self.index.to_be_bytes();
        }
        key
    }
}

/// Reads a bucket's bytes.
pub(super) fn load(host: &dyn Host, place: &Place, into: &mut Vec<u8>) -> Result<Cas, Fault> {
    host.shared(&place.key(), into)
        .map_err(super::unreachable)?
        .ok_or(Fault::Missing)
}

/// A bucket, read in place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bucket<'a> {
    pub(super) generation: u32,
    directory: &'a [[u8; ENTRY_LEN]],
    spent: &'a [[u8; 8]],
    waiters: &'a [[u8; WAITER_LEN]],
    records: &'a [u8],
}

/// One record of a bucket, not yet verified.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'a> {
    fingerprint: u64,
    bytes: &'a [u8],
}

impl<'a> Entry<'a> {
    pub(super) fn decode(&self) -> Result<(&'a str, Record<&'a str>), Fault> {
        codec::decode(self.bytes).map_err(|Garbled| Fault::Garbled)
    }
}

impl<'a> Bucket<'a> {
    /// Reads the bytes of the bucket at `place`.
    ///
    /// # Errors
    /// [`Fault::Garbled`], also for the sound bytes of another bucket.
    pub(super) fn read(bytes: &'a [u8], place: &Place) -> Result<Self, Fault> {
        Self::parse(bytes, place).map_err(|Garbled| Fault::Garbled)
    }

    fn parse(bytes: &'a [u8], place: &Place) -> Result<Self, Garbled> {
        let mut rest = bytes;
        let [format, records, spent, waiters] = take(&mut rest)?;
        let instance = u64::from_le_bytes(take(&mut rest)?);
        let index = u32::from_le_bytes(take(&mut rest)?);
        let generation = u32::from_le_bytes(take(&mut rest)?);
        if format != FORMAT || instance != place.instance || index != place.index {
            return Err(Garbled);
        }
        let directory_len = usize::from(records).checked_mul(ENTRY_LEN).ok_or(Garbled)?;
        let (directory, rest) = rest.split_at_checked(directory_len).ok_or(Garbled)?;
        let spent_len = usize::from(spent).checked_mul(8).ok_or(Garbled)?;
        let (spent, rest) = rest.split_at_checked(spent_len).ok_or(Garbled)?;
        let waiters_len = usize::from(waiters)
            .checked_mul(WAITER_LEN)
            .ok_or(Garbled)?;
        let (waiters, rest) = rest.split_at_checked(waiters_len).ok_or(Garbled)?;
        let (sum, records) = rest.split_first_chunk::<8>().ok_or(Garbled)?;
        let summed = bytes.len().saturating_sub(rest.len());
        if checksum(bytes.get(..summed).ok_or(Garbled)?) != *sum {
            return Err(Garbled);
        }
        Ok(Self {
            generation,
            directory: directory.as_chunks().0,
            spent: spent.as_chunks().0,
            waiters: waiters.as_chunks().0,
            records,
        })
    }

    pub(super) const fn spent(&self) -> Spent<'a> {
        Spent(self.spent)
    }

    pub(super) const fn queue(&self, fingerprint: u64) -> Queue<'a> {
        Queue {
            waiters: self.waiters,
            resource: fingerprint,
        }
    }

    /// The entries; the last one is a fault if the records are cut short.
    pub(super) fn entries(&self) -> impl Iterator<Item = Result<Entry<'a>, Fault>> + use<'a> {
        let mut rest = self.records;
        self.directory.iter().map(move |entry| {
            let mut fields = &entry[..];
            let fingerprint = take(&mut fields).map_err(|Garbled| Fault::Garbled)?;
            let len = take(&mut fields).map_err(|Garbled| Fault::Garbled)?;
            let (bytes, tail) = rest
                .split_at_checked(u16::from_le_bytes(len).into())
                .ok_or(Fault::Garbled)?;
            rest = tail;
            Ok(Entry {
                fingerprint: u64::from_le_bytes(fingerprint),
                bytes,
            })
        })
    }

    /// The record of `resource`; `None` only where the bucket says for sure that it has none.
    pub(super) fn find(
        &self,
        fingerprint: u64,
        resource: &str,
    ) -> Result<Option<Record<&'a str>>, Fault> {
        for entry in self.entries() {
            let entry = entry?;
            if entry.fingerprint == fingerprint {
                let (found, record) = entry.decode()?;
                if found == resource {
                    return Ok(Some(record));
                }
            }
        }
        Ok(None)
    }
}

/// Writes a bucket without records.
pub(super) fn write_empty(place: &Place, out: &mut Vec<u8>) {
    Draft::default().write(place, 0, out);
}

/// Writes a bucket's bytes again under a higher generation.
pub(super) fn write_raised(
    bytes: &[u8],
    place: &Place,
    generation: u32,
    out: &mut Vec<u8>,
) -> Result<(), Fault> {
    let bucket = Bucket::read(bytes, place)?;
    let mut draft = Draft::default();
    for entry in bucket.entries() {
        let entry = entry?;
        draft.push(entry.fingerprint, entry.bytes)?;
    }
    draft.spent.extend_from_slice(bucket.spent);
    draft.waiters.extend_from_slice(bucket.waiters);
    draft.write(place, generation, out);
    Ok(())
}

/// Where a change goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target<'a> {
    pub(super) place: Place,
    pub(super) fingerprint: u64,
    pub(super) resource: &'a str,
}

/// Writes a bucket's bytes again, with one record changed or added.
///
/// # Errors
/// [`Fault::Full`], if there is no room even after forgetting what may be forgotten at `now`;
/// [`Fault::Garbled`].
pub(super) fn write_changed(
    bytes: &[u8],
    target: &Target<'_>,
    change: &Change,
    now: Moment,
    out: &mut Vec<u8>,
) -> Result<(), Fault> {
    let bucket = Bucket::read(bytes, &target.place)?;
    let mut draft = Draft::default();
    draft.spent.extend_from_slice(bucket.spent);
    let mut others = Vec::with_capacity(bucket.directory.len());
    for entry in bucket.entries() {
        let entry = entry?;
        if entry.fingerprint != target.fingerprint || entry.decode()?.0 != target.resource {
            others.push(entry);
        }
    }
    if others.len() >= RECORDS_MAX {
        // One is enough. They stand in the order of their last change, and there is less room for
        // request ids than for records: what need not go answers best for itself.
        let oldest = others.iter().position(|entry| {
            let awaited = !bucket.queue(entry.fingerprint).is_next(None, now);
            !awaited && draft.forget(entry, now)
        });
        others.remove(oldest.ok_or(Fault::Full)?);
    }
    for entry in &others {
        draft.push(entry.fingerprint, entry.bytes)?;
    }
    let mut record = Vec::new();
    codec::encode(target.resource, &change.record, &mut record).map_err(|_| Fault::Full)?;
    draft.push(target.fingerprint, &record)?;
    if let Some(fingerprint) = change.spend {
        draft.spent.push(fingerprint.0);
    }
    draft.waiters = match change.queue {
        None => bucket.waiters.to_vec(),
        Some(change) => {
            queue::changed(bucket.waiters, target.fingerprint, change, now).ok_or(Fault::Full)?
        }
    };
    draft.write(&target.place, bucket.generation, out);
    Ok(())
}

/// A bucket that is being put together.
#[derive(Debug, Default)]
struct Draft {
    directory: Vec<[u8; ENTRY_LEN]>,
    spent: Vec<[u8; 8]>,
    waiters: Vec<[u8; WAITER_LEN]>,
    records: Vec<u8>,
}

impl Draft {
    fn push(&mut self, fingerprint: u64, record: &[u8]) -> Result<(), Fault> {
        let len = u16::try_from(record.len()).map_err(|_| Fault::Full)?;
        let mut entry = [0; ENTRY_LEN];
        if let Some((head, tail)) = entry.split_first_chunk_mut::<8>() {
            *head = fingerprint.to_le_bytes();
            tail.copy_from_slice(&len.to_le_bytes());
        }
        self.directory.push(entry);
        self.records.extend_from_slice(record);
        Ok(())
    }

    /// Whether the record may go; its request id is then remembered as over. What does not
    /// verify stays: it may be a mark.
    fn forget(&mut self, entry: &Entry<'_>, now: Moment) -> bool {
        let Ok((resource, record)) = entry.decode() else {
            return false;
        };
        let Some(grant) = record.grant.filter(|grant| grant.is_forgettable(now)) else {
            return false;
        };
        if let (Some(holder), Some(id)) = (record.holder, grant.request_id) {
            self.spent.push(Fingerprint::of(resource, holder, id).0);
        }
        true
    }

    fn write(mut self, place: &Place, generation: u32, out: &mut Vec<u8>) {
        let surplus = self.spent.len().saturating_sub(SPENT_MAX);
        self.spent.drain(..surplus);
        // All are limited above, far below what a byte can tell.
        let count = |len: usize| u8::try_from(len).unwrap_or(u8::MAX);
        out.clear();
        out.reserve(HEADER_LEN);
        out.extend_from_slice(&[
            FORMAT,
            count(self.directory.len()),
            count(self.spent.len()),
            count(self.waiters.len()),
        ]);
        out.extend_from_slice(&place.instance.to_le_bytes());
        out.extend_from_slice(&place.index.to_le_bytes());
        out.extend_from_slice(&generation.to_le_bytes());
        out.extend_from_slice(self.directory.as_flattened());
        out.extend_from_slice(self.spent.as_flattened());
        out.extend_from_slice(self.waiters.as_flattened());
        let sum = checksum(out);
        out.extend_from_slice(&sum);
        out.extend_from_slice(&self.records);
    }
}
