//! From when to when something was so, in true time: also where it ended between two events.

use super::along::Along;
use crate::play::track::Track;
use fencegate_core::sim::clock::Millis;
use fencegate_core::sim::world::World;
use fencegate_core::token::Token;

/// From when to when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// From when, in true time.
    pub from: Millis,
    /// To when, in true time.
    pub to: Millis,
    /// From here in the picture. Events of one instant have places of their own.
    pub from_px: i32,
    /// To there.
    pub to_px: i32,
    /// With which token.
    pub token: Option<Token>,
    /// Whether its time was over, and no event ended it.
    pub ran_out: bool,
}

/// What holds in a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holds {
    /// With which token: another one is another span.
    pub token: Option<Token>,
    /// When it ends without an event; `None`: only an event ends it.
    pub ends: Option<Millis>,
}

/// The stretches of a track in which something holds.
#[must_use]
pub fn of(track: &Track, along: &Along<'_>, holds: &dyn Fn(&World) -> Option<Holds>) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    for (step, pair) in track.worlds.windows(2).enumerate() {
        let (world, until) = (&pair[0], pair[1].now);
        let Some(Holds { token, ends }) = holds(world) else {
            continue;
        };
        let ended = ends.filter(|end| *end <= until);
        let next = Span {
            from: world.now,
            to: ended.map_or(until, |end| end.max(world.now)),
            from_px: along.step(step),
            to_px: ended.map_or(along.step(step + 1), |end| along.after(step, end)),
            token,
            ran_out: ended.is_some(),
        };
        match found.last_mut() {
            Some(last) if last.to_px == next.from_px && last.token == token && !last.ran_out => {
                last.to = next.to;
                last.to_px = next.to_px;
                last.ran_out = next.ran_out;
            }
            _ => found.push(next),
        }
    }
    found.retain(|span| span.from_px < span.to_px);
    found
}

/// What is left of some spans where others are not. Both are in order and do not overlap.
#[must_use]
pub fn without(spans: &[Span], others: &[Span]) -> Vec<Span> {
    let mut left = Vec::new();
    for span in spans {
        let mut rest = *span;
        for other in others {
            if other.to_px <= rest.from_px || rest.to_px <= other.from_px {
                continue;
            }
            if rest.from_px < other.from_px {
                left.push(Span {
                    to: other.from,
                    to_px: other.from_px,
                    ..rest
                });
            }
            (rest.from, rest.from_px) = (other.to, other.to_px);
        }
        if rest.from_px < rest.to_px {
            left.push(rest);
        }
    }
    left
}
