//! Known stories as pictures: what is true and what is believed stands where the story says.
#![cfg(not(target_arch = "wasm32"))]

use fencegate_core::sim::clock::Millis;
use fencegate_core::sim::scenario::OnRefusal;
use fencegate_core::sim::stories;
use fencegate_core::sim::who::Who;
use fencegate_core::token::Token;
use fencegate_web::play::axis::Axis;
use fencegate_web::play::guard::Guard;
use fencegate_web::play::run::Run;
use fencegate_web::play::subject::Subject;
use fencegate_web::play::together::Together;
use fencegate_web::play::track::Track;
use fencegate_web::scene::along::Along;
use fencegate_web::scene::arrows::{End, Kind};
use fencegate_web::scene::bars::Meaning;
use fencegate_web::scene::{Scene, marks, nodes};
use std::rc::Rc;

const A: Who = Who::Holder(0);
const B: Who = Who::Holder(1);

fn played(subject: &Subject) -> (Rc<Track>, Scene) {
    let run = Run::new(subject).expect("it can be played");
    let track = run.track(0).clone();
    let together = Together::of(&[&track]);
    let axis = Axis::of(&together, track.scenario.net.delay_ms);
    let scene = Scene::of(&track, &Along::of(&axis, &together, 0), false);
    (track, scene)
}

fn told(name: &str) -> (Rc<Track>, Scene) {
    played(&Subject::named(name).expect("there is such a story"))
}

fn spans(scene: &Scene, who: Who, meaning: Meaning) -> Vec<(Millis, Millis)> {
    let bars = scene.bars.iter();
    let those = bars.filter(|bar| bar.who == who && bar.meaning == meaning);
    those.map(|bar| (bar.span.from, bar.span.to)).collect()
}

#[test]
fn a_lease_ends_by_its_time_and_its_holder_does_not_know() {
    let (_, scene) = told("redis.lock-only");
    let none: &[(Millis, Millis)] = &[];
    let table = [
        (A, Meaning::Lease, &[(10, 30_010)][..]),
        (A, Meaning::Expired, &[(30_010, 30_050)][..]),
        (A, Meaning::Belief, &[(20, 30_010)][..]),
        (A, Meaning::Mistaken, &[(30_010, 36_160)][..]),
        (A, Meaning::Paused, &[(1_140, 36_140)][..]),
        (B, Meaning::Lease, &[(30_050, 31_610)][..]),
        (B, Meaning::Expired, none),
        (B, Meaning::Belief, &[(30_060, 31_600)][..]),
        (B, Meaning::Mistaken, none),
    ];
    for (who, meaning, expected) in table {
        assert_eq!(spans(&scene, who, meaning), expected, "{who:?} {meaning:?}");
    }
}

#[test]
fn a_belief_with_a_deadline_ends_before_the_lease_does() {
    let (_, scene) = told("redis.fenced");
    assert_eq!(spans(&scene, A, Meaning::Lease), [(10, 30_010)]);
    // 30 s from when it asked, less a thousandth and 100 ms.
    assert_eq!(spans(&scene, A, Meaning::Belief), [(20, 29_870)]);
    assert_eq!(spans(&scene, A, Meaning::Mistaken), []);
    assert!(scene.brackets.is_empty());
}

#[test]
fn without_a_lease_whoever_came_before_is_wrong() {
    let (_, scene) = told("redis.no-lock");
    assert_eq!(spans(&scene, A, Meaning::Lease), []);
    assert_eq!(spans(&scene, A, Meaning::Belief), [(0, 3_000)]);
    assert_eq!(spans(&scene, A, Meaning::Mistaken), [(3_000, 36_160)]);
    assert_eq!(spans(&scene, B, Meaning::Mistaken), []);
}

#[test]
fn a_bracket_spans_what_two_believe_at_once() {
    let (_, scene) = told("redis.lock-only");
    let [bracket] = &scene.brackets[..] else {
        panic!("one bracket: {:?}", scene.brackets);
    };
    assert_eq!((bracket.span.from, bracket.span.to), (30_060, 31_600));
    assert_eq!(bracket.holders, 2);
    assert_eq!(
        (bracket.upper, bracket.lower),
        (scene.lanes[1].y, scene.lanes[2].y)
    );
}

