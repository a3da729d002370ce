//! The switches of the mechanism and the sliders of the story: each shows what is in force.

use super::look::Look;
use super::numbered::numbered;
use super::pen::{Name, Pen};
use super::still::shown;
use crate::browser::fields;
use crate::browser::hear::On;
use crate::play::guard::{CONDITIONS, LeaseKind, Place, Switch};
use crate::play::range::Parameter;
use crate::state::Action;
use crate::words::Text;
use fencegate_core::sim::mechanism::Check;
use fencegate_core::sim::scenario::OnRefusal;
use std::borrow::Cow;
use std::rc::Rc;

const ON_REFUSAL: [OnRefusal; 4] = [
    OnRefusal::Stop,
    OnRefusal::Retry,
    OnRefusal::NextToken,
    OnRefusal::Renounce,
];

pub(crate) fn guard(look: &Look, pen: &mut Pen) {
    pen.still(look, [shown(&look.state), 0, 0, 0], draw);
}

fn draw(look: &Look, pen: &mut Pen, _: usize) {
    let subject = look.state.strip().subject;
    pen.el("section", "guard card", |pen| {
        look.heading(pen, Text::Guard);
        mechanism(look, pen);
        for parameter in Parameter::ALL {
            if subject.depends_on(parameter) {
                slider(look, pen, parameter);
            }
        }
        if !subject.is_as_told() {
            pen.press(look, look.text(Text::AsTold), Action::AsTold);
        } else {
            pen.nothing();
        }
    });
}

fn mechanism(look: &Look, pen: &mut Pen) {
    let scenario = &look.state.track().scenario;
    let mechanism = &scenario.mechanism;
    checked(look, pen, mechanism.check);
    let lease = LeaseKind::of(mechanism.lock);
    pen.choice(look, Text::Lease, |pen| {
        for it in LeaseKind::ALL {
            let text = look.words.lease_kind(it);
            set(look, pen, text, Switch::Lease(it), it == lease);
        }
    });
    let drains = mechanism.drain_ms.is_some();
    yes_or_no(look, pen, Text::Drain, Switch::Drain, drains);
    pen.choice(look, Text::Condition, |pen| {
        for it in CONDITIONS {
            let (text, is_so) = (look.words.condition(it), it == mechanism.condition);
            set(look, pen, text, Switch::Condition(it), is_so);
        }
    });
    // What the first holder does; a switch sets it for all.
    if let Some(plan) = scenario.plan(0) {
        let stops = plan.stops_at_expiry;
        yes_or_no(look, pen, Text::StopsAtExpiry, Switch::StopsAtExpiry, stops);
        pen.choice(look, Text::OnRefusal, |pen| {
            for it in ON_REFUSAL {
                let (text, is_so) = (look.words.on_refusal(it), it == plan.on_refusal);
                set(look, pen, text, Switch::OnRefusal(it), is_so);
            }
        });
    }
}

/// A button of a switch.
fn set(look: &Look, pen: &mut Pen, text: Cow<'static, str>, switch: Switch, is_so: bool) {
    pen.switch(look, is_so, text, Action::Switch(switch));
}

fn checked(look: &Look, pen: &mut Pen, check: Check) {
    let place = Place::of(check);
    pen.choice(look, Text::CheckedAt, |pen| {
        if place.is_none() {
            let text = match check {
                Check::Window(_) => Text::ByWindow,
                _ => Text::ByClaim,
            };
            // Only the story sets it so.
            pen.switch(look, true, look.text(text), Action::AsTold);
        }
        for it in Place::ALL {
            let (text, is_so) = (look.words.place(it), place == Some(it));
            set(look, pen, text, Switch::Check(it), is_so);
        }
    });
}

fn yes_or_no(look: &Look, pen: &mut Pen, name: Text, switch: fn(bool) -> Switch, is_on: bool) {
    pen.choice(look, name, |pen| {
        for (text, on) in [(Text::On, true), (Text::Off, false)] {
            set(look, pen, look.words.text(text), switch(on), is_on == on);
        }
    });
}

fn slider(look: &Look, pen: &mut Pen, parameter: Parameter) {
    let value = parameter.of(&look.state.strip().subject.parameters);
    let (range, text) = (parameter.range(), look.words.value(parameter, value));
    pen.el("label", "slider", |pen| {
        pen.line("span", "", look.words.parameter(parameter));
        pen.el("input", "", |pen| {
            pen.slider((*range.start(), *range.end()), parameter.step());
            pen.value(numbered("#", &[value]));
            pen.attr(Name::ValueText, text.clone());
            let set = move |event: &_| {
                let value = fields::number(event)?;
                Some(Rc::new(Action::Set(parameter, value)))
            };
            pen.hear(look, On::Slide, Box::new(set));
        });
        pen.line("b", "", text);
    });
}
