//! A message: a slanted line with a head, a cross where it was lost, and its token.

use super::Ink;
use crate::components::pen::Pen;
use crate::scene::along::length;
use crate::scene::arrows::{Arrow, End, Kind};
use crate::state::Action;
use crate::words::Sign;

const LOST: &str = "M-5 -5L5 5M-5 5L5 -5";

/// A message of the story: it leads to the step at which it ended.
pub(super) fn arrow(ink: &Ink<'_>, pen: &mut Pen, arrow: &Arrow) {
    let step = arrow.ended().unwrap_or(arrow.sent);
    let (action, title) = (Action::ToStep(ink.strip, step), title(ink, arrow));
    pen.clickable(ink.look, class(arrow), title, action, |pen| {
        shapes(ink, pen, arrow);
    });
}

/// What a message looks like.
pub(super) fn shapes(ink: &Ink<'_>, pen: &mut Pen, arrow: &Arrow) {
    pen.straight("hit", arrow.from_px, arrow.to_px);
    pen.straight("shaft", arrow.from_px, arrow.to_px);
    match arrow.end {
        End::Lost(_) => pen.glyph("lost", arrow.to_px, LOST),
        End::UnderWay => {}
        End::Arrived(_) | End::Blocked(_) => tip(pen, arrow),
    }
    if let Some(token) = arrow.token {
        pen.label("token", label_at(arrow), ink.sign(Sign::Token(token)));
    }
}

/// What kind of message it is.
pub(super) const fn class(arrow: &Arrow) -> &'static str {
    match arrow.kind {
        Kind::Request => "arrow request",
        Kind::Write => "arrow write",
        Kind::Answer => "arrow answer",
        Kind::Refusal => "arrow refusal",
    }
}

/// From whom to whom.
pub(super) fn title(ink: &Ink<'_>, arrow: &Arrow) -> String {
    let mut title = ink.sign(Sign::Actor(arrow.from));
    title.push_str(" → ");
    title.push_str(&ink.sign(Sign::Actor(arrow.to)));
    title
}

/// Near the start, where few lines cross.
const fn label_at(arrow: &Arrow) -> (i32, i32) {
    let ((x, y), (to_x, to_y)) = (arrow.from_px, arrow.to_px);
    let down = if to_y > y { 4 } else { 3 };
    (x + (to_x - x) / 5 + 5, y + (to_y - y) / 5 + down)
}

/// The head, drawn along the line.
fn tip(pen: &mut Pen, arrow: &Arrow) {
    let ((x, y), (to_x, to_y)) = (arrow.from_px, arrow.to_px);
    let (dx, dy) = (to_x - x, to_y - y);
    let long = length(dx, dy);
    let (size, half) = if arrow.kind == Kind::Write {
        (11, 5)
    } else {
        (8, 4)
    };
    let (foot_x, foot_y) = (to_x - dx * size / long, to_y - dy * size / long);
    let (aside_x, aside_y) = (dy * half / long, -dx * half / long);
    let (one_x, one_y) = (foot_x + aside_x, foot_y + aside_y);
    let (other_x, other_y) = (foot_x - aside_x, foot_y - aside_y);
    let corners = [to_x, to_y, one_x, one_y, other_x, other_y];
    pen.through("tip", "M# #L# #L# #z", &corners);
}
