//! Something goes wrong at each call of a request, one after the other: the client is gone, the time is
//! over, the answer is broken off, late, twice or no answer at all. Whatever it is, the request is answered at most
//! once and never goes on undecided, and the next one finds everything as it must be.

use crate::site::{Begun, JOB, PLACE, Site};
use crate::support::client::{Proxy, Request};
use crate::support::host::Posted;
use serde_json::json;
use std::time::Duration;

/// What goes wrong with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    /// The client leaves before the answer comes.
    ClientGone,
    /// It leaves, and the answer never comes.
    ClientGoneUnanswered,
    /// etcd did it; the answer is lost, and the proxy says 504.
    TimeOut,
    /// etcd never got it, and the proxy says 503.
    Refused,
    /// The answer is broken off after its headers.
    BrokenOff,
    /// etcd did it, and its answer is garbage.
    Garbage,
    /// The answer comes after the request's deadline.
    Late,
    /// The answer comes twice.
    Twice,
    /// It comes when the request is answered, and once more.
    LateAndTwice,
}

const ALL: [Wrong; 9] = [
    Wrong::ClientGone,
    Wrong::ClientGoneUnanswered,
    Wrong::TimeOut,
    Wrong::Refused,
    Wrong::BrokenOff,
    Wrong::Garbage,
    Wrong::Late,
    Wrong::Twice,
    Wrong::LateAndTwice,
];

struct Case {
    site: Site,
    proxy: Proxy,
    begun: Begun,
    gone: bool,
}

impl Case {
    /// Whether it is still held: background reads go on after it was answered.
    fn waits(&self) -> bool {
        let Self {
            site,
            proxy,
            begun,
            gone,
        } = self;
        !gone && site.answered(proxy, *begun).is_none() && !site.went_on(proxy, *begun)
    }

    fn go_wrong(&mut self, wrong: Wrong, call: &Posted) {
        let Self { site, proxy, .. } = self;
        match wrong {
            Wrong::ClientGone => {
                self.gone = true;
                proxy.end(self.begun.context);
                site.deliver(proxy, call);
            }
            Wrong::ClientGoneUnanswered => {
                self.gone = true;
                let _ = site.answer_to(call);
                proxy.end(self.begun.context);
            }
            Wrong::TimeOut => {
                let _ = site.answer_to(call);
                site.advance(Duration::from_millis(500));
                proxy.answer(call, Some((504, b"upstream request timeout")));
            }
            Wrong::Refused => proxy.answer(call, Some((503, b"no healthy upstream"))),
            Wrong::BrokenOff => {
                let _ = site.answer_to(call);
                proxy.answer(call, None);
            }
            Wrong::Garbage => {
                let _ = site.answer_to(call);
                proxy.answer(call, Some((200, b"<html>")));
            }
            Wrong::Late | Wrong::LateAndTwice => {
                let answer = site.answer_to(call);
                site.advance(Duration::from_secs(3));
                proxy.tick();
                proxy.answer(call, Some((answer.0, &answer.1)));
                if wrong == Wrong::LateAndTwice {
                    proxy.answer(call, Some((answer.0, &answer.1)));
                }
            }
            Wrong::Twice => {
                let answer = site.answer_to(call);
                proxy.answer(call, Some((answer.0, &answer.1)));
                proxy.answer(call, Some((answer.0, &answer.1)));
            }
        }
    }

    /// Goes to its end; whether the call of that number was made.
    fn run(&mut self, wrong: Wrong, at: usize) -> bool {
        let mut count = 0;
        let mut done = false;
        for _ in 0..100 {
            for call in self.proxy.take_posted() {
                if count == at && self.waits() {
                    done = true;
                    self.go_wrong(wrong, &call);
                } else {
                    self.site.deliver(&self.proxy, &call);
                }
                count += 1;
            }
            self.site.advance(Duration::from_millis(50));
            self.proxy.tick();
        }
        done
    }
}

