//! Changing the window while two proxies judge by it, exhaustively; and the two orders of change
//! in which a stale write is admitted.

mod explore;

use explore::{Broken, Model, broken, finds, holds};
use fencegate_core::machine::NotStored;
use fencegate_core::moment::Moment;
use fencegate_core::window::{Init, RateError, Resize, ResizeStep, Span};
use std::hash::{Hash, Hasher};
use std::time::Duration;

const TICKS: u64 = 9;
const RATE: RateError = RateError { ppm: 0 };

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// As it should be.
    Kept,
    /// Shrinking, the wait is lowered at once.
    NoSitOut,
    /// Enlarging, trust is raised first.
    TrustFirst,
}

/// One mark that is raised once, one proxy that trusts what it read before, one that raises.
#[derive(Clone)]
struct World {
    order: Order,
    target: u64,
    step: Option<ResizeStep>,
    init: Init,
    now: u64,
    raised: bool,
    /// When and under which trust the reader read the old mark.
    read: Option<(u64, Duration)>,
    /// When the raiser learned of the new one, and how long it waits.
    learned: Option<(u64, Duration)>,
    answered: bool,
}

impl Hash for World {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (
            self.init,
            self.now,
            self.raised,
            self.read,
            self.learned,
            self.answered,
        )
            .hash(hasher);
        format!("{:?}", self.step).hash(hasher);
    }
}

#[derive(Clone, Copy, Debug)]
enum Move {
    Tick,
    Operator,
    GiveUp,
    Read,
    Raise,
    Answer,
    WriteOld,
}

const fn secs(count: u64) -> Duration {
    Duration::from_secs(count)
}

impl World {
    fn new(order: Order, (from, target): (u64, u64)) -> Self {
        let init = Init {
            revision: 1,
            epoch: 0,
            trust: secs(from),
            wait: secs(from),
        };
        Self {
            order,
            target,
            step: None,
            init,
            now: 0,
            raised: false,
            read: None,
            learned: None,
            answered: false,
        }
    }

    fn clock(&self) -> Moment {
        Moment::from_nanos(self.now * 1_000_000_000)
    }

    fn operate(&mut self) -> Result<(), Broken> {
        let start = Resize::new(secs(self.target), RATE);
        let step = match self.step.unwrap_or(ResizeStep::Read(start)) {
            ResizeStep::Read(resize) => resize.read(&self.init, self.clock()),
            ResizeStep::SitOut(resize, until) => match self.order {
                Order::NoSitOut => resize.woken(until),
                _ => resize.woken(self.clock()),
            },
            ResizeStep::Put(resize, span, revision) => {
                let same = revision == self.init.revision;
                if same {
                    let trust = match self.order {
                        Order::TrustFirst => secs(self.target),
                        _ => span.trust,
                    };
                    let early = self.order == Order::TrustFirst && self.init.trust < trust;
                    let wait = if early { self.init.wait } else { span.wait };
                    self.put(Span { trust, wait })?;
                }
                resize.stored(if same {
                    Ok(())
                } else {
                    Err(NotStored::Conflict)
                })
            }
            ResizeStep::Done => ResizeStep::Done,
        };
        self.step = Some(step);
        Ok(())
    }

    fn put(&mut self, span: Span) -> Result<(), Broken> {
        if self.order == Order::Kept && span.trust > span.wait {
            return Err(broken("trust_is_at_most_wait", format!("{span:?}")));
        }
        self.init = Init {
            revision: self.init.revision + 1,
            epoch: 0,
            trust: span.trust,
            wait: span.wait,
        };
        Ok(())
    }
}

impl Model for World {
    type Move = Move;

    fn moves(&self) -> Vec<Move> {
        let mut moves = vec![Move::Operator, Move::GiveUp];
        if self.now < TICKS {
            moves.push(Move::Tick);
        }
        if !self.raised {
            moves.extend([Move::Read, Move::Raise]);
        }
        if let Some((at, wait)) = self.learned
            && secs(self.now - at) >= wait
        {
            moves.push(Move::Answer);
        }
        if let Some((at, trust)) = self.read
            && secs(self.now - at) < trust
        {
            moves.push(Move::WriteOld);
        }
        moves
    }

    fn after(&self, step: Move) -> Result<Self, Broken> {
        let mut next = self.clone();
        match step {
            Move::Tick => next.now += 1,
            Move::Operator => next.operate()?,
            // Another operator begins anew.
            Move::GiveUp => next.step = None,
            Move::Read => next.read = Some((next.now, next.init.trust)),
            Move::Raise => {
                next.raised = true;
                next.learned = Some((next.now, next.init.wait));
            }
            Move::Answer => next.answered = true,
            Move::WriteOld if next.answered => {
                return Err(broken("stale_never_admitted", "by older knowledge"));
            }
            Move::WriteOld => {}
        }
        Ok(next)
    }
}

#[test]
fn a_window_is_shrunk_and_enlarged_while_it_is_used() {
    for (from, to) in [(3, 1), (1, 3), (2, 2)] {
        let what = format!("resize {from} to {to}: 9 ticks, an operator may give up");
        holds(&what, &World::new(Order::Kept, (from, to)), 100);
    }
}

#[test]
fn control_shrinking_without_sitting_out_the_old_wait() {
    finds(
        "no sitting out",
        &World::new(Order::NoSitOut, (3, 1)),
        "stale_never_admitted",
    );
}

#[test]
fn control_enlarging_trust_before_the_wait() {
    finds(
        "trust first",
        &World::new(Order::TrustFirst, (1, 3)),
        "stale_never_admitted",
    );
}
