//! etcd does not answer, or is not what it was: 503 and nothing forwarded; what is surely stale is
//! refused as stale all the same; and nothing has to be restarted.

use crate::site::{JOB, PLACE, Site, init};
use crate::support::client::{Proxy, Request};
use crate::support::settings::{etcd, etcd_external, with};
use fencegate_core::quorum::Init;
use serde_json::{Value, json};
use std::time::Duration;

/// The end of a request that etcd does not answer: the proxy says 504 after its time limit.
fn silent(site: &Site, proxy: &Proxy, request: &Request) -> (u16, Value) {
    let begun = site.begin(proxy, request);
    for _ in 0..200 {
        if site.went_on(proxy, begun) || site.answered(proxy, begun).is_some() {
            break;
        }
        site.advance(Duration::from_millis(10));
        proxy.tick();
    }
    let fate = site.fate(proxy, begun);
    proxy.end(begun.context);
    fate
}

fn put(token: &str, holder: &str) -> Request {
    Request::put(PLACE, token, holder)
}

/// A token that is the mark's, and one below it.
fn two_tokens(site: &Site, proxy: &Proxy) -> (String, String) {
    let old = site.acquire(proxy, "a");
    site.pass(&[proxy], Duration::from_secs(11));
    let new = site.acquire(proxy, "b");
    assert_eq!(site.write(proxy, &new, "b"), 0);
    (old, new)
}

#[test]
fn a_silent_etcd_is_waited_for_no_longer_than_the_time_limit_and_the_window() {
    let site = Site::new();
    let proxy = site.ready();
    let (old, new) = two_tokens(&site, &proxy);
    site.advance(Duration::from_secs(1));
    let before = proxy.world().monotonic();
    let (status, body) = silent(&site, &proxy, &put(&new, "b"));
    assert_eq!(
        (status, &body["reason"]),
        (503, &json!("authority_unavailable"))
    );
    assert_eq!(body["retryable"], json!(true));
    let took = proxy.world().monotonic() - before;
    assert!(took <= Duration::from_millis(780), "{took:?}");
    // What is surely stale needs no etcd, and what no rule guards neither.
    let stale = site.begin(&proxy, &put(&old, "a"));
    assert_eq!(site.fate(&proxy, stale).1["reason"], json!("stale"));
    let read = site.begin(&proxy, &Request::new("GET", PLACE));
    assert!(site.went_on(&proxy, read));
    let elsewhere = site.begin(&proxy, &Request::new("PUT", "/elsewhere"));
    assert!(site.went_on(&proxy, elsewhere));
    // It answers again.
    proxy.take_posted();
    site.pass(&[&proxy], Duration::from_secs(1));
    assert_eq!(site.send(&proxy, &put(&new, "b")), (0, Value::Null));
}

#[test]
fn a_call_of_the_lease_api_is_held_no_longer_than_three_time_limits_and_the_window() {
    for body in [
        json!({ "resource": JOB, "holder": "b" }),
        json!({ "resource": JOB, "holder": "b", "wait_ms": 10_000 }),
    ] {
        let site = Site::new();
        let proxy = site.ready();
        let before = proxy.world().monotonic();
        let (status, body) = silent(&site, &proxy, &Request::call("acquire", &body));
        assert_eq!(
            (status, &body["reason"]),
            (503, &json!("authority_unavailable"))
        );
        let took = proxy.world().monotonic() - before;
        assert!(took <= Duration::from_millis(1780), "{took:?}");
    }
}

/// A waiter that leaves asks for nothing any more, and leaves nothing behind.
#[test]
fn a_waiter_that_leaves_is_forgotten() {
    let site = Site::new();
    let proxy = site.ready();
    let held = site.acquire(&proxy, "a");
    let wait = json!({ "resource": JOB, "holder": "b", "wait_ms": 15_000 });
    let begun = site.begin(&proxy, &Request::call("acquire", &wait));
    site.pass(&[&proxy], Duration::from_secs(1));
    proxy.end(begun.context);
    let release = json!({ "resource": JOB, "holder": "a", "token": held });
    assert_eq!(site.call(&proxy, "release", release).0, 200);
    site.pass(&[&proxy], Duration::from_secs(2));
    assert_eq!(site.answered(&proxy, begun), None);
    site.pass(&[&proxy], Duration::from_secs(4));
    let locked = site.store.borrow().get("/fg/l/job:1").is_some();
    assert!(!locked, "nobody was granted it");
    site.acquire(&proxy, "c");
}

