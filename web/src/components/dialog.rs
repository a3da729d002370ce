//! What lies over the page: the keys, and the link to this moment.

use super::Look;
use super::icon;
use super::press::Press;
use crate::browser::fields;
use crate::state::keys::KEYS;
use crate::state::{Action, Notice, Panel};
use crate::words::Text;
use yew::prelude::*;

pub(crate) fn dialog(look: &Look<'_>) -> Html {
    let (title, inside) = match look.state.panel {
        None => return Html::default(),
        Some(Panel::Keys) => (Text::Keys, keys(look)),
        Some(Panel::Link) => (Text::Link, link(look)),
    };
    let close = Press::new(look.text(Text::Close), Action::Panel(None));
    html! {
        <dialog open=true aria-labelledby="dialog">
            <h2 id="dialog">{ look.text(title) }</h2>
            { inside }
            { close.looks("", icon::CROSS).draw(look) }
        </dialog>
    }
}

fn keys(look: &Look<'_>) -> Html {
    let mut before = None;
    let mut rows = Vec::new();
    for (name, shift, key) in KEYS {
        let is_typed = name.len() == 1 && shift;
        if before != Some(key) {
            rows.push(html! {
                <><dt><kbd>{ look.words.cap(name, shift && !is_typed) }</kbd></dt><dd>{ look.words.key(key) }</dd></>
            });
        }
        before = Some(key);
    }
    html! { <dl>{ for rows }</dl> }
}

fn link(look: &Look<'_>) -> Html {
    match look.state.link() {
        Err(_) => html! { <p>{ look.words.notice(&Notice::LinkTooLong) }</p> },
        Ok(link) => html! {
            <>
                <p>{ look.text(Text::LinkDoes) }</p>
                <input type="text" readonly=true aria-label={look.text(Text::Link)}
                    value={format!("{}#{link}", fields::address())} />
            </>
        },
    }
}
