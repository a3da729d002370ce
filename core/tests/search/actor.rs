//! Who takes steps: a holder with a script, the issuer's operator, and what befalls a machine.

use super::{Flaw, Way, World};
use crate::common::{ACQUIRE, BREAK, external, release, secs, token, write};
use fencegate_core::check::{Access, Check};
use fencegate_core::laws::{Event, Violation};
use fencegate_core::lease::{Acquire, Acquired, Break, Broken, Owned, Release, Released};
use fencegate_core::machine::{Load, Step};
use fencegate_core::spent::Fingerprint;
use fencegate_core::start::Start;
use fencegate_core::token::Token;
use fencegate_core::verdict::{Fault, Verdict};

/// One line of a script.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    /// Ask for a lease; with a request id, once more if nobody knows whether it was granted.
    Acquire(Option<&'static str>),
    /// Write with the granted token, if there is one.
    Write,
    /// Give the lease back, all writes answered.
    Release,
    /// Write with this external token.
    Present(u64),
    /// Read with this external token.
    Read(u64),
    /// End whatever lease there is.
    Break,
    /// Time passes beyond every lease, but not beyond remembering it.
    Expire,
    /// Time passes, and the record is forgotten if nothing is lost by that.
    Forget,
    /// A byte of the record changes.
    Garble,
    /// The record is replaced by that of `s`.
    Misplace,
    /// The process ends and another one starts within the same wall second.
    Restart,
    /// An external mark gets lost.
    Evict,
    /// Go on with another resource, and with the token of this one.
    TurnTo(&'static str),
}

/// Somebody with a script.
#[derive(Clone, Debug)]
pub(crate) struct Actor {
    pub(crate) name: &'static str,
    pub(crate) resource: &'static str,
    script: Vec<Op>,
    at: usize,
    running: Option<Running>,
    token: Option<Token>,
    drawn_early: Option<Token>,
    asked_again: bool,
}

#[derive(Clone, Debug)]
enum Running {
    Acquire(Step<Acquire<'static>, u64>),
    Check(Step<Check<'static>, u64>, Presents),
    Release(Step<Release<'static>, u64>),
    Break(Step<Break<'static>, u64>),
}

/// What a check is about.
type Presents = (Token, Access);

/// Conflicts that are judged again: enough for everybody else to come between.
const CONFLICTS_MAX: u8 = 3;

impl Actor {
    /// Somebody who acts on `r`.
    pub(crate) fn new(name: &'static str, script: &[Op]) -> Self {
        Self {
            name,
            resource: "r",
            script: script.to_vec(),
            at: 0,
            running: None,
            token: None,
            drawn_early: None,
            asked_again: false,
        }
    }

    /// The same, acting on another resource.
    pub(crate) fn on(mut self, resource: &'static str) -> Self {
        self.resource = resource;
        self
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.at == self.script.len()
    }

    pub(crate) fn is_storing(&self) -> bool {
        match &self.running {
            None => false,
            Some(Running::Acquire(step)) => matches!(step, Step::Store(_)),
            Some(Running::Check(step, _)) => matches!(step, Step::Store(_)),
            Some(Running::Release(step)) => matches!(step, Step::Store(_)),
            Some(Running::Break(step)) => matches!(step, Step::Store(_)),
        }
    }

    /// Takes one step in the world.
    pub(crate) fn step(&mut self, world: &mut World, way: Way) -> Result<(), Violation> {
        let running = match self.running.take() {
            Some(running) => running,
            None => match self.begin(world) {
                Some(running) => running,
                None => {
                    self.next();
                    return Ok(());
                }
            },
        };
        if world.has(Flaw::EarlyDraw)
            && self.drawn_early.is_none()
            && matches!(running, Running::Acquire(Step::Load(_)))
        {
            self.drawn_early = Some(world.draw());
            self.running = Some(running);
            return Ok(());
        }
        self.advance(world, running, way)
    }

    /// The machine of the next line; `None` if the line is done in one step.
    fn begin(&mut self, world: &mut World) -> Option<Running> {
        let op = self.script[self.at];
        let check = match op {
            Op::Acquire(request_id) => {
                let acquire = Acquire {
                    resource: self.resource,
                    holder: self.name,
                    request_id,
                    ..ACQUIRE
                };
                return Some(Running::Acquire(Step::Load(Load::new(
                    acquire,
                    CONFLICTS_MAX,
                ))));
            }
            Op::Release => {
                let release = release(self.name, self.token?);
                return Some(Running::Release(Step::Load(Load::new(
                    release,
                    CONFLICTS_MAX,
                ))));
            }
            Op::Break => {
                return Some(Running::Break(Step::Load(Load::new(BREAK, CONFLICTS_MAX))));
            }
            Op::Write => write(self.name, self.token?),
            Op::Present(number) => external(self.name, token(number)),
            Op::Read(number) => Check {
                access: Access::Read,
                ..external(self.name, token(number))
            },
            _ => {
                self.befall(world, op);
                return None;
            }
        };
        let presents = (check.presented.token, check.access);
        let step = Step::Load(Load::new(check, CONFLICTS_MAX));
        Some(Running::Check(step, presents))
    }

    fn advance(&mut self, world: &mut World, running: Running, way: Way) -> Result<(), Violation> {
        let (resource, early) = (self.resource, self.drawn_early);
        let running = match running {
            Running::Acquire(step) => match world.advance(resource, step, early, way) {
                Step::Done(outcome) => return self.acquired(world, outcome),
                step => Running::Acquire(step),
            },
            Running::Check(step, presents) => match world.advance(resource, step, None, way) {
                Step::Done(verdict) => return self.checked(world, presents, verdict),
                step => Running::Check(step, presents),
            },
            Running::Release(step) => match world.advance(resource, step, None, way) {
                Step::Done(outcome) => {
                    self.released(outcome);
                    return Ok(());
                }
                step => Running::Release(step),
            },
            Running::Break(step) => match world.advance(resource, step, None, way) {
                Step::Done(outcome) => return self.broken(world, outcome),
                step => Running::Break(step),
            },
        };
        self.running = Some(running);
        Ok(())
    }

    fn acquired(&mut self, world: &mut World, outcome: Acquired) -> Result<(), Violation> {
        self.drawn_early = None;
        let Op::Acquire(request_id) = self.script[self.at] else {
            return Ok(());
        };
        match outcome {
            Acquired::Granted { leased, .. } => {
                self.token = Some(leased.token);
                self.next();
                world.observer.observe(&Event::Granted {
                    resource: self.resource,
                    token: leased.token,
                    holder: self.name,
                    request_id,
                })
            }
            Acquired::Undecided(Fault::Unreachable)
                if request_id.is_some() && !self.asked_again =>
            {
                self.asked_again = true;
                Ok(())
            }
            _ => {
                self.next();
                Ok(())
            }
        }
    }

    fn checked(
        &mut self,
        world: &mut World,
        (token, access): Presents,
        verdict: Verdict,
    ) -> Result<(), Violation> {
        self.next();
        let Verdict::Admit(_) = verdict else {
            return Ok(());
        };
        world.observer.observe(&Event::Admitted {
            resource: self.resource,
            token,
            holder: Some(self.name),
            access,
        })
    }

    fn released(&mut self, outcome: Released) {
        // It is repeated until it is answered, like a holder does.
        let again = outcome == Owned::Undecided(Fault::Unreachable) && !self.asked_again;
        self.asked_again |= again;
        if !again {
            self.next();
        }
    }

    fn broken(&mut self, world: &mut World, outcome: Broken) -> Result<(), Violation> {
        self.next();
        let Broken::Done { mark } = outcome else {
            return Ok(());
        };
        world.observer.observe(&Event::Broken {
            resource: self.resource,
            token: mark,
        })
    }

    fn next(&mut self) {
        self.at += 1;
    }

    /// The process it talked to is gone, and with it whatever was under way.
    fn cut_off(&mut self) {
        if self.running.take().is_some() {
            self.drawn_early = None;
            self.next();
        }
    }

    fn befall(&mut self, world: &mut World, op: Op) {
        let resource = self.resource;
        match op {
            Op::Expire => world.now = world.now.after(secs(10)),
            Op::Forget => forget(world, resource),
            Op::Garble => {
                if let Some(bytes) = &mut world.cell(resource).bytes {
                    bytes[20] ^= 1;
                    unreadable(world, resource);
                }
            }
            Op::Misplace => {
                world.cell(resource).bytes = world.cell("s").bytes.clone();
                if world.cell(resource).bytes.is_some() {
                    unreadable(world, resource);
                }
            }
            Op::Evict => {
                world.cell(resource).bytes = None;
                world.cell(resource).version += 1;
            }
            Op::Restart => restart(world),
            Op::TurnTo(other) => self.resource = other,
            _ => {}
        }
    }
}

fn unreadable(world: &mut World, resource: &'static str) {
    world.cell(resource).version += 1;
    let _ = world.observer.observe(&Event::Unreadable { resource });
}

fn forget(world: &mut World, resource: &'static str) {
    let comes_back = world.has(Flaw::VersionComesBack);
    world.now = world.now.after(secs(20));
    let now = world.now;
    let cell = world.cell(resource);
    let Ok(seen) = cell.seen(resource) else {
        return;
    };
    let Some(record) = seen.record.map(|record| record.to_owned()) else {
        return;
    };
    let Some(grant) = record.grant.filter(|grant| grant.is_forgettable(now)) else {
        return;
    };
    if let (Some(holder), Some(id)) = (&record.holder, &grant.request_id) {
        cell.spend(Fingerprint::of(resource, holder, id));
    }
    cell.bytes = None;
    cell.version = if comes_back { 0 } else { cell.version + 1 };
}

fn restart(world: &mut World) {
    let base = if world.has(Flaw::RepeatedStart) {
        0
    } else {
        // What a random base is for: the second comes twice, the numbers do not.
        1_000
    };
    world.start = Start::new(secs(1000), world.now, base).expect("before the year 2106");
    for (_, cell) in &mut world.cells {
        *cell = Default::default();
    }
    for actor in &mut world.actors {
        actor.cut_off();
    }
    let _ = world.observer.observe(&Event::Restarted);
}
