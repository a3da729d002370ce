//! The same as HTTP.

use crate::state::Situation;
use crate::words::{self, Said};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) situation: Situation,
    pub(crate) said: Said,
}

#[component]
pub(crate) fn Exchange(props: &Props) -> Html {
    html! {
        <section aria-labelledby="exchange">
            <h2 id="exchange">{ words::EXCHANGE }</h2>
            <div class="exchange">
                { message(words::REQUEST, words::request(&props.situation)) }
                { message(words::RESPONSE, words::response(&props.said, &props.situation)) }
            </div>
        </section>
    }
}

fn message(title: &'static str, text: String) -> Html {
    html! {
        <figure>
            <figcaption>{ title }</figcaption>
            <pre><code>{ text }</code></pre>
        </figure>
    }
}
