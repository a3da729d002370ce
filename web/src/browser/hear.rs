//! What an element does when it hears of an event.

use crate::state::Action;
use std::rc::Rc;
use web_sys::Event;
use yew::Callback;
use yew::virtual_dom::{Listener, ListenerKind};

/// Where actions go. They are shared: a button keeps its own for the next click.
pub(crate) type Act = Callback<Rc<Action>>;

/// What an event means; `None`: nothing.
pub(crate) type Means = Box<dyn Fn(&Event) -> Option<Rc<Action>>>;

/// What is listened to.
#[derive(Clone, Copy)]
pub(crate) enum On {
    /// A click.
    Click,
    /// A slider moved.
    Slide,
    /// A pointer was pressed.
    Press,
    /// A pointer moved.
    Move,
    /// A dialog was closed.
    Close,
}

/// Turns the events of one element into actions. One kind of listener for all of them: those that
/// `html!` makes are one for each kind of event, and a closure around each.
pub(crate) struct Hear {
    /// What it listens to.
    pub(crate) on: On,
    /// What such an event means.
    pub(crate) means: Means,
    /// Where its actions go.
    pub(crate) act: Act,
}

impl Listener for Hear {
    fn kind(&self) -> ListenerKind {
        match self.on {
            On::Click => ListenerKind::onclick,
            On::Slide => ListenerKind::oninput,
            On::Press => ListenerKind::onpointerdown,
            On::Move => ListenerKind::onpointermove,
            On::Close => ListenerKind::onclose,
        }
    }

    fn handle(&self, event: Event) {
        if let Some(action) = (self.means)(&event) {
            self.act.emit(action);
        }
    }

    fn passive(&self) -> bool {
        false
    }
}
