//! Where nothing goes wrong: leases and writes through one proxy and through two.

use crate::site::{JOB, PLACE, Site, WINDOW};
use crate::support::client::Request;
use crate::support::settings::etcd;
use serde_json::json;
use std::time::Duration;

#[test]
fn a_lease_is_granted_and_its_token_admitted() {
    let site = Site::new();
    let proxy = site.ready();
    let (status, body) = site.call(&proxy, "acquire", json!({ "resource": JOB, "holder": "a" }));
    assert_eq!(status, 201, "{body}");
    let token = body["token"].as_str().expect("a token");
    assert_eq!(site.write(&proxy, token, "a"), 0);
    // What is left counts from when the lease was asked for: before the window was sat out.
    let (left, waited) = (body["ttl_ms"].as_u64(), body["waited_ms"].as_u64());
    assert!(waited.expect("waited") >= 250, "{body}");
    assert!(left.expect("left") <= 10_000 - 250, "{body}");
}

#[test]
fn what_is_fresh_is_answered_without_a_call_and_without_the_board() {
    let site = Site::new();
    let proxy = site.ready();
    let token = site.acquire(&proxy, "a");
    assert_eq!(site.write(&proxy, &token, "a"), 0);
    let calls = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let seen = std::rc::Rc::clone(&calls);
    proxy.host.hook(move |call| {
        seen.borrow_mut().push(call.name);
        None
    });
    let begun = site.begin(&proxy, &Request::put(PLACE, &token, "a"));
    proxy.host.unhook();
    assert!(site.went_on(&proxy, begun));
    assert_eq!(
        *calls.borrow(),
        ["request_headers", "now", "wall", "count", "set_property"]
    );
}

#[test]
fn a_newer_grant_through_another_proxy_makes_the_older_token_stale_everywhere() {
    let site = Site::new();
    let (first, second) = (site.ready(), site.ready());
    let old = site.acquire(&first, "a");
    assert_eq!(site.write(&first, &old, "a"), 0);
    assert_eq!(site.write(&second, &old, "a"), 0);
    site.pass(&[&first, &second], Duration::from_secs(11));
    let new = site.acquire(&second, "b");
    assert_eq!(site.write(&first, &old, "a"), 412);
    assert_eq!(site.write(&second, &old, "a"), 412);
    assert_eq!(site.write(&first, &new, "b"), 0);
    assert_eq!(site.write(&second, &new, "b"), 0);
}

/// The heart of it: the first proxy goes on admitting from memory for a while, but no longer than the
/// second one waits before it tells the new token to anybody.
#[test]
fn no_old_token_is_admitted_once_a_newer_one_was_told() {
    let site = Site::new();
    let (first, second) = (site.ready(), site.ready());
    let old = site.acquire(&first, "a");
    site.pass(&[&first, &second], Duration::from_secs(11));
    assert_eq!(
        site.write(&first, &old, "a"),
        0,
        "nobody else was granted yet"
    );
    let acquire = Request::call("acquire", &json!({ "resource": JOB, "holder": "b" }));
    let begun = site.begin(&second, &acquire);
    let mut admitted_after_the_grant = 0;
    let told = loop {
        // The second proxy goes on, and the first one hears nothing: it is cut off.
        site.advance(Duration::from_millis(10));
        site.serve(&second);
        second.tick();
        site.serve(&second);
        if site.answered(&second, begun).is_some() {
            break site.fate(&second, begun);
        }
        let write = site.begin(&first, &Request::put(PLACE, &old, "a"));
        admitted_after_the_grant += usize::from(site.went_on(&first, write));
        first.end(write.context);
    };
    assert_eq!(told.0, 201);
    assert!(admitted_after_the_grant > 0, "the window is used");
    let write = site.begin(&first, &Request::put(PLACE, &old, "a"));
    assert!(!site.went_on(&first, write), "and it is over");
}

