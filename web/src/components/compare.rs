//! What may be shown beside: the other variants of the story, and the same one guarded elsewhere.

use super::Look;
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
    let variants = (0..subject.variants().len()).map(|variant| Subject {
        variant,
        guard: Guard::default(),
        ..subject
    });
    let guarded = guards().map(|guard| Subject { guard, ..subject });
    let offered = variants.chain(guarded);
    let offered = offered.filter(|it| !shown.iter().any(|strip| strip.subject == *it));
    html! {
        <section class="compare card">
            <h2>{ look.text(Text::Compare) }</h2>
            <p class="soft">{ look.text(Text::CompareLead) }</p>
            <div class="row">{ for offered.map(|subject| {
                Press::new(look.words.subject(&subject), Action::Beside(subject)).draw(look)
            }) }</div>
        </section>
    }
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
