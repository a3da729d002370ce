//! The reducer, as the page uses it: natively, and in a browser.

use fencegate_core::sim::event::{Accident, What};
use fencegate_core::sim::laws::{self, Law};
use fencegate_core::sim::stories;
use fencegate_core::sim::who::Who;
use fencegate_web::link::LinkError;
use fencegate_web::play::guard::{LeaseKind, Place, Switch};
use fencegate_web::play::kind::Kind;
use fencegate_web::play::playhead::Speed;
use fencegate_web::play::range::Parameter;
use fencegate_web::play::subject::Subject;
use fencegate_web::state::{Action, Arrival, Direction, Notice, Panel, State};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[cfg(target_arch = "wasm32")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

const A: Who = Who::Holder(0);

fn crash_a() -> Action {
    Action::Befall(What::Accident(Accident::Crash(A)))
}

/// Every variant of every story, as a link opens it.
fn everything() -> impl Iterator<Item = State> {
    let counted = stories::ALL.iter().enumerate();
    let subjects = counted.flat_map(|(story, it)| {
        (0..it.variants().len()).map(move |variant| Subject::told(story, variant))
    });
    subjects.map(|subject| {
        let link = subject.scenario().name;
        State::opening().after(&Action::Follow(link))
    })
}

fn broken(state: &State) -> Vec<Law> {
    let track = state.track();
    let world = track.world(state.step(0));
    laws::broken(&track.scenario, world)
        .map(|(law, _)| law)
        .collect()
}

#[test]
fn the_page_opens_paused_at_the_corrupting_write() {
    let state = State::arrived(&Arrival::default());
    assert!(!state.playing);
    assert_eq!(state.track().scenario.name, "redis.lock-only");
    assert!(broken(&state).contains(&Law::ReportStaysWhole));
    let before = state.after(&Action::Step(Direction::Back));
    assert!(!broken(&before).contains(&Law::ReportStaysWhole));
}

#[test]
fn turning_fencing_on_keeps_the_report_whole_and_off_trashes_it_again() {
    let fenced = State::opening().after(&Action::Fence(true));
    assert!(fenced.is_fenced());
    // A holder that never looks at its clock still believes too long: only its writes are harmless.
    let told = fenced.track().events.iter().flat_map(|event| &event.broken);
    assert_eq!(told.collect::<Vec<_>>(), [&Law::HolderStopsInTime]);
    let rejected = Kind::Rejection;
    assert!(rejected.fits(fenced.track().led_to(fenced.step(0)).expect("an event")));
    let again = fenced.after(&Action::Fence(false));
    assert!(broken(&again).contains(&Law::ReportStaysWhole));
    assert!(again.after(&Action::AsTold).strip().subject.is_as_told());
}

#[test]
fn every_story_steps_to_the_same_states_in_both_directions() {
    for opened in everything() {
        let mut state = opened.after(&Action::Seek(0));
        let last = state.track().last();
        let mut seen = Vec::new();
        for step in 0..=last {
            assert_eq!(state.step(0), step);
            seen.push(state.track().world(step).clone());
            state = state.after(&Action::Step(Direction::Forward));
        }
        for step in (0..=last).rev() {
            assert_eq!(state.step(0), step);
            assert_eq!(state.track().world(step), &seen[step]);
            state = state.after(&Action::Step(Direction::Back));
        }
        assert_eq!(state.step(0), 0);
    }
}

#[test]
fn what_a_story_breaks_is_broken_at_its_end_and_nothing_else() {
    for opened in everything() {
        let end = opened.after(&Action::Seek(usize::MAX));
        let track = end.track();
        let told: Vec<Law> = track
            .events
            .iter()
            .flat_map(|event| event.broken.clone())
            .collect();
        for law in &track.scenario.breaks {
            assert!(
                told.contains(law),
                "{}: {}",
                track.scenario.name,
                law.name()
            );
        }
        let other = told.iter().find(|law| !track.scenario.breaks.contains(law));
        assert_eq!(other, None, "{}", track.scenario.name);
    }
}

#[test]
fn an_edit_forks_and_the_old_future_stays() {
    let opened = State::opening();
    let before = opened.after(&Action::Seek(6));
    let forked = before.after(&crash_a());
    assert_eq!(forked.strip().branch, 1);
    assert_eq!(forked.step(0), 7);
    assert_ne!(forked.track().last(), opened.track().last());
    let back = forked.after(&Action::Branch(0));
    assert_eq!(back.track().log, opened.track().log);
    let nowhere = forked.after(&Action::Branch(9));
    assert_eq!(nowhere.strip().branch, 1);
}

#[test]
fn an_edit_between_two_events_happens_between_them() {
    let mut state = State::opening()
        .after(&Action::Seek(12))
        .after(&Action::Play(true));
    while state.head.between < 0.5 {
        state = state.after(&Action::Tick(10.0));
    }
    let now = state.now();
    let (from, to) = (
        state.track().time(state.step(0)),
        state.track().time(state.step(0) + 1),
    );
    assert!(from < now && now < to, "{from} {now} {to}");
    let forked = state.after(&crash_a());
    assert_eq!(forked.now(), now);
    assert!(!forked.playing);
}

#[test]
fn there_are_only_so_many_edits() {
    let mut state = State::opening().after(&Action::Seek(3));
    for _ in 0..40 {
        state = state.after(&crash_a());
    }
    assert_eq!(state.notice, Some(Notice::TooManyEdits));
    assert_eq!(state.strip().run.edits().len(), 32);
}

#[test]
fn the_player_comes_to_the_end_stops_and_begins_anew() {
    let mut state = State::opening().after(&Action::Seek(0));
    state = state
        .after(&Action::Speed(Speed::Fourfold))
        .after(&Action::Play(true));
    let mut places = vec![0];
    for _ in 0..10_000 {
        state = state.after(&Action::Tick(16.0));
        places.push(state.head.place);
        if !state.playing {
            break;
        }
    }
    assert_eq!(state.head.place, state.shown.together.last());
    assert!(places.is_sorted());
    assert_eq!(state.after(&Action::Tick(16.0)).head, state.head);
    let again = state.after(&Action::Play(true));
    assert_eq!((again.head.place, again.playing), (0, true));
    assert_eq!(again.after(&Action::Beat).head.place, 1);
}

#[test]
fn a_sleeping_tab_does_not_leap() {
    let state = State::opening()
        .after(&Action::Seek(0))
        .after(&Action::Play(true));
    let slept = state.after(&Action::Tick(60_000.0));
    assert_eq!(slept.head, state.after(&Action::Tick(100.0)).head);
}

#[test]
fn a_jump_finds_the_next_of_its_kind_and_says_when_there_is_none() {
    let start = State::opening().after(&Action::Seek(0));
    for kind in Kind::ALL {
        let jumped = start.after(&Action::Jump(kind, Direction::Forward));
        match jumped.notice {
            Some(Notice::NoSuchEvent) => assert_eq!(kind, Kind::Rejection),
            None => assert!(kind.fits(jumped.track().led_to(jumped.step(0)).expect("an event"))),
            other => panic!("{other:?}"),
        }
    }
    let end = start.after(&Action::Seek(usize::MAX));
    let back = end.after(&Action::Jump(Kind::Grant, Direction::Back));
    assert!(back.step(0) < end.step(0));
}

#[test]
fn up_to_four_are_scrubbed_together_by_true_time() {
    let mut state = State::opening();
    let story = state.strip().subject.story;
    for variant in 0..5 {
        state = state.after(&Action::Beside(Subject::told(story, variant % 4)));
    }
    assert_eq!(state.notice, Some(Notice::TooManyBeside));
    assert_eq!(state.shown.strips().len(), 4);
    for place in 0..=state.shown.together.last() {
        let at = state.after(&Action::Seek(place));
        let now = at.now();
        for (index, strip) in at.shown.strips().iter().enumerate() {
            let step = at.step(index);
            assert!(strip.track().time(step) <= now);
            let next = strip.track().time(step + 1);
            assert!(step == strip.track().last() || next >= now);
        }
    }
    let two = state.after(&Action::Apart(3)).after(&Action::Apart(0));
    assert_eq!(two.shown.strips().len(), 2);
}

#[test]
fn every_moment_survives_its_link() {
    let state = State::opening().after(&Action::Seek(9)).after(&crash_a());
    let state = state
        .after(&Action::Switch(Switch::StopsAtExpiry(false)))
        .after(&Action::Set(Parameter::Pause, 50_000))
        .after(&Action::Seek(5))
        .after(&crash_a())
        .after(&Action::Beside(Subject::told(2, 0)))
        .after(&Action::Seek(11));
    let link = state.link().expect("it is short");
    let again = State::arrived(&Arrival {
        fragment: link.clone(),
        ..Arrival::default()
    });
    assert_eq!(again.notice, None);
    assert_eq!(again.head, state.head);
    assert_eq!(again.link(), Ok(link));
    for (old, new) in state.shown.strips().iter().zip(again.shown.strips()) {
        assert_eq!(old.track().worlds, new.track().worlds);
    }
}

#[test]
fn a_bad_link_says_so_and_the_page_goes_on() {
    for (fragment, error) in [
        (
            "no-such-story",
            LinkError::NoStory("no-such-story".to_owned()),
        ),
        ("~AA", LinkError::Version(0)),
        ("~!!", LinkError::Damaged),
    ] {
        let arrival = Arrival {
            fragment: fragment.to_owned(),
            ..Arrival::default()
        };
        let state = State::arrived(&arrival);
        assert_eq!(state.notice, Some(Notice::BadLink(error)));
        assert_eq!(state.head, State::opening().head);
    }
}

#[test]
fn every_switch_and_every_slider_end_can_be_played() {
    for opened in everything() {
        for place in Place::ALL {
            let state = opened.after(&Action::Switch(Switch::Check(place)));
            assert_eq!(
                state.notice,
                None,
                "{} {place:?}",
                opened.track().scenario.name
            );
            assert_eq!(
                Place::of(state.track().scenario.mechanism.check),
                Some(place)
            );
        }
        for kind in LeaseKind::ALL {
            let state = opened.after(&Action::Switch(Switch::Lease(kind)));
            assert_eq!(LeaseKind::of(state.track().scenario.mechanism.lock), kind);
        }
    }
    for opened in everything() {
        for parameter in Parameter::ALL {
            for value in [i32::MIN, i32::MAX] {
                let state = opened.after(&Action::Set(parameter, value));
                assert_eq!(state.notice, None, "{}", opened.track().scenario.name);
                assert!(
                    state.track().last() <= 2_000,
                    "{} {parameter:?} {value}",
                    opened.track().scenario.name
                );
            }
        }
    }
}

#[test]
fn what_is_open_over_the_page_has_the_keys_to_itself() {
    let key = |name: &str| Action::Key(name.into(), false);
    let open = State::opening().after(&key("?"));
    assert_eq!(open.panel, Some(Panel::Keys));
    let still = open.after(&key("ArrowLeft")).after(&key("f"));
    assert_eq!((still.head, still.panel), (open.head, open.panel));
    let closed = still.after(&key("Escape"));
    assert_eq!(closed.panel, None);
    assert_ne!(closed.after(&key("ArrowLeft")).head, open.head);
}
