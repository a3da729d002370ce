//! Every interleaving of a few actors over one authority, one micro-step at a time: a reading,
//! a draw and a storing are steps of their own, and anybody may come between them.
//!
//! The laws are looked at after every step. A [`Flaw`] is a mistake that such an authority or
//! its driver might make: the search must find each.
#![allow(
    dead_code,
    reason = "every test crate compiles this file and uses a part of it"
)]

pub(crate) mod actor;

use crate::common::{Cell, secs};
use actor::Actor;
use fencegate_core::codec;
use fencegate_core::laws::{Event, Observer, Tokens, Violation};
use fencegate_core::machine::{Change, NotStored, Operation, Seen, Step};
use fencegate_core::moment::Moment;
use fencegate_core::queue::Queue;
use fencegate_core::spent::Spent;
use fencegate_core::start::Start;
use fencegate_core::token::Token;
use fencegate_core::verdict::Fault;
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::hash::{DefaultHasher, Hash, Hasher};

/// A mistake that is put into the authority on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// Storing where nothing was stored before is not conditional.
    RacingCreate,
    /// After a conflict the same record is stored without judging again.
    NoSecondJudgement,
    /// A record that does not verify is read as none.
    GarbledIsNone,
    /// The record of another resource is accepted.
    AnothersRecord,
    /// A restart draws the tokens of the start before once more.
    RepeatedStart,
    /// The token is drawn before the record is read.
    EarlyDraw,
    /// Forgetting brings an earlier version back.
    VersionComesBack,
    /// A storing that failed is taken for done.
    FailureIsSuccess,
}

/// How a storing goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// It is carried out and answered.
    Plain,
    /// It is carried out, but the answer is lost.
    AnswerLost,
    /// It is never carried out, and nobody knows.
    RequestLost,
}

/// Everything at one instant.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) cells: Vec<(&'static str, Cell)>,
    pub(crate) start: Start,
    pub(crate) now: Moment,
    pub(crate) actors: Vec<Actor>,
    /// How many storings may still go wrong.
    pub(crate) losses_left: u8,
    pub(crate) observer: Observer,
    flaw: Option<Flaw>,
}

/// What was looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count {
    /// Distinct worlds.
    pub(crate) states: usize,
    /// Distinct orders of steps from the beginning to an end.
    pub(crate) schedules: u128,
}

/// A broken law, and the steps that lead there.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) violation: Violation,
    pub(crate) steps: Vec<String>,
}

impl World {
    /// Resources `r` and `s` without records, and these actors.
    pub(crate) fn new(tokens: Tokens, actors: Vec<Actor>) -> Self {
        let now = Moment::from_nanos(0);
        Self {
            cells: vec![("r", Cell::default()), ("s", Cell::default())],
            start: Start::new(secs(1000), now, 0).expect("before the year 2106"),
            now,
            actors,
            losses_left: 0,
            observer: Observer::new(tokens),
            flaw: None,
        }
    }

    /// The same, where so many storings may go wrong.
    pub(crate) fn losing(mut self, losses: u8) -> Self {
        self.losses_left = losses;
        self
    }

    /// The same, with a mistake.
    pub(crate) fn with(mut self, flaw: Flaw) -> Self {
        self.flaw = Some(flaw);
        self
    }

    pub(crate) fn has(&self, flaw: Flaw) -> bool {
        self.flaw == Some(flaw)
    }

    pub(crate) fn cell(&mut self, resource: &str) -> &mut Cell {
        self.cells
            .iter_mut()
            .find_map(|(name, cell)| (*name == resource).then_some(cell))
            .expect("tests name r and s")
    }

    pub(crate) fn draw(&mut self) -> Token {
        let (token, next) = self.start.draw().expect("far from the end");
        self.start = next;
        token
    }

