//! One proxy with two workers, holders that acquire and write, and a store that writes reach
//! late: the machines of drain, one micro-step at a time.
//!
//! A machine between its reading and its storing is kept as "read at that tick, and somebody
//! stored since or not": that is all that its future depends on, since a conflict starts it anew.

use crate::common::{ACQUIRE, token};
use crate::explore::{Broken, Model, broken};
use fencegate_core::check::Presented;
use fencegate_core::check::{Access, AfterExpiry, Check, External, Judgement};
use fencegate_core::codec;
use fencegate_core::drain::{
    Answer, Beside, CountIn, CountOut, Counted, CountedIn, Drain, DrainedCheck, DrainedGrant,
    DrainedVerdict, Flight, Grants, Load, Plain, Put, Step, Unresolved, decode, encode,
};
use fencegate_core::lease::{Acquire, Acquired};
use fencegate_core::machine::Seen;
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
    fn begin<O: Beside>(&self, operation: O) -> Option<O::Outcome> {
        let load = Load::new(operation, 1);
        match load.loaded(Ok((self.seen(), &self.drain, ())), tick(self.now)) {
            Step::Done(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// Stores what was decided on the reading at `mid`; `None`: somebody was faster.
    fn finish<O: Beside>(&mut self, operation: O, mid: Mid) -> Result<Option<O::Outcome>, Broken> {
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
        let read = (seen(record.as_ref(), &self.spent), &drain, ());
        let step = match Load::new(operation, 1).loaded(Ok(read), tick(mid.at)) {
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
        let put = store.put().0.clone();
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

    fn grant(&self, holder: usize) -> DrainedGrant<'static> {
        let acquire = Acquire {
            holder: NAMES[holder],
            ttl: ticks(TTL),
            ..ACQUIRE
        };
        let bound = match self.has(Flaw::AnswersAtTheRaise) {
            true => 0,
            false => self.setup.bound,
        };
        DrainedGrant::new(acquire, "id", ticks(bound))
    }

    fn ask(&mut self, holder: usize) -> Result<(), Broken> {
        let grant = self.grant(holder);
        let outcome = match self.asks[holder].0 {
            Asks::Raising(mid) => self.finish(grant, mid)?,
            _ => match self.begin(grant) {
                None => {
                    let mid = self.mid();
                    self.asks[holder].0 = Asks::Raising(mid);
                    return Ok(());
                }
                outcome => outcome,
            },
        };
        self.asks[holder].0 = match outcome {
            None => match self.drain.pending() {
                // Lost the race for the storing: its own raise may be there already.
                Some(_) if self.raised_by(holder) => Asks::Draining,
                _ => Asks::Idle,
            },
            Some(Grants::Draining { .. }) => {
                self.bound_is_kept(self.mark())?;
                Asks::Draining
            }
            Some(Grants::Answered(Acquired::Granted { leased, .. })) => {
                let left = match self.has(Flaw::LeaseFromTheRaise) {
                    true => leased
                        .left
                        .saturating_sub(self.since_raise(leased.token.number())),
                    false => leased.left,
                };
                if left < ticks(TTL) {
                    return Err(broken(
                        "the_lease_starts_with_the_answer",
                        format!("{left:?}"),
                    ));
                }
                self.answered(leased.token.number() as u8)?;
                Asks::Holds(self.answered)
            }
            Some(Grants::Answered(Acquired::NotGranted(
                fencegate_core::lease::NotGranted::Held { .. },
            ))) => Asks::Idle,
            Some(Grants::Answered(_)) => Asks::Over,
        };
        Ok(())
    }

    /// Whether the next grant raises the mark.
    fn is_free(&self) -> bool {
        let grant = self.seen().record.and_then(|record| record.grant);
        grant.is_some_and(|grant| tick(self.now) >= grant.free)
    }

    fn raised_by(&self, holder: usize) -> bool {
        let record = self.seen().record;
        record.is_some_and(|record| record.holder == Some(NAMES[holder]))
    }

    fn since_raise(&self, token: u64) -> Duration {
        let at = self.superseded[token as usize - 1].unwrap_or(self.now);
        ticks(self.now - at)
    }

    fn answered(&mut self, token: u8) -> Result<(), Broken> {
        if !self.setup.external && token <= self.answered {
            let how = format!("{token} after {}", self.answered);
            return Err(broken("tokens_only_rise", how));
        }
        self.answered = self.answered.max(token);
        Ok(())
    }

    /// Nobody waits for a write that was superseded a bound ago.
    fn bound_is_kept(&self, token: u8) -> Result<(), Broken> {
        let older = self
            .drain
            .flights()
            .iter()
            .map(|flight| flight.token.number() as u8);
        let mut ends = older
            .filter(|older| *older < token)
            .map(|older| self.superseded[usize::from(older)].map(|at| at + self.setup.bound));
        if ends.all(|end| end.is_some_and(|end| end <= self.now)) {
            return Err(broken(
                "the_bound_is_never_restarted",
                format!("{token} waits"),
            ));
        }
        Ok(())
    }

    fn check(&self, write: Write) -> Check<'static> {
        let judgement = match self.setup.external {
            true => Judgement::External(External {
                jump_max: None,
                unnamed_may_share: false,
            }),
            false => Judgement::Ours {
                after_expiry: AfterExpiry::AdmitUntilSuperseded,
            },
        };
        Check {
            presented: Presented {
                token: token(write.token.into()),
                holder: Some(NAMES[write.holder]),
            },
            access: Access::Write,
            judgement,
            generation: 1,
        }
    }

    fn go(&mut self, at: usize) -> Result<(), Broken> {
        let mut write = self.writes[at];
        let (own, bound) = (token(write.token.into()), ticks(self.setup.bound));
        let late = self.has(Flaw::CountsInAfterTheRead);
        write.phase = match write.phase {
            Phase::Uncounted if late && !write.judged => {
                write.judged = true;
                match self.begin(Plain(self.check(write))) {
                    Some(Verdict::Admit(_)) => Phase::Uncounted,
                    _ => Phase::Gone,
                }
            }
            Phase::Uncounted => match self.begin(CountIn { token: own, bound }) {
                None => Phase::In(self.mid()),
                Some(CountedIn::Superseded(_)) if late || self.has(Flaw::StormRestarts) => {
                    Phase::In(self.mid())
                }
                Some(_) => Phase::Gone,
            },
            Phase::In(_)
                if (late || self.has(Flaw::StormRestarts)) && self.drain.mark() > Some(own) =>
            {
                let drain = stormed(&self.drain, own);
                self.apply(Put {
                    change: None,
                    drain,
                })?;
                match late {
                    true => self.forward(&mut write),
                    false => Phase::Counted,
                }
            }
            Phase::In(mid) => match self.finish(CountIn { token: own, bound }, mid)? {
                Some(CountedIn::In) if late => self.forward(&mut write),
                Some(CountedIn::In) => Phase::Counted,
                Some(_) => Phase::Gone,
                None => Phase::Uncounted,
            },
            Phase::Counted | Phase::Waiting | Phase::Judging(_) => {
                let phase = self.judge(&mut write)?;
                if self.setup.external && matches!(phase, Phase::Flying) {
                    self.answered(write.token)?;
                }
                phase
            }
            Phase::Ended => match self.begin(CountOut { token: own }) {
                Some(Counted::Out) if self.has(Flaw::OutOfAnothers) => {
                    self.out_of_lowest()?;
                    Phase::Gone
                }
                Some(_) => Phase::Gone,
                None => Phase::Out(self.mid()),
            },
            Phase::Out(mid) => match self.finish(CountOut { token: own }, mid)? {
                None => Phase::Ended,
                Some(_) if self.has(Flaw::OutTwice) && write.outs == 0 => {
                    write.outs = 1;
                    Phase::Ended
                }
                Some(_) => Phase::Gone,
            },
            Phase::Lost => match self.begin(Unresolved { token: own }) {
                Some(_) => Phase::Gone,
                None => Phase::OutUnresolved(self.mid()),
            },
            Phase::OutUnresolved(mid) => match self.finish(Unresolved { token: own }, mid)? {
                None => Phase::Lost,
                Some(_) => Phase::Gone,
            },
            phase @ (Phase::Flying | Phase::Gone) => phase,
        };
        self.writes[at] = write;
        Ok(())
    }

    fn out_of_lowest(&mut self) -> Result<(), Broken> {
        let Some(token) = self.drain.flights().first().map(|flight| flight.token) else {
            return Ok(());
        };
        let mid = self.mid();
        self.finish(CountOut { token }, mid)?;
        Ok(())
    }

    fn judge(&mut self, write: &mut Write) -> Result<Phase, Broken> {
        let check = self.check(*write);
        if !self.setup.external {
            return Ok(match self.begin(Plain(check)) {
                Some(Verdict::Admit(_)) => self.forward(write),
                _ => Phase::Ended,
            });
        }
        let drained = DrainedCheck {
            check,
            bound: ticks(self.setup.bound),
        };
        let outcome = match write.phase {
            Phase::Judging(mid) => match self.finish(drained, mid)? {
                None => return Ok(Phase::Counted),
                Some(outcome) => outcome,
            },
            _ => match self.begin(drained) {
                None => return Ok(Phase::Judging(self.mid())),
                Some(outcome) => outcome,
            },
        };
        Ok(match outcome {
            DrainedVerdict::Decided(Verdict::Admit(_)) => self.forward(write),
            DrainedVerdict::Decided(_) => Phase::Ended,
            DrainedVerdict::Draining { .. }
                if self.has(Flaw::EqualOvertakes) && write.phase == Phase::Counted =>
            {
                self.forward(write)
            }
            DrainedVerdict::Draining { .. } => {
                self.bound_is_kept(write.token)?;
                Phase::Waiting
            }
        })
    }

    fn forward(&self, write: &mut Write) -> Phase {
        write.forwarded = true;
        write.air = self.setup.attempts;
        Phase::Flying
    }

    fn is_late(&self, write: &Write) -> bool {
        self.now - write.start >= self.setup.bound
    }

    fn land(&mut self, at: usize) -> Result<(), Broken> {
        let write = &mut self.writes[at];
        write.air -= 1;
        if write.token < self.answered {
            let how = format!("{} after {} was answered", write.token, self.answered);
            return Err(broken("no_older_write_after_the_answer", how));
        }
        Ok(())
    }

    /// How the stream ends, as far as the filter can tell.
    fn end(&mut self, at: usize, mut answer: Answer) {
        if self.has(Flaw::OneAttemptEnds) {
            answer.attempts = 1;
        }
        if self.has(Flaw::ResetEnds) {
            answer.complete = true;
        }
        if self.has(Flaw::OwnAnswerEnds) {
            answer.from_origin = true;
        }
        self.writes[at].phase = match answer.ends() {
            true => Phase::Ended,
            false => Phase::Lost,
        };
    }

    /// Drops what cannot matter any more, and gives what is alike one order.
    fn settled(mut self) -> Self {
        let (now, bound) = (self.now, self.setup.bound);
        for write in &mut self.writes {
            if now - write.start >= bound {
                write.air = 0;
                // A stream lives no longer than the bound.
                if matches!(write.phase, Phase::Uncounted | Phase::Waiting) {
                    write.phase = match write.phase {
                        Phase::Uncounted => Phase::Gone,
                        _ => Phase::Lost,
                    };
                }
            }
        }
        self.writes
            .retain(|write| write.phase != Phase::Gone || write.air > 0);
        self.writes.sort();
        self
    }

    fn someone_can_acquire(&self) -> Result<(), Broken> {
        let mut world = self.clone();
        world.trying = true;
        let limit = self.setup.bound + TTL + 1;
        for _ in 0..=limit {
            let grant = world.grant(3);
            let outcome = match world.begin(grant) {
                None => {
                    let mid = world.mid();
                    world.finish(grant, mid)?
                }
                outcome => outcome,
            };
            if let Some(Grants::Answered(Acquired::Granted { .. })) = outcome {
                return Ok(());
            }
            world.now += 1;
        }
        Err(broken(
            "someone_can_acquire",
            format!("not within {limit} ticks"),
        ))
    }
}

fn seen<'a>(record: Option<&'a Vec<u8>>, spent: &'a [[u8; 8]]) -> Seen<'a> {
    Seen {
        record: record.map(|bytes| codec::decode(bytes).expect("never damaged here").1),
        spent: Spent(spent),
        queue: Queue::default(),
    }
}

fn mapped(drain: &Drain, change: impl Fn(&mut Flight)) -> Drain {
    let mut flights = drain.flights().to_vec();
    flights.iter_mut().for_each(change);
    with_flights(drain, &flights)
}

/// The same with other flights, by way of its bytes.
fn with_flights(drain: &Drain, flights: &[Flight]) -> Drain {
    let mut bytes = Vec::new();
    encode(drain, &mut bytes);
    bytes.truncate(26);
    let flights = flights
        .iter()
        .filter(|flight| flight.open > 0 || flight.unresolved);
    bytes[1] = flights.clone().count() as u8;
    for flight in flights {
        bytes.extend_from_slice(&flight.token.epoch().to_le_bytes());
        bytes.extend_from_slice(&flight.token.number().to_le_bytes());
        bytes.extend_from_slice(&flight.open.to_le_bytes());
        bytes.extend_from_slice(&[flight.unresolved.into(), flight.superseded.is_some().into()]);
        let at = flight.superseded.unwrap_or_default();
        bytes.extend_from_slice(&at.nanos().to_le_bytes());
    }
    let sum = codec::checksum(&bytes);
    bytes.extend_from_slice(&sum);
    decode(&bytes).expect("written above")
}

impl Model for World {
    type Move = Move;

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.now < self.setup.ticks {
            moves.push(Move::Tick);
        }
        let busy = self.busy();
        for at in 0..self.asks.len() {
            let (asks, left) = self.asks[at];
            let idle_before = at > 0 && self.asks[at - 1].0 == Asks::Idle;
            let first_come = self.asks[at].0 != Asks::Idle || !idle_before;
            let asks_now = match asks {
                Asks::Raising(_) => true,
                Asks::Idle => busy < WORKERS && first_come,
                Asks::Draining => busy < WORKERS,
                Asks::Holds(_) | Asks::Over => false,
            };
            if asks_now && !self.setup.external {
                moves.push(Move::Ask(at));
            }
            let holds = matches!(asks, Asks::Holds(_)) || self.setup.external;
            if holds && left > 0 {
                moves.push(Move::Send(at));
            }
        }
        for at in 0..self.writes.len() {
            if at > 0 && self.writes[at] == self.writes[at - 1] {
                continue;
            }
            let write = &self.writes[at];
            let runs = match write.phase {
                Phase::In(_) | Phase::Judging(_) | Phase::Out(_) | Phase::OutUnresolved(_) => true,
                Phase::Flying | Phase::Gone => false,
                Phase::Counted if self.is_late(write) => false,
                _ => busy < WORKERS,
            };
            if runs {
                moves.push(Move::Go(at));
            }
            if write.air > 0 && !self.is_late(write) {
                moves.push(Move::Land(at));
            }
            let answered = write.forwarded && write.air < self.setup.attempts;
            if write.phase == Phase::Flying && answered {
                moves.push(Move::Complete(at));
            }
            if write.phase == Phase::Flying && self.setup.resets {
                moves.push(Move::Reset(at));
            }
        }
        moves
    }

    fn after(&self, step: Move) -> Result<Self, Broken> {
        let mut next = self.clone();
        match step {
            Move::Tick => next.now += 1,
            Move::Ask(at) => next.ask(at)?,
            Move::Send(at) => {
                next.asks[at].1 -= 1;
                let token = match next.asks[at].0 {
                    Asks::Holds(token) => token,
                    _ => at as u8 + 1,
                };
                next.writes.push(Write {
                    token,
                    holder: at,
                    start: next.now,
                    phase: Phase::Uncounted,
                    air: 0,
                    forwarded: false,
                    judged: false,
                    outs: 0,
                });
            }
            Move::Go(at) => next.go(at)?,
            Move::Land(at) => next.land(at)?,
            Move::Complete(at) => {
                let answer = Answer {
                    from_origin: true,
                    complete: true,
                    attempts: next.setup.attempts.into(),
                };
                next.end(at, answer);
            }
            Move::Reset(at) => {
                // With one mistake it is an answer of the proxy's own, else nobody waits any more.
                let own_answer = next.has(Flaw::OwnAnswerEnds);
                let answer = Answer {
                    from_origin: false,
                    complete: own_answer,
                    attempts: next.setup.attempts.into(),
                };
                let answer = Answer {
                    from_origin: next.has(Flaw::ResetEnds),
                    ..answer
                };
                next.end(at, answer);
            }
        }
        Ok(next.settled())
    }
}

/// A count of `token` that stands just below the highest one.
pub(crate) fn nearly_full(number: u64) -> Drain {
    mapped(&stormed(&Drain::default(), token(number)), |flight| {
        flight.open = u16::MAX - 1;
    })
}

/// What a stale write's count looks like to somebody who counts it like any other.
fn stormed(drain: &Drain, own: Token) -> Drain {
    let mut flights: Vec<_> = drain.flights().to_vec();
    let open = flights.iter().find(|flight| flight.token == own);
    let open = open.map_or(1, |flight| flight.open + 1);
    flights.retain(|flight| flight.token != own);
    flights.push(Flight {
        token: own,
        open,
        unresolved: false,
        superseded: None,
    });
    flights.sort_by_key(|flight| flight.token);
    with_flights(drain, &flights)
}
