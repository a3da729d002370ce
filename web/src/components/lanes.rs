//! The lanes over true time.

use super::Look;
use yew::prelude::*;

pub(crate) fn lanes(look: &Look<'_>, strip: usize) -> Html {
    let lanes = look
        .state
        .shown
        .scenes
        .get(strip)
        .map_or(0, |scene| scene.lanes.len());
    html! { <svg class="lanes" height={(lanes * 84).to_string()} /> }
}