#[test]
fn renew_release_break_claim_and_looks_do_what_they_say() {
    let site = Site::new();
    let proxy = site.ready();
    let token = site.acquire(&proxy, "a");
    let own = json!({ "resource": JOB, "holder": "a", "token": token });
    let (status, renewed) = site.call(&proxy, "renew", own.clone());
    assert_eq!((status, &renewed["ttl_ms"]), (200, &json!(10_000)));
    assert_eq!(site.call(&proxy, "claim", own.clone()).0, 200);
    let look = |path: &str| site.send(&proxy, &Request::new("GET", path));
    let (status, lease) = look("/fence/v1/leases/job:1");
    assert_eq!(status, 200);
    assert_eq!(
        lease,
        json!({ "resource": JOB, "mark": token, "holder": "a", "state": "held" })
    );
    assert_eq!(look("/fence/v1/leases/job:2").0, 404);
    let (status, held) = site.call(&proxy, "acquire", json!({ "resource": JOB, "holder": "b" }));
    assert_eq!((status, &held["reason"]), (409, &json!("held")));
    assert_eq!(site.call(&proxy, "release", own.clone()).0, 200);
    assert_eq!(site.call(&proxy, "release", own.clone()).0, 200, "again");
    assert_eq!(site.write(&proxy, &token, "a"), 412);
    assert_eq!(site.call(&proxy, "renew", own).0, 410);
    let next = site.acquire(&proxy, "b");
    let (status, broken) = site.call(&proxy, "break", json!({ "resource": JOB }));
    assert_eq!(status, 200);
    assert_ne!(broken["mark"], json!(next));
    assert_eq!(site.write(&proxy, &next, "b"), 412);
    let (_, lease) = look("/fence/v1/leases/job:1");
    assert_eq!(lease["state"], json!("released"));
}

#[test]
fn a_list_of_leases_comes_in_pages() {
    let site = Site::new();
    let proxy = site.ready();
    for job in 0..5 {
        let body = json!({ "resource": format!("job:{job}"), "holder": "a" });
        assert_eq!(site.call(&proxy, "acquire", body).0, 201);
    }
    let (mut after, mut seen) = (String::new(), Vec::new());
    loop {
        let path = format!("/fence/v1/leases?limit=2{after}");
        let (status, page) = site.send(&proxy, &Request::new("GET", &path));
        assert_eq!(status, 200, "{page}");
        for lease in page["leases"].as_array().expect("a list") {
            assert_eq!(lease["state"], json!("held"));
            seen.push(lease["resource"].as_str().expect("a name").to_owned());
        }
        match page["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => break,
        }
    }
    assert_eq!(seen, ["job:0", "job:1", "job:2", "job:3", "job:4"]);
    let (status, body) = site.send(&proxy, &Request::new("GET", "/fence/v1/leases?after=xy"));
    assert_eq!((status, &body["reason"]), (400, &json!("malformed")));
}

#[test]
fn nothing_is_granted_until_leases_of_before_are_over() {
    let site = Site::new();
    let mut config = etcd();
    config["issuer"]["fencegate"]["lock_delay_ms"] = json!(3000);
    let proxy = site.proxy(&config);
    let ready = Request::new("GET", "/fence/v1/ready");
    let (status, body) = site.send(&proxy, &ready);
    assert_eq!((status, &body["reason"]), (503, &json!("starting")));
    let acquire = json!({ "resource": JOB, "holder": "a" });
    let (status, body) = site.call(&proxy, "acquire", acquire.clone());
    assert_eq!((status, &body["reason"]), (503, &json!("starting")));
    site.pass(&[&proxy], Duration::from_secs(3));
    assert_eq!(
        site.send(&proxy, &ready),
        (200, json!({ "ready": true, "generation": 1 }))
    );
    assert_eq!(site.call(&proxy, "acquire", acquire).0, 201);
}

#[test]
fn who_waits_for_a_lease_gets_it_soon_after_it_is_given_back() {
    let site = Site::new();
    let (first, second) = (site.ready(), site.ready());
    let held = site.acquire(&first, "a");
    let acquire = json!({ "resource": JOB, "holder": "b", "wait_ms": 15_000 });
    let begun = site.begin(&second, &Request::call("acquire", &acquire));
    site.pass(&[&second, &first], Duration::from_secs(2));
    assert_eq!(site.answered(&second, begun), None, "it waits");
    let release = json!({ "resource": JOB, "holder": "a", "token": held });
    assert_eq!(site.call(&first, "release", release).0, 200);
    site.pass(
        &[&second],
        Duration::from_millis(150) + WINDOW + Duration::from_millis(50),
    );
    let (status, body) = site.fate(&second, begun);
    assert_eq!((status, &body["holder"]), (201, &json!("b")), "{body}");
}

#[test]
fn who_has_waited_long_enough_is_told_that_it_is_held() {
    let site = Site::new();
    let proxy = site.ready();
    site.acquire(&proxy, "a");
    let acquire = json!({ "resource": JOB, "holder": "b", "wait_ms": 3000 });
    let begun = site.begin(&proxy, &Request::call("acquire", &acquire));
    site.pass(&[&proxy], Duration::from_millis(2980));
    assert_eq!(site.answered(&proxy, begun), None);
    site.pass(&[&proxy], Duration::from_millis(40));
    let (status, body) = site.fate(&proxy, begun);
    assert_eq!((status, &body["reason"]), (409, &json!("held")));
}