#[test]
fn the_late_write_is_stored_where_nobody_checks_and_blocked_where_somebody_does() {
    let (track, scene) = told("redis.lock-only");
    let last = scene
        .marks
        .iter()
        .rev()
        .find_map(|mark| match mark.meaning {
            marks::Meaning::Corrupted(halves) => Some((mark.step, halves)),
            _ => None,
        });
    assert_eq!(last, Some((track.key(), [Some(0), None])));

    let (track, scene) = told("redis.fenced");
    let (old, new) = (Token::new(0, 42), Token::new(0, 43));
    let rejected = marks::Meaning::Rejected(old, new);
    let mark = scene.marks.iter().find(|mark| mark.meaning == rejected);
    let mark = mark.expect("the store rejects 42");
    assert_eq!((mark.who, track.time(mark.step)), (Who::Store, 36_170));
    let write = scene
        .arrows
        .iter()
        .find(|arrow| arrow.end == End::Blocked(mark.step));
    let write = write.expect("its arrow is blocked");
    assert_eq!((write.kind, write.token), (Kind::Write, Some(old)));
    assert_eq!(write.to_px, mark.at_px);
    let stored = |mark: &&marks::Mark| matches!(mark.meaning, marks::Meaning::Corrupted(_));
    assert_eq!(scene.marks.iter().filter(stored).count(), 0);
}

#[test]
fn an_answer_that_is_no_is_a_refusal() {
    let (_, scene) = told("redis.fenced");
    let refusals: Vec<_> = scene
        .arrows
        .iter()
        .filter(|arrow| arrow.kind == Kind::Refusal)
        .map(|arrow| (arrow.from, arrow.to))
        .collect();
    // B must wait; A's write is rejected.
    assert_eq!(refusals, [(Who::Issuer, B), (Who::Store, A)]);
}

#[test]
fn times_are_written_where_there_is_room_and_gaps_keep_their_true_length() {
    let (track, scene) = told("redis.lock-only");
    let written: Vec<_> = scene.ticks.iter().filter(|tick| tick.written).collect();
    assert_eq!((written[0].x, written[0].at), (24, 0));
    for pair in written.windows(2) {
        assert!(pair[1].x - pair[0].x >= 62, "{pair:?}");
    }
    let longest = scene.gaps.iter().map(|gap| gap.lasts_ms).max();
    // From B's refusal to its second try.
    assert_eq!(longest, Some(27_020));
    let last = scene.ticks[track.last()];
    assert_eq!((last.at, last.x + 24), (36_180, scene.width));
}

/// Every variant of every story, and each with everybody blind to refusals.
fn everything() -> impl Iterator<Item = Subject> {
    let variants =
        |story: usize| (0..stories::ALL[story].variants().len()).map(move |it| (story, it));
    let all = (0..stories::ALL.len()).flat_map(variants);
    all.flat_map(|(story, variant)| {
        let told = Subject::told(story, variant);
        let mut blind = told;
        blind.guard = Guard {
            on_refusal: Some(OnRefusal::Retry),
            stops_at_expiry: Some(false),
            ..Guard::default()
        };
        [told, blind]
    })
}

#[test]
fn everything_that_is_drawn_is_within_the_picture() {
    for subject in everything() {
        let (track, scene) = played(&subject);
        let name = &track.scenario.name;
        let inside =
            |(x, y): (i32, i32)| (0..=scene.width).contains(&x) && (0..=scene.height).contains(&y);
        for arrow in &scene.arrows {
            assert!(
                inside(arrow.from_px) && inside(arrow.to_px),
                "{name}: {arrow:?}"
            );
            assert!(
                arrow.from_px.0 <= arrow.to_px.0,
                "{name}: back in time: {arrow:?}"
            );
        }
        for bar in &scene.bars {
            let span = &bar.span;
            assert!(
                span.from_px < span.to_px && span.from <= span.to,
                "{name}: {bar:?}"
            );
            assert!(
                inside((span.from_px, bar.y)) && inside((span.to_px, bar.y)),
                "{name}: {bar:?}"
            );
        }
        for mark in &scene.marks {
            assert!(
                inside(mark.at_px) && mark.step <= track.last(),
                "{name}: {mark:?}"
            );
        }
        for bracket in &scene.brackets {
            assert!(
                bracket.holders >= 2 && bracket.upper < bracket.lower,
                "{name}: {bracket:?}"
            );
        }
        assert_eq!(scene.ticks.len(), track.last() + 1, "{name}");
    }
}