/// What the host says at once, and what it says by a callback.
#[test]
fn a_call_that_fails_is_answered_at_once() {
    for status in [2, 10] {
        let site = Site::new();
        let proxy = site.ready();
        let (old, new) = two_tokens(&site, &proxy);
        site.advance(Duration::from_secs(1));
        proxy.host.refuses_calls.set(Some(status));
        for request in [
            put(&new, "b"),
            Request::put("/jobs/2/x", "9", "a"),
            Request::call("acquire", &json!({ "resource": JOB, "holder": "c" })),
            Request::call(
                "release",
                &json!({ "resource": JOB, "holder": "b", "token": new }),
            ),
            Request::new("GET", "/fence/v1/leases"),
            Request::new("GET", "/fence/v1/ready"),
        ] {
            let begun = site.begin(&proxy, &request);
            let (status, body) = site.fate(&proxy, begun);
            assert_eq!(
                (status, &body["reason"]),
                (503, &json!("authority_unavailable")),
                "{request:?}"
            );
        }
        let stale = site.begin(&proxy, &put(&old, "a"));
        assert_eq!(site.fate(&proxy, stale).0, 412);
        proxy.host.refuses_calls.set(None);
        assert_eq!(site.write(&proxy, &new, "b"), 0);
    }
}

#[test]
fn a_prefix_that_was_never_initialised_is_missing() {
    let site = Site::bare();
    let proxy = site.proxy(&etcd());
    let (status, body) = site.send(&proxy, &put("1.5", "a"));
    assert_eq!((status, &body["reason"]), (503, &json!("missing")));
    let acquire = json!({ "resource": JOB, "holder": "a" });
    let (status, body) = site.call(&proxy, "acquire", acquire.clone());
    assert_eq!((status, &body["reason"]), (503, &json!("missing")));
    assert!(site.store.borrow().keys.is_empty(), "nothing was put");
    site.put_init(&init());
    assert_eq!(site.call(&proxy, "acquire", acquire).0, 201);
}

#[test]
fn a_prefix_that_was_wiped_is_missing_and_nothing_is_put_into_it() {
    let site = Site::new();
    let proxy = site.ready();
    let (old, new) = two_tokens(&site, &proxy);
    let mut keys = std::mem::take(&mut site.store.borrow_mut().keys);
    site.pass(&[&proxy], Duration::from_secs(1));
    let (status, body) = site.send(&proxy, &put(&new, "b"));
    assert_eq!((status, &body["reason"]), (503, &json!("missing")));
    let acquire = json!({ "resource": JOB, "holder": "c" });
    assert_eq!(site.call(&proxy, "acquire", acquire).0, 503);
    assert!(site.store.borrow().keys.is_empty(), "nothing was put");
    let stale = site.begin(&proxy, &put(&old, "a"));
    assert_eq!(site.fate(&proxy, stale).0, 412);
    // An operator brings it all back.
    site.store.borrow_mut().keys.append(&mut keys);
    assert_eq!(site.write(&proxy, &new, "b"), 0);
}

#[test]
fn a_restored_snapshot_is_refused_until_it_is_reseeded() {
    let site = Site::new();
    let proxy = site.ready();
    let snapshot = site.store.borrow().clone();
    let (_, new) = two_tokens(&site, &proxy);
    let now = site.store.borrow().now;
    *site.store.borrow_mut() = snapshot;
    site.store.borrow_mut().now = now;
    site.pass(&[&proxy], Duration::from_secs(1));
    for _ in 0..3 {
        let (status, body) = site.send(&proxy, &put(&new, "b"));
        assert_eq!(
            (status, &body["reason"]),
            (503, &json!("authority_replaced"))
        );
    }
    let acquire = json!({ "resource": JOB, "holder": "c" });
    let (status, body) = site.call(&proxy, "acquire", acquire.clone());
    assert_eq!(
        (status, &body["reason"]),
        (503, &json!("authority_replaced"))
    );
    // Another worker of this proxy, which never saw the higher revision, is told by the board.
    let other = Proxy::join(proxy.world(), &etcd());
    let begun = site.begin(&other, &Request::call("acquire", &acquire));
    site.serve(&other);
    assert_eq!(
        site.fate(&other, begun).1["reason"],
        json!("authority_replaced")
    );
    site.put_init(&Init { epoch: 2, ..init() });
    let (status, body) = site.call(&proxy, "acquire", acquire);
    assert_eq!(status, 201, "{body}");
    assert!(body["token"].as_str().expect("a token").starts_with("2."));
    assert_eq!(site.write(&proxy, &new, "b"), 412);
}

