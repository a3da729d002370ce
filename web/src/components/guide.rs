//! The reading guide: each point a link to the moment that shows it.

use super::Look;
use super::still::still;
use crate::play::guide::GUIDE;
use crate::words::Text;
use yew::prelude::*;

pub(crate) fn guide(look: &Look<'_>) -> Html {
    still(look, [0; 4], draw)
}

fn draw(look: &Look<'_>) -> Html {
    html! {
        <section class="guide">
            <h2>{ look.text(Text::Guide) }</h2>
            <ol>{ for GUIDE.iter().map(|(point, variant)| {
                let [what, why] = look.words.point(*point);
                html! { <li><a href={format!("#{variant}")}>{ what }</a>{ " " }{ why }</li> }
            }) }</ol>
        </section>
    }
}
