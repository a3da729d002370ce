//! Composes the page: the state above, components that draw it below.

use crate::browser;
use crate::components::{Look, page};
use crate::state::{Arrival, State};
use crate::words;
use std::rc::Rc;
use yew::prelude::*;

impl Reducible for State {
    type Action = crate::state::Action;

    fn reduce(self: Rc<Self>, action: Self::Action) -> Rc<Self> {
        Rc::new(self.after(action))
    }
}

/// What the page is opened with.
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct AppProps {
    /// Its address and what was chosen before.
    pub arrival: Arrival,
}

/// The page.
#[component]
pub fn App(props: &AppProps) -> Html {
    let state = use_reducer(|| State::arrived(&props.arrival));
    let tongue = use_state(|| words::of(&props.arrival.language));
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
