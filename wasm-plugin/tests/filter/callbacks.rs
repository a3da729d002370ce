//! Law 8, `one_decision`: callbacks come twice, late, in odd orders, for contexts that are gone.
//! Each request is decided once, answered at most once and counted once.

use crate::outcomes::{JOB, PLACE, problem, write};
use crate::support::client::{Proxy, ROOT, Request};
use crate::support::host::{Fault, Headers};
use crate::support::settings::ours;
use fencegate::exchange::Action;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::time::Duration;

/// A callback, or time that passes.
#[derive(Clone, Debug)]
enum Step {
    Headers(bool),
    Body(Vec<u8>, bool),
    Trailers,
    ResponseHeaders,
    Tick,
    Wait(u64),
}

fn step() -> impl Strategy<Value = Step> {
    let acquire = json!({ "resource": JOB, "holder": "b" })
        .to_string()
        .into_bytes();
    let body = prop_oneof![
        Just(Vec::new()),
        Just(b"{".to_vec()),
        Just(acquire),
        Just(vec![b' '; 16 * 1024 + 1]),
    ];
    prop_oneof![
        any::<bool>().prop_map(Step::Headers),
        (body, any::<bool>()).prop_map(|(bytes, last)| Step::Body(bytes, last)),
        Just(Step::Trailers),
        Just(Step::ResponseHeaders),
        Just(Step::Tick),
        (1..12_u64).prop_map(Step::Wait),
    ]
}

/// What the filter says to do; `None` where it is not asked.
fn take(proxy: &Proxy, context: u32, step: &Step) -> Option<Action> {
    match step {
        Step::Headers(last) => Some(proxy.headers(context, *last)),
        Step::Body(bytes, last) => Some(proxy.body(context, bytes, *last)),
        Step::Trailers => Some(proxy.trailers(context)),
        Step::ResponseHeaders => {
            proxy.response_headers(context);
            None
        }
        Step::Tick => {
            proxy.tick();
            None
        }
        Step::Wait(seconds) => {
            proxy.world().advance(Duration::from_secs(*seconds));
            None
        }
    }
}

/// One request of each fate, by the token of a live grant.
fn kinds(token: &str) -> Vec<Headers> {
    let requests = [
        Request::put(PLACE, token, "a"),
        Request::put(PLACE, "1", "a"),
        Request::new("PUT", PLACE),
        Request::new("GET", "/elsewhere"),
        Request::new("GET", "/fence/v1/ready"),
        Request::new("GET", "/fence/v1/nothing"),
        Request::call("acquire", &Value::Null),
        Request::call("claim", &Value::Null),
    ];
    requests
        .into_iter()
        .map(|request| request.headers)
        .collect()
}

proptest! {
    #[test]
    fn any_order_of_callbacks_decides_once(kind in 0..8_usize, steps in prop::collection::vec(step(), 0..12)) {
        let proxy = Proxy::start(&ours());
        let token = proxy.acquire(JOB, "a");
        let before = proxy.host.counters();
        let context = proxy.begin(ROOT, &kinds(&token)[kind]);
        let (mut went_on, mut answered) = (false, 0);
        for step in &steps {
            let action = take(&proxy, context, step);
            let replies = proxy.replies().len();
            prop_assert!(replies >= answered && replies <= 1, "answered once: {:?}", step);
            if let Some(action) = action {
                prop_assert!(!went_on || action == Action::Continue, "it went on: {:?}", step);
                went_on |= action == Action::Continue;
            }
            answered = replies;
            prop_assert!(!went_on || answered == 0, "forwarded and answered: {:?}", step);
        }
        let counted: u64 = proxy.host.counters().values().sum();
        let counted = counted - before.values().sum::<u64>();
        // A grant also counts that the mark rose.
        prop_assert!(counted <= 2, "{:?}", proxy.host.counters());
        prop_assert!(proxy.host.seen.borrow().properties.len() <= 1, "decided once");
    }
}

