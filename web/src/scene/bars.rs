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
    let scenario = &track.scenario;
    let mut bars = Vec::new();
    let mut put = |lane: &Lane, meaning, spans: Vec<Span>| {
        bars.extend(spans.into_iter().map(|span| Bar {
            who: lane.who,
            y: lane.y,
            meaning,
            span,
        }));
    };
    for lane in lanes {
        for (life, meaning) in [
            (Life::Paused, Meaning::Paused),
            (Life::Crashed, Meaning::Crashed),
        ] {
            put(
                lane,
                meaning,
                spans::of(track, along, &lives(lane.who, life)),
            );
        }
        let Who::Holder(index) = lane.who else {
            continue;
        };
        let leases = spans::of(track, along, &|world| belief::lease(scenario, world, index));
        put(lane, Meaning::Expired, expired(track, along, &leases));
        put(lane, Meaning::Lease, leases);
        let believed = spans::of(track, along, &|world| {
            belief::belief(scenario, world, index)
        });
        let right = spans::of(track, along, &|world| {
            belief::rightly(scenario, world, index)
        });
        let mistaken = spans::without(&believed, &right);
        put(lane, Meaning::Belief, spans::without(&believed, &mistaken));
        put(lane, Meaning::Mistaken, mistaken);
    }
    bars
}

/// Every stretch in which more than one holder believed.
#[must_use]
pub fn brackets(track: &Track, along: &Along<'_>, bars: &[Bar]) -> Vec<Bracket> {
    let several = |world: &World| belief::several(&track.scenario, world);
    let bracket = |span: Span| {
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
    };
    let spans = spans::of(track, along, &several).into_iter();
    spans
        .filter(|span| span.from < span.to)
        .map(bracket)
        .collect()
}

fn lives(who: Who, life: Life) -> impl Fn(&World) -> Option<Holds> {
    move |world| (world.life(who) == Some(life)).then(Holds::default)
}

/// After each lease whose time was over: until somebody has one again.
fn expired(track: &Track, along: &Along<'_>, leases: &[Span]) -> Vec<Span> {
    let somebody = |world: &World| {
        let mut all = (0..).take(world.holders.len());
        all.find_map(|index| belief::lease(&track.scenario, world, index))
    };
    let granted = spans::of(track, along, &somebody);
    let end = (track.time(track.last()), along.step(track.last()));
    let after = |lease: &Span| {
        let next = granted.iter().find(|other| lease.to_px <= other.from_px);
        let (to, to_px) = next.map_or(end, |next| (next.from, next.from_px));
        Span {
            from: lease.to,
            from_px: lease.to_px,
            to,
            to_px,
            ..*lease
        }
    };
    let ran_out = leases.iter().filter(|lease| lease.ran_out);
    ran_out
        .map(after)
        .filter(|span| span.from_px < span.to_px)
        .collect()
}
