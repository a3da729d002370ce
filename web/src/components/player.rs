//! The player: steps, scrubs and plays; it sticks to the end of a narrow screen.

use super::Look;
use super::el::{el, group, say};
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
    let (text, on, sign) = if look.state.playing {
        (Text::Pause, false, icon::PAUSE)
    } else {
        (Text::Play, true, icon::PLAY)
    };
    let link = Action::Panel(Some(Panel::Link));
    let (back, forward) = (Direction::Back, Direction::Forward);
    let buttons = [
        ("bare", Text::StepBack, Action::Step(back), icon::BACK),
        ("main", text, Action::Play(on), sign),
        (
            "bare",
            Text::StepForward,
            Action::Step(forward),
            icon::FORWARD,
        ),
        ("", Text::ToBroken, Action::ToBroken, icon::CROSS),
        ("", Text::Link, link, icon::CHAIN),
    ];
    let mut all = vec![time(look)];
    for (class, text, action, sign) in buttons {
        let press = Press::new(look.text(text), action);
        all.push(press.looks(class, sign).draw(look));
    }
    all.push(more(look));
    group("player", look.text(Text::Player), all)
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
    let mut speeds = Vec::new();
    for speed in Speed::ALL {
        let press = Press::new(look.words.speed(speed), Action::Speed(speed));
        speeds.push(press.pressed(speed == look.state.speed));
    }
    let mut jumps = Vec::new();
    for kind in Kind::ALL {
        for direction in [Direction::Back, Direction::Forward] {
            let text = look.words.jump(kind, direction);
            jumps.push(Press::new(text, Action::Jump(kind, direction)).draw(look));
        }
    }
    let open = vec![choice(look, Text::Speed, speeds), el("div", "jumps", jumps)];
    let summary = el("summary", "", vec![say(look.text(Text::More))]);
    el("details", "more", vec![summary, el("div", "", open)])
}
