//! Two proxies before one store, each call and each answer a step of its own: everything that can
//! happen in any order.
//!
//! Clocks run on for ever, but a state is told apart by ages alone ([`Aged`]), and by no more of them
//! than matters: what is too old to be trusted is as good as older still.

use crate::explore::{Broken, Wide, broken};
use crate::quorum_world::by;
use crate::quorum_world::store::{CLUSTER, Store};
use fencegate_core::moment::Moment;
use fencegate_core::quorum::{
    At, Call, CallError, Calling, Heard, Init, Kept, Known, LeaseId, LockChange, Reply, Request,
    Sitting, Step, Terms, Transaction, Wanted,
};
use fencegate_core::token::Token;
use fencegate_core::window::{Instants, RateError};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::time::Duration;

pub(crate) const R: &str = "r";
/// A clock runs 1 or 2 units while true time passes 1.5.
const RATE: RateError = RateError { ppm: 333_333 };
/// Above every number that is no time.
const BASE: u64 = 1 << 62;
const UNIT: u64 = 1_000_000_000;

/// A mistake that is made on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// Who raises the mark does not wait before it answers.
    NoWait,
    /// Transactions do not compare init.
    InitNotCompared,
    /// An acquire does not compare the mark.
    AcquireNotUnderMark,
    /// A renewal is answered once the lease was kept alive.
    BareKeepAlive,
    /// A release says so first and deletes the lock then, whosever it is.
    ReleaseInTwo,
    /// What is left is counted from when the answer arrived.
    CountedFromArrival,
    /// Knowledge is dated from when the answer arrived.
    StampedAtArrival,
}

/// What somebody asks for, once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Job {
    /// For a holder, perhaps with a request id.
    Acquire(&'static str, Option<&'static str>),
    /// Of what that job was granted.
    Renew(usize),
    Release(usize),
    Break,
}

/// When leases end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expiry {
    Never,
    /// At any time: what is promised of tokens does not rest on leases.
    AnyTime,
    /// When they have run by the store's clock, or later.
    InTime,
}

/// How records are read besides what requests read themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Looks {
    None,
    /// In no time.
    AtOnce,
    /// The answer is on its way for any time.
    Slow,
}

/// What may happen, and how often.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup {
    pub(crate) jobs: &'static [Job],
    /// How records are read in between.
    pub(crate) looks: Looks,
    /// Calls whose outcome nobody knows; what was not done yet may be done at any time later.
    pub(crate) losses: u8,
    /// Calls that come once more at any time later.
    pub(crate) copies: u8,
    pub(crate) restarts: u8,
    /// Proxies that get a newer configuration.
    pub(crate) reloads: u8,
    pub(crate) wipes: u8,
    pub(crate) expiry: Expiry,
    /// In units of the clocks, of which a second is one.
    pub(crate) ttl: u64,
    pub(crate) flaw: Option<Flaw>,
}

#[derive(Clone)]
struct Side {
    heard: Heard,
    known: Known,
    generation: u32,
    clock: u64,
    flows: Vec<OnTheWay>,
}

/// A request and where it is. `floor` is what had been answered when it began.
#[derive(Clone)]
struct OnTheWay {
    /// The number of the job; a look has none.
    job: Option<usize>,
    floor: Option<Token>,
    place: Place,
}

#[derive(Clone, Hash)]
enum Place {
    Calling {
        calling: Calling,
        call: Call,
        sent: Instants,
        reply: Option<Result<Reply, CallError>>,
    },
    Sitting(Sitting, Moment),
}

/// Everything at one instant.
#[derive(Clone)]
pub(crate) struct World {
    setup: Setup,
    store: Store,
    sides: [Side; 2],
    /// Calls that nobody waits for any more and that may be done yet.
    ghosts: Vec<Call>,
    /// Which jobs began.
    begun: Vec<bool>,
    truth: Truth,
    left: Left,
}

#[derive(Clone, Copy, Hash)]
struct Left {
    losses: u8,
    copies: u8,
    restarts: u8,
    reloads: u8,
    wipes: u8,
}

/// What really happened; no proxy sees it.
#[derive(Clone, Default)]
struct Truth {
    /// The highest token that was answered, or admitted to write.
    floor: Option<Token>,
    /// Every token that was put, and for whom.
    issued: BTreeMap<Token, &'static str>,
    /// The token of each attempt.
    attempts: BTreeMap<u128, Token>,
    /// What each job was granted.
    granted: BTreeMap<usize, Token>,
    /// Until when, by the clock of which proxy, a job's holder believes.
    believes: BTreeMap<usize, (usize, u64)>,
}

/// Hashes times as ages.
struct Aged {
    inner: Wide,
    now: u64,
    /// From which age on it does not matter; `None`: it never does.
    old: Option<u64>,
}

impl Hasher for Aged {
    fn finish(&self) -> u64 {
        self.inner.finish()
    }

    fn write(&mut self, bytes: &[u8]) {
        self.inner.write(bytes);
    }

    fn write_u8(&mut self, word: u8) {
        self.inner.write_u8(word);
    }

