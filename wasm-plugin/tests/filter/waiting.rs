//! An acquire that waits for its lease: it is held without an answer, asked again by the tick,
//! first come first served over all workers, and answered once.

use crate::outcomes::{JOB, admitted, problem, release, write};
use crate::support::client::{Proxy, ROOT, Request};
use crate::support::host::Fault;
use crate::support::settings::{ours, with};
use fencegate::exchange::Action;
use serde_json::{Value, json};
use std::time::Duration;

/// A request that waits; its context.
fn wait(proxy: &Proxy, holder: &str, more: &Value) -> u32 {
    let mut body = json!({ "resource": JOB, "holder": holder, "wait_ms": 15_000 });
    for (name, value) in more.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    let request = Request::call("acquire", &body);
    let context = proxy.begin(ROOT, &request.headers);
    assert_eq!(proxy.headers(context, false), Action::Pause);
    let body = request.body.expect("a body");
    assert_eq!(proxy.body(context, &body, true), Action::Pause);
    context
}

/// What the only request of this worker was answered, if it was.
fn answered(proxy: &Proxy) -> Option<(u16, Value)> {
    match proxy.replies().as_slice() {
        [] => None,
        [reply] => Some((
            reply.status,
            serde_json::from_slice(&reply.body).expect("JSON"),
        )),
        more => panic!("answered twice: {more:?}"),
    }
}

fn tick_period(proxy: &Proxy) -> Option<u128> {
    let tick = proxy.host.seen.borrow().tick;
    tick.map(|period| period.as_millis())
}

#[test]
fn a_lease_is_waited_for_and_starts_when_it_is_granted() {
    let proxy = Proxy::start(&ours());
    let held = proxy.acquire(JOB, "a");
    wait(&proxy, "b", &json!({}));
    assert_eq!(tick_period(&proxy), Some(20), "woken within 50 ms");
    for _ in 0..5 {
        proxy.world().advance(Duration::from_secs(1));
        proxy.tick();
        assert_eq!(answered(&proxy), None);
    }
    // Another worker takes the release.
    release(&Proxy::join(proxy.world(), &ours()), "a", &held);
    proxy.tick();
    let (status, body) = answered(&proxy).expect("it is free");
    assert_eq!((status, &body["holder"]), (201, &json!("b")));
    assert_eq!(
        (&body["waited_ms"], &body["ttl_ms"]),
        (&json!(5000), &json!(10_000))
    );
    assert_eq!(tick_period(&proxy), Some(1000));
    proxy.tick();
    let token = body["token"].as_str().expect("a token");
    admitted(&write(&proxy, token, "b"), token);
    problem(&write(&proxy, &held, "a"), 412, "stale");
}

#[test]
fn a_free_lease_is_granted_at_once() {
    let proxy = Proxy::start(&ours());
    wait(&proxy, "a", &json!({}));
    let (status, body) = answered(&proxy).expect("it is free");
    assert_eq!((status, &body["waited_ms"]), (201, &json!(0)));
}

#[test]
fn who_has_waited_long_enough_is_told_that_it_is_held() {
    let proxy = Proxy::start(&ours());
    let body = json!({ "resource": JOB, "holder": "a", "ttl_ms": 60_000 });
    proxy.call("acquire", &body, 201);
    wait(&proxy, "b", &json!({ "wait_ms": 3000 }));
    proxy.world().advance(Duration::from_millis(2999));
    proxy.tick();
    assert_eq!(answered(&proxy), None);
    proxy.world().advance(Duration::from_millis(1));
    proxy.tick();
    let (status, body) = answered(&proxy).expect("the time is over");
    assert_eq!((status, &body["reason"]), (409, &json!("held")));
    assert_eq!(body["retry_after_ms"], json!(57_000));
    assert_eq!(tick_period(&proxy), Some(1000));
    proxy.world().advance(Duration::from_secs(60));
    proxy.tick();
    assert_eq!(proxy.replies().len(), 1);
}

/// Two workers with a waiter each, and which of them is first.
fn two_waiting() -> (Proxy, Proxy, String, [u32; 2]) {
    let first = Proxy::start(&ours());
    let second = Proxy::join(first.world(), &ours());
    let held = first.acquire(JOB, "a");
    let contexts = [
        wait(&first, "b", &json!({})),
        wait(&second, "c", &json!({})),
    ];
    (first, second, held, contexts)
}