#[test]
fn repeated_callbacks_count_nothing_twice() {
    let proxy = Proxy::start(&ours());
    let token = proxy.acquire(JOB, "a");
    for (headers, counter) in [
        (&kinds(&token)[0], "fencegate_admitted_total"),
        (&kinds(&token)[1], "fencegate_rejected_stale_total"),
    ] {
        let context = proxy.begin(ROOT, headers);
        let first = proxy.headers(context, false);
        for _ in 0..3 {
            assert_eq!(proxy.headers(context, false), first);
            assert_eq!(proxy.body(context, b"x", true), first);
            assert_eq!(proxy.trailers(context), first);
            proxy.world().advance(Duration::from_secs(60));
            proxy.tick();
        }
        assert_eq!(proxy.host.counters()[counter], 1);
        assert!(proxy.replies().len() <= 1);
    }
}

/// Headers that arrive again are not judged again, even if the token is stale by now.
#[test]
fn what_was_forwarded_stays_forwarded_when_the_token_becomes_stale() {
    let proxy = Proxy::start(&ours());
    let token = proxy.acquire(JOB, "a");
    let context = proxy.begin(ROOT, &kinds(&token)[0]);
    assert_eq!(proxy.headers(context, false), Action::Continue);
    let headers = proxy.host.headers.borrow().clone();
    proxy.world().advance(Duration::from_secs(60));
    proxy.acquire(JOB, "b");
    *proxy.host.headers.borrow_mut() = headers;
    assert_eq!(proxy.headers(context, false), Action::Continue);
    assert_eq!(proxy.body(context, b"x", true), Action::Continue);
    problem(&write(&proxy, &token, "a"), 412, "stale");
}

#[test]
fn contexts_that_are_unknown_or_over_are_held() {
    let proxy = Proxy::start(&ours());
    let token = proxy.acquire(JOB, "a");
    let context = proxy.begin(ROOT, &kinds(&token)[0]);
    proxy.plugin.borrow_mut().on_delete(&proxy.host, context);
    for context in [context, 9_999] {
        assert_eq!(proxy.headers(context, true), Action::Pause);
        assert_eq!(proxy.body(context, b"", true), Action::Pause);
        assert_eq!(proxy.trailers(context), Action::Pause);
        proxy.response_headers(context);
        proxy.plugin.borrow_mut().on_delete(&proxy.host, context);
    }
    assert!(proxy.replies().is_empty());
}

/// A filter that is deleted while its requests live: they are decided by what it was.
#[test]
fn a_request_outlives_its_filter() {
    let proxy = Proxy::start(&ours());
    let token = proxy.acquire(JOB, "a");
    let context = proxy.begin(ROOT, &kinds(&token)[0]);
    proxy.plugin.borrow_mut().on_delete(&proxy.host, ROOT);
    assert_eq!(proxy.headers(context, true), Action::Continue);
    problem(&write(&proxy, &token, "a"), 503, "missing");
}

fn begin_acquire(proxy: &Proxy) -> u32 {
    let context = proxy.begin(ROOT, &Request::call("acquire", &Value::Null).headers);
    assert_eq!(proxy.headers(context, false), Action::Pause);
    context
}

const BODY: &[u8] = br#"{"resource":"job:1","holder":"a"}"#;

fn statuses(proxy: &Proxy) -> Vec<u16> {
    proxy.replies().iter().map(|reply| reply.status).collect()
}

#[test]
fn a_body_in_pieces_is_read_at_its_end() {
    let proxy = Proxy::start(&ours());
    let context = begin_acquire(&proxy);
    for len in 0..BODY.len() {
        assert_eq!(proxy.body(context, &BODY[..len], false), Action::Pause);
        assert!(proxy.replies().is_empty());
    }
    assert_eq!(proxy.body(context, BODY, true), Action::Pause);
    assert_eq!(statuses(&proxy), [201]);
}

