//! Every story, with its broken and its mended variants: each a link.

use super::header::STORIES;
use super::look::Look;
use super::pen::{Name, Pen};
use crate::words::Text;
use fencegate_core::sim::scenario::Scenario;
use fencegate_core::sim::stories;

pub(crate) fn gallery(look: &Look, pen: &mut Pen) {
    let subject = look.state.strip().subject;
    pen.still(look, [subject.story, subject.variant, 0, 0], draw);
}

fn draw(look: &Look, pen: &mut Pen, _: usize) {
    let here = look.state.strip().subject;
    pen.el("section", "gallery", |pen| {
        pen.attr(Name::Id, STORIES);
        look.heading(pen, Text::Stories);
        look.line(pen, "p", "soft", Text::StoriesLead);
        pen.el("ol", "", |pen| {
            for (index, story) in stories::ALL.iter().enumerate() {
                pen.el("li", "card", |pen| {
                    pen.line("h3", "", look.words.title(story));
                    pen.line("p", "", look.words.lesson(story));
                    pen.el("ul", "", |pen| {
                        for (at, variant) in story.variants().iter().enumerate() {
                            let is_here = (index, at) == (here.story, here.variant);
                            link(look, pen, variant, is_here);
                        }
                    });
                });
            }
        });
    });
}

fn link(look: &Look, pen: &mut Pen, variant: &Scenario, is_here: bool) {
    let holds = variant.breaks.is_empty();
    let (class, text) = if variant.is_mended() {
        ("mended", Text::Mended)
    } else if holds {
        ("soft", Text::OnlyAsTold)
    } else {
        ("broken", Text::Broken)
    };
    pen.el("li", if is_here { "here" } else { "" }, |pen| {
        let name = look.words.variant(variant);
        look.link(pen, &variant.name, name.into());
        pen.el("span", class, |pen| {
            pen.is_right(holds);
            pen.say(look.text(text));
        });
        pen.line("p", "soft", look.words.shows(variant));
    });
}
