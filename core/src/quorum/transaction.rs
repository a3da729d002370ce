//! What is asked of the store and what it answers, apart from how that is written on a wire.
//!
//! Every transaction compares init's revision: on a prefix that was wiped nothing is committed. Every
//! one also reads, in both of its branches: a transaction of comparisons alone may be answered by
//! a member that was cut off from all others.

/// A lease of the store's; the proxy chooses the number. 1 to 2^63 - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeaseId(pub u64);

/// One transaction on one resource.
///
/// Committed or not, it then reads the resource's mark, lock and version. Where it was not
/// committed it reads init as well.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transaction {
    /// The revision of the last put of init that must be in force.
    pub init: u64,
    /// The revision of the last put of the mark, if that must be so; 0: there must be none.
    pub mark_at: Option<u64>,
    /// The revision since which the lock must be there, if that must be so; 0: there must be none.
    pub lock_since: Option<u64>,
    /// What to put as the mark; its group's version is put with it.
    pub mark: Option<Vec<u8>>,
    /// What becomes of the lock.
    pub lock: LockChange,
}

/// What becomes of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LockChange {
    /// It stays as it is.
    Keep,
    /// It is put, and goes when this lease goes. One that is there stays since when it was.
    Put(LeaseId),
    /// It goes.
    Delete,
}

/// A value and the revision of its last put.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The revision of its last put.
    pub at: u64,
}

/// A lock that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lock {
    /// The revision since which it is there: the number of the token that was granted with it.
    pub since: u64,
    /// The lease that it goes with.
    pub lease: LeaseId,
}

/// The answer to a [`Transaction`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Answer {
    /// Whether all comparisons held, so that the puts were made.
    pub committed: bool,
    /// Which store answered.
    pub cluster: u64,
    /// The store's revision after it.
    pub header: u64,
    /// The term of the leader that it was agreed on under, or a later one; 0: not known yet.
    pub term: u64,
    /// Init, read only where it was not committed; `None` there: there is none.
    pub init: Option<Value>,
    /// The mark after it.
    pub mark: Option<Value>,
    /// The lock after it.
    pub lock: Option<Lock>,
    /// The revision of the last put of the version of the resource's group; 0: none yet.
    pub version: u64,
}

/// The background read: which groups' versions were put since a revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Survey {
    /// The revision of the last put of init that must be in force.
    pub init: u64,
    /// Only versions that were put at this revision or later; 0: all.
    pub since: u64,
}

/// The answer to a [`Survey`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Surveyed {
    /// Whether init was as it must be.
    pub committed: bool,
    /// Which store answered.
    pub cluster: u64,
    /// The store's revision.
    pub header: u64,
    /// Init, read only where it was not committed; `None` there: there is none.
    pub init: Option<Value>,
    /// Groups and the revision of their last put.
    pub versions: Vec<(u16, u64)>,
}

/// A put of init over the init that is there. It reads init too, in both of its branches.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PutInit {
    /// The revision of the last put of init that must be in force; 0: there must be none.
    pub over: u64,
    /// What to put.
    pub bytes: Vec<u8>,
}

/// The answer to a [`PutInit`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InitPut {
    /// Whether the comparison held, so that it was put.
    pub committed: bool,
    /// Which store answered.
    pub cluster: u64,
    /// The store's revision after it.
    pub header: u64,
    /// Init after it; `None`: there is none.
    pub init: Option<Value>,
}

/// One call to the store.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Call {
    /// A transaction.
    Transact(Transaction),
    /// A background read.
    Survey(Survey),
    /// A put of init.
    PutInit(PutInit),
    /// A new lease under this number, for so many seconds (at least 2).
    Grant(LeaseId, u64),
    /// A lease is to run its whole time from now.
    KeepAlive(LeaseId),
    /// A lease is to end now.
    Revoke(LeaseId),
}

/// The answer to a [`Call`], of the same kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reply {
    /// To a transaction.
    Answer(Answer),
    /// To a background read.
    Surveyed(Surveyed),
    /// To a put of init.
    InitPut(InitPut),
    /// The lease is there.
    Granted,
    /// The lease was still there and is now kept by the leader of this term, or of a later one;
    /// `None`: it was not there. A leader answers that by itself, also one that was deposed and does
    /// not know it: see [`Answer::term`].
    KeptAlive(Option<u64>),
    /// The lease is gone.
    Revoked,
}

/// Why a call has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CallError {
    /// The store refused it: it was not done.
    Refused,
    /// A lease of that number is there already.
    LeaseExists,
    /// There is no such lease: it was not done.
    NoSuchLease,
    /// Nobody knows whether it was done.
    Unknown,
}
