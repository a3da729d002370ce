//! The runs beside each other, each under its name where there are several.

use super::Look;
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
    let all = HEADS.iter().take(many).enumerate().map(|(strip, draw)| {
        html! {
            <div class="run">
                if many > 1 { { still(look, stamp, *draw) } }
                { lanes(look, strip) }
            </div>
        }
    });
    // One roll for all, so that they scroll together.
    html! { <div class="roll">{ patterns() }{ for all }</div> }
}

/// What a run is, how many laws it breaks, and where it is.
fn head(look: &Look<'_>, index: usize) -> Html {
    let strip = look.state.shown.strip(index);
    let track = strip.track();
    let laws = Law::ALL.iter();
    let broken = laws.filter(|(law, _)| track.broken_at(*law).is_some());
    let broken = broken.count();
    let fork = strip.run.fork(strip.branch);
    html! {
        <div class="head">
            <h2>{ look.words.subject(&strip.subject) }</h2>
            if fork.is_some() { <span>{ look.words.branch(fork) }</span> }
            <span class={if broken == 0 { "mended" } else { "broken" }}>
                { icon::is_right(broken == 0) }{ look.words.breaks(broken) }
            </span>
            { Press::new(look.text(Text::Apart), Action::Apart(index)).looks("bare", icon::CROSS).draw(look) }
            <p>{ look.words.headline(track, look.state.step(index)) }</p>
        </div>
    }
}
