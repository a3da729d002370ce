//! The verdict: a sign, a word, the status code, the reason, and why. Never colour alone.

use crate::words::{self, Said, Tone};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) said: Said,
}

#[component]
pub(crate) fn VerdictCard(props: &Props) -> Html {
    let said = &props.said;
    html! {
        <section class={classes!("verdict", class(said.tone))} aria-label={words::VERDICT}>
            <div role="status" aria-live="polite" aria-atomic="true">
                <h2>{ sign(said.tone) }{ said.title }</h2>
                if let Some((status, phrase)) = said.status {
                    <p class="status">
                        <b>{ status }</b>{ " " }{ phrase }
                        if !said.reason.is_empty() {
                            { " " }<code>{ said.reason }</code>
                        }
                    </p>
                }
                <p class="why">{ &said.why }</p>
            </div>
        </section>
    }
}

const fn class(tone: Tone) -> &'static str {
    match tone {
        Tone::Admitted => "admitted",
        Tone::Rejected => "rejected",
        Tone::Unclear => "unclear",
    }
}

/// An open way, a barred one, or a question.
fn sign(tone: Tone) -> Html {
    let path = match tone {
        Tone::Admitted => "M5 12.5l4.5 4.5L19 7.5",
        Tone::Rejected => "M7 7l10 10M17 7L7 17",
        Tone::Unclear => "M9 9.5a3 3 0 1 1 4 2.8c-.7.3-1 .8-1 1.7M12 17.2v.1",
    };
    html! {
        <svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11" /><path d={path} /></svg>
    }
}
