//! What lies over the page: the keys, and the link to this moment.

use super::icon;
use super::look::Look;
use super::pen::{Name, Pen};
use crate::browser::fields;
use crate::browser::hear::On;
use crate::state::keys::KEYS;
use crate::state::{Action, Notice, Panel};
use crate::words::Text;
use std::rc::Rc;

pub(crate) fn dialog(look: &Look, pen: &mut Pen) {
    let Some(panel) = look.state.panel else {
        pen.nothing();
        return;
    };
    let (title, inside): (_, fn(&Look, &mut Pen)) = match panel {
        Panel::Keys => (Text::Keys, keys),
        Panel::Link => (Text::Link, link),
    };
    pen.el("dialog", "", |pen| {
        // The browser closes it by itself too: a phone's gesture for "back" does.
        pen.hear(
            look,
            On::Close,
            Box::new(|_| Some(Rc::new(Action::Panel(None)))),
        );
        pen.attr(Name::Label, look.text(title));
        look.heading(pen, title);
        inside(look, pen);
        let close = look.text(Text::Close);
        pen.sign(look, ("", icon::CROSS), close, Action::Panel(None));
    });
}

fn keys(look: &Look, pen: &mut Pen) {
    pen.el("dl", "", |pen| {
        let mut before = None;
        for (name, shift, key) in KEYS {
            if before != Some(key) {
                // Where a sign stands on its key is the keyboard's affair.
                let cap = look.words.cap(name, shift && name.len() > 1);
                pen.el("dt", "", |pen| pen.line("kbd", "", cap));
                pen.line("dd", "", look.words.key(key));
            }
            before = Some(key);
        }
    });
}

fn link(look: &Look, pen: &mut Pen) {
    let Ok(link) = look.state.link() else {
        pen.line("p", "", look.words.notice(&Notice::LinkTooLong));
        return;
    };
    let mut address = fields::address();
    address.push('#');
    address.push_str(&link);
    look.line(pen, "p", "", Text::LinkDoes);
    pen.el("input", "", |pen| {
        pen.attr(Name::Type, "text");
        pen.attr(Name::Readonly, "readonly");
        pen.attr(Name::Label, look.text(Text::Link));
        pen.value(address);
    });
}