#[test]
fn another_etcd_is_refused() {
    let site = Site::new();
    let proxy = site.ready();
    let token = site.acquire(&proxy, "a");
    site.store.borrow_mut().cluster = 78;
    site.pass(&[&proxy], Duration::from_secs(1));
    let (status, body) = site.send(&proxy, &put(&token, "a"));
    assert_eq!(
        (status, &body["reason"]),
        (503, &json!("authority_replaced"))
    );
    let log = proxy.host.seen.borrow().log.join("\n");
    assert!(!log.contains("etcd-token"), "{log}");
    site.store.borrow_mut().cluster = 77;
    let epoch = Init { epoch: 2, ..init() };
    site.put_init(&epoch);
    assert_eq!(site.send(&proxy, &put(&token, "a")).0, 412);
}

#[test]
fn another_window_than_the_configured_one_is_refused_and_named_in_the_log() {
    let site = Site::new();
    let expecting = |ms: u64| with(etcd(), "/authority/etcd/window_ms", json!(ms));
    let proxy = site.proxy(&expecting(300));
    let (status, body) = site.send(&proxy, &put("1.5", "a"));
    assert_eq!((status, &body["reason"]), (503, &json!("window_mismatch")));
    let begun = site.begin(&proxy, &put("1.5", "a"));
    site.serve(&proxy);
    assert_eq!(site.fate(&proxy, begun).0, 503);
    // While a window is being changed, either of its two parts will do; later changes are followed.
    let right = site.proxy(&expecting(250));
    let token = site.acquire(&right, "a");
    let longer = Duration::from_millis(300);
    site.put_init(&Init {
        trust: longer,
        wait: longer,
        ..site.init_there()
    });
    assert_eq!(site.write(&right, &token, "a"), 0);
    assert_eq!(site.write(&proxy, &token, "a"), 0, "it is as expected now");
}

#[test]
fn the_log_names_both_windows_once() {
    let site = Site::new();
    let proxy = site.proxy(&with(etcd(), "/authority/etcd/window_ms", json!(300)));
    proxy.host.seen.borrow_mut().log.clear();
    site.tick(&proxy);
    let log = proxy.host.seen.borrow().log.clone();
    assert_eq!(log.len(), 1, "{log:?}");
    assert!(
        log[0].contains("window_ms is 300") && log[0].contains("trust 250 ms"),
        "{log:?}"
    );
    site.pass(&[&proxy], Duration::from_secs(3));
    assert_eq!(proxy.host.seen.borrow().log.len(), 1, "told once");
}

#[test]
fn external_tokens_raise_the_mark_for_all_proxies() {
    let site = Site::new();
    let (first, second) = (site.proxy(&etcd_external()), site.proxy(&etcd_external()));
    assert_eq!(site.write(&first, "7", "a"), 0);
    assert_eq!(site.write(&second, "6", "b"), 412);
    assert_eq!(site.write(&second, "7", "a"), 0);
    assert_eq!(site.write(&second, "7", "b"), 409);
    assert_eq!(site.write(&second, "8", "b"), 0);
    assert_eq!(site.write(&first, "7", "a"), 412);
    let claim = json!({ "resource": JOB, "holder": "c", "token": "9" });
    assert_eq!(
        site.call(&first, "claim", claim),
        (200, json!({ "resource": JOB, "mark": "9" }))
    );
    assert_eq!(site.write(&second, "8", "b"), 412);
    let (_, lease) = site.send(&first, &Request::new("GET", "/fence/v1/leases/job:1"));
    assert_eq!(lease["state"], json!("marked"));
}
