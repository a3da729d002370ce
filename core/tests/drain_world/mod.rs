//! One proxy with two workers, holders that acquire and write, and a store that writes reach
//! late: the machines of drain, one micro-step at a time.
//!
//! A machine between its reading and its storing is kept as "read at that tick, and somebody
//! stored since or not": that is all that its future depends on, since a conflict starts it anew.

use crate::common::{ACQUIRE, token};
use crate::explore::{Broken, Model, broken};
use bytes::{mapped, nearly_full, stormed};
use fencegate_core::check::Presented;
use fencegate_core::check::{Access, AfterExpiry, Check, External, Judgement};
use fencegate_core::codec;
use fencegate_core::drain::{
    Answer, Both, CountIn, CountOut, Counted, CountedIn, Drain, DrainedCheck, DrainedGrant,
    DrainedVerdict, Flight, Grants, Plain, Put, Unresolved, decode, encode,
};
use fencegate_core::lease::{Acquire, Acquired};
use fencegate_core::machine::{Load, Operation, Seen, Step};
use fencegate_core::moment::Moment;
use fencegate_core::queue::Queue;
use fencegate_core::spent::Spent;
use fencegate_core::token::Token;
use fencegate_core::verdict::Verdict;
use std::hash::{Hash, Hasher};
use std::time::Duration;

/// A mistake that is made on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// The record is read first, the write counted in afterwards, by a count that knows no mark.
    /// (One that does refuses it, since record and counts are one value: a second line of defence.)
    CountsInAfterTheRead,
    /// The grant is answered as soon as it is raised.
    AnswersAtTheRaise,
    /// A later raise restarts the bound.
    LaterRaiseRestarts,
    /// Stale writes are counted like others, and their count forgets when they were superseded.
    StormRestarts,
    /// A reset stream counts as the end of its write.
    ResetEnds,
    /// The answer of one attempt ends a write while another attempt is under way.
    OneAttemptEnds,
    /// An answer that the proxy made itself ends the write.
    OwnAnswerEnds,
    /// A count-out that finds no count of its token takes the lowest one.
    OutOfAnothers,
    /// One more than the highest count is 0.
    CountsWrap,
    /// A count-out is repeated as if it had failed.
    OutTwice,
    /// A count is stored although somebody else stored since.
    NoSecondJudgement,
    /// Only the write that raises the mark waits, not the next one with its token.
    EqualOvertakes,
    /// The lease runs from the raise.
    LeaseFromTheRaise,
}

/// What is looked at, and within which bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup {
    pub(crate) holders: usize,
    pub(crate) writes_each: u8,
    pub(crate) ticks: u8,
    /// How long a write may be under way, in ticks.
    pub(crate) bound: u8,
    /// How often a write is sent.
    pub(crate) attempts: u8,
    /// Whether streams are reset.
    pub(crate) resets: bool,
    /// Holders present 1, 2, .. of their own instead of acquiring.
    pub(crate) external: bool,
    pub(crate) flaw: Option<Flaw>,
}

const TTL: u8 = 1;
const WORKERS: usize = 2;
const NAMES: [&str; 4] = ["a", "b", "c", "z"];

