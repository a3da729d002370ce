//! The switches of the mechanism and the sliders of the story: each shows what is in force.

use super::Look;
use super::el::el;
use super::press::{Press, choice};
use super::still::{shown, still};
use crate::browser::fields;
use crate::play::guard::{CONDITIONS, LeaseKind, Place, Switch};
use crate::play::range::Parameter;
use crate::state::Action;
use crate::words::Text;
use fencegate_core::sim::mechanism::Check;
use fencegate_core::sim::scenario::OnRefusal;
use std::borrow::Cow;
use yew::prelude::*;

const ON_REFUSAL: [OnRefusal; 4] = [
    OnRefusal::Stop,
    OnRefusal::Retry,
    OnRefusal::NextToken,
    OnRefusal::Renounce,
];

pub(crate) fn guard(look: &Look<'_>) -> Html {
    still(look, [shown(look.state), 0, 0, 0], draw)
}

fn draw(look: &Look<'_>) -> Html {
    let subject = look.state.strip().subject;
    let mut all = vec![look.heading(Text::Guard), checked(look), lease(look)];
    let mechanism = &look.state.track().scenario.mechanism;
    let drains = mechanism.drain_ms.is_some();
    all.push(yes_or_no(look, Text::Drain, Switch::Drain, drains));
    all.push(condition(look));
    // What the first holder does; a switch sets it for all.
    if let Some(plan) = look.state.track().scenario.plan(0) {
        let stops = plan.stops_at_expiry;
        all.push(yes_or_no(
            look,
            Text::StopsAtExpiry,
            Switch::StopsAtExpiry,
            stops,
        ));
        all.push(refused(look, plan.on_refusal));
    }
    for parameter in Parameter::ALL {
        if subject.depends_on(parameter) {
            all.push(slider(look, parameter));
        }
    }
    if !subject.is_as_told() {
        all.push(Press::new(look.text(Text::AsTold), Action::AsTold).draw(look));
    }
    el("section", "guard card", all)
}

/// A button of a switch.
fn set(text: Cow<'static, str>, switch: Switch, is_so: bool) -> Press {
    Press::new(text, Action::Switch(switch)).pressed(is_so)
}

fn checked(look: &Look<'_>) -> Html {
    let check = look.state.track().scenario.mechanism.check;
    let place = Place::of(check);
    let mut all = Vec::new();
    if place.is_none() {
        let text = match check {
            Check::Window(_) => Text::ByWindow,
            _ => Text::ByClaim,
        };
        // Only the story sets it so.
        all.push(Press::new(look.text(text), Action::AsTold).pressed(true));
    }
    for it in Place::ALL {
        all.push(set(
            look.words.place(it),
            Switch::Check(it),
            place == Some(it),
        ));
    }
    choice(look, Text::CheckedAt, all)
}

fn lease(look: &Look<'_>) -> Html {
    let lease = LeaseKind::of(look.state.track().scenario.mechanism.lock);
    let mut all = Vec::new();
    for it in LeaseKind::ALL {
        all.push(set(
            look.words.lease_kind(it),
            Switch::Lease(it),
            it == lease,
        ));
    }
    choice(look, Text::Lease, all)
}

fn condition(look: &Look<'_>) -> Html {
    let condition = look.state.track().scenario.mechanism.condition;
    let mut all = Vec::new();
    for it in CONDITIONS {
        all.push(set(
            look.words.condition(it),
            Switch::Condition(it),
            it == condition,
        ));
    }
    choice(look, Text::Condition, all)
}

fn refused(look: &Look<'_>, what: OnRefusal) -> Html {
    let mut all = Vec::new();
    for it in ON_REFUSAL {
        all.push(set(
            look.words.on_refusal(it),
            Switch::OnRefusal(it),
            it == what,
        ));
    }
    choice(look, Text::OnRefusal, all)
}

fn yes_or_no(look: &Look<'_>, name: Text, switch: fn(bool) -> Switch, is_on: bool) -> Html {
    let mut all = Vec::new();
    for (text, on) in [(Text::On, true), (Text::Off, false)] {
        all.push(set(look.words.text(text), switch(on), is_on == on));
    }
    choice(look, name, all)
}

fn slider(look: &Look<'_>, parameter: Parameter) -> Html {
    let value = parameter.of(&look.state.strip().subject.parameters);
    let (range, text) = (parameter.range(), look.words.value(parameter, value));
    let set = look.act.reform(move |event: InputEvent| {
        Action::Set(parameter, fields::number(&event).unwrap_or(value))
    });
    html! {
        <label class="slider">
            <span>{ look.words.parameter(parameter) }</span>
            <input type="range" min={range.start().to_string()} max={range.end().to_string()}
                step={parameter.step().to_string()} value={value.to_string()}
                aria-valuetext={text.clone()} oninput={set} />
            <b>{ text }</b>
        </label>
    }
}
