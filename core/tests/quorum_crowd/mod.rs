//! Three proxies, one store, and an observer who sees what is answered.

mod steps;

use crate::quorum_world::by;
use crate::quorum_world::proxy::INIT;
use crate::quorum_world::store::Store;
use fencegate_core::check::Access;
use fencegate_core::laws::{Asked, Event, Observer, Tokens, Violation};
use fencegate_core::lease::{Acquired, Broken, Owned};
use fencegate_core::moment::Moment;
use fencegate_core::quorum::{
    Call, CallError, Calling, Heard, Known, LeaseId, Outcome, Reply, Request, Sitting, Step, Terms,
    Wanted,
};
use fencegate_core::token::Token;
use fencegate_core::verdict::Verdict;
use fencegate_core::window::{Instants, RateError, Whose};
use std::collections::BTreeMap;
use std::time::Duration;

const RESOURCES: [&str; 2] = ["r1", "r2"];
const HOLDERS: [&str; 2] = ["a", "b"];
const TTL: Duration = Duration::from_secs(2);
/// Nanoseconds by a clock while a millisecond passes.
const RATES: [u64; 3] = [900_000, 1_000_000, 1_100_000];

/// One thing that happens; `pick` chooses among what there is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Happens {
    Acquire {
        at: usize,
        resource: usize,
        holder: usize,
        id: Option<u8>,
    },
    Write {
        at: usize,
        resource: usize,
        holder: usize,
        pick: usize,
    },
    Renew {
        at: usize,
        resource: usize,
        pick: usize,
        longer: bool,
    },
    Release {
        at: usize,
        resource: usize,
        pick: usize,
        answered: bool,
    },
    Break {
        at: usize,
        resource: usize,
    },
    Look {
        at: usize,
        resource: usize,
    },
    Survey {
        at: usize,
    },
    Serve(usize),
    Deliver(usize),
    /// All that is under way comes to an end or a wait.
    Hurry,
    Lose(usize),
    Copy(usize),
    ServeLate(usize),
    Drop(usize),
    /// Milliseconds.
    Pass(u64),
    Expire(usize),
    Restart(usize),
    Reload(usize),
}

#[derive(Default)]
struct Proxy {
    heard: Heard,
    known: [Known; 2],
    generation: u32,
    nanos: u64,
}

/// A request on its way.
struct OnTheWay {
    at: usize,
    resource: usize,
    wanted: Wanted,
    asked: Asked,
    place: Place,
}

enum Place {
    Calling(Calling, Box<Sent>),
    Sitting(Sitting, Moment),
    Surveying(Box<Sent>),
}

struct Sent {
    call: Call,
    at: Instants,
    reply: Option<Result<Reply, CallError>>,
}

pub(crate) struct Crowd {
    store: Store,
    /// What is left of the leases, in nanoseconds of the store's clock.
    left: BTreeMap<LeaseId, u64>,
    proxies: [Proxy; 3],
    rates: [u64; 4],
    flows: Vec<OnTheWay>,
    late: Vec<(usize, Call)>,
    observer: Observer,
    tokens: [Vec<(Token, &'static str)>; 2],
    /// Until when, by the clock of a proxy, the holder of a token believes.
    believes: BTreeMap<(usize, Token), (usize, u64)>,
    drawn: u64,
    /// A mistake on purpose: nobody sits the wait out.
    pub(crate) impatient: bool,
    pub(crate) granted: u32,
    pub(crate) admitted: u32,
    pub(crate) rejected: u32,
}

impl Proxy {
    const fn now(&self) -> Instants {
        let moment = Moment::from_nanos(self.nanos);
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
            lock_delay: Duration::from_secs(1),
            rate: RateError { ppm: 100_000 },
            window: None,
        }
    }
}

impl Crowd {
    pub(crate) fn new(rates: [u64; 4]) -> Self {
        let init = fencegate_core::quorum::Init { mapping: 1, ..INIT };
        let proxy = || Proxy {
            generation: 1,
            nanos: 1_000_000_000_000,
            ..Proxy::default()
        };
        Self {
            store: Store::with_init(init.encode()),
            left: BTreeMap::new(),
            proxies: [proxy(), proxy(), proxy()],
            rates: rates.map(|rate| RATES[rate as usize]),
            flows: Vec::new(),
            late: Vec::new(),
            observer: Observer::new(Tokens::Ours),
            tokens: [Vec::new(), Vec::new()],
            believes: BTreeMap::new(),
            drawn: 0,
            impatient: false,
            granted: 0,
            admitted: 0,
            rejected: 0,
        }
    }

