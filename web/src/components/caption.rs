//! The event at the playhead in words. It is announced when one steps, not while it plays.

use super::Look;
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
    let event = track.led_to(step);
    let sentence = event.map_or_else(
        || look.text(Text::Beginning),
        |event| look.words.sentence(event, track.scenario.dialect()).into(),
    );
    let broken = event.map_or(&[][..], |event| &event.broken);
    let stake = event.and_then(|event| event.stake);
    let live = if look.state.playing { "off" } else { "polite" };
    html! {
        <div class="caption" aria-live={live} aria-atomic="true">
            <p class="soft">{ look.words.position(track, step) }</p>
            <p class="sentence">{ sentence }</p>
            if let Some(law) = stake {
                <p class="soft">
                    { look.text(Text::AtStake) }{ " " }<b>{ look.words.law_name(law) }</b>{ " " }{ look.words.law(law) }
                </p>
            }
            if !broken.is_empty() {
                <p class="broken">{ icon::is_right(false) }{ look.text(Text::BreaksNow) }</p>
                <ul class="broken">{ for broken.iter().map(|law| html! {
                    <li>{ look.words.law_name(*law) }</li>
                }) }</ul>
            }
        </div>
    }
}
