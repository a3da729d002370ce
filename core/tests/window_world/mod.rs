//! Two proxies with clocks of their own, one authority that grants, holders that write anywhere
//! with any token: the machines of the window, one message at a time.
//!
//! Times are kept as ages: after every tick each proxy's clocks stand at [`NOW`] again and what it
//! remembers has moved back instead, at most by [`OLD`]. So time has no end, and the states do.
//! Any proxy may answer the token that it knows (a repeated request id, a claim), and anybody may
//! present any token that was ever granted, answered or not: that covers every holder.

use crate::explore::{Broken, Wide, broken};
use fencegate_core::check::{Access, Presented};
use fencegate_core::moment::Moment;
use fencegate_core::token::Token;
use fencegate_core::verdict::{Reason, Verdict};
use fencegate_core::window::{
    Decided, Init, Instants, Knowledge, Known, Question, RateError, Reading, SettleStep, SitOut,
    Step, Whose,
};
use std::hash::{Hash, Hasher};
use std::time::Duration;

/// A mistake that is made on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// Rule 1: who raises answers at once.
    RaiserDoesNotWait,
    /// Rule 1: who reads the mark elsewhere answers, or admits an equal token, at once.
    OthersDoNotWait,
    /// Rule 1: a proxy that has just started waits for nothing.
    RestartedDoesNotWait,
    /// Rule 1: the wait runs from when the raise was sent.
    WaitsFromTheSending,
    /// Rule 1: clocks are taken to run alike.
    NoRateFactor,
    /// `settled` is put before the wait is over.
    SettlesBeforeTheWait,
    /// Knowledge is dated from the arrival of the answer.
    StampsTheArrival,
    /// The wall clock is not looked at.
    MonotonicOnly,
    /// The monotonic clock is not looked at.
    WallOnly,
    /// Rule 2: one trusts for longer than the other waits.
    TrustLongerThanWait,
    /// Rule 3: the answer to one's own question admits at any age.
    OldAnswerAdmits,
    /// A late answer overwrites a newer one.
    OlderAnswerOverwrites,
    /// Rule 5: a late answer is filed under the version that the background read has seen since.
    FiledUnderNewerVersion,
    /// "Never issued" is said from memory of any age.
    NeverIssuedFromOldMemory,
    /// "Never issued" is said from fresh memory: not a mistake that can be seen, as long as
    /// everybody waits and clocks keep their bounds.
    NeverIssuedFromFreshMemory,
}

/// What may happen, and how often.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup {
    pub(crate) tokens: u8,
    /// Trust and wait, in units of the clocks.
    pub(crate) span: u64,
    /// Whether requests ask for themselves, besides reads that come anyway.
    pub(crate) asks: bool,
    /// Messages of one proxy under way at once.
    pub(crate) messages: usize,
    pub(crate) copies: u8,
    pub(crate) restarts: u8,
    /// Whether machines may be suspended.
    pub(crate) sleeps: bool,
    /// How often a wall clock is stepped back or forth.
    pub(crate) steps: u8,
    pub(crate) background: bool,
    pub(crate) flaw: Option<Flaw>,
}

const NOW: u64 = 100;
const OLD: u64 = 5;
/// A clock runs 1 or 2 units while true time passes 1.5.
const RATE: RateError = RateError { ppm: 333_333 };

/// A message to the authority and back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Message {
    kind: Kind,
    sent: Instants,
    found: Option<Mark>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Kind {
    Read,
    Raise,
    /// Asked for a request with this token.
    Own(u8),
    Background,
}

/// What the authority has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Mark {
    token: u8,
    settled: bool,
    version: u8,
}

#[derive(Clone, Debug, Hash)]
struct Proxy {
    knowledge: Knowledge<&'static str>,
    /// The version of the last background read.
    place: u8,
    messages: Vec<Message>,
}

