//! Where everything stands.

use super::{Look, lanes, nodes};
use crate::state::{Action, Direction};
use crate::words::Text;
use yew::prelude::*;

pub(crate) fn page(look: &Look<'_>) -> Html {
    let track = look.state.track();
    let step = |direction, text| {
        let onclick = look.on_click(Action::Step(direction));
        html! { <button {onclick}>{ look.text(text) }</button> }
    };
    html! {
        <main>
            <h1>{ look.text(Text::Name) }</h1>
            <p>{ look.words.moment(track, look.state.step(0)) }</p>
            <p>{ step(Direction::Back, Text::StepBack) }{ step(Direction::Forward, Text::StepForward) }</p>
            { lanes::roll(look) }
            { nodes::nodes(look, 0) }
        </main>
    }
}
