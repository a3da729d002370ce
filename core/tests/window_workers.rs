//! The order between workers: what one writes and another reads, one cell at a time. The same
//! small model is walked by two checkers that know nothing of each other.
#![cfg(not(target_arch = "wasm32"))]

mod explore;

use explore::{Broken, Model, broken, finds, holds};
use fencegate_core::moment::Moment;
use fencegate_core::window::{
    Instants, PagedRead, PublishStep, Recall, RecallMark, RecallTime, Recalled,
};
use stateright::Checker;
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Order {
    Kept,
    /// The stamp is written before the mark.
    StampFirst,
    /// A mark is written over a higher one.
    NotByMaximum,
    /// The mark is read before the stamp.
    MarkReadFirst,
    /// The clock is read before the rest.
    ClockFirst,
    /// The read is dated by its last page.
    LastPage,
}

const TRUST: Duration = Duration::from_secs(1);
const TICKS: u8 = 3;
const MARK_MAX: u8 = 2;

/// A worker that reads from the authority, in two pages, and writes what it read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Writer {
    Idle,
    /// The first page is read: (sent, found).
    Paged(u8, u8),
    /// Both are: (sent, found, cells still to be written).
    Writes(u8, u8, u8),
}

/// A worker that judges.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Reader {
    Idle,
    Stamp(RecallMark),
    /// With the clock, if it was read too early.
    Both(RecallTime<u8>, u8),
    MarkFirst(u8),
    Early(u8),
    EarlyStamp(u8, RecallMark),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct World {
    order: Order,
    now: u8,
    /// The authority's mark, and when it was raised to that.
    mark: u8,
    raised: u8,
    cell: u8,
    stamp: Option<u8>,
    writers: [Writer; 2],
    reader: Reader,
    wrong: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Move {
    Tick,
    Raise,
    Write(usize),
    Read,
}

const fn at(tick: u8) -> Instants {
    let moment = Moment::from_nanos(tick as u64 * 1_000_000_000);
    Instants {
        mono: moment,
        wall: moment,
    }
}

impl World {
    const fn new(order: Order) -> Self {
        Self {
            order,
            now: 0,
            mark: 0,
            raised: 0,
            cell: 0,
            stamp: None,
            writers: [Writer::Idle, Writer::Idle],
            reader: Reader::Idle,
            wrong: false,
        }
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = vec![Move::Write(0), Move::Write(1), Move::Read];
        if self.now < TICKS {
            moves.push(Move::Tick);
        }
        if self.mark < MARK_MAX {
            moves.push(Move::Raise);
        }
        moves
    }

    fn next(&self, step: Move) -> Self {
        let mut next = self.clone();
        match step {
            Move::Tick => next.now += 1,
            Move::Raise => {
                next.mark += 1;
                next.raised = next.now;
            }
            Move::Write(who) => next.write(who),
            Move::Read => next.read(),
        }
        next
    }

    fn write(&mut self, who: usize) {
        self.writers[who] = match self.writers[who] {
            Writer::Idle => Writer::Paged(self.now, self.mark),
            Writer::Paged(sent, found) => {
                let sent = match self.order {
                    Order::LastPage => self.now,
                    _ => sent,
                };
                Writer::Writes(sent, found, 0)
            }
            Writer::Writes(sent, found, written) => {
                self.store(sent, found, written);
                match written {
                    0 => Writer::Writes(sent, found, 1),
                    _ => Writer::Idle,
                }
            }
        };
    }

    /// What the machine asks for, as its first or its second step.
    fn store(&mut self, sent: u8, found: u8, written: u8) {
        let mut read = PagedRead::new(at(sent));
        read.page([(0, found)]);
        let first = read.publish().next();
        let swapped = u8::from(self.order == Order::StampFirst);
        let step = match (first, written ^ swapped) {
            (PublishStep::Mark(_, _, rest), 1) => rest.next(),
            (first, _) => first,
        };
        match step {
            PublishStep::Mark(_, mark, _) if self.order == Order::NotByMaximum => self.cell = mark,
            PublishStep::Mark(_, mark, _) => self.cell = self.cell.max(mark),
            PublishStep::Stamp(_) => self.stamp = self.stamp.max(Some(sent)),
        }
    }

    fn read(&mut self) {
        let stamp = self.stamp.map(at);
        self.reader = match self.reader.clone() {
            Reader::Idle if self.order == Order::MarkReadFirst => Reader::MarkFirst(self.cell),
            Reader::Idle if self.order == Order::ClockFirst => Reader::Early(self.now),
            Reader::Idle => Reader::Stamp(Recall.stamp(stamp)),
            Reader::Early(now) => Reader::EarlyStamp(now, Recall.stamp(stamp)),
            Reader::EarlyStamp(now, state) => Reader::Both(state.mark(self.cell), now),
            Reader::MarkFirst(mark) => Reader::Both(Recall.stamp(stamp).mark(mark), u8::MAX),
            Reader::Stamp(state) => Reader::Both(state.mark(self.cell), u8::MAX),
            Reader::Both(state, now) => {
                let now = if now == u8::MAX { self.now } else { now };
                self.judge(state.clocks(at(now), TRUST));
                Reader::Idle
            }
        };
    }

    /// A mark that was raised a whole trust ago may have been answered somewhere.
    fn judge(&mut self, known: Recalled<u8>) {
        let answered = self.now - self.raised >= TRUST.as_secs() as u8;
        let behind = known.mark < self.mark && answered;
        // Two raises at once: the first may have been answered before the second came.
        self.wrong |= known.fresh && behind;
    }
}

impl Model for World {
    type Move = Move;

    fn moves(&self) -> Vec<Move> {
        self.moves()
    }

    fn after(&self, step: Move) -> Result<Self, Broken> {
        let next = self.next(step);
        match next.wrong {
            true => Err(broken("stale_never_admitted", format!("{next:?}"))),
            false => Ok(next),
        }
    }
}

/// The same for the other checker.
struct Other(Order);

impl stateright::Model for Other {
    type State = World;
    type Action = Move;

    fn init_states(&self) -> Vec<World> {
        vec![World::new(self.0)]
    }

    fn actions(&self, state: &World, actions: &mut Vec<Move>) {
        actions.extend(state.moves());
    }

    fn next_state(&self, state: &World, step: Move) -> Option<World> {
        Some(state.next(step))
    }

    fn properties(&self) -> Vec<stateright::Property<Self>> {
        vec![stateright::Property::always(
            "stale_never_admitted",
            |_, state: &World| !state.wrong,
        )]
    }
}

#[test]
fn two_writers_and_a_reader_keep_their_order_and_two_checkers_agree() {
    let count = holds(
        "workers: 2 writers, 1 reader, 3 ticks, 2 raises",
        &World::new(Order::Kept),
        1_000,
    );
    let checked = stateright::Model::checker(Other(Order::Kept))
        .spawn_bfs()
        .join();
    checked.assert_properties();
    println!("stateright: {} states", checked.unique_state_count());
    assert_eq!(checked.unique_state_count(), count.states);
}

#[track_caller]
fn control(order: Order) {
    finds(
        &format!("{order:?}"),
        &World::new(order),
        "stale_never_admitted",
    );
    let checked = stateright::Model::checker(Other(order)).spawn_bfs().join();
    assert!(
        checked.discovery("stale_never_admitted").is_some(),
        "{order:?}"
    );
}

#[test]
fn control_a_stamp_written_before_its_mark() {
    control(Order::StampFirst);
}

#[test]
fn control_a_mark_written_over_a_higher_one() {
    control(Order::NotByMaximum);
}

#[test]
fn control_a_mark_read_before_the_stamp() {
    control(Order::MarkReadFirst);
}

#[test]
fn control_the_clock_read_before_the_rest() {
    control(Order::ClockFirst);
}

#[test]
fn control_a_read_in_pages_dated_by_its_last_page() {
    control(Order::LastPage);
}