    fn write_usize(&mut self, word: usize) {
        self.inner.write_usize(word);
    }

    fn write_u64(&mut self, word: u64) {
        let word = match (word < BASE, self.old) {
            (true, _) => word,
            (false, None) => BASE,
            (false, Some(old)) => {
                let age = (self.now.wrapping_sub(word) as i64) / UNIT as i64;
                BASE | age.clamp(-(old as i64), old as i64) as u64
            }
        };
        self.inner.write_u64(word);
    }
}

impl Side {
    const fn nanos(&self) -> u64 {
        BASE + self.clock * UNIT
    }

    const fn now(&self) -> Instants {
        let moment = Moment::from_nanos(self.nanos());
        Instants {
            mono: moment,
            wall: moment,
        }
    }

    fn terms(&self) -> Terms {
        Terms {
            generation: self.generation,
            mapping: self.generation.into(),
            quarantine: Duration::ZERO,
            lock_delay: Duration::ZERO,
            rate: RATE,
            window: None,
        }
    }

    fn at<T>(&mut self, now: Instants, does: impl FnOnce(&mut At<'_>) -> T) -> T {
        let terms = self.terms();
        does(&mut At {
            heard: &mut self.heard,
            known: &mut self.known,
            terms: &terms,
            now,
        })
    }

    /// All that matters of it: when something was heard of does not, where nothing is contradicted.
    fn digest(&self, setup: &Setup, wide: Wide) -> u128 {
        let in_time = setup.expiry == Expiry::InTime;
        let mut aged = Aged {
            inner: wide,
            now: self.nanos(),
            old: Some(1),
        };
        let in_force = self.heard.in_force.map(|it| (it.init, it.at));
        // No mark is above a header that was heard of, and none falls here.
        (in_force, self.heard.refused, self.heard.agreed).hash(&mut aged);
        self.generation.hash(&mut aged);
        let knowledge = self.known.knowledge();
        (knowledge.init, &knowledge.record, knowledge.version).hash(&mut aged);
        knowledge.stamp.hash(&mut aged);
        if !self.flows.is_empty() {
            // Requests alone look at these; who begins reads them anew.
            knowledge.header.map(|it| it.0).hash(&mut aged);
            (self.known.kept(), self.known.lock()).hash(&mut aged);
        }
        if knowledge.record.as_ref().is_some_and(|it| !it.settled) {
            aged.old = Some(2);
            knowledge.learned.hash(&mut aged);
        }
        for on_the_way in &self.flows {
            (on_the_way.job, on_the_way.floor).hash(&mut aged);
            match &on_the_way.place {
                Place::Calling {
                    calling,
                    call,
                    sent,
                    reply,
                } => {
                    // Where leases have no time, a flow's times are of no use.
                    aged.old = in_time.then_some(setup.ttl);
                    calling.hash(&mut aged);
                    aged.old = Some(if in_time { setup.ttl } else { 1 });
                    (call, sent, reply).hash(&mut aged);
                }
                Place::Sitting(sitting, until) => {
                    aged.old = in_time.then_some(setup.ttl);
                    sitting.hash(&mut aged);
                    aged.old = Some(2);
                    until.hash(&mut aged);
                }
            }
        }
        aged.inner.both()
    }
}

impl Hash for World {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        // The two proxies are alike, unless somebody believes by the clock of one.
        let mut sides = [0, 1].map(|at| {
            let side = &self.sides[at];
            let mut wide = Wide::new();
            for (job, (by, ends)) in &self.truth.believes {
                if *by == at {
                    (job, ends.saturating_sub(side.clock)).hash(&mut wide);
                }
            }
            side.digest(&self.setup, wide)
        });
        sides.sort_unstable();
        sides.hash(hasher);
        self.store.hash(hasher);
        (&self.ghosts, &self.begun, self.left).hash(hasher);
        (self.truth.floor, &self.truth.issued).hash(hasher);
        (&self.truth.attempts, &self.truth.granted).hash(hasher);
    }
}

impl World {
    /// A store that was initialised, and two proxies that have just looked.
    pub(crate) fn new(setup: Setup) -> Self {
        let span = Duration::from_secs(1);
        let init = Init {
            cluster: CLUSTER,
            epoch: 0,
            generation: 1,
            mapping: 1,
            trust: span,
            wait: span,
        };
        let mut store = Store::with_init(init.encode());
        store.ignores_init = setup.flaw == Some(Flaw::InitNotCompared);
        let side = Side {
            heard: Heard::default(),
            known: Known::default(),
            generation: 1,
            clock: 0,
            flows: Vec::new(),
        };
        let mut world = Self {
            setup,
            store,
            sides: [side.clone(), side],
            ghosts: Vec::new(),
            begun: vec![false; setup.jobs.len()],
            truth: Truth::default(),
            left: Left {
                losses: setup.losses,
                copies: setup.copies,
                restarts: setup.restarts,
                reloads: setup.reloads,
                wipes: setup.wipes,
            },
        };
        for side in 0..2 {
            world.look_at_once(side).expect("nothing is there yet");
        }
        world
    }

