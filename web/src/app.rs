//! Composes the page: the state above, components that draw it below.

use crate::browser::Browser;
use crate::components::{Look, page};
use crate::state::{Action, Arrival, State};
use crate::words;
use std::rc::Rc;
use yew::prelude::*;

/// What the page is opened with.
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct AppProps {
    /// Its address and what was chosen before.
    pub arrival: Arrival,
}

/// The page. A component with a state of its own: a function's hooks would be code for each of them.
pub struct App {
    look: Look,
    browser: Browser,
}

impl Component for App {
    type Message = Rc<Action>;
    type Properties = AppProps;

    fn create(context: &Context<Self>) -> Self {
        let arrival = &context.props().arrival;
        let look = Look {
            state: Rc::new(State::arrived(arrival)),
            words: words::of(&arrival.language),
            act: context.link().callback(|action| action),
        };
        let browser = Browser::default();
        Self { look, browser }
    }

    fn update(&mut self, _: &Context<Self>, action: Rc<Action>) -> bool {
        self.look.state = Rc::new(self.look.state.after(&action));
        true
    }

    fn view(&self, _: &Context<Self>) -> Html {
        page(&self.look)
    }

    fn rendered(&mut self, _: &Context<Self>, _: bool) {
        self.browser.follow(&self.look.state, &self.look.act);
    }
}
