//! Workers of one process, what they do to records, and what comes of it, as plain data.

use crate::support::host::FakeHost;
use crate::support::turns::Turn;
use crate::support::world::{Dialect, World};
use fencegate::memory::{self, Buffers, Layout, Memory};
use fencegate_core::check::{Access, AfterExpiry, Check, External, Judgement, Presented};
use fencegate_core::lease::{Acquire, Acquired, Break, Broken, NotGranted, Owned, Release, Renew};
use fencegate_core::token::Token;
use fencegate_core::verdict::{Admission, Fault, Rejection, Verdict};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

/// Stands for the rules of a configuration.
pub const MAPPING: u64 = 0xfe;
pub const TTL: Duration = Duration::from_secs(10);

/// Something that is done to a resource's record.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    Acquire {
        holder: &'static str,
        id: Option<&'static str>,
    },
    Renew(&'static str, Token),
    Release(&'static str, Token),
    Break,
    /// A write under our own tokens.
    Write(&'static str, Token),
    /// A write under external tokens.
    Raise(Option<&'static str>, Token),
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    Granted { token: Token, resumed: bool },
    NotGranted(NotGranted),
    Renewed(Token),
    Released,
    Lost(Rejection),
    Broken(Token),
    NothingToBreak,
    Admitted(Admission),
    Rejected(Rejection),
    Undecided(Fault),
}

impl Done {
    /// The mark that is known from it.
    pub fn mark(&self) -> Option<Token> {
        match *self {
            Self::Granted { token, .. } | Self::Renewed(token) | Self::Broken(token) => Some(token),
            Self::Admitted(admission) => admission.mark,
            _ => None,
        }
    }
}

/// One worker thread with the authority as it sees it.
pub struct Worker {
    pub host: FakeHost,
    pub memory: Memory,
    pub generation: u32,
    pub buffers: RefCell<Buffers>,
    /// When the operation under way made its first shared call, in steps of all workers.
    began: Rc<Cell<Option<usize>>>,
}

impl Worker {
    pub fn new(world: &World, layout: Layout, generation: u32) -> Self {
        Self::quarantined(world, layout, generation, Duration::ZERO)
    }

    pub fn quarantined(world: &World, layout: Layout, generation: u32, span: Duration) -> Self {
        Self {
            host: FakeHost::new(world),
            memory: Memory::new(layout, generation, MAPPING, span),
            generation,
            buffers: RefCell::default(),
            began: Rc::default(),
        }
    }

    /// Waits for its turn before each shared call from here on.
    pub fn take_turns(&self, turn: Rc<Turn>) {
        let began = Rc::clone(&self.began);
        self.host.hook(move |call| {
            if call.is_shared() {
                turn.wait();
                if began.get().is_none() {
                    began.set(Some(turn.steps()));
                }
            }
            None
        });
    }

    /// Forgets when an operation began; gives what it was.
    pub fn began(&self) -> usize {
        self.began.take().expect("each operation reads a record")
    }

    pub fn run(&self, resource: &str, op: Op) -> Done {
        let buffers = &mut *self.buffers.borrow_mut();
        let (memory, host, generation) = (&self.memory, &self.host, self.generation);
        let lock_delay = Duration::ZERO;
        let presented = |holder, token| Presented { token, holder };
        match op {
            Op::Acquire { holder, id } => {
                let acquire = Acquire {
                    resource,
                    holder,
                    request_id: id,
                    expect_mark: None,
                    ttl: TTL,
                    lock_delay,
                    generation,
                };
                memory.run(host, buffers, resource, acquire).into()
            }
            Op::Renew(holder, token) => {
                let renew = Renew {
                    presented: presented(Some(holder), token),
                    ttl: TTL,
                    lock_delay,
                    generation,
                };
                owned(memory.run(host, buffers, resource, renew), |leased| {
                    Done::Renewed(leased.token)
                })
            }
            Op::Release(holder, token) => {
                let release = Release {
                    presented: presented(Some(holder), token),
                    writes_answered: true,
                    generation,
                };
                owned(memory.run(host, buffers, resource, release), |()| {
                    Done::Released
                })
            }
            Op::Break => {
                let broken = Break {
                    resource,
                    lock_delay,
                    generation,
                };
                match memory.run(host, buffers, resource, broken) {
                    Broken::Done { mark } => Done::Broken(mark),
                    Broken::NoGrant => Done::NothingToBreak,
                    Broken::Undecided(fault) => Done::Undecided(fault),
                }
            }
            Op::Write(holder, token) => {
                let judgement = Judgement::Ours {
                    after_expiry: AfterExpiry::AdmitUntilSuperseded,
                };
                let check = check(presented(Some(holder), token), judgement, generation);
                memory.run(host, buffers, resource, check).into()
            }
            Op::Raise(holder, token) => {
                let judgement = Judgement::External(External {
                    jump_max: None,
                    unnamed_may_share: false,
                });
                let check = check(presented(holder, token), judgement, generation);
                memory.run(host, buffers, resource, check).into()
            }
        }
    }

    pub fn acquire(&self, resource: &str, holder: &'static str) -> Token {
        self.acquire_as(resource, holder, None)
    }

    pub fn acquire_as(
        &self,
        resource: &str,
        holder: &'static str,
        id: Option<&'static str>,
    ) -> Token {
        match self.run(resource, Op::Acquire { holder, id }) {
            Done::Granted { token, .. } => token,
            other => panic!("{resource} is not granted: {other:?}"),
        }
    }

    /// The marks of all resources.
    pub fn marks(&self) -> BTreeMap<String, Token> {
        let mut marks = BTreeMap::new();
        let buffers = &mut *self.buffers.borrow_mut();
        for index in 0.. {
            let read = self
                .memory
                .records_in(&self.host, buffers, index, &mut |name, record| {
                    marks.insert(name.to_owned(), record.token);
                });
            match read {
                Ok(Some(())) => {}
                Ok(None) => break,
                Err(fault) => panic!("bucket {index}: {fault:?}"),
            }
        }
        marks
    }
}

fn check(presented: Presented<'_>, judgement: Judgement, generation: u32) -> Check<'_> {
    Check {
        presented,
        access: Access::Write,
        judgement,
        generation,
    }
}

fn owned<T>(outcome: Owned<T>, done: impl FnOnce(T) -> Done) -> Done {
    match outcome {
        Owned::Done(value) => done(value),
        Owned::Lost(rejection) => Done::Lost(rejection),
        Owned::Undecided(fault) => Done::Undecided(fault),
    }
}

impl From<Acquired> for Done {
    fn from(outcome: Acquired) -> Self {
        match outcome {
            Acquired::Granted { leased, resumed } => Self::Granted {
                token: leased.token,
                resumed,
            },
            Acquired::NotGranted(why) => Self::NotGranted(why),
            Acquired::Undecided(fault) => Self::Undecided(fault),
        }
    }
}

impl From<Verdict> for Done {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Admit(admission) => Self::Admitted(admission),
            Verdict::Reject(rejection) => Self::Rejected(rejection),
            Verdict::Undecided(fault) => Self::Undecided(fault),
        }
    }
}

/// A process that is set up with so many buckets, past its first second.
pub fn process(buckets: u32) -> (World, Layout) {
    let world = World::new(Dialect::Envoy);
    let layout = set_up(&world, buckets);
    world.advance(Duration::from_secs(1));
    (world, layout)
}

pub fn set_up(world: &World, buckets: u32) -> Layout {
    let host = FakeHost::new(world);
    memory::set_up(&host, &mut Buffers::default(), buckets * 16).expect("a sound host")
}

/// The external token of this number.
pub fn token(number: u64) -> Token {
    Token::new(0, number).expect("not 0")
}
