//! Composes the page: the state above, components that draw it below.

use crate::browser;
use crate::components::{Look, page};
use crate::state::{Action, State};
use crate::words;
use std::rc::Rc;
use yew::prelude::*;

impl Reducible for State {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        Rc::new(self.after(action))
    }
}

/// The page.
#[component]
pub fn App() -> Html {
    let state = use_reducer(State::opening);
    let tongue = use_state(|| words::of("en"));
    let act = {
        let dispatcher = state.dispatcher();
        Callback::from(move |action| dispatcher.dispatch(action))
    };
    browser::use_browser(&state, &act);
    let state = Rc::new((*state).clone());
    page(&Look {
        state: &state,
        words: &tongue,
        act: &act,
    })
}
