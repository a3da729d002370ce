//! One proxy's knowledge, shared by its workers: cells that are written and read one at a time.
//!
//! ```text
//!   writer:  mark, mark, ...  (each by maximum)  -->  stamp (by maximum)
//!   reader:  stamp  -->  mark  -->  clock
//! ```
//!
//! So a stamp is never seen with a mark older than the read that it stands for, and nothing that
//! happens between the readings is overlooked by the clock. A mark here is whatever only rises
//! with what is known: a token, or the version of a place in the background read.

use super::clock::Instants;
use core::time::Duration;

/// A read in several pages. It is as old as its first page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PagedRead<M> {
    sent: Instants,
    marks: Vec<(usize, M)>,
}

impl<M> PagedRead<M> {
    /// The first page is sent at `sent`.
    #[must_use]
    pub const fn new(sent: Instants) -> Self {
        Self {
            sent,
            marks: Vec::new(),
        }
    }

    /// Takes a page: cells and their marks.
    pub fn page(&mut self, marks: impl IntoIterator<Item = (usize, M)>) {
        self.marks.extend(marks);
    }

    /// The last page was taken.
    #[must_use]
    pub fn publish(self) -> Publish<M> {
        Publish {
            sent: self.sent,
            marks: self.marks.into_iter(),
        }
    }
}

/// What the writer must do next.
#[derive(Debug)]
#[must_use]
pub enum PublishStep<M> {
    /// Make this cell at least this mark, then go on.
    Mark(usize, M, Publish<M>),
    /// Make the stamp at least this one: the end.
    Stamp(Instants),
}

/// Writes what was read.
#[derive(Clone, Debug)]
pub struct Publish<M> {
    sent: Instants,
    marks: std::vec::IntoIter<(usize, M)>,
}

impl<M> Publish<M> {
    /// The next cell.
    pub fn next(mut self) -> PublishStep<M> {
        match self.marks.next() {
            Some((cell, mark)) => PublishStep::Mark(cell, mark, self),
            None => PublishStep::Stamp(self.sent),
        }
    }
}

/// Waits for the stamp.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recall;

/// Waits for the mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecallMark {
    stamp: Option<Instants>,
}

/// Waits for the clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecallTime<M> {
    stamp: Option<Instants>,
    mark: M,
}

/// What the workers know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Recalled<M> {
    /// The mark, or a higher one, is or was.
    pub mark: M,
    /// Whether nothing above it can have been answered anywhere.
    pub fresh: bool,
}

impl Recall {
    /// Takes the stamp.
    #[must_use]
    pub const fn stamp(self, stamp: Option<Instants>) -> RecallMark {
        RecallMark { stamp }
    }
}

impl RecallMark {
    /// Takes the mark.
    #[must_use]
    pub const fn mark<M>(self, mark: M) -> RecallTime<M> {
        RecallTime {
            stamp: self.stamp,
            mark,
        }
    }
}

impl<M> RecallTime<M> {
    /// Takes the clocks, and how long to trust.
    #[must_use]
    pub fn clocks(self, now: Instants, trust: Duration) -> Recalled<M> {
        Recalled {
            fresh: self.stamp.is_some_and(|stamp| now.is_within(trust, stamp)),
            mark: self.mark,
        }
    }
}
