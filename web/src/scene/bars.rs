//! What lasts: leases in truth and in belief, pauses and crashes, and two holders at once.

use super::along::Along;
use super::belief;
use super::lanes::Lane;
use super::spans::{self, Holds, Span};
use crate::play::track::Track;
use fencegate_core::sim::who::Who;
use fencegate_core::sim::world::{Life, World};

/// What a bar means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The process stands still.
    Paused,
    /// There is no process.
    Crashed,
    /// The holder has the lease, in truth.
    Lease,
    /// Its time was over, and nobody has it since.
    Expired,
    /// The holder believes that it may write, and is right.
    Belief,
    /// The holder believes that it may write, and is wrong.
    Mistaken,
}

/// Something that lasts, on one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    /// Whose.
    pub who: Who,
    /// The middle of its lane.
    pub y: i32,
    /// What it means.
    pub meaning: Meaning,
    /// From when to when.
    pub span: Span,
}

/// More than one holder believed: across these lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bracket {
    /// The middle of the uppermost lane.
    pub upper: i32,
    /// The middle of the lowest one.
    pub lower: i32,
    /// How many.
    pub holders: u8,
    /// From when to when.
    pub span: Span,
}

/// Every bar of a track; those that lie under others come first.
#[must_use]
pub fn of(track: &Track, along: &Along<'_>, lanes: &[Lane]) -> Vec<Bar> {
    let mut bars = Vec::new();
    for lane in lanes {
        for (life, meaning) in [
            (Life::Paused, Meaning::Paused),
            (Life::Crashed, Meaning::Crashed),
        ] {
            let lives = |world: &World| world.life(lane.who) == Some(life);
            let spans = spans::of(track, along, &|world| lives(world).then(Holds::default));
            put(&mut bars, lane, meaning, spans);
        }
        if let Who::Holder(index) = lane.who {
            claims(track, along, (lane, index), &mut bars);
        }
    }
    bars
}

fn put(bars: &mut Vec<Bar>, lane: &Lane, meaning: Meaning, spans: Vec<Span>) {
    for span in spans {
        bars.push(Bar {
            who: lane.who,
            y: lane.y,
            meaning,
            span,
        });
    }
}

/// What a holder has, and what it believes.
fn claims(track: &Track, along: &Along<'_>, (lane, index): (&Lane, u8), bars: &mut Vec<Bar>) {
    let during =
        |holds: belief::Of| spans::of(track, along, &|world| holds(&track.scenario, world, index));
    let leases = during(belief::lease);
    put(bars, lane, Meaning::Expired, expired(track, along, &leases));
    put(bars, lane, Meaning::Lease, leases);
    let believed = during(belief::belief);
    let mistaken = spans::without(&believed, &during(belief::rightly));
    let right = spans::without(&believed, &mistaken);
    put(bars, lane, Meaning::Belief, right);
    put(bars, lane, Meaning::Mistaken, mistaken);
}

/// Every stretch in which more than one holder believed.
#[must_use]
pub fn brackets(track: &Track, along: &Along<'_>, bars: &[Bar]) -> Vec<Bracket> {
    let several = |world: &World| belief::several(&track.scenario, world);
    let mut brackets = Vec::new();
    for span in spans::of(track, along, &several) {
        if span.from < span.to {
            brackets.push(bracket(bars, span));
        }
    }
    brackets
}

fn bracket(bars: &[Bar], span: Span) -> Bracket {
    let mut found = Bracket {
        upper: i32::MAX,
        lower: 0,
        holders: 0,
        span,
    };
    let mut last = None;
    for bar in bars {
        let believes = matches!(bar.meaning, Meaning::Belief | Meaning::Mistaken);
        if believes && bar.span.from_px < span.to_px && span.from_px < bar.span.to_px {
            found.upper = found.upper.min(bar.y);
            found.lower = found.lower.max(bar.y);
            found.holders += u8::from(last != Some(bar.who));
            last = Some(bar.who);
        }
    }
    found
}

/// After each lease whose time was over: until somebody has one again.
fn expired(track: &Track, along: &Along<'_>, leases: &[Span]) -> Vec<Span> {
    let somebody = |world: &World| {
        let mut all = (0..).take(world.holders.len());
        all.find_map(|index| belief::lease(&track.scenario, world, index))
    };
    let granted = spans::of(track, along, &somebody);
    let mut spans = Vec::new();
    for lease in leases {
        let mut span = Span {
            from: lease.to,
            from_px: lease.to_px,
            to: track.time(track.last()),
            to_px: along.step(track.last()),
            ..*lease
        };
        if let Some(next) = granted.iter().find(|other| lease.to_px <= other.from_px) {
            (span.to, span.to_px) = (next.from, next.from_px);
        }
        if lease.ran_out && span.from_px < span.to_px {
            spans.push(span);
        }
    }
    spans
}
