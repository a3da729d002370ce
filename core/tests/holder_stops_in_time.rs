//! `holder_stops_in_time`: clocks run wrongly within their bound, messages take any time or get
//! lost, and still no holder believes that it may write once somebody else was granted.
//!
//! The issuer is the core's own, without lock delay; the holder has no slack. True time is the
//! issuer's; the holder's clock is off by anything and runs wrongly from stretch to stretch.

mod common;

use common::{ACQUIRE, World, renew};
use fencegate_core::laws::{Event, Observer, Tokens};
use fencegate_core::lease::{Acquire, Acquired, Owned, Renew};
use fencegate_core::moment::Moment;
use fencegate_core::tenure::{Caution, Left, RenewAnswer, Tenure};
use fencegate_core::token::Token;
use proptest::prelude::*;
use proptest::test_runner::{Config, FileFailurePersistence, TestError, TestRunner};
use std::collections::BTreeMap;
use std::time::Duration;

/// True time in nanoseconds.
type True = u64;

const SECOND: True = 1_000_000_000;

/// What a holder goes through. Times are nanoseconds.
#[derive(Clone, Debug)]
struct Story {
    ttl: u64,
    /// The holder's clock: its offset, and by how many millionths it is wrong in each second.
    offset: u64,
    rate_error_ppm: u32,
    rates: Vec<i64>,
    /// How long the acquire waits at the issuer before it is granted.
    waits: u64,
    /// Requests of the first holder: an acquire (repeated under its id), then renewals.
    requests: Vec<Request>,
    /// When the other one asks, again and again.
    other_asks_every: u64,
}

#[derive(Clone, Debug)]
struct Request {
    /// After the one before was sent.
    after: u64,
    there: u64,
    back: u64,
    lost: bool,
    answer_lost: bool,
    /// Asks for the grant once more, under the same id, instead of a renewal.
    resumes: bool,
}

fn story() -> impl Strategy<Value = Story> {
    let delay = || prop_oneof![3 => 0..SECOND / 10, 1 => 0..12 * SECOND];
    let request = (
        0..4 * SECOND,
        delay(),
        delay(),
        prop::bool::weighted(0.2),
        prop::bool::weighted(0.2),
        prop::bool::weighted(0.2),
    )
        .prop_map(|(after, there, back, lost, answer_lost, resumes)| Request {
            after,
            there,
            back,
            lost,
            answer_lost,
            resumes,
        });
    prop_oneof![Just(0_u32), 1..1_000_u32, Just(200_000_u32)].prop_flat_map(move |ppm| {
        let bound = i64::from(ppm);
        let rate = prop_oneof![Just(-bound), Just(bound), -bound..=bound];
        (
            SECOND / 10..10 * SECOND,
            0..1_000 * SECOND,
            prop::collection::vec(rate, 1..12),
            prop_oneof![Just(0), 0..3 * SECOND],
            prop::collection::vec(request.clone(), 1..12),
            SECOND / 20..SECOND,
        )
            .prop_map(move |(ttl, offset, rates, waits, requests, every)| Story {
                ttl,
                offset,
                rate_error_ppm: ppm,
                rates,
                waits,
                requests,
                other_asks_every: every,
            })
    })
}

impl Story {
    /// What the holder's clock shows at a true instant: each second of true time is longer or
    /// shorter by that second's rate.
    fn clock(&self, now: True) -> Moment {
        let wrong = |span: u64, ppm: i64| {
            let span = i128::from(span);
            // Rounded up: a reading late by less than a nanosecond is within every bound.
            (span * (1_000_000 + i128::from(ppm)) + 999_999) / 1_000_000
        };
        let mut shown = i128::from(self.offset);
        let mut left = now;
        let mut stretch = 0;
        while left > 0 {
            let span = left.min(SECOND);
            shown += wrong(span, self.rates[stretch % self.rates.len()]);
            left -= span;
            stretch += 1;
        }
        Moment::from_nanos(u64::try_from(shown).expect("within the clock"))
    }
}

#[derive(Clone, Debug)]
enum Step {
    Sent(Request),
    Arrived(Request, True),
    Waited(Request, True),
    Granted(Request, True, Token, Left),
    Renewed(True, RenewAnswer),
    OtherAsks,
}

/// Whence the holder counts. Only the first is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counts {
    FromSending,
    FromArrival,
    WithoutRateError,
    /// What waited counts as if the lease had begun with the answer's sending.
    WaitedTwice,
}

struct Run<'a> {
    story: &'a Story,
    counts: Counts,
    world: World,
    tenure: Tenure,
    observer: Observer,
    queue: BTreeMap<(True, usize), Step>,
    queued: usize,
    token: Option<Token>,
    taken_over: bool,
}

