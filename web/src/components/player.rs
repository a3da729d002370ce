//! The player: steps, scrubs and plays; it sticks to the end of a narrow screen.

use super::icon;
use super::look::Look;
use super::numbered::numbered;
use super::pen::{Name, Pen};
use super::still::shown;
use crate::browser::fields;
use crate::browser::hear::On;
use crate::play::kind::Kind;
use crate::play::playhead::Speed;
use crate::state::{Action, Direction, Panel};
use crate::words::Text;
use std::rc::Rc;

pub(crate) fn player(look: &Look, pen: &mut Pen) {
    let state = &look.state;
    let plays = usize::from(state.playing) + 2 * state.speed as usize;
    pen.still(look, [shown(state), state.head.place, plays, 0], draw);
}

fn draw(look: &Look, pen: &mut Pen, _: usize) {
    let (text, on, sign) = if look.state.playing {
        (Text::Pause, false, icon::PAUSE)
    } else {
        (Text::Play, true, icon::PLAY)
    };
    let link = Action::Panel(Some(Panel::Link));
    let (back, forward) = (
        Action::Step(Direction::Back),
        Action::Step(Direction::Forward),
    );
    let buttons = [
        ("bare", icon::BACK, Text::StepBack, back),
        ("main", sign, text, Action::Play(on)),
        ("bare", icon::FORWARD, Text::StepForward, forward),
        ("", icon::CROSS, Text::ToBroken, Action::ToBroken),
        ("", icon::CHAIN, Text::Link, link),
    ];
    pen.group("player", look.text(Text::Player), |pen| {
        time(look, pen);
        for (class, icon, text, action) in buttons {
            pen.sign(look, (class, icon), look.text(text), action);
        }
        more(look, pen);
    });
}

fn time(look: &Look, pen: &mut Pen) {
    let state = &look.state;
    pen.el("input", "time", |pen| {
        pen.slider((0, state.shown.together.last() as i32), 1);
        pen.value(numbered("#", &[state.head.place as i32]));
        pen.attr(Name::Label, look.text(Text::Timeline));
        let moment = look.words.moment(state.track(), state.step(0));
        pen.attr(Name::ValueText, moment);
        let seek = Box::new(|event: &_| {
            let place = fields::number(event)?;
            Some(Rc::new(Action::Seek(usize::try_from(place).ok()?)))
        });
        pen.hear(look, On::Slide, seek);
    });
}

/// The speeds, and where to jump.
fn more(look: &Look, pen: &mut Pen) {
    pen.el("details", "more", |pen| {
        look.line(pen, "summary", "", Text::More);
        pen.el("div", "", |pen| {
            pen.choice(look, Text::Speed, |pen| {
                for speed in Speed::ALL {
                    let is_on = speed == look.state.speed;
                    pen.switch(look, is_on, look.words.speed(speed), Action::Speed(speed));
                }
            });
            pen.el("div", "jumps", |pen| {
                for kind in Kind::ALL {
                    for direction in [Direction::Back, Direction::Forward] {
                        let text = look.words.jump(kind, direction);
                        pen.press(look, text, Action::Jump(kind, direction));
                    }
                }
            });
        });
    });
}
