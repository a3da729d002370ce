//! Where etcd wants to know who asks: a token per worker, asked for anew once, and no secret anywhere.

use crate::site::{JOB, PLACE, Site};
use crate::support::client::{Proxy, Request};
use crate::support::settings::{etcd, with};
use serde_json::json;
use std::time::Duration;

const PASSWORD: &str = "hunter2-password";

fn site() -> (Site, Proxy) {
    let site = Site::new();
    site.store.borrow_mut().password = Some(PASSWORD.to_owned());
    let auth = json!({ "user": "fencegate", "password": PASSWORD });
    let proxy = site.proxy(&with(etcd(), "/authority/etcd/auth", auth));
    (site, proxy)
}

/// The paths of calls as they come, each answered.
fn serve(site: &Site, proxy: &Proxy) -> Vec<String> {
    let mut paths = Vec::new();
    loop {
        let calls = proxy.take_posted();
        if calls.is_empty() {
            return paths;
        }
        for call in calls {
            let path = call.headers.iter().find(|(name, _)| name == ":path");
            paths.push(path.expect("a path").1.clone());
            site.deliver(proxy, &call);
        }
    }
}

fn logins(paths: &[String]) -> usize {
    paths
        .iter()
        .filter(|path| *path == "/v3/auth/authenticate")
        .count()
}

#[test]
fn a_worker_logs_in_once() {
    let (site, proxy) = site();
    let begun: Vec<_> = (0..10)
        .map(|job| site.begin(&proxy, &Request::put(&format!("/jobs/{job}/x"), "1.1", "a")))
        .collect();
    assert_eq!(logins(&serve(&site, &proxy)), 1);
    for begun in begun {
        assert_eq!(site.fate(&proxy, begun).0, 412);
    }
}

#[test]
fn a_token_that_is_no_longer_good_is_asked_for_anew_once() {
    let (site, proxy) = site();
    let token = site.acquire(&proxy, "a");
    site.store.borrow_mut().token += 1;
    site.advance(Duration::from_secs(1));
    let begun: Vec<_> = (1..10)
        .map(|job| {
            site.begin(
                &proxy,
                &Request::put(&format!("/jobs/{job}/x"), &token, "a"),
            )
        })
        .collect();
    assert_eq!(
        logins(&serve(&site, &proxy)),
        1,
        "for all calls that were under way"
    );
    assert!(site.went_on(&proxy, begun[0]));
    for begun in &begun[1..] {
        assert_eq!(site.fate(&proxy, *begun).0, 412);
    }
}

#[test]
fn a_password_that_is_not_good_is_unavailable_and_tried_again_by_the_next_request() {
    let (site, proxy) = site();
    site.store.borrow_mut().password = Some("another".to_owned());
    let (status, body) = site.send(&proxy, &Request::put(PLACE, "1.1", "a"));
    assert_eq!(
        (status, &body["reason"]),
        (503, &json!("authority_unavailable"))
    );
    site.store.borrow_mut().password = Some(PASSWORD.to_owned());
    let (status, body) = site.send(&proxy, &Request::put(PLACE, "1.1", "a"));
    assert_eq!((status, &body["reason"]), (412, &json!("no_grant")));
}

/// A token that is refused right after it was given out: no loop.
#[test]
fn a_token_that_is_never_good_is_asked_for_once_a_call() {
    let (site, proxy) = site();
    let begun = site.begin(&proxy, &Request::put(PLACE, "1.1", "a"));
    let mut paths = 0;
    loop {
        let calls = proxy.take_posted();
        if calls.is_empty() {
            break;
        }
        for call in calls {
            paths += 1;
            assert!(paths < 10, "it goes on and on");
            site.deliver(&proxy, &call);
            site.store.borrow_mut().token += 1;
        }
    }
    assert_eq!(
        site.fate(&proxy, begun).1["reason"],
        json!("authority_unavailable")
    );
}

#[test]
fn no_secret_is_in_a_log_or_an_answer() {
    let (site, proxy) = site();
    let seen = std::rc::Rc::new(std::cell::RefCell::new(String::new()));
    let collect = |proxy: &Proxy| {
        let host = proxy.host.seen.borrow();
        let mut seen = seen.borrow_mut();
        seen.push_str(&host.log.join("\n"));
        for (_, value) in &host.properties {
            seen.push_str(&String::from_utf8_lossy(value));
        }
    };
    let token = site.acquire(&proxy, "a");
    collect(&proxy);
    for wrong in ["password", "token", "silence"] {
        match wrong {
            "password" => site.store.borrow_mut().password = Some("another".to_owned()),
            "token" => site.store.borrow_mut().token += 1,
            _ => proxy.host.refuses_calls.set(Some(10)),
        }
        site.advance(Duration::from_secs(3));
        site.send(&proxy, &Request::put(PLACE, &token, "a"));
        collect(&proxy);
        site.call(
            &proxy,
            "renew",
            json!({ "resource": JOB, "holder": "a", "token": token }),
        );
        collect(&proxy);
    }
    for (_, answer) in proxy.host.answered.borrow().iter() {
        seen.borrow_mut()
            .push_str(&String::from_utf8_lossy(&answer.body));
    }
    let seen = seen.borrow();
    assert!(seen.contains("etcd"), "something was told: {seen}");
    assert!(
        !seen.contains(PASSWORD) && !seen.contains("secret-token"),
        "{seen}"
    );
}