/// A machine between its reading and its storing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Mid {
    at: u8,
    conflicted: bool,
    /// What was read, where that matters after a conflict: only to the flaw that ignores it.
    read: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Asks {
    Idle,
    Raising(Mid),
    Draining,
    Holds(u8),
    Over,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Phase {
    Uncounted,
    In(Mid),
    Counted,
    Judging(Mid),
    Waiting,
    Flying,
    Ended,
    Out(Mid),
    Lost,
    OutUnresolved(Mid),
    Gone,
}

impl Phase {
    fn mid(&mut self) -> Option<&mut Mid> {
        match self {
            Self::In(mid) | Self::Judging(mid) => Some(mid),
            Self::Out(mid) | Self::OutUnresolved(mid) => Some(mid),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Write {
    token: u8,
    holder: usize,
    start: u8,
    phase: Phase,
    /// Attempts that may still reach the store.
    air: u8,
    forwarded: bool,
    judged: bool,
    outs: u8,
}

/// Everything at one instant.
#[derive(Clone)]
pub(crate) struct World {
    setup: Setup,
    record: Option<Vec<u8>>,
    spent: Vec<[u8; 8]>,
    drain: Drain,
    now: u8,
    last: u8,
    asks: Vec<(Asks, u8)>,
    writes: Vec<Write>,
    /// Below this no write may reach the store any more.
    answered: u8,
    /// When each token was first superseded.
    superseded: [Option<u8>; 5],
    read: Vec<(Option<Vec<u8>>, Drain)>,
    /// Whether this is a copy in which it is tried out whether someone can acquire.
    trying: bool,
}

impl Hash for World {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (&self.record, &self.spent, &self.drain, self.now, self.last).hash(hasher);
        (&self.asks, &self.writes, self.answered, self.superseded).hash(hasher);
        self.read.hash(hasher);
    }
}

/// One thing that happens.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Move {
    Tick,
    /// A holder asks for its lease, or its machine goes on.
    Ask(usize),
    /// A holder sends a write.
    Send(usize),
    /// The machine of a write goes on.
    Go(usize),
    /// A write reaches the store.
    Land(usize),
    /// The store's complete answer arrives.
    Complete(usize),
    /// The stream ends in another way.
    Reset(usize),
}

const fn tick(at: u8) -> Moment {
    Moment::from_nanos(at as u64 * 1_000_000_000)
}

const fn ticks(count: u8) -> Duration {
    Duration::from_secs(count as u64)
}

impl World {
    pub(crate) fn new(setup: Setup) -> Self {
        let mut drain = Drain::default();
        if setup.flaw == Some(Flaw::CountsWrap) {
            drain = nearly_full(1);
        }
        Self {
            setup,
            record: None,
            spent: Vec::new(),
            drain,
            now: 0,
            last: 0,
            asks: vec![(Asks::Idle, setup.writes_each); setup.holders],
            writes: Vec::new(),
            answered: 0,
            superseded: [None; 5],
            read: Vec::new(),
            trying: false,
        }
    }

    fn has(&self, flaw: Flaw) -> bool {
        self.setup.flaw == Some(flaw)
    }

    fn seen(&self) -> Seen<'_> {
        seen(self.record.as_ref(), &self.spent)
    }

    fn mark(&self) -> u8 {
        let record = self.seen().record;
        record.map_or(0, |record| record.token.number() as u8)
    }

    /// Reads; the outcome if there is nothing to store.
    fn begin<O: Operation<Change = Put>>(&self, operation: O) -> Option<O::Outcome> {
        let load = Load::new(operation, 1);
        let both = Both {
            seen: self.seen(),
            drain: &self.drain,
        };
        match load.loaded(Ok((both, ())), tick(self.now)) {
            Step::Done(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// Stores what was decided on the reading at `mid`; `None`: somebody was faster.
    fn finish<O: Operation<Change = Put>>(
        &mut self,
        operation: O,
        mid: Mid,
    ) -> Result<Option<O::Outcome>, Broken> {
        if mid.conflicted && !self.has(Flaw::NoSecondJudgement) {
            return Ok(None);
        }
        let (record, mut drain) = (self.record.clone(), self.drain.clone());
        let (record, drain) = match self.read.get(mid.read.wrapping_sub(1)) {
            Some(read) if mid.conflicted => read.clone(),
            _ => {
                if self.has(Flaw::LaterRaiseRestarts) && self.is_free() {
                    drain = mapped(&drain, |flight| flight.superseded = None);
                }
                (record, drain)
            }
        };
        let both = Both {
            seen: seen(record.as_ref(), &self.spent),
            drain: &drain,
        };
        let step = match Load::new(operation, 1).loaded(Ok((both, ())), tick(mid.at)) {
            Step::Draw(draw) => {
                self.last += 1;
                draw.drawn(Ok(token(self.last.into())), tick(self.now))
            }
            step => step,
        };
        let Step::Store(store) = step else {
            // Only without the second judgement: there is nothing to store any more.
            return Ok(None);
        };
        let put = store.change().0.clone();
        self.apply(put)?;
        match store.stored(Ok(())) {
            Step::Done(outcome) => Ok(Some(outcome)),
            _ => Ok(None),
        }
    }

    fn apply(&mut self, put: Put) -> Result<(), Broken> {
        let before = self.mark();
        self.drain = self.flawed(put.drain);
        if let Some(change) = put.change {
            let mut bytes = Vec::new();
            codec::encode("r", &change.record, &mut bytes).expect("short names");
            self.record = Some(bytes);
            self.spent.extend(change.spend.map(|spend| spend.0));
        }
        let mark = self.mark();
        if mark < before {
            return Err(broken("mark_never_falls", format!("{mark} after {before}")));
        }
        for (token, at) in self.superseded.iter_mut().enumerate() {
            if token < usize::from(mark) {
                *at = at.or(Some(self.now));
            }
        }
        for mid in self.mids() {
            mid.conflicted = true;
        }
        if self.setup.external || self.trying {
            return Ok(());
        }
        self.someone_can_acquire()
    }

    /// The laws of what was read have a say only in a correct world.
    fn flawed(&self, mut drain: Drain) -> Drain {
        if self.has(Flaw::CountsWrap) {
            drain = mapped(&drain, |flight| {
                if flight.open == u16::MAX {
                    flight.open = 0;
                }
            });
        }
        drain
    }

    fn mids(&mut self) -> impl Iterator<Item = &mut Mid> {
        let asks = self.asks.iter_mut().filter_map(|(asks, _)| match asks {
            Asks::Raising(mid) => Some(mid),
            _ => None,
        });
        let writes = self.writes.iter_mut();
        asks.chain(writes.filter_map(|write| write.phase.mid()))
    }

    /// How many workers are between a reading and a storing.
    fn busy(&self) -> usize {
        let asks = self.asks.iter();
        let asks = asks.filter(|(asks, _)| matches!(asks, Asks::Raising(_)));
        let writes = self.writes.iter().map(|write| write.phase);
        asks.count() + writes.filter_map(|mut phase| phase.mid().copied()).count()
    }

    fn mid(&mut self) -> Mid {
        if self.has(Flaw::NoSecondJudgement) {
            self.read.push((self.record.clone(), self.drain.clone()));
        }
        Mid {
            at: self.now,
            conflicted: false,
            read: self.read.len(),
        }
    }
}

fn seen<'a>(record: Option<&'a Vec<u8>>, spent: &'a [[u8; 8]]) -> Seen<'a> {
    Seen {
        record: record.map(|bytes| codec::decode(bytes).expect("never damaged here").1),
        spent: Spent(spent),
        queue: Queue::default(),
    }
}

mod asks;
mod bytes;
mod moves;
mod writes;
