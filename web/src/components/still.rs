//! What is drawn anew only when it changes: a frame of the player moves a few shapes, and the rest
//! of the page stays as it is.

use super::Look;
use crate::state::State;
use std::rc::Rc;
use yew::prelude::*;

/// Says whether something changed: addresses of shared values, places, switches.
pub(crate) type Stamp = [usize; 4];

#[derive(Properties)]
pub(crate) struct StillProps {
    /// What the drawing depends on.
    pub(crate) stamp: Stamp,
    /// The drawing.
    pub(crate) draw: Rc<dyn Fn() -> Html>,
}

impl PartialEq for StillProps {
    fn eq(&self, other: &Self) -> bool {
        self.stamp == other.stamp
    }
}

#[component]
pub(crate) fn Still(props: &StillProps) -> Html {
    (props.draw)()
}

/// Draws this anew only when its stamp changes. What it draws keeps the state that it was drawn
/// from, so no address in its stamp is that of something newer.
pub(crate) fn still(look: &Look<'_>, stamp: Stamp, draw: fn(&Look<'_>) -> Html) -> Html {
    let (state, words, act) = (
        Rc::clone(look.state),
        Rc::clone(look.words),
        look.act.clone(),
    );
    let draw: Rc<dyn Fn() -> Html> = Rc::new(move || {
        draw(&Look {
            state: &state,
            words: &words,
            act: &act,
        })
    });
    html! { <Still {stamp} {draw} /> }
}

/// What changes when something else is shown.
pub(crate) fn shown(state: &State) -> usize {
    Rc::as_ptr(&state.shown) as usize
}
