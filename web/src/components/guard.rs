//! The switches of the mechanism and the sliders of the story: each shows what is in force.

use super::Look;
use super::press::{Press, choice};
use super::still::{shown, still};
use crate::browser::fields;
use crate::play::guard::{CONDITIONS, LeaseKind, Place, Switch};
use crate::play::range::Parameter;
use crate::state::Action;
use crate::words::Text;
use fencegate_core::sim::mechanism::Check;
use fencegate_core::sim::scenario::OnRefusal;
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
    let as_told = Press::new(look.text(Text::AsTold), Action::AsTold);
    html! {
        <section class="guard card">
            <h2>{ look.text(Text::Guard) }</h2>
            { checked(look) }
            { mechanism(look) }
            { holders(look) }
            { for Parameter::ALL.iter().filter(|it| subject.depends_on(**it)).map(|it| slider(look, *it)) }
            if !subject.is_as_told() { { as_told.draw(look) } }
        </section>
    }
}

/// A button of a switch.
fn set(text: impl Into<AttrValue>, switch: Switch, is_so: bool) -> Press {
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
    all.extend(
        Place::ALL.map(|it| set(look.words.place(it), Switch::Check(it), place == Some(it))),
    );
    choice(look, look.text(Text::CheckedAt), all)
}

fn mechanism(look: &Look<'_>) -> Html {
    let mechanism = &look.state.track().scenario.mechanism;
    let lease = LeaseKind::of(mechanism.lock);
    let leases =
        LeaseKind::ALL.map(|it| set(look.words.lease_kind(it), Switch::Lease(it), it == lease));
    let conditions = CONDITIONS.map(|it| {
        let is_so = it == mechanism.condition;
        set(look.words.condition(it), Switch::Condition(it), is_so)
    });
    html! {
        <>
            { choice(look, look.text(Text::Lease), leases.into()) }
            { yes_or_no(look, Text::Drain, Switch::Drain, mechanism.drain_ms.is_some()) }
            { choice(look, look.text(Text::Condition), conditions.into()) }
        </>
    }
}

/// What the first holder does; a switch sets it for all.
fn holders(look: &Look<'_>) -> Html {
    let plan = look.state.track().scenario.plan(0);
    let Some(plan) = plan else {
        return Html::default();
    };
    let refused = ON_REFUSAL.map(|it| {
        let is_so = it == plan.on_refusal;
        set(look.words.on_refusal(it), Switch::OnRefusal(it), is_so)
    });
    html! {
        <>
            { yes_or_no(look, Text::StopsAtExpiry, Switch::StopsAtExpiry, plan.stops_at_expiry) }
            { choice(look, look.text(Text::OnRefusal), refused.into()) }
        </>
    }
}

fn yes_or_no(look: &Look<'_>, name: Text, switch: fn(bool) -> Switch, is_on: bool) -> Html {
    let sides = [(Text::On, true), (Text::Off, false)];
    let all = sides.map(|(text, on)| set(look.text(text), switch(on), is_on == on));
    choice(look, look.text(name), all.into())
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
            <output>{ text }</output>
        </label>
    }
}
