//! What an element does when something happens to it.

use super::look::Look;
use super::pen::Pen;
use crate::browser::hear::{Hear, Means, On};
use crate::state::Action;
use std::rc::Rc;

impl Pen {
    /// What the element that is written does at an event.
    pub(crate) fn hear(&mut self, look: &Look, on: On, means: Means) {
        let act = look.act.clone();
        let hear = Hear { on, means, act };
        self.listens(Rc::new(hear));
    }

    /// What the element that is written does when it is clicked.
    #[inline(never)]
    pub(crate) fn click(&mut self, look: &Look, action: Action) {
        let action = Rc::new(action);
        let means = Box::new(move |_: &_| Some(Rc::clone(&action)));
        self.hear(look, On::Click, means);
    }
}
