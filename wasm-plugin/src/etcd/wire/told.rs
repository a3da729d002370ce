//! Answers as the core has them.

use super::answer::{Body, Pair, Range, Response};
use super::keys::Keys;
use fencegate_core::quorum::{
    Answer, Call, CallError, InitPut, LeaseId, Lock, LockChange, Reply, Surveyed, Transaction,
    Value,
};
use std::vec::IntoIter;

/// What the answer to a call means. `keys` as they were for [`super::request`].
///
/// # Errors
/// See [`CallError`]. Whatever does not look as it must is [`CallError::Unknown`].
pub fn reply(call: &Call, keys: &Keys<'_>, status: u16, body: &[u8]) -> Result<Reply, CallError> {
    let body = super::body(status, body)?;
    let told = match call {
        Call::Transact(transaction) => transacted(transaction, keys, body).map(Reply::Answer),
        Call::Survey(_) => surveyed(keys, body).map(Reply::Surveyed),
        Call::PutInit(_) => init_put(keys, body).map(Reply::InitPut),
        Call::Grant(lease, seconds) => granted(&body, *lease, *seconds),
        Call::KeepAlive(lease) => kept_alive(body, *lease),
        Call::Revoke(_) => body.head().map(|_| Reply::Revoked),
    };
    told.ok_or(CallError::Unknown)
}

fn transacted(transaction: &Transaction, keys: &Keys<'_>, body: Body) -> Option<Answer> {
    let (cluster, header) = body.head()?;
    let term = body.term()?;
    let committed = body.succeeded;
    let mut reads = Reads::after(if committed { writes(transaction) } else { 0 }, body)?;
    let init = match committed {
        true => None,
        false => value(reads.one(&keys.init())?)?,
    };
    let mark = value(reads.one(&keys.mark())?)?;
    let lock = match reads.one(&keys.lock())? {
        Some(pair) => Some(lock(&pair)?),
        None => None,
    };
    let version = match reads.one(&keys.version())? {
        Some(pair) => pair.put_at()?,
        None => 0,
    };
    reads.end()?;
    Some(Answer {
        committed,
        cluster,
        header,
        term,
        init,
        mark,
        lock,
        version,
    })
}

/// How many operations come before the reads.
const fn writes(transaction: &Transaction) -> usize {
    match (transaction.mark.is_some(), transaction.lock) {
        (false, LockChange::Keep) => 0,
        (false, _) => 1,
        (true, LockChange::Keep) => 2,
        (true, _) => 3,
    }
}

fn surveyed(keys: &Keys<'_>, body: Body) -> Option<Surveyed> {
    let (cluster, header) = body.head()?;
    let committed = body.succeeded;
    let mut reads = Reads::after(0, body)?;
    let (mut init, mut versions) = (None, Vec::new());
    if committed {
        let range = reads.next()?;
        if range.more {
            return None;
        }
        for pair in range.kvs {
            // Somebody else's key is no group's version.
            if let Some(group) = keys.group_of(&pair.key) {
                versions.push((group, pair.put_at()?));
            }
        }
    } else {
        init = value(reads.one(&keys.init())?)?;
    }
    reads.end()?;
    Some(Surveyed {
        committed,
        cluster,
        header,
        init,
        versions,
    })
}

fn init_put(keys: &Keys<'_>, body: Body) -> Option<InitPut> {
    let (cluster, header) = body.head()?;
    let committed = body.succeeded;
    let mut reads = Reads::after(usize::from(committed), body)?;
    let init = value(reads.one(&keys.init())?)?;
    reads.end()?;
    Some(InitPut {
        committed,
        cluster,
        header,
        init,
    })
}

/// A lease that would end sooner than it must is none.
fn granted(body: &Body, lease: LeaseId, seconds: u64) -> Option<Reply> {
    body.head()?;
    (body.id.0 == lease.0 && body.ttl.0 >= seconds).then_some(Reply::Granted)
}

/// One that does not say under which leader is of no use.
fn kept_alive(body: Body, lease: LeaseId) -> Option<Reply> {
    let kept = body.result?;
    kept.head()?;
    let term = kept.term()?;
    let there = kept.ttl.0 > 0;
    let good = kept.id.0 == lease.0 && term > 0;
    good.then_some(Reply::KeptAlive(there.then_some(term)))
}

/// What was read in a transaction, in the order in which it was asked for.
pub(super) struct Reads(IntoIter<Response>);

impl Reads {
    /// Passes over so many writes.
    pub(super) fn after(writes: usize, body: Body) -> Option<Self> {
        let mut responses = body.responses.into_iter();
        for _ in 0..writes {
            if responses.next()?.response_range.is_some() {
                return None;
            }
        }
        Some(Self(responses))
    }

    pub(super) fn next(&mut self) -> Option<Range> {
        self.0.next()?.response_range
    }

    /// What is under this key, if anything is.
    pub(super) fn one(&mut self, key: &str) -> Option<Option<Pair>> {
        let mut pairs = self.next()?.kvs.into_iter();
        let first = pairs.next();
        let asked_for = first.as_ref().is_none_or(|pair| pair.key == key);
        (asked_for && pairs.next().is_none()).then_some(first)
    }

    /// Nothing may come after the last one.
    pub(super) fn end(&mut self) -> Option<()> {
        self.0.next().is_none().then_some(())
    }
}

/// The outer `None` says that it looks as it must not.
pub(super) fn value(pair: Option<Pair>) -> Option<Option<Value>> {
    let Some(pair) = pair else {
        return Some(None);
    };
    let (bytes, at) = (pair.bytes()?, pair.put_at()?);
    Some(Some(Value { bytes, at }))
}

/// One that somebody put without a lease says lease 0: it is never kept alive, and stays until broken.
pub(super) fn lock(pair: &Pair) -> Option<Lock> {
    let (since, lease) = (pair.since()?, LeaseId(pair.lease()));
    Some(Lock { since, lease })
}
