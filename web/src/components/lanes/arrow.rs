//! A message: a slanted line with a head, a cross where it was lost, and its token.

use super::Ink;
use crate::components::svg;
use crate::scene::arrows::{Arrow, End, Kind};
use crate::words::Sign;
use yew::prelude::*;

const LOST: &str = "M-5 -5L5 5M-5 5L5 -5";

/// A message of the story: it leads to the step at which it ended.
pub(super) fn arrow(ink: &Ink, arrow: &Arrow) -> Html {
    let onclick = ink.to_step(arrow.ended().unwrap_or(arrow.sent));
    svg::clickable(class(arrow), title(ink, arrow), onclick, shapes(ink, arrow))
}

/// What a message looks like.
pub(super) fn shapes(ink: &Ink, arrow: &Arrow) -> Vec<Html> {
    let mut shapes = vec![
        svg::line("hit", arrow.from_px, arrow.to_px),
        svg::line("shaft", arrow.from_px, arrow.to_px),
    ];
    match arrow.end {
        End::Lost(_) => shapes.push(svg::glyph("lost", arrow.to_px, LOST)),
        End::UnderWay => {}
        End::Arrived(_) | End::Blocked(_) => shapes.push(svg::path("tip", tip(arrow))),
    }
    if let Some(token) = arrow.token {
        let at = label_at(arrow);
        shapes.push(svg::text("token", at, ink.sign(Sign::Token(token))));
    }
    shapes
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

/// From whom to whom, and with which token.
pub(super) fn title(ink: &Ink, arrow: &Arrow) -> String {
    let (from, to) = (
        ink.sign(Sign::Actor(arrow.from)),
        ink.sign(Sign::Actor(arrow.to)),
    );
    format!("{from} → {to}")
}

/// Near the start, where few lines cross.
const fn label_at(arrow: &Arrow) -> (i32, i32) {
    let ((x, y), (to_x, to_y)) = (arrow.from_px, arrow.to_px);
    let down = if to_y > y { 4 } else { 3 };
    (x + (to_x - x) / 5 + 5, y + (to_y - y) / 5 + down)
}

/// The head, drawn along the line.
fn tip(arrow: &Arrow) -> String {
    let ((x, y), (to_x, to_y)) = (arrow.from_px, arrow.to_px);
    let (dx, dy) = (to_x - x, to_y - y);
    let long = (dx * dx + dy * dy).isqrt().max(1);
    let (size, half) = if arrow.kind == Kind::Write {
        (11, 5)
    } else {
        (8, 4)
    };
    let (foot_x, foot_y) = (to_x - dx * size / long, to_y - dy * size / long);
    let (aside_x, aside_y) = (dy * half / long, -dx * half / long);
    let (one_x, one_y) = (foot_x + aside_x, foot_y + aside_y);
    let (other_x, other_y) = (foot_x - aside_x, foot_y - aside_y);
    format!("M{to_x} {to_y}L{one_x} {one_y}L{other_x} {other_y}z")
}
