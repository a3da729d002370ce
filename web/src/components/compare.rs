//! What may be shown beside: the other variants of the story, and the same one guarded elsewhere.

use super::look::Look;
use super::pen::Pen;
use super::still::shown;
use crate::play::guard::{Guard, Place, Switch};
use crate::play::subject::Subject;
use crate::state::Action;
use crate::words::Text;

pub(crate) fn compare(look: &Look, pen: &mut Pen) {
    pen.still(look, [shown(&look.state), 0, 0, 0], draw);
}

fn draw(look: &Look, pen: &mut Pen, _: usize) {
    let shown = look.state.shown.strips();
    pen.el("section", "compare card", |pen| {
        look.heading(pen, Text::Compare);
        look.line(pen, "p", "soft", Text::CompareLead);
        pen.el("div", "row", |pen| {
            for subject in offered(look.state.strip().subject) {
                if !shown.iter().any(|strip| strip.subject == subject) {
                    let name = look.words.subject(&subject);
                    pen.press(look, name, Action::Beside(subject));
                }
            }
        });
    });
}

fn offered(subject: Subject) -> Vec<Subject> {
    let told = Subject {
        guard: Guard::default(),
        ..subject
    };
    let mut offered = Vec::new();
    for variant in 0..subject.variants().len() {
        offered.push(Subject { variant, ..told });
    }
    let place = Place::of(told.scenario().mechanism.check);
    for guard in guards() {
        // What the story does already is among its variants.
        if guard.check != place || guard.drain.is_some() {
            offered.push(Subject { guard, ..told });
        }
    }
    offered
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
