//! What happened at an instant.

use super::Ink;
use crate::components::svg;
use crate::scene::lanes::TOP_PX;
use crate::scene::marks::{Mark, Meaning};
use crate::words::Sign;
use fencegate_core::sim::message::Half;
use yew::prelude::*;

const TICK: &str = "M-5 0L-1 4L6 -5";
const CROSS: &str = "M-4 -4L4 4M-4 4L4 -4";
const BOLT: &str = "M1 -9L-6 2H-1L-2 9L6 -3H1z";
const SHEET: &str = "M-13 0H9L13 4V26H-13z";
/// The same, torn in the middle.
const TORN: &str = "M-14 0H-2L1 7L-4 13L1 19L-3 26H-14zM3 0H10L14 4V26H2L6 19L1 13L6 7z";
const WARNING: &str = "M0 -8L8 6H-8z";

/// A mark: it leads to its step.
pub(super) fn mark(ink: &Ink, mark: &Mark) -> Html {
    let shapes = shapes(ink, mark);
    svg::clickable(class(mark), String::new(), ink.to_step(mark.step), shapes)
}

/// What kind of mark it is.
pub(super) const fn class(mark: &Mark) -> &'static str {
    match mark.meaning {
        Meaning::Stored(_) => "mark stored",
        Meaning::Corrupted(_) => "mark corrupted",
        Meaning::Admitted => "mark admitted",
        Meaning::Rejected(..) | Meaning::Refused | Meaning::Undecided => "mark rejected",
        Meaning::Fault(_) => "mark fault",
        Meaning::Broken => "mark broken",
    }
}

/// What a mark looks like.
pub(super) fn shapes(ink: &Ink, mark: &Mark) -> Vec<Html> {
    let (x, y) = mark.at_px;
    let blocked = |sign| {
        vec![
            svg::bar("block", (x - 13, y - 4), (26, 7)),
            svg::text("below", (x, y + 17), ink.sign(sign)),
        ]
    };
    match mark.meaning {
        Meaning::Admitted => vec![round("round", (x, y)), svg::glyph("tick", (x, y), TICK)],
        Meaning::Stored(halves) => vec![
            report(ink, (x, y), halves, SHEET),
            round("round", (x, y - 8)),
            svg::glyph("tick", (x, y - 8), TICK),
        ],
        Meaning::Corrupted(halves) => vec![
            report(ink, (x, y), halves, TORN),
            round("round", (x, y - 8)),
            svg::glyph("tick", (x, y - 8), CROSS),
        ],
        Meaning::Rejected(token, mark) => blocked(Sign::Rejected(token, mark)),
        Meaning::Refused => blocked(Sign::Refused),
        Meaning::Undecided => blocked(Sign::Undecided),
        Meaning::Fault(accident) => vec![
            svg::glyph("bolt", (x, y + 14), BOLT),
            svg::text("beside", (x + 9, y + 18), ink.sign(Sign::Fault(accident))),
        ],
        Meaning::Broken => vec![
            svg::line("breach", (x, TOP_PX), (x, ink.scene.height)),
            svg::glyph("warning", (x, TOP_PX - 8), WARNING),
        ],
    }
}

fn round(class: &'static str, at: (i32, i32)) -> Html {
    svg::glyph(class, at, "M0 -9A9 9 0 0 1 0 9A9 9 0 0 1 0 -9z")
}

/// The report, and whose its halves are.
fn report(ink: &Ink, (x, y): (i32, i32), halves: [Half; 2], sheet: &'static str) -> Html {
    let half = |x, half: Half| {
        let class = if half.is_none() { "half blank" } else { "half" };
        svg::label(class, x, "19", ink.sign(Sign::Half(half)))
    };
    let shapes = vec![
        svg::path("sheet", sheet),
        half("-7", halves[0]),
        half("7", halves[1]),
    ];
    svg::upright("report", (x, y + 4), shapes)
}