#[test]
fn every_message_has_one_arrow_that_ends_where_the_log_says() {
    for subject in everything() {
        let (track, scene) = played(&subject);
        let name = &track.scenario.name;
        let sent = track.world(track.last()).next_message - 1;
        assert_eq!(scene.arrows.len(), usize::from(sent), "{name}");
        let left = scene
            .arrows
            .iter()
            .filter(|arrow| arrow.end == End::UnderWay);
        assert_eq!(
            left.count(),
            track.world(track.last()).messages.len(),
            "{name}"
        );
    }
}

#[test]
fn no_two_bars_of_one_meaning_overlap_on_a_lane() {
    for subject in everything() {
        let (track, scene) = played(&subject);
        for bar in &scene.bars {
            let same = scene.bars.iter().filter(|other| {
                (other.who, other.meaning) == (bar.who, bar.meaning)
                    && other.span.from_px < bar.span.to_px
                    && bar.span.from_px < other.span.to_px
            });
            assert_eq!(same.count(), 1, "{}: {bar:?}", track.scenario.name);
        }
    }
}

#[test]
fn belief_is_drawn_as_the_core_has_it_at_every_step() {
    for subject in everything() {
        let (track, scene) = played(&subject);
        for step in 0..track.last() {
            let (world, tick) = (track.world(step), scene.ticks[step]);
            for index in (0..).take(world.holders.len()) {
                let drawn = scene.bars.iter().any(|bar| {
                    let believes = matches!(bar.meaning, Meaning::Belief | Meaning::Mistaken);
                    believes
                        && bar.who == Who::Holder(index)
                        && (bar.span.from_px..bar.span.to_px).contains(&tick.x)
                });
                let believes = world.would_believe(&track.scenario, index);
                assert_eq!(
                    drawn, believes,
                    "{} step {step} holder {index}",
                    track.scenario.name
                );
            }
        }
    }
}

#[test]
fn the_actors_of_every_step_and_what_is_under_way_are_within_their_picture() {
    let (width, height) = nodes::SIZE_PX;
    for subject in everything() {
        let (track, _) = played(&subject);
        let scenario = &track.scenario;
        let actors = nodes::nodes(scenario);
        assert_eq!(
            actors.len(),
            2 + scenario.holders.len() + usize::from(scenario.proxies)
        );
        for step in 0..=track.last() {
            let (world, next) = (track.world(step), track.world(step + 1).now);
            for now in [world.now, u32::midpoint(world.now, next), next] {
                for message in nodes::flying(&actors, world, now) {
                    let (x, y) = message.at_px;
                    assert!(
                        (0..width).contains(&x) && (0..height).contains(&y),
                        "{}",
                        scenario.name
                    );
                }
                for index in (0..).take(world.holders.len()) {
                    let claim = nodes::claim(scenario, world, index, now);
                    assert!(claim.believes || !claim.mistaken, "{}", scenario.name);
                }
            }
        }
    }
}

#[test]
fn a_message_is_on_its_way_from_its_sender_to_whom_it_is_for() {
    let (track, _) = told("redis.lock-only");
    let actors = nodes::nodes(&track.scenario);
    let place = |who| {
        actors
            .iter()
            .find(|node| node.who == who)
            .expect("it is there")
            .at_px
    };
    let ((ax, ay), (ix, iy)) = (place(A), place(Who::Issuer));
    let at = |now| nodes::flying(&actors, track.world(1), now)[0].at_px;
    let near = |(x, y): (i32, i32), (to_x, to_y): (i32, i32)| {
        (x - to_x).abs() <= 5 && (y - to_y).abs() <= 5
    };
    let along = |tenths| (ax + (ix - ax) * tenths / 10, ay + (iy - ay) * tenths / 10);
    // Never under an actor, where it could not be pressed.
    assert!(near(at(0), along(2)));
    assert!(near(at(5), along(5)));
    assert!(near(at(10), along(8)));
}
