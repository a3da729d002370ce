//! What every drawing needs.

use crate::state::{Action, State};
use crate::words::{Text, Tongue};
use std::rc::Rc;
use yew::{AttrValue, Callback, MouseEvent};

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

    /// Does this when it is clicked.
    pub(crate) fn on_click(&self, action: Action) -> Callback<MouseEvent> {
        self.act.reform(move |_| action.clone())
    }
}
