//! Leases in truth and in belief, pauses, crashes, and two holders at once.

use super::Ink;
use crate::components::pen::Pen;
use crate::scene::bars::{Bar, Meaning};
use crate::words::Sign;

/// Above and below the middle of a lane: what a pause greys.
const STRETCH_PX: (i32, i32) = (-31, 27);
/// The lease, above the line that messages leave from, and the belief above it.
const LEASE_PX: (i32, i32) = (-17, -3);
const BELIEF_PX: (i32, i32) = (-31, -19);
/// The least room that a text has, and after which room it is written again.
const TEXT_PX: i32 = 72;
const AGAIN_PX: i32 = 260;

const PAUSE: &str = "M-4 -6h3v12h-3zM1 -6h3v12h-3z";
const CROSS: &str = "M-6 -4L-4 -6L0 -2L4 -6L6 -4L2 0L6 4L4 6L0 2L-4 6L-6 4L-2 0z";

/// Every bar.
pub(super) fn bars(ink: &Ink<'_>, pen: &mut Pen) {
    for bar in &ink.scene.bars {
        one(ink, pen, bar);
    }
}

fn one(ink: &Ink<'_>, pen: &mut Pen, bar: &Bar) {
    let span = &bar.span;
    let lasts = span.to - span.from;
    let (class, (top, bottom), sign) = match bar.meaning {
        Meaning::Paused => ("paused", STRETCH_PX, Some(Sign::Paused(lasts))),
        Meaning::Crashed => ("crashed", STRETCH_PX, Some(Sign::Crashed)),
        Meaning::Lease => ("lease", LEASE_PX, Some(Sign::Lease(span.token))),
        Meaning::Expired => ("expired", LEASE_PX, None),
        Meaning::Belief => ("belief", BELIEF_PX, None),
        Meaning::Mistaken => ("mistaken", BELIEF_PX, Some(Sign::Mistaken)),
    };
    let size = (span.to_px - span.from_px, bottom - top);
    pen.bar(class, (span.from_px, bar.y + top), size);
    let glyph = match bar.meaning {
        Meaning::Paused => PAUSE,
        Meaning::Crashed => CROSS,
        _ => "",
    };
    let aside = if glyph.is_empty() {
        (5, bottom - 3)
    } else {
        pen.glyph("glyph", (span.from_px + 12, bar.y + 9), glyph);
        (22, 13)
    };
    let Some(sign) = sign else {
        return;
    };
    // Once more where it is long, so that one is in sight.
    let mut x = span.from_px;
    while x <= span.to_px - TEXT_PX {
        pen.label(class, (x + aside.0, bar.y + aside.1), ink.sign(sign));
        x += AGAIN_PX;
    }
}

/// A bracket across the lanes of those who believe at once.
pub(super) fn brackets(ink: &Ink<'_>, pen: &mut Pen) {
    for bracket in &ink.scene.brackets {
        let span = &bracket.span;
        let (from, to) = (span.from_px, span.to_px);
        let (top, bottom) = (
            bracket.upper + BELIEF_PX.0 - 4,
            bracket.lower + LEASE_PX.1 + 4,
        );
        pen.bar("both", (from, top), (to - from, bottom - top));
        let sides = [
            from, top, to, from, top, bottom, to, top, bottom, from, bottom, to,
        ];
        pen.through("bracket", "M# #H#M# #V#M# #V#M# #H#", &sides);
        let middle = i32::midpoint(from, to);
        let label = ink.sign(Sign::Several(bracket.holders, span.to - span.from));
        let y = bracket.upper + ink.scene.lane_px - 35;
        pen.label("several", (middle, y), label);
    }
}
