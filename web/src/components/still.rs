//! What is drawn anew only when it changes: a frame of the player moves a few shapes, and the rest
//! of the page stays as it is.

use super::look::Look;
use super::pen::Pen;
use crate::state::State;
use std::rc::Rc;
use yew::prelude::*;
use yew::virtual_dom::VComp;

/// Says whether something changed: addresses of shared values, places, switches.
pub(crate) type Stamp = [usize; 4];

/// Draws something of the run at an index.
pub(crate) type Draw = fn(&Look, &mut Pen, usize);

#[derive(Properties)]
pub(crate) struct StillProps {
    /// What the drawing depends on.
    stamp: Stamp,
    /// What is drawn. It keeps the state that it was drawn from, so that no address in its stamp
    /// is that of something newer.
    look: Look,
    strip: usize,
    draw: Draw,
}

impl PartialEq for StillProps {
    fn eq(&self, other: &Self) -> bool {
        self.stamp == other.stamp
    }
}

/// Draws anew when its stamp changed.
pub(crate) struct Still;

impl Component for Still {
    type Message = ();
    type Properties = StillProps;

    fn create(_: &Context<Self>) -> Self {
        Self
    }

    fn view(&self, context: &Context<Self>) -> Html {
        let props = context.props();
        Pen::written(|pen| (props.draw)(&props.look, pen, props.strip))
    }
}

impl Pen {
    /// Draws this anew only when its stamp changes.
    pub(crate) fn still(&mut self, look: &Look, stamp: Stamp, draw: Draw) {
        self.still_of(look, stamp, 0, draw);
    }

    /// The same of the run at an index.
    pub(crate) fn still_of(&mut self, look: &Look, stamp: Stamp, strip: usize, draw: Draw) {
        let props = StillProps {
            stamp,
            look: look.clone(),
            strip,
            draw,
        };
        self.put(VComp::new::<Still>(Rc::new(props), None).into());
    }
}

/// What changes when something else is shown.
pub(crate) fn shown(state: &State) -> usize {
    Rc::as_ptr(&state.shown) as usize
}
