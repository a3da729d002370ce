//! Leases in truth and in belief, pauses, crashes, and two holders at once.

use super::Ink;
use crate::components::svg;
use crate::scene::bars::{Bar, Meaning};
use crate::words::Sign;
use yew::prelude::*;

/// Above and below the middle of a lane: what a pause greys.
const STRETCH_PX: (i32, i32) = (-31, 27);
/// The lease, above the line that messages leave from, and the belief above it.
const LEASE_PX: (i32, i32) = (-17, -3);
const BELIEF_PX: (i32, i32) = (-31, -19);
/// The least room that a text has, and after which room it is written again.
const TEXT_PX: i32 = 72;
const AGAIN_PX: usize = 260;

const PAUSE: &str = "M-4 -6h3v12h-3zM1 -6h3v12h-3z";
const CROSS: &str = "M-6 -4L-4 -6L0 -2L4 -6L6 -4L2 0L6 4L4 6L0 2L-4 6L-6 4L-2 0z";

/// Every bar.
pub(super) fn bars(ink: &Ink) -> Vec<Html> {
    ink.scene.bars.iter().map(|bar| one(ink, bar)).collect()
}

fn one(ink: &Ink, bar: &Bar) -> Html {
    let span = &bar.span;
    let room = span.to_px - span.from_px;
    let lasts = span.to - span.from;
    let (class, (top, bottom), sign) = match bar.meaning {
        Meaning::Paused => ("paused", STRETCH_PX, Some(Sign::Paused(lasts))),
        Meaning::Crashed => ("crashed", STRETCH_PX, Some(Sign::Crashed)),
        Meaning::Lease => ("lease", LEASE_PX, Some(Sign::Lease(span.token))),
        Meaning::Expired => ("expired", LEASE_PX, None),
        Meaning::Belief => ("belief", BELIEF_PX, None),
        Meaning::Mistaken => ("mistaken", BELIEF_PX, Some(Sign::Mistaken)),
    };
    let stands = matches!(bar.meaning, Meaning::Paused | Meaning::Crashed);
    let glyph = match bar.meaning {
        Meaning::Paused => svg::glyph("glyph", (span.from_px + 12, bar.y + 9), PAUSE),
        Meaning::Crashed => svg::glyph("glyph", (span.from_px + 12, bar.y + 9), CROSS),
        _ => Html::default(),
    };
    let text = |x| {
        let x = x + if stands { 22 } else { 5 };
        let y = bar.y + if stands { 13 } else { bottom - 3 };
        sign.map(|sign| svg::text(class, (x, y), ink.sign(sign)))
    };
    // Once more where it is long, so that one is in sight.
    let texts = (span.from_px..=span.to_px - TEXT_PX).step_by(AGAIN_PX);
    html! {
        <>
            { svg::bar(class, (span.from_px, bar.y + top), (room, bottom - top)) }
            { glyph }
            { for texts.filter_map(text) }
        </>
    }
}

/// A bracket across the lanes of those who believe at once.
pub(super) fn brackets(ink: &Ink) -> Vec<Html> {
    let one = |bracket: &crate::scene::bars::Bracket| {
        let span = &bracket.span;
        let (from, to) = (span.from_px, span.to_px);
        let (top, bottom) = (
            bracket.upper + BELIEF_PX.0 - 4,
            bracket.lower + LEASE_PX.1 + 4,
        );
        let side = format!(
            "M{from} {top}H{to}M{from} {top}V{bottom}M{to} {top}V{bottom}M{from} {bottom}H{to}"
        );
        let middle = (
            i32::midpoint(from, to),
            bracket.upper + ink.scene.lane_px - 35,
        );
        let label = ink.sign(Sign::Several(bracket.holders, span.to - span.from));
        html! {
            <>
                { svg::bar("both", (from, top), (to - from, bottom - top)) }
                { svg::path("bracket", side) }
                { svg::text("several", middle, label) }
            </>
        }
    };
    ink.scene.brackets.iter().map(one).collect()
}
