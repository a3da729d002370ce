//! The player: steps, scrubs and plays; it sticks to the end of a narrow screen.

use super::Look;
use super::icon;
use super::press::{Press, choice};
use super::still::{shown, still};
use crate::browser::fields;
use crate::play::kind::Kind;
use crate::play::playhead::Speed;
use crate::state::{Action, Direction, Panel};
use crate::words::Text;
use yew::prelude::*;

pub(crate) fn player(look: &Look<'_>) -> Html {
    let state = look.state;
    let plays = usize::from(state.playing) + 2 * state.speed as usize;
    still(look, [shown(state), state.head.place, plays, 0], draw)
}

fn draw(look: &Look<'_>) -> Html {
    let state = look.state;
    let play = if state.playing {
        Press::new(look.text(Text::Pause), Action::Play(false)).looks("main", icon::PAUSE)
    } else {
        Press::new(look.text(Text::Play), Action::Play(true)).looks("main", icon::PLAY)
    };
    let step = |text, direction, icon| {
        Press::new(look.text(text), Action::Step(direction)).looks("bare", icon)
    };
    let buttons = [
        step(Text::StepBack, Direction::Back, icon::BACK),
        play,
        step(Text::StepForward, Direction::Forward, icon::FORWARD),
        Press::new(look.text(Text::ToBroken), Action::ToBroken).looks("", icon::CROSS),
        Press::new(look.text(Text::Link), Action::Panel(Some(Panel::Link)))
            .looks("bare-if-narrow", icon::CHAIN),
    ];
    html! {
        <div class="player" role="group" aria-label={look.text(Text::Player)}>
            { time(look) }
            { for buttons.into_iter().map(|press| press.draw(look)) }
            { more(look) }
        </div>
    }
}

fn time(look: &Look<'_>) -> Html {
    let state = look.state;
    let seek = look.act.reform(|event: InputEvent| {
        let place = fields::number(&event).unwrap_or(0);
        Action::Seek(usize::try_from(place).unwrap_or(0))
    });
    let moment = look.words.moment(state.track(), state.step(0));
    let last = state.shown.together.last();
    html! {
        <input type="range" class="time" min="0" max={last.to_string()} step="1"
            value={state.head.place.to_string()} oninput={seek}
            aria-label={look.text(Text::Timeline)} aria-valuetext={moment} />
    }
}

/// The speeds, and where to jump.
fn more(look: &Look<'_>) -> Html {
    let speeds = Speed::ALL.iter().map(|speed| {
        Press::new(look.words.speed(*speed), Action::Speed(*speed))
            .pressed(*speed == look.state.speed)
    });
    let jumps = Kind::ALL.iter().flat_map(|kind| {
        [Direction::Back, Direction::Forward].map(|direction| {
            let text = look.words.jump(*kind, direction);
            Press::new(text, Action::Jump(*kind, direction)).draw(look)
        })
    });
    html! {
        <details class="more">
            <summary>{ look.text(Text::More) }</summary>
            <div>
                { choice(look, look.text(Text::Speed), speeds.collect()) }
                <div class="jumps">{ for jumps }</div>
            </div>
        </details>
    }
}