/// Everything at one instant.
#[derive(Clone)]
pub(crate) struct World {
    setup: Setup,
    mark: Mark,
    proxies: [Proxy; 2],
    /// The highest token that was answered, or admitted to write.
    answered: u8,
    copies: u8,
    restarts: u8,
    steps: u8,
}

impl Hash for World {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        // The two proxies are alike: which is which does not matter.
        let mut sides = self.proxies.each_ref().map(|proxy| {
            let mut side = Wide::new();
            proxy.hash(&mut side);
            side.both()
        });
        sides.sort_unstable();
        (self.mark, sides, self.answered).hash(hasher);
        (self.copies, self.restarts, self.steps).hash(hasher);
    }
}

/// One thing that happens. Numbers are a proxy, then a message or a token.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Move {
    /// Each proxy's monotonic and wall clock advance so much.
    Tick([(u64, u64); 2]),
    StepBack(usize),
    Send(usize, Kind2),
    Serve(usize, usize),
    Deliver(usize, usize),
    DeliverCopy(usize, usize),
    Lose(usize, usize),
    Write(usize, u8),
    Answer(usize),
    Settle(usize),
    Restart(usize),
}

/// What is sent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind2 {
    Read,
    Raise,
    Own(u8),
    Background,
}

const fn unit(at: u64) -> Moment {
    Moment::from_nanos(at * 1_000_000_000)
}

const fn now() -> Instants {
    Instants {
        mono: unit(NOW),
        wall: unit(NOW),
    }
}

fn token(number: u8) -> Token {
    Token::new(0, number.into()).expect("above 0")
}

fn older(at: Moment, by: u64) -> Moment {
    let back = at.nanos() - unit(by).nanos();
    Moment::from_nanos(back.max(unit(NOW - OLD).nanos()))
}

fn aged(at: Instants, (mono, wall): (u64, u64)) -> Instants {
    Instants {
        mono: older(at.mono, mono),
        wall: older(at.wall, wall),
    }
}

impl Proxy {
    fn age(&mut self, by: (u64, u64)) {
        for message in &mut self.messages {
            message.sent = aged(message.sent, by);
        }
        self.messages.sort_unstable();
        let Knowledge {
            header,
            stamp,
            learned,
            ..
        } = &mut self.knowledge;
        *stamp = stamp.map(|stamp| aged(stamp, by));
        *learned = learned.map(|learned| older(learned, by.0));
        *header = header.map(|(header, heard)| (header, older(heard, by.0)));
    }

    fn mark(&self) -> u8 {
        let record = &self.knowledge.record;
        record.map_or(0, |record| record.token.number() as u8)
    }
}

impl World {
    pub(crate) fn new(setup: Setup) -> Self {
        let proxy = Proxy {
            knowledge: Knowledge::default(),
            place: 0,
            messages: Vec::new(),
        };
        Self {
            setup,
            mark: Mark {
                token: 0,
                settled: false,
                version: 0,
            },
            proxies: [proxy.clone(), proxy],
            answered: 0,
            copies: setup.copies,
            restarts: setup.restarts,
            steps: setup.steps,
        }
    }

    /// The same, where the first token was answered and both proxies have just read it.
    pub(crate) fn after_the_first_token(setup: Setup) -> Self {
        let mut world = Self::new(setup);
        world.mark = Mark {
            token: 1,
            settled: true,
            version: 3,
        };
        world.answered = 1;
        let reading = world.reading(world.mark);
        for proxy in &mut world.proxies {
            let _ = proxy.knowledge.learn(now(), &reading, now());
            proxy.place = 3;
        }
        world
    }

    /// The same, where a proxy's read was answered, and the answer is on its way.
    pub(crate) fn with_an_answer_under_way(mut self) -> Self {
        self.proxies[0].messages.push(Message {
            kind: Kind::Read,
            sent: now(),
            found: Some(self.mark),
        });
        self
    }

    fn has(&self, flaw: Flaw) -> bool {
        self.setup.flaw == Some(flaw)
    }

