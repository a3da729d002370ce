//! What one worker knows of resources: as many as have room.
//!
//! A table of short rows. A resource has its place in the row that a keyed hash of its name says, so no
//! outsider chooses whom it drives out; where a row is full, who was asked for least lately goes. That
//! costs a call when it comes again, and while its mark is not settled a wait: never a wrong answer.

use super::versions::Versions;
use super::wire::group;
use fencegate_core::moment::Moment;
use fencegate_core::quorum::Known;
use fencegate_core::window::Instants;
use siphasher::sip::SipHasher13;

/// A power of two.
const ROWS: usize = 16_384;
const ROW_MASK: u64 = 16_383;
const ROW_LEN_MAX: usize = 16;

/// What is known of one resource.
#[derive(Debug)]
pub(super) struct Record {
    hash: u64,
    name: Box<str>,
    group: u16,
    used: Moment,
    /// The background read that it last took.
    covered: Option<Instants>,
    /// Who has a transaction under way for it, that others wait for.
    pub(super) caller: Option<u32>,
    /// What is known.
    pub(super) known: Known,
}

impl Record {
    /// Takes the last background read, unless it did.
    pub(super) fn cover(&mut self, versions: &Versions) {
        let Some((sent, init)) = versions.stamp() else {
            return;
        };
        if self.covered < Some(sent) {
            self.known.cover(sent, &init, versions.of(self.group));
            self.covered = Some(sent);
        }
    }

    /// Whether something was put into its group since it was read.
    pub(super) fn is_overtaken(&self, versions: &Versions) -> bool {
        versions.of(self.group) > self.known.knowledge().version
    }
}

/// What is known of all of them.
#[derive(Debug)]
pub(super) struct Records {
    secret: (u64, u64),
    rows: Vec<Vec<Record>>,
}

impl Records {
    /// Nothing is known.
    pub(super) fn new(secret: (u64, u64)) -> Self {
        let mut rows = Vec::new();
        rows.resize_with(ROWS, Vec::new);
        Self { secret, rows }
    }

    fn place(&self, name: &str) -> (u64, usize) {
        let hash = SipHasher13::new_with_keys(self.secret.0, self.secret.1).hash(name.as_bytes());
        let row = usize::try_from(hash & ROW_MASK);
        (hash, row.unwrap_or_default())
    }

    /// The record of a resource that is known.
    pub(super) fn find(&mut self, name: &str, now: Moment) -> Option<&mut Record> {
        let (hash, row) = self.place(name);
        let mut row = self.rows.get_mut(row)?.iter_mut();
        let record = row.find(|record| record.hash == hash && *record.name == *name)?;
        record.used = now;
        Some(record)
    }

    /// The record of a resource, known or not.
    pub(super) fn entry(&mut self, name: &str, now: Moment) -> Option<&mut Record> {
        let (hash, row) = self.place(name);
        let row = self.rows.get_mut(row)?;
        let found = row
            .iter()
            .position(|record| record.hash == hash && *record.name == *name);
        let at = match found {
            Some(at) => at,
            None => make(row, hash, name),
        };
        let record = row.get_mut(at)?;
        record.used = now;
        Some(record)
    }
}

/// Makes a record, in the place of another one where the row is full; its place.
fn make(row: &mut Vec<Record>, hash: u64, name: &str) -> usize {
    if row.len() >= ROW_LEN_MAX {
        let least = row.iter().enumerate().min_by_key(|(_, record)| record.used);
        if let Some((least, _)) = least {
            row.swap_remove(least);
        }
    }
    row.push(Record {
        hash,
        name: name.into(),
        group: group(name),
        used: Moment::default(),
        covered: None,
        caller: None,
        known: Known::default(),
    });
    row.len().saturating_sub(1)
}