    pub(crate) fn take(&mut self, it: Happens) -> Result<(), Violation> {
        match it {
            Happens::Acquire {
                at,
                resource,
                holder,
                id,
            } => {
                let wanted = Wanted::Acquire {
                    holder: HOLDERS[holder].to_owned(),
                    request_id: id.map(|id| id.to_string()),
                    expect_mark: None,
                    ttl: TTL,
                };
                self.begin(at, resource, wanted)
            }
            Happens::Write {
                at,
                resource,
                holder,
                pick,
            } => match choose(&self.tokens[resource], pick) {
                None => Ok(()),
                Some((token, own)) => {
                    let holder = if pick.is_multiple_of(5) {
                        HOLDERS[holder]
                    } else {
                        own
                    };
                    let wanted = Wanted::Check {
                        bearer: by(holder, token),
                        access: Access::Write,
                        whose: Whose::Ours,
                    };
                    self.begin(at, resource, wanted)
                }
            },
            Happens::Renew {
                at,
                resource,
                pick,
                longer,
            } => match choose(&self.tokens[resource], pick) {
                None => Ok(()),
                Some((token, own)) => {
                    let ttl = if longer { 2 * TTL } else { TTL };
                    self.begin(
                        at,
                        resource,
                        Wanted::Renew {
                            bearer: by(own, token),
                            ttl,
                        },
                    )
                }
            },
            Happens::Release {
                at,
                resource,
                pick,
                answered,
            } => {
                match choose(&self.tokens[resource], pick) {
                    None => Ok(()),
                    Some((token, own)) => {
                        // Who asks for that believes no more.
                        self.believes.remove(&(resource, token));
                        let wanted = Wanted::Release {
                            bearer: by(own, token),
                            writes_answered: answered,
                        };
                        self.begin(at, resource, wanted)
                    }
                }
            }
            Happens::Break { at, resource } => {
                // The operator does not ask the holder.
                self.believes.retain(|(of, _), _| *of != resource);
                self.begin(at, resource, Wanted::Break)
            }
            Happens::Look { at, resource } => self.begin(at, resource, Wanted::Look),
            step => self.step(step),
        }
    }

    fn begin(&mut self, at: usize, resource: usize, wanted: Wanted) -> Result<(), Violation> {
        self.drawn += 1;
        let request = Request {
            resource: RESOURCES[resource].to_owned(),
            wanted: wanted.clone(),
            arrived: self.proxies[at].now(),
            nonce: self.drawn.into(),
            lease: LeaseId(self.drawn),
        };
        let asked = self.observer.asking(RESOURCES[resource]);
        let step = self.with(at, resource, |it| request.start(it));
        self.goes_on((at, resource, wanted, asked), step)
    }

    fn believes_until(&mut self, at: usize, what: (usize, Token), left: Duration) {
        let nanos = u64::try_from(left.as_nanos()).expect("short");
        let ends = self.proxies[at].nanos + nanos;
        self.believes.insert(what, (at, ends));
    }

    /// What was answered, for the observer.
    fn ended(
        &mut self,
        (at, resource, wanted, asked): (usize, usize, Wanted, Asked),
        outcome: &Outcome,
    ) -> Result<(), Violation> {
        let name = RESOURCES[resource];
        let event = match (&wanted, outcome) {
            (
                Wanted::Acquire {
                    holder, request_id, ..
                },
                Outcome::Acquired(Acquired::Granted { leased, .. }),
            ) => {
                self.granted += 1;
                self.believes_until(at, (resource, leased.token), leased.left);
                let own = if holder == "a" { "a" } else { "b" };
                self.tokens[resource].push((leased.token, own));
                Event::Granted {
                    resource: name,
                    token: leased.token,
                    holder,
                    request_id: request_id.as_deref(),
                }
            }
            (Wanted::Renew { bearer, .. }, Outcome::Renewed(Owned::Done(leased))) => {
                if self.believes.contains_key(&(resource, bearer.token)) {
                    self.believes_until(at, (resource, leased.token), leased.left);
                }
                return Ok(());
            }
            (_, Outcome::Broken(Broken::Done { mark })) => {
                self.tokens[resource].push((*mark, "nobody"));
                Event::Mark {
                    resource: name,
                    mark: Some(*mark),
                }
            }
            (Wanted::Check { bearer, access, .. }, Outcome::Verdict(Verdict::Admit(_))) => {
                self.admitted += 1;
                Event::Admitted {
                    resource: name,
                    token: bearer.token,
                    holder: bearer.holder.as_deref(),
                    access: *access,
                }
            }
            (_, Outcome::Verdict(Verdict::Reject(_))) => {
                self.rejected += 1;
                return Ok(());
            }
            (_, Outcome::Looked(Ok(Some(looked)))) => Event::Mark {
                resource: name,
                mark: Some(looked.kept.token),
            },
            _ => return Ok(()),
        };
        self.observer.answered(asked, &event)
    }
}

fn choose<T: Copy>(from: &[T], pick: usize) -> Option<T> {
    // The latest ones more often.
    let back = (pick % 3).min(from.len().checked_sub(1)?);
    from.get(from.len() - 1 - back).copied()
}
