//! Two proxies before one store, each call and each answer a step of its own: everything that can
//! happen in any order.
//!
//! Clocks run on for ever, but a state is told apart by ages alone ([`Aged`]), and by no more of them
//! than matters: what is too old to be trusted is as good as older still.

use crate::quorum_world::by;
use crate::quorum_world::store::{CLUSTER, Store};
use fencegate_core::check::{Access, External};
use fencegate_core::moment::Moment;
use fencegate_core::quorum::{
    At, Call, CallError, Calling, Heard, Init, Known, LeaseId, LockChange, Reply, Request, Sitting,
    Step, Terms, Transaction, Wanted,
};
use fencegate_core::token::Token;
use fencegate_core::window::{Instants, RateError, Whose};
use std::collections::BTreeMap;
use std::hash::Hash;
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
    /// Puts do not compare init.
    InitNotCompared,
    /// An acquire does not compare the mark.
    AcquireNotUnderMark,
    /// A renewal is answered once the lease was kept alive.
    BareKeepAlive,
    /// Nobody asks whether the leader that heard a keepalive still led afterwards.
    TermsNotCompared,
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
    /// Writes with this token, of this holder, that comes from elsewhere.
    Write(u64, &'static str),
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
    /// New leaders; the one before answers keepalives for ever.
    pub(crate) elections: u8,
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
#[expect(clippy::large_enum_variant, reason = "there are few of them")]
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
    elections: u8,
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
                elections: setup.elections,
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
            Job::Write(number, holder) => Wanted::Check {
                bearer: by(holder, elsewhere(*number)),
                access: Access::Write,
                whose: EXTERNAL,
            },
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

const EXTERNAL: Whose = Whose::External(External {
    jump_max: None,
    unnamed_may_share: false,
});

fn elsewhere(number: u64) -> Token {
    Token::new(0, number).expect("above 0")
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

mod digest;
mod ends;
mod flows;
mod moves;
