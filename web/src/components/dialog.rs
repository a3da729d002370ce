//! What lies over the page: the keys, and the link to this moment.

use super::Look;
use super::el::{el, list, say};
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
        <dialog open=true aria-label={look.text(title)}>
            { look.heading(title) }
            { inside }
            { close.looks("", icon::CROSS).draw(look) }
        </dialog>
    }
}

fn keys(look: &Look<'_>) -> Html {
    let mut before = None;
    let mut rows = Vec::new();
    for (name, shift, key) in KEYS {
        if before != Some(key) {
            // Where a sign stands on its key is the keyboard's affair.
            let cap = look.words.cap(name, shift && name.len() > 1);
            rows.push(el("dt", "", vec![el("kbd", "", vec![say(cap)])]));
            rows.push(el("dd", "", vec![say(look.words.key(key))]));
        }
        before = Some(key);
    }
    el("dl", "", rows)
}

fn link(look: &Look<'_>) -> Html {
    let Ok(link) = look.state.link() else {
        let too_long = look.words.notice(&Notice::LinkTooLong);
        return el("p", "", vec![say(too_long)]);
    };
    let mut address = fields::address();
    address.push('#');
    address.push_str(&link);
    let field = html! {
        <input type="text" readonly=true aria-label={look.text(Text::Link)} value={address} />
    };
    let does = say(look.text(Text::LinkDoes));
    list(vec![el("p", "", vec![does]), field])
}
