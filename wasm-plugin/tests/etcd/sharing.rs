//! What is asked once for many: one read for all requests on a resource, one background read for all
//! workers and resources, and one board.

use crate::site::{JOB, PLACE, Site};
use crate::support::client::{Proxy, Request};
use crate::support::settings::{etcd, etcd_external, with};
use serde_json::json;
use std::time::Duration;

/// A few are told in one callback, the others in the next ones.
fn tell_all(proxy: &Proxy) {
    for _ in 0..16 {
        proxy.tick();
    }
}

#[test]
fn a_thousand_requests_for_one_resource_make_one_read() {
    let site = Site::new();
    let proxy = site.ready();
    let token = site.acquire(&proxy, "a");
    let other = site.ready();
    let begun: Vec<_> = (0..1000)
        .map(|_| site.begin(&other, &Request::put(PLACE, &token, "a")))
        .collect();
    assert_eq!(other.host.posted.borrow().len(), 1);
    assert_eq!(site.serve(&other), 1);
    tell_all(&other);
    for begun in begun {
        assert!(site.went_on(&other, begun));
    }
}

/// Those that are too many for one callback are told later. By then somebody else may hold the lease.
#[test]
fn an_admission_that_could_not_be_told_at_once_is_judged_again() {
    let site = Site::new();
    let (here, there) = (site.ready(), site.ready());
    let old = site.acquire(&there, "a");
    let begun: Vec<_> = (0..200)
        .map(|_| site.begin(&here, &Request::put(PLACE, &old, "a")))
        .collect();
    site.serve(&here);
    let went_on = |site: &Site| begun.iter().filter(|it| site.went_on(&here, **it)).count();
    let at_once = went_on(&site);
    assert!((1..begun.len()).contains(&at_once), "{at_once} at once");
    // This proxy is called by nobody while the other one grants the lease anew.
    site.pass(&[&there], Duration::from_secs(11));
    site.acquire(&there, "b");
    for _ in 0..16 {
        here.tick();
        site.serve(&here);
    }
    assert_eq!(
        went_on(&site),
        at_once,
        "the others were stale when they were told"
    );
    let refused = begun
        .iter()
        .filter(|it| site.answered(&here, **it).is_some());
    assert_eq!(refused.count(), begun.len() - at_once, "and all were told");
}

/// Tokens that were never issued need a read that was sent after the request arrived; one will do for all
/// that are there.
#[test]
fn a_thousand_requests_with_a_token_from_nowhere_make_two_reads() {
    let site = Site::new();
    let proxy = site.ready();
    let begun: Vec<_> = (0..1000)
        .map(|_| site.begin(&proxy, &Request::put(PLACE, "1.99999", "a")))
        .collect();
    site.advance(Duration::from_millis(1));
    assert!(site.serve(&proxy) <= 2);
    tell_all(&proxy);
    for begun in begun {
        assert_eq!(site.fate(&proxy, begun).0, 412);
    }
}

#[test]
fn a_thousand_writers_that_raise_one_mark_make_few_calls() {
    let site = Site::new();
    let proxy = site.proxy(&etcd_external());
    site.tick(&proxy);
    let begun: Vec<_> = (0..1000)
        .map(|_| site.begin(&proxy, &Request::put(PLACE, "7", "a")))
        .collect();
    let mut calls = site.serve(&proxy);
    for _ in 0..40 {
        site.advance(Duration::from_millis(10));
        proxy.tick();
        calls += site.serve(&proxy);
    }
    for begun in begun {
        assert!(site.went_on(&proxy, begun));
    }
    assert!(calls <= 12, "{calls} calls");
}

/// Knowledge of many resources that ran out is made fresh again by one background read.
#[test]
fn one_background_read_is_enough_for_all_resources() {
    let site = Site::new();
    let proxy = site.ready();
    let tokens: Vec<String> = (0..50)
        .map(|job| {
            let body = json!({ "resource": format!("job:{job}"), "holder": "a", "ttl_ms": 60_000 });
            let (_, body) = site.call(&proxy, "acquire", body);
            body["token"].as_str().expect("a token").to_owned()
        })
        .collect();
    let write_all = || {
        let put = |(job, token): (usize, &String)| {
            let path = format!("/jobs/{job}/x");
            site.begin(&proxy, &Request::put(&path, token, "a"))
        };
        let begun: Vec<_> = tokens.iter().enumerate().map(put).collect();
        let calls = site.serve(&proxy);
        for begun in begun {
            assert!(site.went_on(&proxy, begun));
        }
        calls
    };
    // Where two are in one group, the later grant makes the earlier one be read again, once.
    assert!(write_all() < 50);
    site.advance(Duration::from_secs(4));
    site.tick(&proxy);
    site.advance(Duration::from_secs(11));
    proxy.tick();
    assert_eq!(proxy.host.posted.borrow().len(), 0, "it is idle");
    assert_eq!(write_all(), 1, "one for all");
}

