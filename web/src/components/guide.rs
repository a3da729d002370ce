//! The reading guide: each point a link to the moment that shows it.

use super::Look;
use super::el::{el, say, space};
use super::still::still;
use crate::play::guide::GUIDE;
use crate::words::Text;
use yew::prelude::*;

pub(crate) fn guide(look: &Look<'_>) -> Html {
    still(look, [0; 4], draw)
}

fn draw(look: &Look<'_>) -> Html {
    let mut points = Vec::new();
    for (point, variant) in GUIDE {
        let [what, why] = look.words.point(point);
        let link = look.link(variant, what.into());
        points.push(el("li", "", vec![link, space(), say(why)]));
    }
    let all = vec![look.heading(Text::Guide), el("ol", "", points)];
    el("section", "guide", all)
}
