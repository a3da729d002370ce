//! Law 8, `one_decision`, while the authority is asked: whatever callback comes meanwhile holds the
//! request, whatever comes afterwards changes nothing.

use crate::site::{Begun, JOB, PLACE, Site};
use crate::support::client::{Proxy, ROOT, Request};
use crate::support::host::Fault;
use crate::support::settings::{etcd, rule, with};
use fencegate::exchange::Action;
use serde_json::json;
use std::time::Duration;

/// A write whose verdict is asked for, on a proxy that knows nothing of the resource yet.
fn asked(site: &Site) -> (Proxy, String, Begun) {
    let first = site.ready();
    let token = site.acquire(&first, "a");
    let proxy = site.ready();
    let mut write = Request::put(PLACE, &token, "a");
    write.body = None;
    let context = proxy.begin(ROOT, &write.headers);
    let action = proxy.headers(context, false);
    assert_eq!(action, Action::Pause);
    (proxy, token, Begun { context, action })
}

#[test]
fn everything_that_comes_while_it_is_asked_holds_the_request() {
    let site = Site::new();
    let (proxy, _, begun) = asked(&site);
    for _ in 0..2 {
        assert_eq!(proxy.headers(begun.context, false), Action::Pause);
        assert_eq!(proxy.body(begun.context, b"x", false), Action::Pause);
        assert_eq!(proxy.body(begun.context, b"xy", true), Action::Pause);
        assert_eq!(proxy.trailers(begun.context), Action::Pause);
        proxy.response_headers(begun.context);
        proxy.tick();
    }
    assert_eq!(proxy.host.posted.borrow().len(), 1, "asked once");
    site.serve(&proxy);
    assert!(site.went_on(&proxy, begun));
    assert_eq!(proxy.body(begun.context, b"xyz", true), Action::Continue);
    assert_eq!(proxy.trailers(begun.context), Action::Continue);
}

#[test]
fn a_verdict_that_comes_later_is_counted_logged_and_told_as_one_that_comes_at_once() {
    let site = Site::new();
    let (proxy, token, begun) = asked(&site);
    let before = proxy.host.counters();
    site.serve(&proxy);
    proxy.response_headers(begun.context);
    let seen = proxy.host.seen.borrow();
    let told = seen
        .response_headers
        .iter()
        .map(|(name, value)| (&**name, &**value));
    assert_eq!(told.collect::<Vec<_>>(), [("fencing-token-mark", &*token)]);
    assert_eq!(seen.properties.len(), 1);
    let decision: serde_json::Value =
        serde_json::from_slice(&seen.properties[0].1).expect("the decision is JSON");
    assert_eq!(
        decision,
        json!({ "decision": "admitted", "resource": JOB, "holder": "a", "presented": token,
            "mark": token, "generation": 1 })
    );
    let admitted = "fencegate_admitted_total";
    let count = |counters: &std::collections::BTreeMap<String, u64>| {
        counters.get(admitted).copied().unwrap_or(0)
    };
    assert_eq!(count(&proxy.host.counters()), count(&before) + 1);
}

#[test]
fn a_denial_that_comes_later_is_answered_once() {
    let site = Site::new();
    let proxy = site.ready();
    let begun = site.begin(&proxy, &Request::put(PLACE, "1.9", "a"));
    let calls = proxy.take_posted();
    for _ in 0..3 {
        site.deliver(&proxy, &calls[0]);
    }
    site.serve(&proxy);
    let (status, body) = site.fate(&proxy, begun);
    assert_eq!((status, &body["reason"]), (412, &json!("no_grant")));
    assert_eq!(proxy.body(begun.context, b"x", true), Action::Pause);
    assert_eq!(
        proxy.host.counters()["fencegate_rejected_no_grant_total"],
        1
    );
}

#[test]
fn a_rule_that_observes_lets_a_denial_pass_also_later() {
    let site = Site::new();
    let observe = rule(
        "/jobs/{job}/{*rest}",
        "job:{job}",
        json!({ "token": "observe" }),
    );
    let proxy = site.proxy(&with(etcd(), "/rules/0", observe));
    site.tick(&proxy);
    let begun = site.begin(&proxy, &Request::put(PLACE, "1.9", "a"));
    assert_eq!(begun.action, Action::Pause);
    site.serve(&proxy);
    assert!(site.went_on(&proxy, begun));
    assert_eq!(
        proxy.host.counters()["fencegate_observed_no_grant_total"],
        1
    );
}

#[test]
fn a_grpc_caller_is_answered_in_its_own_words_also_later() {
    let site = Site::new();
    let proxy = site.ready();
    let request = Request::put(PLACE, "1.9", "a").header("content-type", "application/grpc");
    let begun = site.begin(&proxy, &request);
    site.serve(&proxy);
    let answer = site.answered(&proxy, begun).expect("an answer");
    assert_eq!(answer.grpc_status, Some(9));
}

#[test]
fn a_request_that_the_host_knows_no_more_is_left_alone() {
    let site = Site::new();
    let (proxy, _, begun) = asked(&site);
    proxy
        .host
        .hook(move |call| (call.name == "resume").then_some(Fault::Fail));
    site.serve(&proxy);
    proxy.host.unhook();
    let log = proxy.host.seen.borrow().log.join("\n");
    assert!(log.contains("did not let a request go on"), "{log}");
    // It was admitted: what comes of it later goes on.
    assert_eq!(proxy.body(begun.context, b"x", true), Action::Continue);
    let site = Site::new();
    let (proxy, _, begun) = asked(&site);
    proxy
        .host
        .hook(move |call| (call.name == "enter_context").then_some(Fault::Fail));
    site.serve(&proxy);
    proxy.tick();
    proxy.host.unhook();
    assert_eq!(
        proxy.headers(begun.context, false),
        Action::Pause,
        "it is held"
    );
    proxy.tick();
    assert!(site.went_on(&proxy, begun), "it is told when it can be");
}

