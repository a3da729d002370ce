//! Composes the page: the state above, components that draw it below.

use crate::components::{Cases, Exchange, Fields, RuleSwitch, VerdictCard, Zones};
use crate::judge::{judge, mark};
use crate::state::{Action, Situation};
use crate::words;
use std::rc::Rc;
use yew::prelude::*;

impl Reducible for Situation {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        Rc::new(self.after(action))
    }
}

/// The page.
#[component]
pub fn App() -> Html {
    let state = use_reducer(Situation::opening);
    let act = {
        let dispatcher = state.dispatcher();
        Callback::from(move |action| dispatcher.dispatch(action))
    };
    let situation = (*state).clone();
    let answer = judge(&situation);
    let said = words::say(answer, &situation);
    html! {
        <>
            <header>
                <p class="name">{ words::NAME }</p>
                <h1>{ words::TITLE }</h1>
                <p class="lead">{ words::LEAD }</p>
            </header>
            <main>
                <div class="set">
                    <Cases situation={situation.clone()} act={act.clone()} />
                    <Fields situation={situation.clone()} act={act.clone()} />
                    <RuleSwitch rule={situation.rule} {act} />
                </div>
                <div class="see">
                    <VerdictCard said={said.clone()} />
                    <Zones rule={situation.rule} mark={mark(&situation)} {answer} />
                    <Exchange {said} {situation} />
                </div>
            </main>
            <footer>{ words::FOOT }</footer>
        </>
    }
}
