//! The catalogue says something for everything, and what it says is short.
#![cfg(not(target_arch = "wasm32"))]

use fencegate_core::sim::event::{Accident, Native, What};
use fencegate_core::sim::laws::Law;
use fencegate_core::sim::stories;
use fencegate_core::sim::who::Who;
use fencegate_web::link::LinkError;
use fencegate_web::play::faults;
use fencegate_web::play::run::Run;
use fencegate_web::play::subject::Subject;
use fencegate_web::scene::lanes;
use fencegate_web::state::{Notice, State};
use fencegate_web::words;
use std::collections::BTreeSet;

fn every_subject() -> impl Iterator<Item = Subject> {
    (0..stories::ALL.len()).flat_map(|story| {
        let variants = stories::ALL[story].variants().len();
        (0..variants).map(move |variant| Subject::told(story, variant))
    })
}

#[test]
fn the_page_opens_on_the_failure() {
    let state = State::opening();
    let headline = words::of("en").headline(state.track(), state.step(0));
    assert_eq!(
        headline,
        "A woke up after 35 s and overwrote B's report.pdf"
    );
}

#[test]
fn every_headline_is_one_short_line_without_a_full_stop() {
    let words = words::of("en");
    for subject in every_subject() {
        let run = Run::new(&subject).expect("the stories can be played");
        let track = run.track(0);
        for step in 0..=track.last() {
            let line = words.headline(track, step);
            let name = &track.scenario.name;
            assert!(!line.is_empty(), "{name}, step {step}");
            assert!(!line.ends_with('.'), "{name}, step {step}: {line}");
            assert!(line.len() <= 130, "{name}, step {step}: {line}");
        }
        if std::env::var_os("FENCEGATE_SHOW").is_some() {
            println!(
                "{}: {}",
                track.scenario.name,
                words.headline(track, track.key())
            );
        }
    }
}

#[test]
fn whatever_may_befall_an_actor_has_its_own_words() {
    let words = words::of("en");
    for subject in every_subject() {
        let run = Run::new(&subject).expect("the stories can be played");
        let track = run.track(0);
        for world in &track.worlds {
            let actors = lanes::of(&track.scenario, lanes::LANE_PX);
            let menus = actors
                .iter()
                .map(|lane| faults::of_actor(&track.scenario, world, lane.who));
            let messages = world
                .messages
                .iter()
                .map(|it| faults::of_message(world, it.id));
            for menu in menus.chain(messages) {
                let texts: BTreeSet<_> = menu.iter().map(|what| words.fault(*what)).collect();
                assert_eq!(texts.len(), menu.len(), "{texts:?}");
                assert!(texts.iter().all(|text| text.len() > 5), "{texts:?}");
            }
        }
    }
}

#[test]
fn what_only_one_of_the_systems_knows_has_words_too() {
    let words = words::of("en");
    let natives = [
        Native::AbortTransaction,
        Native::CloseSession(0),
        Native::OtherKeys(3),
        Native::DeleteLeaseObject,
        Native::FlushBuffers(0),
    ];
    for native in natives {
        let what = What::Accident(Accident::Native(native));
        assert!(words.fault(what).len() > 5, "{native:?}");
        assert!(
            words.branch(Some((3_200, what))).ends_with(" at 3.2 s"),
            "{native:?}"
        );
    }
    let crash = What::Accident(Accident::Crash(Who::Holder(0)));
    assert_eq!(words.branch(Some((3_200, crash))), "A crashes at 3.2 s");
}

#[test]
fn every_law_and_every_notice_is_a_sentence() {
    let words = words::of("en");
    for (law, _) in Law::ALL {
        assert!(words.law(law).ends_with('.'), "{law:?}");
        assert!(!words.law_name(law).contains('_'));
    }
    let notices = [
        Notice::BadLink(LinkError::TooLong),
        Notice::BadLink(LinkError::Version(9)),
        Notice::BadLink(LinkError::Damaged),
        Notice::BadLink(LinkError::NoStory("x".to_owned())),
        Notice::BadLink(LinkError::CannotBePlayed),
        Notice::LinkTooLong,
        Notice::Copied,
        Notice::NoSuchEvent,
        Notice::TooManyEdits,
        Notice::TooManyBeside,
        Notice::CannotBePlayed,
    ];
    for notice in notices {
        assert!(words.notice(&notice).ends_with('.'), "{notice:?}");
    }
}
