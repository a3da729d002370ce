//! What an element does when it hears of an event.

use crate::state::Action;
use web_sys::Event;
use yew::Callback;
use yew::virtual_dom::{Listener, ListenerKind};

/// What an event means; `None`: nothing.
pub(crate) type Means = Box<dyn Fn(&Event) -> Option<Action>>;

/// Turns the events of one element into actions. One kind of listener for all of them: those that
/// `html!` makes are one for each kind of event, and a closure around each.
pub(crate) struct Hear {
    /// The kind of its events.
    pub(crate) kind: ListenerKind,
    /// What such an event means.
    pub(crate) means: Means,
    /// Where its actions go.
    pub(crate) act: Callback<Action>,
}

impl Listener for Hear {
    fn kind(&self) -> ListenerKind {
        self.kind.clone()
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
