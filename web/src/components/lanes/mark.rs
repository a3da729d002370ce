//! What happened at an instant.

use super::Ink;
use crate::components::pen::Pen;
use crate::scene::lanes::TOP_PX;
use crate::scene::marks::{Mark, Meaning};
use crate::state::Action;
use crate::words::Sign;
use fencegate_core::sim::message::Half;

const ROUND: &str = "M0 -9A9 9 0 0 1 0 9A9 9 0 0 1 0 -9z";
const TICK: &str = "M-5 0L-1 4L6 -5";
const CROSS: &str = "M-4 -4L4 4M-4 4L4 -4";
const BOLT: &str = "M1 -9L-6 2H-1L-2 9L6 -3H1z";
const SHEET: &str = "M-13 0H9L13 4V26H-13z";
/// The same, torn in the middle.
const TORN: &str = "M-14 0H-2L1 7L-4 13L1 19L-3 26H-14zM3 0H10L14 4V26H2L6 19L1 13L6 7z";
const WARNING: &str = "M0 -8L8 6H-8z";

/// A mark: it leads to its step.
pub(super) fn mark(ink: &Ink<'_>, pen: &mut Pen, mark: &Mark) {
    let action = Action::ToStep(ink.strip, mark.step);
    pen.clickable(ink.look, class(mark), String::new(), action, |pen| {
        shapes(ink, pen, mark);
    });
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
pub(super) fn shapes(ink: &Ink<'_>, pen: &mut Pen, mark: &Mark) {
    let (x, y) = mark.at_px;
    let blocked = match mark.meaning {
        Meaning::Admitted => return seal(pen, (x, y), TICK),
        Meaning::Stored(halves) => return report(ink, pen, (x, y), halves, (SHEET, TICK)),
        Meaning::Corrupted(halves) => return report(ink, pen, (x, y), halves, (TORN, CROSS)),
        Meaning::Fault(accident) => {
            pen.glyph("bolt", (x, y + 14), BOLT);
            let text = ink.sign(Sign::Fault(accident));
            return pen.label("beside", (x + 9, y + 18), text);
        }
        Meaning::Broken => {
            pen.straight("breach", (x, TOP_PX), (x, ink.scene.height));
            return pen.glyph("warning", (x, TOP_PX - 8), WARNING);
        }
        Meaning::Rejected(token, mark) => Sign::Rejected(token, mark),
        Meaning::Refused => Sign::Refused,
        Meaning::Undecided => Sign::Undecided,
    };
    pen.bar("block", (x - 13, y - 4), (26, 7));
    pen.label("below", (x, y + 17), ink.sign(blocked));
}

/// A sign in a circle.
fn seal(pen: &mut Pen, at: (i32, i32), sign: &'static str) {
    pen.glyph("round", at, ROUND);
    pen.glyph("tick", at, sign);
}

/// The report, whose its halves are, and whether that is well.
fn report(
    ink: &Ink<'_>,
    pen: &mut Pen,
    (x, y): (i32, i32),
    halves: [Half; 2],
    (sheet, sign): (&'static str, &'static str),
) {
    pen.upright("report", (x, y + 4), |pen| {
        pen.path("sheet", sheet);
        for (half, x) in halves.into_iter().zip(["-7", "7"]) {
            let class = if half.is_none() { "half blank" } else { "half" };
            pen.within(class, (x, "19"), ink.sign(Sign::Half(half)));
        }
    });
    seal(pen, (x, y - 8), sign);
}