    /// The same, where the first job is done, and both proxies have just read what it came to.
    pub(crate) fn after_the_first_job(setup: Setup) -> Self {
        let mut world = Self::new(setup);
        world.do_at_once(0).expect("nobody is in its way");
        for side in 0..2 {
            world.look_at_once(side).expect("settled");
        }
        world
    }

    fn has(&self, flaw: Flaw) -> bool {
        self.setup.flaw == Some(flaw)
    }

    /// The request of a job, if it can be made; what it names was granted before.
    fn request(&self, job: usize) -> Option<Request> {
        let bearer = |of: &usize| {
            let Job::Acquire(holder, _) = self.setup.jobs[*of] else {
                return None;
            };
            let token = *self.truth.granted.get(of)?;
            Some(by(holder, token))
        };
        let ttl = Duration::from_secs(self.setup.ttl);
        let wanted = match &self.setup.jobs[job] {
            Job::Acquire(holder, id) => Wanted::Acquire {
                holder: (*holder).to_owned(),
                request_id: id.map(str::to_owned),
                expect_mark: None,
                ttl,
            },
            Job::Renew(of) => Wanted::Renew {
                bearer: bearer(of)?,
                ttl,
            },
            Job::Release(of) => Wanted::Release {
                bearer: bearer(of)?,
                writes_answered: true,
            },
            Job::Break => Wanted::Break,
        };
        Some(request(wanted, job as u64 + 1))
    }

    /// What a driver makes of a step that gets something wrong.
    fn mistaken(&mut self, job: Option<usize>, call: Call) -> Call {
        let job = job.map(|job| self.setup.jobs[job]);
        match (self.setup.flaw, job, call) {
            (Some(Flaw::AcquireNotUnderMark), Some(Job::Acquire(..)), Call::Transact(it))
                if it.mark.is_some() && it.lock != LockChange::Keep =>
            {
                Call::Transact(Transaction {
                    mark_at: None,
                    ..it
                })
            }
            (Some(Flaw::ReleaseInTwo), Some(Job::Release(_)), Call::Transact(it))
                if it.lock == LockChange::Delete =>
            {
                self.ghosts.push(Call::Transact(Transaction {
                    mark_at: None,
                    lock_since: None,
                    mark: None,
                    ..it.clone()
                }));
                Call::Transact(Transaction {
                    lock: LockChange::Keep,
                    ..it
                })
            }
            (_, _, call) => call,
        }
    }

    /// Looks at what a call that was done left behind.
    fn done_at_store(&mut self) -> Result<(), Broken> {
        if self.left.wipes < self.setup.wipes && !self.store.marks.is_empty() {
            return Err(broken("unknown_is_not_empty", "put on a wiped prefix"));
        }
        let Some(mark) = self.store.marks.get(R) else {
            return Ok(());
        };
        let kept = Kept::decode(&mark.bytes, R, mark.at).map_err(|_| broken("garbled", ""))?;
        let Some(grant) = &kept.grant else {
            return Ok(());
        };
        let token = kept.token;
        if *self.truth.attempts.entry(grant.nonce).or_insert(token) != token {
            return Err(broken("one_decision", format!("granted again: {token}")));
        }
        let holder = match kept.holder.as_deref() {
            Some("a") => "a",
            Some("b") => "b",
            _ => "",
        };
        if self.truth.issued.insert(token, holder).is_none() {
            let believes = self.truth.believes.iter();
            let mut still = believes.filter(|(_, (by, ends))| self.sides[*by].clock < *ends);
            if let Some((job, _)) = still.next() {
                let how = format!("{token} while job {job} believes");
                return Err(broken("holder_stops_in_time", how));
            }
        }
        Ok(())
    }

    /// A lock goes with its lease or with what the mark says.
    fn lock_goes_with_its_lease(&self) -> Result<(), Broken> {
        let Some(mark) = self.store.marks.get(R) else {
            return Ok(());
        };
        let kept = Kept::decode(&mark.bytes, R, mark.at).map_err(|_| broken("garbled", ""))?;
        match kept.grant {
            Some(grant)
                if !grant.released
                    && self.store.leases.contains_key(&grant.lease)
                    && self.store.locks.get(R).map(|lock| lock.lease) != Some(grant.lease) =>
            {
                Err(broken(
                    "lock_goes_with_its_lease",
                    format!("{}", kept.token),
                ))
            }
            _ => Ok(()),
        }
    }
}

fn request(wanted: Wanted, number: u64) -> Request {
    Request {
        resource: R.to_owned(),
        wanted,
        arrived: Instants::default(),
        nonce: number.into(),
        lease: LeaseId(number),
    }
}

/// What is needed of a step here.
fn place(step: Step, sent: Instants) -> Option<Place> {
    match step {
        Step::Call(calling, call) => Some(Place::Calling {
            calling,
            call,
            sent,
            reply: None,
        }),
        Step::SitOut(sitting, until) => Some(Place::Sitting(sitting, until)),
        Step::Stale(_) | Step::Done(..) => None,
    }
}

mod ends;
mod moves;
