//! Answers as the core has them.

use super::answer::{Pair, Reads, head, number, term, truth};
use super::keys::Keys;
use crate::json::Tree;
use fencegate_core::quorum::{
    Answer, Call, CallError, InitPut, LeaseId, Lock, LockChange, Reply, Surveyed, Transaction,
    Value,
};

/// What the answer to a call means. `keys` as they were for [`super::request`].
///
/// # Errors
/// See [`CallError`]. Whatever does not look as it must is [`CallError::Unknown`].
pub fn reply(call: &Call, keys: &Keys<'_>, status: u16, body: &[u8]) -> Result<Reply, CallError> {
    let body = super::body(status, body)?;
    let told = match call {
        Call::Transact(transaction) => transacted(transaction, keys, &body).map(Reply::Answer),
        Call::Survey(_) => surveyed(keys, &body).map(Reply::Surveyed),
        Call::PutInit(_) => init_put(keys, &body).map(Reply::InitPut),
        Call::Grant(lease, seconds) => granted(&body, *lease, *seconds),
        Call::KeepAlive(lease) => kept_alive(&body, *lease),
        Call::Revoke(_) => head(&body).map(|_| Reply::Revoked),
    };
    told.ok_or(CallError::Unknown)
}

fn transacted(transaction: &Transaction, keys: &Keys<'_>, body: &Tree) -> Option<Answer> {
    let (cluster, header) = head(body)?;
    let committed = truth(body, "succeeded")?;
    let mut reads = Reads::after(if committed { writes(transaction) } else { 0 }, body)?;
    let init = match committed {
        true => None,
        false => value(reads.one(&keys.init())?)?,
    };
    let mark = value(reads.one(&keys.mark())?)?;
    let lock = match reads.one(&keys.lock())? {
        Some(pair) => Some(lock(pair)?),
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
        term: term(body)?,
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

fn surveyed(keys: &Keys<'_>, body: &Tree) -> Option<Surveyed> {
    let (cluster, header) = head(body)?;
    let committed = truth(body, "succeeded")?;
    let mut reads = Reads::after(0, body)?;
    let (mut init, mut versions) = (None, Vec::new());
    if committed {
        let (pairs, false) = reads.next()? else {
            return None;
        };
        for pair in pairs.iter().map(Pair) {
            // Somebody else's key is no group's version.
            if let Some(group) = keys.group_of(pair.key()?) {
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

fn init_put(keys: &Keys<'_>, body: &Tree) -> Option<InitPut> {
    let (cluster, header) = head(body)?;
    let committed = truth(body, "succeeded")?;
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
fn granted(body: &Tree, lease: LeaseId, seconds: u64) -> Option<Reply> {
    head(body)?;
    let good = number(body, "ID")? == lease.0 && number(body, "TTL")? >= seconds;
    good.then_some(Reply::Granted)
}

/// What a stream brings is one level deeper. One that does not say under which leader is of no use.
fn kept_alive(body: &Tree, lease: LeaseId) -> Option<Reply> {
    let kept = body.get("result")?;
    head(kept)?;
    let term = term(kept)?;
    let there = number(kept, "TTL")? > 0;
    let good = number(kept, "ID")? == lease.0 && term > 0;
    good.then_some(Reply::KeptAlive(there.then_some(term)))
}

/// The outer `None` says that it looks as it must not.
pub(super) fn value(pair: Option<Pair<'_>>) -> Option<Option<Value>> {
    let Some(pair) = pair else {
        return Some(None);
    };
    let (bytes, at) = (pair.bytes()?, pair.put_at()?);
    Some(Some(Value { bytes, at }))
}

/// One that somebody put without a lease says lease 0: it is never kept alive, and stays until broken.
pub(super) fn lock(pair: Pair<'_>) -> Option<Lock> {
    let (since, lease) = (pair.since()?, LeaseId(pair.lease()?));
    Some(Lock { since, lease })
}
