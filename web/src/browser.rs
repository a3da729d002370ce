//! The only folder that names the browser's own types. It turns its events into actions, and
//! what the state says into the browser's own state. Where there is no browser, it does nothing.

mod address;
mod clipboard;
pub(crate) mod fields;
mod frames;
mod keyboard;
pub(crate) mod pointer;
mod scroll;
mod theme;

pub use address::arrival;

use crate::state::{Action, Notice, Panel, State};
use yew::prelude::*;

/// Everything that goes on between the page and its browser.
#[hook]
pub(crate) fn use_browser(state: &State, act: &Callback<Action>) {
    {
        let act = act.clone();
        use_effect_with((), move |()| {
            let listeners = (address::listen(act.clone()), keyboard::listen(act));
            move || drop(listeners)
        });
    }
    {
        let act = act.clone();
        use_effect_with(state.playing, move |&playing| {
            // Dropped when the player pauses: then nothing runs.
            let beat = playing.then(|| frames::beat(act));
            move || drop(beat)
        });
    }
    use_effect_with(state.theme, |theme| theme::show(*theme));
    scroll::use_scroll(state);
    let act = act.clone();
    use_effect_with(link_to_copy(state), move |link| {
        if let Some(link) = link {
            address::put(link);
            clipboard::copy(&address::whole(), move || {
                act.emit(Action::Notice(Some(Notice::Copied)));
            });
        }
    });
}

/// The link that is shown, and so copied.
fn link_to_copy(state: &State) -> Option<String> {
    (state.panel == Some(Panel::Link))
        .then(|| state.link().ok())
        .flatten()
}
