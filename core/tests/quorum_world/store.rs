//! A store as the documentation of etcd describes it, written down as naively as can be: keys with
//! the revisions of their first and last put, one counter for all, leases that take their keys along.
//! A leader keeps the leases; one that was deposed and does not know it answers keepalives all the same.

use fencegate_core::quorum::{
    Answer, Call, CallError, InitPut, LeaseId, Lock, LockChange, PutInit, Reply, Survey, Surveyed,
    Transaction, Value,
};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const CLUSTER: u64 = 77;

/// What is there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Store {
    pub(crate) cluster: u64,
    pub(crate) revision: u64,
    pub(crate) init: Option<Value>,
    pub(crate) marks: BTreeMap<String, Value>,
    pub(crate) locks: BTreeMap<String, Lock>,
    pub(crate) versions: BTreeMap<u16, u64>,
    /// Leases and how long they run yet, in seconds.
    pub(crate) leases: BTreeMap<LeaseId, Lease>,
    /// The leader's term.
    pub(crate) term: u64,
    /// Who was the last to be deposed.
    pub(crate) deposed: Option<Deposed>,
    /// A mistake on purpose: no put looks at init.
    pub(crate) ignores_init: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Lease {
    pub(crate) seconds: u64,
    pub(crate) left: u64,
}

/// A leader that does not know that there is another one: its term and its leases.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Deposed {
    term: u64,
    leases: BTreeSet<LeaseId>,
}

/// Two groups, so that resources share one.
pub(crate) fn group(resource: &str) -> u16 {
    u16::from(resource.len().is_multiple_of(2))
}

impl Store {
    /// A store with nothing in it but an init.
    pub(crate) fn with_init(init: Vec<u8>) -> Self {
        Self {
            cluster: CLUSTER,
            revision: 1,
            init: Some(Value { bytes: init, at: 1 }),
            marks: BTreeMap::new(),
            locks: BTreeMap::new(),
            versions: BTreeMap::new(),
            leases: BTreeMap::new(),
            term: 1,
            deposed: None,
            ignores_init: false,
        }
    }

    fn init_at(&self) -> u64 {
        self.init.as_ref().map_or(0, |init| init.at)
    }

    pub(crate) fn put_init(&mut self, bytes: Vec<u8>) {
        self.revision += 1;
        let at = self.revision;
        self.init = Some(Value { bytes, at });
    }

    /// Every key under the prefix goes.
    pub(crate) fn wipe(&mut self) {
        self.revision += 1;
        self.init = None;
        self.marks.clear();
        self.locks.clear();
        self.versions.clear();
    }

    pub(crate) fn call(&mut self, resource: &str, call: &Call) -> Result<Reply, CallError> {
        match call {
            Call::Transact(transaction) => self.transact(resource, transaction),
            Call::Survey(survey) => Ok(Reply::Surveyed(self.survey(survey))),
            Call::PutInit(put) => Ok(Reply::InitPut(self.compare_and_put_init(put))),
            Call::Grant(lease, _) if self.leases.contains_key(lease) => Err(CallError::LeaseExists),
            Call::Grant(lease, seconds) => {
                assert!(*seconds >= 2, "the store refuses shorter ones");
                let left = *seconds;
                let seconds = left;
                self.leases.insert(*lease, Lease { seconds, left });
                Ok(Reply::Granted)
            }
            Call::KeepAlive(lease) => {
                let kept = self.leases.get_mut(lease);
                let kept = kept.map(|lease| lease.left = lease.seconds);
                Ok(Reply::KeptAlive(kept.map(|()| self.term)))
            }
            Call::Revoke(lease) => match self.leases.contains_key(lease) {
                true => {
                    self.expire(*lease);
                    Ok(Reply::Revoked)
                }
                false => Err(CallError::NoSuchLease),
            },
        }
    }

    fn transact(&mut self, resource: &str, it: &Transaction) -> Result<Reply, CallError> {
        let mark_at = self.marks.get(resource).map_or(0, |mark| mark.at);
        let lock_since = self.locks.get(resource).map_or(0, |lock| lock.since);
        let ignored = self.ignores_init && it.mark.is_some();
        let committed = (ignored || it.init == self.init_at())
            && it.mark_at.is_none_or(|at| at == mark_at)
            && it.lock_since.is_none_or(|since| since == lock_since);
        if committed {
            self.put(resource, it)?;
        }
        Ok(Reply::Answer(Answer {
            committed,
            cluster: self.cluster,
            header: self.revision,
            term: self.term,
            init: self.init.clone().filter(|_| !committed),
            mark: self.marks.get(resource).cloned(),
            lock: self.locks.get(resource).copied(),
            version: self.versions.get(&group(resource)).copied().unwrap_or(0),
        }))
    }

    fn put(&mut self, resource: &str, it: &Transaction) -> Result<(), CallError> {
        if let LockChange::Put(lease) = it.lock
            && !self.leases.contains_key(&lease)
        {
            return Err(CallError::NoSuchLease);
        }
        let deletes = it.lock == LockChange::Delete && self.locks.contains_key(resource);
        let changes = it.mark.is_some() || matches!(it.lock, LockChange::Put(_)) || deletes;
        self.revision += u64::from(changes);
        let at = self.revision;
        if let Some(bytes) = it.mark.clone() {
            self.marks.insert(resource.to_owned(), Value { bytes, at });
            self.versions.insert(group(resource), at);
        }
        match it.lock {
            LockChange::Keep => {}
            LockChange::Put(lease) => {
                let since = self.locks.get(resource).map_or(at, |lock| lock.since);
                self.locks
                    .insert(resource.to_owned(), Lock { since, lease });
            }
            LockChange::Delete => {
                self.locks.remove(resource);
            }
        }
        Ok(())
    }

    fn survey(&self, survey: &Survey) -> Surveyed {
        let committed = survey.init == self.init_at();
        let versions = self.versions.iter().map(|(group, at)| (*group, *at));
        Surveyed {
            committed,
            cluster: self.cluster,
            header: self.revision,
            init: self.init.clone().filter(|_| !committed),
            versions: versions
                .filter(|(_, at)| committed && *at >= survey.since)
                .collect(),
        }
    }

    fn compare_and_put_init(&mut self, put: &PutInit) -> InitPut {
        let committed = put.over == self.init_at();
        if committed {
            self.put_init(put.bytes.clone());
        }
        InitPut {
            committed,
            cluster: self.cluster,
            header: self.revision,
            init: self.init.clone(),
        }
    }

    /// Another leader takes over, and lets every lease run its whole time anew; the old one is not told.
    pub(crate) fn elect(&mut self) {
        let (term, leases) = (self.term, self.leases.keys().copied().collect());
        self.deposed = Some(Deposed { term, leases });
        self.term += 1;
        for lease in self.leases.values_mut() {
            lease.left = lease.seconds;
        }
    }

    /// What the deposed leader says to a call, if it answers that at all: nothing comes of it.
    pub(crate) fn call_deposed(&self, call: &Call) -> Option<Reply> {
        let deposed = self.deposed.as_ref()?;
        match call {
            Call::KeepAlive(lease) => {
                let there = deposed.leases.contains(lease);
                Some(Reply::KeptAlive(there.then_some(deposed.term)))
            }
            _ => None,
        }
    }

    /// A lease ends, and what goes with it.
    pub(crate) fn expire(&mut self, lease: LeaseId) {
        self.leases.remove(&lease);
        let before = self.locks.len();
        self.locks.retain(|_, lock| lock.lease != lease);
        self.revision += u64::from(self.locks.len() < before);
    }
}
