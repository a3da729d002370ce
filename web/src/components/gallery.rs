//! Every story, with its broken and its mended variants: each a link.

use super::Look;
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
    let looked_at = look.state.strip().subject;
    html! {
        <section class="gallery" id="stories">
            <h2>{ look.text(Text::Stories) }</h2>
            <p class="soft">{ look.text(Text::StoriesLead) }</p>
            <ol>{ for stories::ALL.iter().enumerate().map(|(index, story)| html! {
                <li class="card">
                    <h3>{ look.words.title(story) }</h3>
                    <p>{ look.words.lesson(story) }</p>
                    <ul>{ for story.variants().iter().enumerate().map(|(at, variant)| {
                        variant_link(look, variant, (index, at) == (looked_at.story, looked_at.variant))
                    }) }</ul>
                </li>
            }) }</ol>
        </section>
    }
}

fn variant_link(look: &Look<'_>, variant: &Scenario, is_here: bool) -> Html {
    let mended = variant.breaks.is_empty();
    let (class, text) = if mended {
        ("mended", Text::Mended)
    } else {
        ("broken", Text::Broken)
    };
    html! {
        <li>
            <a href={format!("#{}", variant.name)} aria-current={is_here.then_some("true")}>
                { look.words.variant(variant) }
            </a>
            <span class={class}>{ icon::is_right(mended) }{ look.text(text) }</span>
            <p class="soft">{ look.words.shows(variant) }</p>
        </li>
    }
}
