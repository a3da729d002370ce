//! What every drawing needs.

use super::el::{el, say, with};
use crate::state::{Action, State};
use crate::words::{Text, Tongue};
use std::rc::Rc;
use yew::{AttrValue, Callback, Html, MouseEvent};

/// The state, the words, and where actions go.
#[derive(Clone, Copy)]
pub(crate) struct Look<'a> {
    pub(crate) state: &'a Rc<State>,
    pub(crate) words: &'a Tongue,
    pub(crate) act: &'a Callback<Action>,
}

impl Look<'_> {
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

    /// The heading of a section.
    pub(crate) fn heading(&self, text: Text) -> Html {
        el("h2", "", vec![say(self.text(text))])
    }

    /// The heading of a column.
    pub(crate) fn column(&self, text: AttrValue) -> Html {
        with("th", "", "scope", "col".into(), vec![say(text)])
    }

    /// A link to a variant.
    pub(crate) fn link(&self, variant: &str, text: AttrValue) -> Html {
        let mut href = String::from("#");
        href.push_str(variant);
        with("a", "", "href", href.into(), vec![say(text)])
    }

    /// Does this when it is clicked.
    pub(crate) fn on_click(&self, action: Action) -> Callback<MouseEvent> {
        self.act.reform(move |_| action.clone())
    }
}
