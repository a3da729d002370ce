//! Whether every word of the page comes from the catalogue: the page in a language between
//! brackets, as text, on this machine.

use super::{Look, page};
use crate::state::{Action, Chosen, Direction, Notice, Panel, State};
use crate::words::{English, Pseudo};
use fencegate_core::sim::event::{Accident, What};
use fencegate_core::sim::who::Who;
use std::future::Future;
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use yew::prelude::*;

#[derive(Properties)]
struct OddProps {
    state: Rc<State>,
}

impl PartialEq for OddProps {
    fn eq(&self, _: &Self) -> bool {
        false
    }
}

#[component]
fn Odd(props: &OddProps) -> Html {
    page(&Look {
        state: Rc::clone(&props.state),
        words: &Pseudo(English),
        act: Callback::noop(),
    })
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn wait<T>(future: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}

fn html(state: State) -> String {
    let props = OddProps {
        state: Rc::new(state),
    };
    let page = yew::LocalServerRenderer::<Odd>::with_props(props);
    wait(page.hydratable(false).render())
}

/// What stands between the tags, and in the attributes that are read aloud.
fn texts(html: &str) -> Vec<String> {
    let mut found = Vec::new();
    for piece in html.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag ends");
        found.push(text.to_owned());
        for name in ["aria-label=\"", "aria-valuetext=\"", "title=\"", "alt=\""] {
            if let Some((_, value)) = tag.split_once(name) {
                found.push(value.split('"').next().unwrap_or_default().to_owned());
            }
        }
    }
    found
}

/// What is left of a text without what stands between brackets.
fn outside(text: &str) -> String {
    let mut depth = 0;
    let mut left = String::new();
    for letter in text.chars() {
        match letter {
            '⟦' => depth += 1,
            '⟧' => depth -= 1,
            _ if depth == 0 => left.push(letter),
            _ => {}
        }
    }
    assert_eq!(depth, 0, "{text}");
    left
}

fn assert_odd(state: State, what: &str) {
    let html = html(state);
    let texts = texts(&html);
    let inside = texts.iter().filter(|text| text.contains('⟦')).count();
    assert!(inside > 100, "{what}: only {inside} texts");
    for text in texts {
        let left = outside(&text.replace("&gt;", ">").replace("&lt;", "<"));
        assert!(!left.contains(char::is_alphabetic), "{what}: {text}");
    }
}

#[test]
fn the_control_finds_a_word_that_is_not_from_the_catalogue() {
    let html = "<p>⟦From it⟧ 36</p><p aria-label=\"not\">3<b>nor this</b></p>";
    let left = texts(html)
        .iter()
        .map(|text| outside(text))
        .collect::<String>();
    assert_eq!(left, " 363notnor this");
}

#[test]
fn every_word_of_the_page_comes_from_the_catalogue() {
    for name in [
        "redis.lock-only",
        "kafka.own-epoch",
        "window.kept",
        "fence-later.first",
    ] {
        let state = State::opening().after(&Action::Follow(name.to_owned()));
        assert_odd(state.after(&Action::Seek(0)), name);
        assert_odd(state.after(&Action::Panel(Some(Panel::Keys))), name);
        let state = state
            .after(&Action::Seek(2))
            .after(&Action::Choose(Some(Chosen::Actor(Who::Issuer))));
        assert_odd(state, name);
    }
}

#[test]
fn nor_does_an_edit_bring_others() {
    let crash = What::Accident(Accident::Crash(Who::Holder(0)));
    let state = State::opening()
        .after(&Action::Seek(8))
        .after(&Action::Befall(crash))
        .after(&Action::BesideBranch(0))
        .after(&Action::Step(Direction::Back))
        .after(&Action::Panel(Some(Panel::Link)))
        .after(&Action::Notice(Some(Notice::TooManyEdits)));
    assert_eq!(state.shown.strips().len(), 2);
    let link = state.link().expect("it is short");
    let mut page = html(state.clone());
    assert!(page.contains(&link));
    page = page.replace(&link, "");
    for text in texts(&page) {
        assert!(!outside(&text).contains(char::is_alphabetic), "{text}");
    }
}
