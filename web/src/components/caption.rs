//! The event at the playhead in words. It is announced when one steps, not while it plays.

use super::Look;
use super::el::{el, say, space, with};
use super::icon;
use super::still::{shown, still};
use crate::words::Text;
use yew::prelude::*;

pub(crate) fn caption(look: &Look<'_>) -> Html {
    let state = look.state;
    let stamp = [shown(state), state.head.place, state.playing.into(), 0];
    still(look, stamp, draw)
}

fn draw(look: &Look<'_>) -> Html {
    let (track, step) = (look.state.track(), look.state.step(0));
    let position = say(look.words.position(track, step));
    let mut all = vec![el("p", "soft", vec![position])];
    if let Some(event) = track.led_to(step) {
        let sentence = look.words.sentence(event, track.scenario.dialect());
        all.push(el("p", "sentence", vec![say(sentence)]));
        if let Some(law) = event.stake {
            let name = el("b", "", vec![say(look.words.law_name(law))]);
            let at_stake = say(look.text(Text::AtStake));
            let law = say(look.words.law(law));
            all.push(el("p", "soft", vec![at_stake, space(), name, space(), law]));
        }
        let mut broken = Vec::new();
        for law in &event.broken {
            let name = say(look.words.law_name(*law));
            broken.push(el("li", "", vec![icon::is_right(false), name]));
        }
        if !broken.is_empty() {
            all.push(el("p", "broken", vec![say(look.text(Text::BreaksNow))]));
            all.push(el("ul", "broken", broken));
        }
    } else {
        let sentence = say(look.text(Text::Beginning));
        all.push(el("p", "sentence", vec![sentence]));
    }
    let live = if look.state.playing { "off" } else { "polite" };
    with("div", "caption", "aria-live", live.into(), all)
}
