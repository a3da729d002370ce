//! What is drawn anew only when it changes: a frame of the player moves a few shapes, and the rest
//! of the page stays as it is.

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