    fn rate(&self) -> RateError {
        match self.has(Flaw::NoRateFactor) {
            true => RateError { ppm: 0 },
            false => RATE,
        }
    }

    fn reading(&self, mark: Mark) -> Reading<&'static str> {
        let trust = match self.has(Flaw::TrustLongerThanWait) {
            true => self.setup.span + 1,
            false => self.setup.span,
        };
        Reading {
            init: Init {
                revision: 1,
                epoch: 0,
                trust: Duration::from_secs(trust),
                wait: Duration::from_secs(self.setup.span),
            },
            header: mark.version.into(),
            version: mark.version.into(),
            record: (mark.token > 0).then(|| Known {
                token: token(mark.token),
                holder: Some("h"),
                released: false,
                settled: mark.settled,
            }),
        }
    }

    fn question(&self, number: u8, arrived: Instants) -> Question<'static> {
        Question {
            presented: Presented {
                token: token(number),
                holder: Some("h"),
            },
            access: Access::Write,
            whose: Whose::Ours,
            arrived,
        }
    }

    /// Knowledge as a proxy looks at it that makes a mistake with its clocks.
    fn looked_at(&self, at: usize, number: u8) -> Knowledge<&'static str> {
        let mut knowledge = self.proxies[at].knowledge;
        if let Some(stamp) = &mut knowledge.stamp {
            if self.has(Flaw::NeverIssuedFromOldMemory) && self.proxies[at].mark() < number {
                *stamp = now();
            }
            if self.has(Flaw::MonotonicOnly) {
                stamp.wall = now().wall;
            }
            if self.has(Flaw::WallOnly) {
                stamp.mono = now().mono;
            }
        }
        knowledge
    }

    fn write(&mut self, at: usize, number: u8) -> Result<(), Broken> {
        let old_memory = self.has(Flaw::NeverIssuedFromOldMemory);
        let arrived = match old_memory || self.has(Flaw::NeverIssuedFromFreshMemory) {
            true => Instants::default(),
            false => now(),
        };
        let question = self.question(number, arrived);
        match question.decide(&self.looked_at(at, number), self.rate(), now()) {
            Decided::Done(verdict) => self.judged(number, verdict),
            _ => Ok(()),
        }
    }

    fn judged(&mut self, number: u8, verdict: Verdict) -> Result<(), Broken> {
        match verdict {
            Verdict::Admit(_) if number < self.answered => {
                let how = format!("{number} after {}", self.answered);
                Err(broken("stale_never_admitted", how))
            }
            Verdict::Admit(_) => {
                self.answered = number;
                Ok(())
            }
            Verdict::Reject(why)
                if number <= self.answered
                    && matches!(why.reason, Reason::NeverIssued | Reason::NoGrant) =>
            {
                let how = format!("{number} is {}", why.reason.word());
                Err(broken("granted_is_not_never_issued", how))
            }
            _ => Ok(()),
        }
    }

    fn someone_can_acquire(&self) -> Result<(), Broken> {
        let mark = Mark {
            token: self.mark.token + 1,
            settled: false,
            version: 2 * (self.mark.token + 1),
        };
        let mut proxy = Proxy {
            knowledge: self.proxies[0].knowledge,
            place: 0,
            messages: Vec::new(),
        };
        let _ = proxy.knowledge.learn(now(), &self.reading(mark), now());
        // The slowest clock has waited twice the window after so many ticks.
        for _ in 0..=2 * self.setup.span {
            let step = SitOut::new(token(mark.token)).woken(&proxy.knowledge, RATE, now());
            if matches!(step, SettleStep::Settle(_) | SettleStep::Answer(_)) {
                return Ok(());
            }
            proxy.age((1, 1));
        }
        Err(broken(
            "someone_can_acquire",
            format!("{:?}", proxy.knowledge),
        ))
    }
}

const fn admission() -> fencegate_core::verdict::Admission {
    fencegate_core::verdict::Admission {
        mark: None,
        advanced: false,
    }
}

mod messages;
mod moves;
