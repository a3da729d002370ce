//! The event at the playhead in words. It is announced when one steps, not while it plays.

use super::look::Look;
use super::pen::{Name, Pen};
use super::still::shown;
use crate::words::Text;
use fencegate_core::sim::laws::Law;
use fencegate_core::sim::told::Explained;

pub(crate) fn caption(look: &Look, pen: &mut Pen) {
    let state = &look.state;
    let stamp = [shown(state), state.head.place, state.playing.into(), 0];
    pen.still(look, stamp, draw);
}

fn draw(look: &Look, pen: &mut Pen, _: usize) {
    let (track, step) = (look.state.track(), look.state.step(0));
    let live = if look.state.playing { "off" } else { "polite" };
    pen.el("div", "caption", |pen| {
        pen.attr(Name::Live, live);
        pen.line("p", "soft", look.words.position(track, step));
        match track.led_to(step) {
            None => look.line(pen, "p", "sentence", Text::Beginning),
            Some(event) => {
                let sentence = look.words.sentence(event, track.scenario.dialect());
                pen.line("p", "sentence", sentence);
                consequences(look, pen, event);
            }
        }
    });
}

/// The law at stake, and what is broken.
fn consequences(look: &Look, pen: &mut Pen, event: &Explained) {
    if let Some(law) = event.stake {
        pen.el("p", "soft", |pen| {
            pen.say(look.text(Text::AtStake));
            pen.space();
            pen.line("b", "", look.words.law_name(law));
            pen.space();
            pen.say(look.words.law(law));
        });
    }
    if !event.broken.is_empty() {
        look.line(pen, "p", "broken", Text::BreaksNow);
        pen.el("ul", "broken", |pen| broken(look, pen, &event.broken));
    }
}

fn broken(look: &Look, pen: &mut Pen, laws: &[Law]) {
    for law in laws {
        pen.el("li", "", |pen| {
            pen.is_right(false);
            pen.say(look.words.law_name(*law));
        });
    }
}
