//! The only folder that names the browser's own types. It turns its events into actions, and
//! what the state says into the browser's own state. Where there is no browser, it does nothing.

mod address;
mod clipboard;
mod dialog;
pub(crate) mod fields;
mod frames;
pub(crate) mod hear;
mod keyboard;
pub(crate) mod pointer;
mod scroll;
mod theme;

pub use address::arrival;

use self::hear::Act;
use crate::state::{Action, Notice, Panel, State};
use gloo::events::EventListener;
use std::rc::Rc;
use web_sys::HtmlElement;

/// Everything that goes on between the page and its browser, until it is dropped.
#[derive(Default)]
pub(crate) struct Browser {
    /// What was shown before.
    before: Option<Rc<State>>,
    /// The link that was shown before.
    link: Option<String>,
    /// What had the focus before something lay over the page.
    focus: Option<HtmlElement>,
    /// What the whole page listens to.
    listeners: Option<[EventListener; 2]>,
    /// What beats while the page plays.
    beat: Option<frames::Beat>,
}

impl Browser {
    /// Does what follows from a state that was just drawn.
    pub(crate) fn follow(&mut self, state: &Rc<State>, act: &Act) {
        let before = self.before.replace(state.clone());
        let is_new = |same: fn(&State, &State) -> bool| {
            let before = before.as_deref();
            before.is_none_or(|before| !same(before, state))
        };
        if before.is_none() {
            self.listeners = Some([address::listen(act.clone()), keyboard::listen(act.clone())]);
        }
        if is_new(|one, other| one.playing == other.playing) {
            // Dropped when the player pauses: then nothing runs.
            self.beat = state.playing.then(|| frames::beat(act.clone()));
        }
        if is_new(|one, other| one.theme == other.theme) {
            theme::show(state.theme);
        }
        if is_new(scroll::looks_the_same) {
            scroll::keep_in_sight();
        }
        if is_new(|one, other| one.chosen == other.chosen) {
            scroll::show_menu();
        }
        if is_new(|one, other| one.panel.is_some() == other.panel.is_some()) {
            self.give_focus(state.panel.is_some());
        }
        let link = link_to_copy(state);
        if link != self.link {
            self.link = link;
            self.copy(act.clone());
        }
    }

    /// Gives the focus to what lies over the page, or back.
    fn give_focus(&mut self, is_over: bool) {
        if is_over {
            self.focus = dialog::open();
        } else if let Some(before) = self.focus.take() {
            // What had the focus may be gone.
            let _ = before.focus();
        }
    }

    /// Puts the link into the address, and copies it.
    fn copy(&self, act: Act) {
        if let Some(link) = &self.link {
            address::put(link);
            clipboard::copy(&address::whole(), move || {
                act.emit(Action::Notice(Some(Notice::Copied)).into());
            });
        }
    }
}

/// The link that is shown, and so copied.
fn link_to_copy(state: &State) -> Option<String> {
    if state.panel == Some(Panel::Link) {
        state.link().ok()
    } else {
        None
    }
}
