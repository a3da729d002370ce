//! What the write carries and what the store has seen, side by side.

use super::{HolderField, NumberField};
use crate::browser;
use crate::state::{Action, Rule, Situation};
use crate::words;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) situation: Situation,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn Fields(props: &Props) -> Html {
    html! {
        <div class="fields">
            { write(props) }
            { store(props) }
        </div>
    }
}

fn write(Props { situation, act }: &Props) -> Html {
    html! {
        <fieldset>
            <legend>{ words::WRITE }</legend>
            <NumberField id="token" label={words::TOKEN} hint={words::TOKEN_HINT} value={situation.token.clone()}
                typed={act.reform(Action::Token)} stepped={act.reform(Action::StepToken)} />
            <HolderField id="holder" label={words::HOLDER} chosen={situation.holder}
                choose={act.reform(Action::Holder)} />
        </fieldset>
    }
}

/// Where nothing was seen, there is no holder and no lease to speak of.
fn store(Props { situation, act }: &Props) -> Html {
    let seen = !situation.mark.trim().is_empty();
    html! {
        <fieldset>
            <legend>{ words::STORE }</legend>
            <NumberField id="mark" label={words::MARK} hint={words::MARK_HINT} value={situation.mark.clone()}
                typed={act.reform(Action::Mark)} stepped={act.reform(Action::StepMark)} />
            if seen {
                <HolderField id="bound" label={words::BOUND} chosen={situation.bound}
                    choose={act.reform(Action::Bound)} />
            }
            if seen && situation.rule == Rule::Ours {
                <label class="check">
                    <input type="checkbox" checked={situation.released}
                        onchange={browser::on_checked(act.reform(Action::Released))} />
                    { words::RELEASED }
                </label>
            }
        </fieldset>
    }
}