#[test]
fn trailers_end_a_body() {
    let proxy = Proxy::start(&ours());
    let context = begin_acquire(&proxy);
    let _ = proxy.body(context, BODY, false);
    assert_eq!(proxy.trailers(context), Action::Pause);
    assert_eq!(statuses(&proxy), [201]);
    let _ = (proxy.trailers(context), proxy.body(context, BODY, true));
    assert_eq!(statuses(&proxy), [201], "granted once");
}

#[test]
fn a_body_that_grows_too_large_is_answered_before_its_end() {
    let proxy = Proxy::start(&ours());
    let context = begin_acquire(&proxy);
    assert_eq!(
        proxy.body(context, &[b' '; 16 * 1024], false),
        Action::Pause
    );
    assert!(proxy.replies().is_empty());
    assert_eq!(
        proxy.body(context, &[b' '; 16 * 1024 + 1], false),
        Action::Pause
    );
    let _ = proxy.body(context, BODY, true);
    assert_eq!(statuses(&proxy), [413]);
}

#[test]
fn a_late_body_is_answered_by_the_tick_and_not_again() {
    let proxy = Proxy::start(&ours());
    let late = begin_acquire(&proxy);
    proxy.world().advance(Duration::from_millis(9_999));
    proxy.tick();
    assert!(proxy.replies().is_empty());
    proxy.world().advance(Duration::from_millis(1));
    // The first time, the host does not let the filter answer: it tries again.
    proxy
        .host
        .hook(|call| (call.name == "enter_context").then_some(Fault::Fail));
    proxy.tick();
    proxy.host.unhook();
    assert!(proxy.replies().is_empty());
    proxy.tick();
    assert_eq!(proxy.host.seen.borrow().entered, Some(late));
    let text = String::from_utf8(proxy.replies()[0].body.clone()).expect("text");
    assert!(
        text.contains("allow_on_headers_stop_iteration: true"),
        "{text}"
    );
    proxy.tick();
    let _ = (proxy.body(late, BODY, true), proxy.trailers(late));
    assert_eq!(statuses(&proxy), [408]);
    proxy.acquire(JOB, "b");
}

#[test]
fn requests_side_by_side_do_not_touch_each_other() {
    let proxy = Proxy::start(&ours());
    let token = proxy.acquire("job:2", "a");
    let waiting = begin_acquire(&proxy);
    let other = Request::put("/jobs/2/x", &token, "a");
    assert!(proxy.send(&other).is_forwarded());
    problem(&write(&proxy, "1", "a"), 412, "no_grant");
    let _ = proxy.body(waiting, BODY, true);
    assert_eq!(statuses(&proxy).last(), Some(&201));
}

#[test]
fn the_tick_is_asked_for_once_a_second() {
    let proxy = Proxy::start(&ours());
    assert_eq!(proxy.host.seen.borrow().tick, Some(Duration::from_secs(1)));
}

/// The proxy carries out what one callback answered one answer inside the other, on one stack.
#[test]
fn of_many_calls_that_are_late_at_one_moment_few_are_answered_in_one_callback() {
    const CALLS: usize = 500;
    const FEW: usize = 64;
    let proxy = Proxy::start(&ours());
    let call = Request::call("acquire", &Value::Null);
    for _ in 0..CALLS {
        let context = proxy.begin(ROOT, &call.headers);
        assert_eq!(proxy.headers(context, false), Action::Pause);
    }
    proxy.world().advance(Duration::from_secs(11));
    let answered = || proxy.host.answered.borrow().len();
    let mut ticks = 0;
    while answered() < CALLS {
        let before = answered();
        proxy.tick();
        assert!(
            (1..=FEW).contains(&(answered() - before)),
            "at tick {ticks}"
        );
        ticks += 1;
        let soon = proxy.host.seen.borrow().tick;
        assert!(
            answered() == CALLS || soon == Some(Duration::from_millis(20)),
            "the next ones are answered soon: {soon:?}"
        );
    }
    assert_eq!(ticks, CALLS.div_ceil(FEW));
}
