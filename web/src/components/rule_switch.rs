//! Whose tokens they are.

use crate::state::{Action, Rule};
use crate::words;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) rule: Rule,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn RuleSwitch(props: &Props) -> Html {
    let choice = |rule| {
        let (name, meaning) = words::rule(rule);
        let onchange = props.act.reform(move |_| Action::Rule(rule));
        html! {
            <label class="choice">
                <input type="radio" name="rule" checked={props.rule == rule} {onchange} />
                <span><b>{ name }</b>{ ": " }{ meaning }</span>
            </label>
        }
    };
    html! {
        <fieldset class="rule">
            <legend>{ words::RULE }</legend>
            { for [Rule::Ours, Rule::External].map(choice) }
        </fieldset>
    }
}