/// Without a clock nothing can be said, and what waits is ended when there is one again.
#[test]
fn failing_host_calls_deny() {
    for broken in ["now", "wall"] {
        let site = Site::new();
        let proxy = site.ready();
        let token = site.acquire(&proxy, "a");
        proxy
            .host
            .hook(move |call| (call.name == broken).then_some(Fault::Fail));
        let begun = site.begin(&proxy, &Request::put(PLACE, &token, "a"));
        proxy.host.unhook();
        let (status, body) = site.fate(&proxy, begun);
        assert_eq!(
            (status, &body["reason"]),
            (503, &json!("authority_unavailable"))
        );
    }
    for broken in ["answer_headers", "answer_body", "now", "wall"] {
        for fault in [Fault::Fail, Fault::Truncate(3)] {
            let site = Site::new();
            let (proxy, token, begun) = asked(&site);
            proxy
                .host
                .hook(move |call| (call.name == broken).then_some(fault));
            let calls = proxy.take_posted();
            site.deliver(&proxy, &calls[0]);
            proxy.host.unhook();
            for _ in 0..100 {
                site.advance(Duration::from_millis(10));
                site.tick(&proxy);
            }
            assert_eq!(site.fate(&proxy, begun).0, 503, "{broken} {fault:?}");
            assert_eq!(site.write(&proxy, &token, "a"), 0, "{broken} {fault:?}");
        }
    }
}

/// A listener is replaced: the old filter and the new one are there side by side on one worker.
#[test]
fn a_newer_filter_beside_the_older_one_supersedes_it_and_has_ticks_of_its_own() {
    let site = Site::new();
    let proxy = site.ready();
    let token = site.acquire(&proxy, "a");
    let newer = with(etcd(), "/generation", json!(2));
    assert!(proxy.configure(2, &newer.to_string()));
    let context = proxy.begin(2, &Request::put(PLACE, &token, "a").headers);
    assert_eq!(proxy.headers(context, true), Action::Pause);
    let calls = proxy.take_posted();
    assert!(calls.iter().all(|call| call.from == 2), "its own calls");
    for call in &calls {
        site.deliver(&proxy, call);
    }
    for _ in 0..3 {
        site.serve(&proxy);
        proxy.tick_of(2);
    }
    let begun = Begun {
        context,
        action: Action::Pause,
    };
    assert_eq!(site.fate(&proxy, begun).1["reason"], json!("no_grant"));
    // The board tells the older one at its next tick, and no call is made for that.
    proxy.tick();
    let old = site.begin(&proxy, &Request::put(PLACE, &token, "a"));
    assert_eq!(site.fate(&proxy, old).1["reason"], json!("superseded"));
    let read = site.begin(&proxy, &Request::new("GET", "/elsewhere"));
    assert_eq!(site.fate(&proxy, read).1["reason"], json!("superseded"));
}

#[test]
fn ticks_come_often_while_it_matters_and_seldom_when_it_is_idle() {
    let site = Site::new();
    let proxy = site.ready();
    let period = |proxy: &Proxy| {
        let tick = proxy.host.seen.borrow().tick;
        tick.map(|tick| tick.as_millis())
    };
    let begun = site.begin(&proxy, &Request::put(PLACE, "1.9", "a"));
    site.serve(&proxy);
    site.fate(&proxy, begun);
    proxy.host.seen.borrow_mut().tick = None;
    site.pass(&[&proxy], Duration::from_millis(1900));
    assert_eq!(period(&proxy), None, "as often as before");
    site.pass(&[&proxy], Duration::from_millis(300));
    assert_eq!(period(&proxy), Some(1000));
    proxy.take_posted();
    site.pass(&[&proxy], Duration::from_secs(60));
    let calls = proxy.host.counters()["fencegate_authority_calls_total"];
    site.pass(&[&proxy], Duration::from_secs(60));
    assert_eq!(
        proxy.host.counters()["fencegate_authority_calls_total"],
        calls,
        "an idle proxy asks for nothing"
    );
    let begun = site.begin(&proxy, &Request::put(PLACE, "1.9", "a"));
    assert_eq!(period(&proxy), Some(20));
    site.serve(&proxy);
    site.fate(&proxy, begun);
}

/// The proxy carries out what one callback answered one answer inside the other, on one stack.
#[test]
fn of_many_requests_that_wait_for_one_reading_few_are_answered_in_one_callback() {
    const REQUESTS: usize = 500;
    const FEW: usize = 64;
    let site = Site::new();
    let first = site.ready();
    let stale = site.acquire(&first, "a");
    let release =
        json!({ "resource": JOB, "holder": "a", "token": stale, "writes_answered": true });
    assert_eq!(site.call(&first, "release", release).0, 200);
    site.acquire(&first, "b");
    let proxy = site.ready();
    let write = Request::put(PLACE, &stale, "a");
    for _ in 0..REQUESTS {
        let context = proxy.begin(ROOT, &write.headers);
        assert_eq!(proxy.headers(context, true), Action::Pause);
    }
    assert_eq!(proxy.host.posted.borrow().len(), 1, "asked once");
    let answered = || proxy.host.answered.borrow().len();
    let before = answered();
    site.serve(&proxy);
    assert!((1..=FEW).contains(&(answered() - before)));
    while answered() - before < REQUESTS {
        let told = answered();
        proxy.tick();
        assert!((1..=FEW).contains(&(answered() - told)));
    }
    let answered = proxy.host.answered.borrow();
    assert!(answered[before..].iter().all(|(_, it)| it.status == 412));
}
