//! A page of leases: marks in the order of their names, with the locks of the same resources.

use super::answer::{Pair, Range};
use super::ask::{TRANSACT, compare_init, read, read_span};
use super::keys::Keys;
use super::told::{Reads, lock, value};
use crate::json::Object;
use fencegate_core::quorum::{CallError, Lock, Value};

/// Which page is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The revision of the last put of init that must be in force.
    pub init: u64,
    /// What the names of the resources begin with.
    pub begin: &'a str,
    /// The last resource of the page before.
    pub after: Option<&'a str>,
    /// How many there are on a page at most; 1 or more.
    pub limit: u32,
}

/// A page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paged {
    /// Whether init was as it must be; nothing else was read otherwise.
    pub committed: bool,
    /// Which store answered.
    pub cluster: u64,
    /// The store's revision.
    pub header: u64,
    /// Init, read only where it was not committed; `None` there: there is none.
    pub init: Option<Value>,
    /// Resources and their marks, by name.
    pub marks: Vec<(String, Value)>,
    /// Resources that are locked, by name: all of this page, and perhaps some of later ones.
    pub locks: Vec<(String, Lock)>,
    /// Whether there are more marks.
    pub more: bool,
}

impl Page<'_> {
    /// Its path and body. The resource of `keys` is of no meaning.
    #[must_use]
    pub fn request(&self, keys: &Keys<'_>) -> (&'static str, String) {
        let mut body = String::new();
        let mut object = Object::begin(&mut body);
        compare_init(&mut object, self.init, keys).end();
        let mut success = object.list("success");
        // Every lock has its mark: the first locks are enough for the first marks.
        for span in [
            keys.marks_after(self.begin, self.after),
            keys.locks_after(self.begin, self.after),
        ] {
            read_span(&mut success, &span, |range| {
                range.plain_text("limit", self.limit);
            });
        }
        success.end();
        let mut failure = object.list("failure");
        read(&mut failure, &keys.init());
        failure.end();
        object.end();
        (TRANSACT, body)
    }

    /// What the answer means.
    ///
    /// # Errors
    /// As [`super::reply`].
    pub fn reply(&self, keys: &Keys<'_>, status: u16, body: &[u8]) -> Result<Paged, CallError> {
        let body = super::body(status, body)?;
        paged(keys, body).ok_or(CallError::Unknown)
    }
}

fn paged(keys: &Keys<'_>, body: super::answer::Body) -> Option<Paged> {
    let (cluster, header) = body.head()?;
    let mut page = Paged {
        committed: body.succeeded,
        cluster,
        header,
        init: None,
        marks: Vec::new(),
        locks: Vec::new(),
        more: false,
    };
    let mut reads = Reads::after(0, body)?;
    if page.committed {
        let Range { kvs, more } = reads.next()?;
        page.more = more;
        for pair in kvs {
            let resource = keys.marked(&pair.key)?;
            page.marks.push((resource, value(Some(pair))??));
        }
        for pair in reads.next()?.kvs {
            page.locks.push(locked(keys, &pair)?);
        }
    } else {
        page.init = value(reads.one(&keys.init())?)?;
    }
    reads.end()?;
    Some(page)
}

fn locked(keys: &Keys<'_>, pair: &Pair) -> Option<(String, Lock)> {
    Some((keys.locked(&pair.key)?, lock(pair)?))
}