/// Calls in ten seconds of writes by `workers` workers to `jobs` resources.
fn calls_in_ten_seconds(workers: usize, jobs: usize) -> usize {
    let site = Site::new();
    let first = site.ready();
    let mut proxies = vec![first];
    while proxies.len() < workers {
        proxies.push(Proxy::join(proxies[0].world(), &etcd()));
    }
    let mut tokens = Vec::new();
    for job in 0..jobs {
        let body = json!({ "resource": format!("job:{job}"), "holder": "a", "ttl_ms": 60_000 });
        let (_, body) = site.call(&proxies[0], "acquire", body);
        tokens.push(body["token"].as_str().expect("a token").to_owned());
    }
    let mut calls = 0;
    for round in 0..500 {
        site.advance(Duration::from_millis(20));
        for proxy in &proxies {
            proxy.tick();
            calls += site.serve(proxy);
            for (job, token) in tokens.iter().enumerate() {
                let path = format!("/jobs/{job}/x");
                let begun = site.begin(proxy, &Request::put(&path, token, "a"));
                calls += site.serve(proxy);
                assert!(site.went_on(proxy, begun), "round {round}");
                proxy.end(begun.context);
            }
        }
    }
    calls
}

#[test]
fn calls_grow_neither_with_writes_nor_with_workers_nor_with_resources() {
    let few = calls_in_ten_seconds(1, 1);
    // One in each third of the window, rounded up to a tick.
    assert!((90..=130).contains(&few), "{few}");
    let workers = calls_in_ten_seconds(4, 1);
    assert!(
        workers <= few + 4 + 10,
        "{workers} with four workers, {few} with one"
    );
    let resources = calls_in_ten_seconds(1, 40);
    assert!(
        resources <= few + 40 + 10,
        "{resources} with forty, {few} with one"
    );
}

#[test]
fn a_worker_learns_from_the_board_that_a_group_moved() {
    let site = Site::new();
    let first = site.ready();
    let second = Proxy::join(first.world(), &etcd());
    let old = site.acquire(&first, "a");
    assert_eq!(site.write(&second, &old, "a"), 0);
    let release = json!({ "resource": JOB, "holder": "a", "token": old });
    assert_eq!(site.call(&first, "release", release).0, 200);
    site.pass(&[&first, &second], Duration::from_millis(300));
    let begun = site.begin(&second, &Request::put(PLACE, &old, "a"));
    assert!(!site.went_on(&second, begun), "what it knew is not fresh");
    site.serve(&second);
    assert_eq!(site.fate(&second, begun).1["reason"], json!("released"));
}

#[test]
fn a_board_that_is_damaged_or_gone_is_made_anew() {
    let site = Site::new();
    let proxy = site.ready();
    let token = site.acquire(&proxy, "a");
    let world = proxy.world();
    let key = world
        .keys()
        .into_iter()
        .find(|key| key.starts_with(b"fencegate.etcd."));
    let key = key.expect("a board");
    for damage in [0, 1, 2] {
        match damage {
            0 => world.lose(&key),
            1 => world.overwrite(&key, b"nonsense".to_vec()),
            _ => {
                let mut value = world.value(&key);
                value[20] ^= 1;
                world.overwrite(&key, value);
            }
        }
        site.pass(&[&proxy], Duration::from_millis(400));
        assert_eq!(site.write(&proxy, &token, "a"), 0);
        assert!(world.value(&key).len() > 4096);
    }
}

#[test]
fn a_newer_generation_supersedes_the_older_filter_everywhere() {
    let site = Site::new();
    let old = site.ready();
    let token = site.acquire(&old, "a");
    assert_eq!(site.write(&old, &token, "a"), 0);
    let new = site.proxy(&with(etcd(), "/generation", json!(2)));
    // The first judged request puts it in force. Grants of before are of no use under it.
    let (status, body) = site.send(&new, &Request::put(PLACE, &token, "a"));
    assert_eq!((status, &body["reason"]), (412, &json!("no_grant")));
    site.pass(&[&old], Duration::from_millis(300));
    let (status, body) = site.send(&old, &Request::put(PLACE, &token, "a"));
    assert_eq!((status, &body["reason"]), (503, &json!("superseded")));
    // What its rules pass may be guarded now.
    let read = site.begin(&old, &Request::new("GET", "/elsewhere"));
    assert_eq!(site.fate(&old, read).1["reason"], json!("superseded"));
    site.pass(&[&new], Duration::from_secs(11));
    let next = site.acquire(&new, "b");
    assert_eq!(site.write(&new, &next, "b"), 0);
}

#[test]
fn the_same_generation_with_other_rules_is_superseded() {
    let site = Site::new();
    let first = site.ready();
    let token = site.acquire(&first, "a");
    let other = site.proxy(&with(etcd(), "/rules/0/resource", json!("j:{job}")));
    let (status, body) = site.send(&other, &Request::put(PLACE, &token, "a"));
    assert_eq!((status, &body["reason"]), (503, &json!("superseded")));
}