impl Run<'_> {
    fn at(&mut self, when: True, step: Step) {
        self.queue.insert((when, self.queued), step);
        self.queued += 1;
    }

    /// Steps from one event to the next; says whether the holder always stopped in time.
    fn tell(mut self) -> Result<(), TestCaseError> {
        let mut when = 0;
        for request in self.story.requests.clone() {
            when += request.after;
            self.at(when, Step::Sent(request));
        }
        let end = when + self.story.ttl + 30 * SECOND;
        let every = self.story.other_asks_every;
        for asks in (0..end).step_by(usize::try_from(every).expect("64 bits")) {
            self.at(asks, Step::OtherAsks);
        }
        while let Some(((now, _), step)) = self.queue.pop_first() {
            self.world.now = Moment::from_nanos(now);
            self.take(now, step);
            self.believes(now)?;
        }
        prop_assert!(self.taken_over || self.nobody_came(), "someone_can_acquire");
        Ok(())
    }

    fn believes(&mut self, now: True) -> Result<(), TestCaseError> {
        let Some(token) = self.tenure.may_write(self.story.clock(now)) else {
            return Ok(());
        };
        self.observer
            .observe(&Event::Believes {
                resource: "r",
                token,
            })
            .map_err(|violation| TestCaseError::fail(violation.to_string()))
    }

    fn take(&mut self, now: True, step: Step) {
        match step {
            Step::Sent(request) => {
                if !request.lost {
                    self.at(now + request.there, Step::Arrived(request, now));
                }
            }
            Step::Arrived(request, sent) => self.arrived(now, request, sent),
            Step::Waited(request, sent) => self.acquire(now, &request, sent),
            Step::Granted(request, sent, token, left) => {
                if !request.answer_lost {
                    self.token = Some(token);
                    let (sent, here) = self.counted(sent, now);
                    self.tenure.granted(token, sent, self.told(left), here);
                }
            }
            Step::Renewed(sent, answer) => {
                let (sent, here) = self.counted(sent, now);
                self.tenure.renewed(sent, answer, here);
            }
            Step::OtherAsks => self.other_asks(),
        }
    }

    /// From when the holder counts, and its time now.
    fn counted(&self, sent: True, now: True) -> (Moment, Moment) {
        let here = self.story.clock(now);
        match self.counts {
            Counts::FromArrival => (here, here),
            _ => (self.story.clock(sent), here),
        }
    }

    fn told(&self, left: Left) -> Left {
        match self.counts {
            Counts::WaitedTwice => Left {
                waited: left.waited * 2,
                ..left
            },
            _ => left,
        }
    }

    fn arrived(&mut self, now: True, request: Request, sent: True) {
        let back = now + request.back;
        match self.token {
            Some(token) if !request.resumes => {
                let renewed = self.world.run(Renew {
                    ttl: Duration::from_nanos(self.story.ttl),
                    ..renew("a", token)
                });
                let answer = match renewed {
                    Owned::Done(leased) => RenewAnswer::Kept(Left {
                        waited: Duration::ZERO,
                        left: leased.left,
                    }),
                    Owned::Lost(_) => RenewAnswer::Lost,
                    Owned::Undecided(_) => RenewAnswer::Unknown,
                };
                if !request.answer_lost {
                    self.at(back, Step::Renewed(sent, answer));
                }
            }
            _ => self.at(now + self.story.waits, Step::Waited(request, sent)),
        }
    }

    /// The request is granted, and told how long it waited and what is left since.
    fn acquire(&mut self, now: True, request: &Request, sent: True) {
        let acquired = self.world.run(Acquire {
            request_id: Some("1"),
            ttl: Duration::from_nanos(self.story.ttl),
            ..ACQUIRE
        });
        let Acquired::Granted { leased, .. } = acquired else {
            return;
        };
        let left = Left {
            waited: Duration::from_nanos(self.story.waits),
            left: leased.left,
        };
        let granted = Step::Granted(request.clone(), sent, leased.token, left);
        self.at(now + request.back, granted);
        let _ = self.observer.observe(&Event::Granted {
            resource: "r",
            token: leased.token,
            holder: "a",
            request_id: Some("1"),
        });
    }

    /// Whether the first holder was never granted: the other one lets it go first.
    fn nobody_came(&mut self) -> bool {
        self.world.record("r").is_ok_and(|record| record.is_none())
    }

    fn other_asks(&mut self) {
        if self.taken_over || self.nobody_came() {
            return;
        }
        let acquired = self.world.run(Acquire {
            holder: "b",
            ttl: Duration::from_secs(3600),
            ..ACQUIRE
        });
        if let Acquired::Granted { leased, .. } = acquired {
            self.taken_over = true;
            let _ = self.observer.observe(&Event::Granted {
                resource: "r",
                token: leased.token,
                holder: "b",
                request_id: None,
            });
        }
    }
}

fn tell(story: &Story, counts: Counts) -> Result<(), TestCaseError> {
    let rate_error_ppm = match counts {
        Counts::WithoutRateError => 0,
        _ => story.rate_error_ppm,
    };
    let run = Run {
        story,
        counts,
        world: World::default(),
        tenure: Tenure::new(Caution {
            rate_error_ppm,
            slack: Duration::ZERO,
        }),
        observer: Observer::new(Tokens::Ours),
        queue: BTreeMap::new(),
        queued: 0,
        token: None,
        taken_over: false,
    };
    run.tell()
}

fn config() -> Config {
    let seeds = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/holder_stops_in_time.regressions"
    );
    Config {
        cases: 1_000,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(seeds))),
        ..Config::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn holder_stops_in_time(story in story()) {
        tell(&story, Counts::FromSending)?;
    }
}

/// A holder that counts wrongly is found.
#[track_caller]
fn finds(counts: Counts) {
    let quietly = Config {
        cases: 5_000,
        max_shrink_iters: 500,
        failure_persistence: None,
        ..Config::default()
    };
    let found = TestRunner::new(quietly).run(&story(), |story| tell(&story, counts));
    match found {
        Err(TestError::Fail(why, story)) => {
            println!("{counts:?}: {why}\n{story:?}");
            assert!(why.message().contains("holder_stops_in_time"), "{why}");
        }
        other => panic!("{counts:?} is not found: {other:?}"),
    }
}

#[test]
fn control_counting_from_the_arrival_of_the_answer() {
    finds(Counts::FromArrival);
}

#[test]
fn control_trusting_the_clock_entirely() {
    finds(Counts::WithoutRateError);
}

#[test]
fn control_counting_the_wait_twice() {
    finds(Counts::WaitedTwice);
}
