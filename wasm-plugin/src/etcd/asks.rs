//! The requests of one worker that wait for etcd.

use crate::contexts::Contexts;
use fencegate_core::moment::Moment;
use fencegate_core::quorum::{Calling, Kept, LeaseId, Outcome, Sitting, Stale, Wanted};
use fencegate_core::verdict::{Fault, Verdict};

/// What etcd says to a request.
#[derive(Clone, Debug)]
pub enum Said {
    /// This.
    Outcome(Outcome),
    /// A page of leases.
    Page(Paged),
    /// Nothing in time, or nothing to rely upon.
    Undecided(Fault),
}

impl Said {
    /// What it says to a request that is judged.
    pub const fn verdict(&self) -> Verdict {
        match self {
            Self::Outcome(Outcome::Verdict(verdict)) => *verdict,
            Self::Undecided(fault) => Verdict::Undecided(*fault),
            Self::Outcome(_) | Self::Page(_) => Verdict::Undecided(Fault::Unreachable),
        }
    }
}

/// A page of leases.
#[derive(Clone, Debug)]
pub struct Paged {
    /// Resources, what is kept of them, and whether they are locked.
    pub rows: Vec<(String, Kept, bool)>,
    /// Whether there are more.
    pub more: bool,
}

/// What was said, to whom, and as of when.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The request's context.
    pub asker: u32,
    /// What.
    pub said: Said,
    /// As of when.
    pub at: Moment,
    /// Whether it could not be told at once: what it admits is to be judged again.
    pub late: bool,
}

/// Whether a request is judged, or is a call of the lease API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It is judged; of several for one resource one call will do.
    Check,
    /// It is a call, with calls of its own.
    Call,
}

/// A request that waits.
#[derive(Debug)]
pub(super) struct Ask {
    /// The request's context; `None`: it is gone, and its last call is only to be learned from.
    pub(super) asker: Option<u32>,
    /// What it is about.
    pub(super) resource: String,
    pub(super) kind: Kind,
    /// From when its time counts.
    pub(super) begun: Moment,
    /// What it will ask for again while it is not granted, and until when.
    pub(super) patience: Option<(Wanted, Moment)>,
    pub(super) state: State,
}

/// What a request waits for.
#[derive(Debug)]
pub(super) enum State {
    /// The answer to its call.
    Called(Calling),
    /// The answer to another one's call for the same resource.
    Behind(Calling),
    /// A background read.
    Stale(Stale),
    /// That older knowledge has run out.
    Sits(Sitting, Moment),
    /// That the lease is given back; asked again then at the latest.
    Waits(Moment),
    /// A page of leases: where it goes on, how many, and whether it was asked for before.
    Pages(Option<String>, u32, bool),
}

impl Ask {
    /// The lease to revoke if it is given up here.
    pub(super) fn leaves_behind(&self) -> Option<LeaseId> {
        match &self.state {
            State::Called(calling) | State::Behind(calling) => calling.leaves_behind(),
            State::Sits(sitting, _) => sitting.leaves_behind(),
            State::Stale(_) | State::Waits(_) | State::Pages(..) => None,
        }
    }
}

/// All of them, by numbers that only rise.
#[derive(Debug, Default)]
pub(super) struct Asks {
    by_number: Contexts<Ask>,
    last: u32,
}

impl Asks {
    /// A number for a new one.
    pub(super) fn number(&mut self) -> u32 {
        self.last = self.last.wrapping_add(1);
        self.last
    }

    pub(super) fn put(&mut self, number: u32, ask: Ask) {
        self.by_number.insert(number, ask);
    }

    pub(super) fn take(&mut self, number: u32) -> Option<Ask> {
        self.by_number.take(number)
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.by_number.is_empty()
    }

    /// Whether its call is under way.
    pub(super) fn is_called(&self, number: u32) -> bool {
        let ask = self.by_number.get(number);
        ask.is_some_and(|ask| matches!(ask.state, State::Called(_)))
    }

    /// The numbers of those that are such.
    pub(super) fn that(&self, such: impl Fn(&Ask) -> bool) -> Vec<u32> {
        let found = self.by_number.iter().filter(|(_, ask)| such(ask));
        found.map(|(number, _)| number).collect()
    }
}
