//! What may be shown beside: the other variants of the story, and the same one guarded elsewhere.

use super::Look;
use super::el::{el, say};
use super::press::Press;
use super::still::{shown, still};
use crate::play::guard::{Guard, Place, Switch};
use crate::play::subject::Subject;
use crate::state::Action;
use crate::words::Text;
use yew::prelude::*;

pub(crate) fn compare(look: &Look<'_>) -> Html {
    still(look, [shown(look.state), 0, 0, 0], draw)
}

fn draw(look: &Look<'_>) -> Html {
    let shown = look.state.shown.strips();
    let subject = look.state.strip().subject;
    let mut offered = Vec::new();
    for variant in 0..subject.variants().len() {
        offered.push((variant, Guard::default()));
    }
    let told = Subject {
        guard: Guard::default(),
        ..subject
    };
    let place = Place::of(told.scenario().mechanism.check);
    for guard in guards() {
        // What the story does already is among its variants.
        if guard.check != place || guard.drain.is_some() {
            offered.push((subject.variant, guard));
        }
    }
    let mut buttons = Vec::new();
    for (variant, guard) in offered {
        let subject = Subject {
            variant,
            guard,
            ..subject
        };
        if !shown.iter().any(|strip| strip.subject == subject) {
            let name = look.words.subject(&subject);
            buttons.push(Press::new(name, Action::Beside(subject)).draw(look));
        }
    }
    let all = vec![
        look.heading(Text::Compare),
        el("p", "soft", vec![say(look.text(Text::CompareLead))]),
        el("div", "row", buttons),
    ];
    el("section", "compare card", all)
}

/// Lock only, a check at the proxy, the same with a drain, a check at the store.
fn guards() -> [Guard; 4] {
    let at = |place| Guard::default().with(Switch::Check(place));
    [
        at(Place::Nowhere),
        at(Place::Proxy),
        at(Place::Proxy).with(Switch::Drain(true)),
        at(Place::Store),
    ]
}
