//! Every story, with its broken and its mended variants: each a link.

use super::Look;
use super::el::{el, say};
use super::icon;
use super::still::still;
use crate::words::Text;
use fencegate_core::sim::scenario::Scenario;
use fencegate_core::sim::stories;
use yew::prelude::*;

pub(crate) fn gallery(look: &Look<'_>) -> Html {
    let subject = look.state.strip().subject;
    still(look, [subject.story, subject.variant, 0, 0], draw)
}

fn draw(look: &Look<'_>) -> Html {
    let here = look.state.strip().subject;
    let mut cards = Vec::new();
    for (index, story) in stories::ALL.iter().enumerate() {
        let mut links = Vec::new();
        for (at, variant) in story.variants().iter().enumerate() {
            let is_here = (index, at) == (here.story, here.variant);
            links.push(link(look, variant, is_here));
        }
        let card = vec![
            el("h3", "", vec![say(look.words.title(story))]),
            el("p", "", vec![say(look.words.lesson(story))]),
            el("ul", "", links),
        ];
        cards.push(el("li", "card", card));
    }
    let lead = say(look.text(Text::StoriesLead));
    let all = vec![
        look.heading(Text::Stories),
        el("p", "soft", vec![lead]),
        el("ol", "", cards),
    ];
    el("section", "gallery", all)
}

fn link(look: &Look<'_>, variant: &Scenario, is_here: bool) -> Html {
    let mended = variant.breaks.is_empty();
    let (class, text) = if mended {
        ("mended", Text::Mended)
    } else {
        ("broken", Text::Broken)
    };
    let class_here = if is_here { "here" } else { "" };
    let name = look.words.variant(variant);
    let sign = vec![icon::is_right(mended), say(look.text(text))];
    let parts = vec![
        look.link(&variant.name, name.into()),
        el("span", class, sign),
        el("p", "soft", vec![say(look.words.shows(variant))]),
    ];
    el("li", class_here, parts)
}