    fn seen<'c>(&self, resource: &str, cell: &'c Cell) -> Result<Seen<'c>, Fault> {
        let spent = Spent(&cell.spent);
        match (cell.seen(resource), &cell.bytes) {
            (Err(_), _) if self.has(Flaw::GarbledIsNone) => Ok(Seen {
                record: None,
                spent,
                queue: Queue::default(),
            }),
            (Err(fault), Some(bytes)) if self.has(Flaw::AnothersRecord) => {
                let (_, record) = codec::decode(bytes).map_err(|_| fault)?;
                let record = Some(record);
                let queue = Queue::default();
                Ok(Seen {
                    record,
                    spent,
                    queue,
                })
            }
            (seen, _) => seen,
        }
    }

    /// Does the one thing that the machine waits for.
    pub(crate) fn advance<O: Operation<Change = Change>>(
        &mut self,
        resource: &str,
        step: Step<O, u64>,
        drawn_early: Option<Token>,
        way: Way,
    ) -> Step<O, u64> {
        match step {
            Step::Load(state) => {
                let cell = self.cell(resource).clone();
                let seen = self.seen(resource, &cell).map(|seen| (seen, cell.version));
                state.loaded(seen, self.now)
            }
            Step::Draw(state) => {
                let token = drawn_early.unwrap_or_else(|| self.draw());
                state.drawn(Ok(token), self.now)
            }
            Step::Store(state) => {
                let (change, version) = state.change();
                let answer = self.store(resource, change, *version, way);
                state.stored(answer)
            }
            done @ Step::Done(_) => done,
        }
    }

    fn store(
        &mut self,
        resource: &str,
        change: &Change,
        version: u64,
        way: Way,
    ) -> Result<(), NotStored> {
        let unknown = match self.has(Flaw::FailureIsSuccess) {
            true => Ok(()),
            false => Err(NotStored::Failed(Fault::Unreachable)),
        };
        if way == Way::RequestLost {
            return unknown;
        }
        let unconditional =
            self.has(Flaw::NoSecondJudgement) || (self.has(Flaw::RacingCreate) && version == 0);
        let now = self.now;
        let cell = self.cell(resource);
        if cell.version != version && !unconditional {
            return Err(NotStored::Conflict);
        }
        cell.put(resource, change, now);
        if way == Way::AnswerLost {
            unknown
        } else {
            Ok(())
        }
    }

    /// Looks at every record: what can be read now, and that no mark has fallen.
    fn look(&mut self) -> Result<(), Violation> {
        for (resource, cell) in &self.cells {
            let Ok(seen) = cell.seen(resource) else {
                continue;
            };
            self.observer.observe(&Event::Readable { resource })?;
            let mark = seen.record.map(|record| record.token);
            self.observer.observe(&Event::Mark { resource, mark })?;
        }
        Ok(())
    }

    fn moves(&self) -> Vec<(usize, Way)> {
        let mut moves = Vec::new();
        for (at, actor) in self.actors.iter().enumerate() {
            if actor.is_finished() {
                continue;
            }
            moves.push((at, Way::Plain));
            if actor.is_storing() && self.losses_left > 0 {
                moves.push((at, Way::AnswerLost));
                moves.push((at, Way::RequestLost));
            }
        }
        moves
    }

    fn after(&self, (at, way): (usize, Way)) -> Result<Self, Violation> {
        let mut next = self.clone();
        if way != Way::Plain {
            next.losses_left -= 1;
        }
        let mut actor = next.actors[at].clone();
        let event = actor.step(&mut next, way);
        next.actors[at] = actor;
        event?;
        next.look()?;
        Ok(next)
    }

    fn fingerprint(&self) -> u64 {
        struct Hashed(DefaultHasher);
        impl Write for Hashed {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                self.0.write(text.as_bytes());
                Ok(())
            }
        }
        let mut hashed = Hashed(DefaultHasher::new());
        // Bytes as bytes: printed as a list of numbers they would be most of the work.
        for (_, cell) in &self.cells {
            (&cell.bytes, &cell.spent, cell.version).hash(&mut hashed.0);
        }
        let Self {
            start,
            now,
            actors,
            losses_left,
            observer,
            ..
        } = self;
        write!(
            hashed,
            "{start:?}{now:?}{actors:?}{losses_left}{observer:?}"
        )
        .expect("hashing cannot fail");
        hashed.0.finish()
    }
}

/// Looks at every order of steps. States that were met before are counted, not walked again.
///
/// # Errors
/// The first broken law.
pub(crate) fn explore(world: &World) -> Result<Count, Found> {
    let mut met = BTreeMap::new();
    let mut steps = Vec::new();
    let schedules = walk(world, &mut met, &mut steps)?;
    Ok(Count {
        states: met.len(),
        schedules,
    })
}

fn walk(
    world: &World,
    met: &mut BTreeMap<u64, u128>,
    steps: &mut Vec<(usize, Way)>,
) -> Result<u128, Found> {
    let fingerprint = world.fingerprint();
    if let Some(&schedules) = met.get(&fingerprint) {
        return Ok(schedules);
    }
    let moves = world.moves();
    let mut schedules = u128::from(moves.is_empty());
    for step in moves {
        steps.push(step);
        let next = world.after(step).map_err(|violation| Found {
            violation,
            steps: steps.iter().map(|&step| world.named(step)).collect(),
        })?;
        schedules += walk(&next, met, steps)?;
        steps.pop();
    }
    met.insert(fingerprint, schedules);
    Ok(schedules)
}

impl World {
    fn named(&self, (at, way): (usize, Way)) -> String {
        let name = self.actors[at].name;
        match way {
            Way::Plain => name.to_owned(),
            way => format!("{name} {way:?}"),
        }
    }
}
