//! What every drawing needs.

use super::pen::{Name, Pen};
use crate::browser::hear::Act;
use crate::state::State;
use crate::words::{Text, Tongue};
use std::rc::Rc;
use yew::AttrValue;

/// The state, the words, and where actions go.
#[derive(Clone)]
pub(crate) struct Look {
    pub(crate) state: Rc<State>,
    pub(crate) words: Tongue,
    pub(crate) act: Act,
}

impl Look {
    /// A fixed text.
    pub(crate) fn text(&self, text: Text) -> AttrValue {
        self.words.text(text).into()
    }

    /// A fixed text and what it is about, for a button that is one of many.
    pub(crate) fn of(&self, text: Text, what: &str) -> AttrValue {
        let mut whole = self.words.text(text).into_owned();
        whole.push(' ');
        whole.push_str(what);
        whole.into()
    }

    /// What one of the runs beside each other is, and what its branch was forked for.
    pub(crate) fn run(&self, index: usize) -> AttrValue {
        let strip = self.state.shown.strip(index);
        let mut name = self.words.subject(&strip.subject);
        let fork = strip.run.fork(strip.branch);
        if fork.is_some() {
            name.push_str(": ");
            name.push_str(&self.words.branch(fork));
        }
        name.into()
    }

    /// Writes an element with a fixed text in it.
    pub(crate) fn line(&self, pen: &mut Pen, tag: &'static str, class: &'static str, text: Text) {
        pen.line(tag, class, self.text(text));
    }

    /// Writes the heading of a section.
    pub(crate) fn heading(&self, pen: &mut Pen, text: Text) {
        self.line(pen, "h2", "", text);
    }

    /// Writes the heading of a column.
    pub(crate) fn column(&self, pen: &mut Pen, text: AttrValue) {
        pen.el("th", "", |pen| {
            pen.attr(Name::Scope, "col");
            pen.say(text);
        });
    }

    /// Writes a link to a variant.
    pub(crate) fn link(&self, pen: &mut Pen, variant: &str, text: AttrValue) {
        let mut href = String::from("#");
        href.push_str(variant);
        pen.el("a", "", |pen| {
            pen.attr(Name::Href, href);
            pen.say(text);
        });
    }
}
