//! The runs beside each other, each under its name where there are several.

use super::Look;
use super::el::{el, say};
use super::icon;
use super::lanes::{lanes, patterns};
use super::press::Press;
use super::still::{shown, still};
use crate::play::strip::STRIPS_MAX;
use crate::state::Action;
use crate::words::Text;
use fencegate_core::sim::laws::Law;
use yew::prelude::*;

const HEADS: [fn(&Look<'_>) -> Html; STRIPS_MAX] = [
    |look| head(look, 0),
    |look| head(look, 1),
    |look| head(look, 2),
    |look| head(look, 3),
];

pub(crate) fn strips(look: &Look<'_>) -> Html {
    let many = look.state.shown.strips().len();
    let stamp = [shown(look.state), look.state.head.place, 0, 0];
    let mut all = Vec::new();
    for (strip, draw) in HEADS.iter().take(many).enumerate() {
        let mut parts = Vec::new();
        if many > 1 {
            parts.push(still(look, stamp, *draw));
        }
        parts.push(lanes(look, strip));
        all.push(el("div", "run", parts));
    }
    // One roll for all, so that they scroll together.
    all.insert(0, patterns());
    el("div", "roll", all)
}

/// What a run is, how many laws it breaks, and where it is.
fn head(look: &Look<'_>, index: usize) -> Html {
    let strip = look.state.shown.strip(index);
    let name = look.words.subject(&strip.subject);
    let track = strip.track();
    let laws = Law::ALL.iter();
    let broken = laws.filter(|(law, _)| track.broken_at(*law).is_some());
    let broken = broken.count();
    let (is_right, fork) = (broken == 0, strip.run.fork(strip.branch));
    let class = if is_right { "mended" } else { "broken" };
    let mut all = vec![el("h2", "", vec![say(name.clone())])];
    if fork.is_some() {
        all.push(el("span", "", vec![say(look.words.branch(fork))]));
    }
    let verdict = vec![icon::is_right(is_right), say(look.words.breaks(broken))];
    all.push(el("span", class, verdict));
    let apart = Press::new(look.of(Text::Apart, &name), Action::Apart(index));
    all.push(apart.looks("bare", icon::CROSS).draw(look));
    let headline = look.words.headline(track, look.state.step(index));
    all.push(el("p", "", vec![say(headline)]));
    el("div", "head", all)
}
