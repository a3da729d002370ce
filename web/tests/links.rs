//! Links that nobody made with this page: they never end it, and what they show can be drawn.

use fencegate_core::sim::event::{Accident, Native, What};
use fencegate_core::sim::who::Who;
use fencegate_web::link::{Link, LinkError, Moment};
use fencegate_web::play::edit::Edit;
use fencegate_web::play::subject::Subject;
use fencegate_web::state::{Arrival, Notice, State};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[cfg(target_arch = "wasm32")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

fn arrived(fragment: String) -> State {
    State::arrived(&Arrival {
        fragment,
        ..Arrival::default()
    })
}

/// A link to what comes of this, let happen in the opening story.
fn link(what: What) -> String {
    let edit = Edit {
        branch: 0,
        step: 6,
        at: 900,
        what,
    };
    let moment = Moment {
        shown: vec![(Subject::opening(), vec![edit], 1)],
        place: 7,
    };
    Link::Moment(moment).write().expect("it is short")
}

#[test]
fn what_befalls_somebody_who_is_not_there_is_refused() {
    let (gone, nobody) = (Who::Holder(9), Who::Proxy(0));
    for what in [
        What::Timer(gone),
        What::Accident(Accident::Crash(gone)),
        What::Accident(Accident::Stall(nobody)),
        What::Accident(Accident::Cut {
            from: Who::Store,
            to: nobody,
        }),
        What::Accident(Accident::Native(Native::CloseSession(9))),
        What::Accident(Accident::Native(Native::FlushBuffers(2))),
    ] {
        let refused = Some(Notice::BadLink(LinkError::Damaged));
        assert_eq!(arrived(link(what)).notice, refused, "{what:?}");
    }
    let there = What::Accident(Accident::Crash(Who::Holder(1)));
    assert_eq!(arrived(link(there)).notice, None);
}

/// Every letter of a link in turn becomes others: whatever comes of it, the page goes on.
#[test]
fn no_letter_of_a_link_ends_the_page() {
    let whole = link(What::Accident(Accident::StepClock {
        who: Who::Holder(1),
        by_ms: -60_000,
    }));
    let (mut refused, mut shown) = (0, 0);
    for at in 1..whole.len() {
        for letter in "AQgw9_".chars() {
            let mut text = whole.clone();
            text.replace_range(at..=at, &letter.to_string());
            let state = arrived(text);
            match state.notice {
                Some(_) => refused += 1,
                None => shown += 1,
            }
            let world = state.track().world(state.step(0));
            assert!(world.now <= state.track().time(state.track().last()));
        }
    }
    assert!(refused > 100 && shown > 10, "{refused} {shown}");
}
