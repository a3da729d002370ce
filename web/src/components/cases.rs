//! Buttons that set a whole situation.

use crate::state::{Action, Preset, Situation};
use crate::words;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) situation: Situation,
    pub(crate) act: Callback<Action>,
}

#[component]
pub(crate) fn Cases(props: &Props) -> Html {
    html! {
        <section aria-labelledby="cases">
            <h2 id="cases">{ words::CASES }</h2>
            <ul class="cases">
                { for Preset::ALL.map(|preset| html! { <li>{ case(props, preset) }</li> }) }
            </ul>
        </section>
    }
}

fn case(props: &Props, preset: Preset) -> Html {
    let pressed = props.situation == preset.situation();
    let onclick = props.act.reform(move |_| Action::Begin(preset));
    html! {
        <button type="button" aria-pressed={pressed.to_string()} {onclick}>{ words::preset(preset) }</button>
    }
}