/// A request on a fresh proxy after `prepare`, with each thing going wrong at each of its calls.
fn each(
    name: &str,
    prepare: impl Fn(&Site, &Proxy) -> Request,
    after: impl Fn(&Case, Wrong, usize),
) {
    for wrong in ALL {
        let mut at = 0;
        loop {
            let site = Site::new();
            let proxy = site.ready();
            let request = prepare(&site, &proxy);
            let begun = site.begin(&proxy, &request);
            let mut case = Case {
                site,
                proxy,
                begun,
                gone: false,
            };
            let reached = case.run(wrong, at);
            let said = case.site.answered(&case.proxy, begun).is_some();
            let on = case.site.went_on(&case.proxy, begun);
            if case.gone {
                assert!(!said && !on, "{name} {wrong:?} {at}: nobody is there");
            } else {
                assert!(
                    said != on,
                    "{name} {wrong:?} {at}: said {said}, went on {on}"
                );
            }
            after(&case, wrong, at);
            if !reached {
                assert!(at >= 1, "{name}: it makes a call");
                break;
            }
            at += 1;
            assert!(at < 40, "{name}: calls without an end");
        }
    }
}

/// The next holder gets a lease in the end, its token is good, and no token of before is.
fn goes_on(case: &Case, wrong: Wrong, at: usize, older: &[String]) {
    let Case { site, proxy, .. } = case;
    site.pass(&[proxy], Duration::from_secs(15));
    let (status, body) = site.call(proxy, "acquire", json!({ "resource": JOB, "holder": "z" }));
    assert_eq!(status, 201, "{wrong:?} {at}: {body}");
    let token = body["token"].as_str().expect("a token");
    assert_eq!(site.write(proxy, token, "z"), 0, "{wrong:?} {at}");
    for older in older {
        assert_eq!(site.write(proxy, older, "a"), 412, "{wrong:?} {at}");
    }
}

#[test]
fn an_acquire_with_anything_wrong_at_any_call() {
    each(
        "acquire",
        |_, _| {
            Request::call(
                "acquire",
                &json!({ "resource": JOB, "holder": "a", "ttl_ms": 5000 }),
            )
        },
        |case, wrong, at| {
            let mut told = Vec::new();
            if let Some(answer) = case.site.answered(&case.proxy, case.begun) {
                let body: serde_json::Value = serde_json::from_slice(&answer.body).expect("JSON");
                assert!(
                    [201, 503].contains(&answer.status),
                    "{wrong:?} {at}: {body}"
                );
                told.extend(body["token"].as_str().map(str::to_owned));
            }
            goes_on(case, wrong, at, &told);
        },
    );
}

#[test]
fn a_renewal_with_anything_wrong_at_any_call() {
    let token = std::cell::RefCell::new(String::new());
    each(
        "renew",
        |site, proxy| {
            *token.borrow_mut() = site.acquire(proxy, "a");
            let body = json!({ "resource": JOB, "holder": "a", "token": *token.borrow(), "ttl_ms": 20_000 });
            Request::call("renew", &body)
        },
        |case, wrong, at| {
            // Perhaps it was renewed: nobody else is granted for as long.
            case.site.pass(&[&case.proxy], Duration::from_secs(10));
            goes_on(case, wrong, at, &[token.borrow().clone()]);
        },
    );
}

#[test]
fn a_release_and_a_break_with_anything_wrong_at_any_call() {
    for name in ["release", "break"] {
        let token = std::cell::RefCell::new(String::new());
        each(
            name,
            |site, proxy| {
                *token.borrow_mut() = site.acquire(proxy, "a");
                let body = match name {
                    "break" => json!({ "resource": JOB }),
                    _ => json!({ "resource": JOB, "holder": "a", "token": *token.borrow() }),
                };
                Request::call(name, &body)
            },
            |case, wrong, at| goes_on(case, wrong, at, &[token.borrow().clone()]),
        );
    }
}

/// The record is known, and not fresh any more: a background read, and perhaps a read.
#[test]
fn a_write_with_anything_wrong_at_any_call() {
    let token = std::cell::RefCell::new(String::new());
    each(
        "write",
        |site, proxy| {
            *token.borrow_mut() = site.acquire(proxy, "a");
            site.advance(Duration::from_secs(5));
            proxy.tick();
            site.serve(proxy);
            site.advance(Duration::from_millis(500));
            Request::put(PLACE, &token.borrow(), "a")
        },
        |case, wrong, at| {
            let on = case.site.went_on(&case.proxy, case.begun);
            let calm = matches!(wrong, Wrong::Twice) || case.gone;
            assert!(
                on || !calm || case.gone,
                "{wrong:?} {at}: it is the holder's"
            );
            goes_on(case, wrong, at, &[token.borrow().clone()]);
        },
    );
}
