//! Where everything stands.

use super::Look;
use crate::words::Text;
use yew::prelude::*;

pub(crate) fn page(look: &Look<'_>) -> Html {
    let track = look.state.track();
    html! {
        <main>
            <h1>{ look.text(Text::Name) }</h1>
            <p>{ look.words.moment(track, look.state.step(0)) }</p>
        </main>
    }
}
