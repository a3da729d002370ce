//! A token to type, or to step with a thumb.

use crate::browser;
use crate::state::Direction;
use crate::words;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) id: &'static str,
    pub(crate) label: &'static str,
    pub(crate) hint: &'static str,
    pub(crate) value: String,
    pub(crate) typed: Callback<String>,
    pub(crate) stepped: Callback<Direction>,
}

#[component]
pub(crate) fn NumberField(props: &Props) -> Html {
    let Props { id, label, .. } = *props;
    let hint_id = format!("{id}-hint");
    let down = props.stepped.reform(|_| Direction::Down);
    let up = props.stepped.reform(|_| Direction::Up);
    html! {
        <div class="field">
            <label for={id}>{ label }</label>
            <div class="number">
                <button type="button" aria-label={words::lower(label)} onclick={down}>{ "\u{2212}" }</button>
                <input {id} type="text" inputmode="decimal" autocomplete="off" maxlength="31" spellcheck="false"
                    aria-describedby={hint_id.clone()} value={props.value.clone()}
                    oninput={browser::on_typed(props.typed.clone())} />
                <button type="button" aria-label={words::higher(label)} onclick={up}>{ "+" }</button>
            </div>
            <p class="hint" id={hint_id}>{ props.hint }</p>
        </div>
    }
}
