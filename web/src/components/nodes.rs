//! The actors at this instant, and what is under way between them.

use super::Look;
use yew::prelude::*;

pub(crate) fn nodes(look: &Look<'_>, strip: usize) -> Html {
    let _ = (look, strip);
    html! { <svg class="nodes" height="300" /> }
}