#[test]
fn first_come_is_first_served_on_whatever_worker() {
    let (first, second, held, _) = two_waiting();
    let third = Proxy::join(first.world(), &ours());
    release(&third, "a", &held);
    second.tick();
    assert_eq!(answered(&second), None, "another one came before");
    let late = Request::call("acquire", &json!({ "resource": JOB, "holder": "d" }));
    let told = problem(&third.send(&late), 409, "held");
    assert_eq!(told["retry_after_ms"], json!(100));
    first.tick();
    let (status, body) = answered(&first).expect("its turn");
    assert_eq!(status, 201);
    release(&third, "b", body["token"].as_str().expect("a token"));
    second.tick();
    assert_eq!(answered(&second).expect("its turn").0, 201);
}

#[test]
fn a_client_that_leaves_gives_its_place_up() {
    let (first, second, held, [context, _]) = two_waiting();
    release(&Proxy::join(first.world(), &ours()), "a", &held);
    first.plugin.borrow_mut().on_delete(&first.host, context);
    second.tick();
    assert_eq!(answered(&second).expect("its turn").0, 201);
    first.tick();
    assert_eq!(answered(&first), None, "nobody is there to answer");
}

#[test]
fn a_worker_that_is_gone_holds_nobody_up_for_long() {
    let (first, second, held, _) = two_waiting();
    release(&Proxy::join(first.world(), &ours()), "a", &held);
    for _ in 0..3 {
        assert_eq!(answered(&second), None);
        first.world().advance(Duration::from_millis(700));
        second.tick();
    }
    assert_eq!(answered(&second).expect("the first one is silent").0, 201);
}

/// The same request, sent again because the client got no answer, on another worker.
#[test]
fn one_request_id_that_waits_twice_gets_one_grant() {
    let first = Proxy::start(&ours());
    let second = Proxy::join(first.world(), &ours());
    let held = first.acquire(JOB, "a");
    let id = json!({ "request_id": "incarnation-1" });
    wait(&first, "b", &id);
    wait(&second, "b", &id);
    release(&Proxy::join(first.world(), &ours()), "a", &held);
    for proxy in [&second, &first, &second] {
        proxy.tick();
    }
    let tokens =
        [&first, &second].map(|proxy| answered(proxy).expect("granted").1["token"].clone());
    assert_eq!(tokens[0], tokens[1]);
}

#[test]
fn a_wait_beyond_the_configured_one_is_refused() {
    let short = with(ours(), "/issuer/fencegate/wait_ms_max", json!(0));
    let proxy = Proxy::start(&short);
    let mut body = json!({ "resource": JOB, "holder": "a", "wait_ms": 1 });
    let outcome = proxy.send(&Request::call("acquire", &body));
    let told = problem(&outcome, 400, "malformed");
    assert_eq!(told["detail"], json!("wait_ms: give at most 0"));
    body["wait_ms"] = json!(0);
    proxy.call("acquire", &body, 201);
}

/// Whatever host call of a tick fails: nobody is answered twice, and who comes next is granted
/// once the lease that the failure may have left behind is over.
#[test]
fn any_call_may_fail_while_somebody_waits() {
    let faults = [
        Fault::Fail,
        Fault::Lose,
        Fault::Mismatch,
        Fault::DoneAndFail,
        Fault::Flip(77),
    ];
    for at in 0..20 {
        for fault in faults {
            let (first, second, held, _) = two_waiting();
            release(&Proxy::join(first.world(), &ours()), "a", &held);
            first
                .host
                .hook(move |call| (call.index == at).then_some(fault));
            first.tick();
            first.host.unhook();
            for _ in 0..26 {
                first.tick();
                second.tick();
                first.world().advance(Duration::from_millis(500));
            }
            let what = format!("call {at}: {fault:?}");
            let (status, body) = answered(&second).expect(&what);
            assert_eq!(status, 201, "{what}");
            if let Some((201, earlier)) = answered(&first) {
                assert_ne!(earlier["token"], body["token"], "{what}");
            }
            assert!(!write(&second, &held, "a").is_forwarded(), "{what}");
        }
    }
}
