//! Every host call of every kind of request fails in turn, in every way: nothing panics, a
//! guarded write is forwarded only if it would have been, there is one answer, and afterwards
//! the laws still hold.

use crate::outcomes::{JOB, PLACE, release, write};
use crate::support::client::{Fate, Outcome, Proxy, ROOT, Request};
use crate::support::host::{Call, Fault};
use crate::support::settings::{external, ours, rule, with};
use crate::support::world::{Dialect, World};
use serde_json::{Value, json};
use std::time::Duration;

/// A proxy before a request; the same one each time.
struct Scene {
    proxy: Proxy,
    request: Request,
    /// A write that must never be forwarded afterwards.
    stale: Request,
}

/// Something to be done to a scene's proxy, by the tokens of an ended and of a live grant.
type Asked = fn(&str, &str) -> Request;

fn own(call: &str, token: &str) -> Request {
    Request::call(
        call,
        &json!({ "resource": JOB, "holder": "b", "token": token }),
    )
}

const OURS: [(&str, Asked); 16] = [
    ("an admitted write", |_, live| {
        Request::put(PLACE, live, "b")
    }),
    ("a stale write", |old, _| Request::put(PLACE, old, "a")),
    ("another's write", |_, live| Request::put(PLACE, live, "c")),
    ("a write without a token", |_, _| Request::new("PUT", PLACE)),
    ("a write nowhere granted", |_, live| {
        Request::put("/jobs/2/x", live, "b")
    }),
    ("a read", |_, _| Request::new("GET", PLACE)),
    ("an unmatched write", |_, _| {
        Request::new("PUT", "/elsewhere")
    }),
    ("a new grant", |_, _| {
        Request::call("acquire", &json!({ "resource": "job:2", "holder": "b" }))
    }),
    ("a held lease", |_, _| {
        Request::call("acquire", &json!({ "resource": JOB, "holder": "c" }))
    }),
    ("a renewal", |_, live| own("renew", live)),
    ("a release", |_, live| own("release", live)),
    ("a claim", |_, live| own("claim", live)),
    ("a break", |_, _| {
        Request::call("break", &json!({ "resource": JOB }))
    }),
    ("one lease", |_, _| {
        Request::new("GET", "/fence/v1/leases/job:1")
    }),
    ("all leases", |_, _| Request::new("GET", "/fence/v1/leases")),
    ("ready", |_, _| Request::new("GET", "/fence/v1/ready")),
];

const EXTERNAL: [(&str, Asked); 5] = [
    ("a raise", |_, _| Request::put(PLACE, "9", "b")),
    ("an equal token", |_, _| Request::put(PLACE, "7", "b")),
    ("a lower token", |_, _| Request::put(PLACE, "6", "a")),
    ("a first token", |_, _| Request::put("/jobs/2/x", "1", "a")),
    ("a raising claim", |_, _| own("claim", "8")),
];

fn ours_scene(asked: Asked, config: &Value) -> Scene {
    let proxy = Proxy::start(config);
    let old = proxy.acquire(JOB, "a");
    release(&proxy, "a", &old);
    let live = proxy.acquire(JOB, "b");
    Scene {
        request: asked(&old, &live),
        stale: Request::put(PLACE, &old, "a"),
        proxy,
    }
}

fn external_scene(asked: Asked) -> Scene {
    let proxy = Proxy::start(&external());
    assert!(write(&proxy, "7", "b").is_forwarded());
    Scene {
        request: asked("", ""),
        stale: Request::put(PLACE, "6", "a"),
        proxy,
    }
}

/// The same as a worker that has not judged yet meets it, under the next generation.
fn newer_scene(asked: Asked) -> Scene {
    let scene = ours_scene(asked, &ours());
    let newer = with(ours(), "/generation", json!(2));
    Scene {
        proxy: Proxy::join(scene.proxy.world(), &newer),
        ..scene
    }
}

/// Ways to fail; what a flipped bit of a header makes of a request cannot be noticed by anybody.
fn faults(name: &str) -> Vec<Fault> {
    let mut faults = vec![Fault::Fail];
    match name {
        "set_shared" => faults.extend([Fault::DoneAndFail, Fault::Mismatch]),
        "shared" => faults.push(Fault::Lose),
        _ => {}
    }
    if ["shared", "request_headers", "request_body", "configuration"].contains(&name) {
        faults.extend([0, 1, 8, 20, 27, 60, usize::MAX].map(Fault::Truncate));
    }
    if ["shared", "request_body"].contains(&name) {
        faults.extend((0..40).map(|place| Fault::Flip(place * 37)));
    }
    faults
}

/// That a request had one fate, the same as or more careful than without the fault.
fn careful(what: &str, sound: &Outcome, faulty: &Outcome, reply_failed: bool) {
    match &faulty.fate {
        Fate::Forwarded => {
            assert!(
                sound.is_forwarded(),
                "{what}: {faulty:?} instead of {sound:?}"
            );
        }
        Fate::Answered(_) => {
            assert!(
                !faulty.counted.contains_key("fencegate_admitted_total"),
                "{what}"
            );
        }
        Fate::Held => assert!(reply_failed, "{what}: neither answered nor forwarded"),
    }
}

/// Runs the scene with each fault at each call, and each call failing from some call on.
fn every_fault(name: &str, scene: &dyn Fn() -> Scene) {
    let names = calls_of(&scene());
    let sound = {
        let Scene { proxy, request, .. } = scene();
        proxy.send(&request)
    };
    for (at, call) in names.iter().enumerate() {
        let once = faults(call).into_iter().map(|fault| (fault, at));
        for (fault, last) in once.chain([(Fault::Fail, usize::MAX)]) {
            let what = format!("{name}, call {at} ({call}) to {last}: {fault:?}");
            let Scene {
                proxy,
                request,
                stale,
            } = scene();
            proxy
                .host
                .hook(move |call: &Call<'_>| (at..=last).contains(&call.index).then_some(fault));
            let outcome = proxy.send(&request);
            proxy.host.unhook();
            let reply_failed = *call == "reply" || last > at;
            careful(&what, &sound, &outcome, reply_failed);
            let after = proxy.send(&stale);
            assert!(!after.is_forwarded(), "{what}: then a stale write passed");
            assert_ne!(after.fate, Fate::Held, "{what}");
        }
    }
}

/// The calls that the scene's request makes.
fn calls_of(scene: &Scene) -> Vec<&'static str> {
    let names = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let seen = std::rc::Rc::clone(&names);
    scene.proxy.host.hook(move |call| {
        seen.borrow_mut().push(call.name);
        None
    });
    scene.proxy.send(&scene.request);
    scene.proxy.host.unhook();
    names.take()
}

#[test]
fn any_call_may_fail_under_our_own_tokens() {
    for (name, asked) in OURS {
        every_fault(name, &|| ours_scene(asked, &ours()));
    }
}

#[test]
fn any_call_may_fail_where_reads_are_fenced_and_leases_strict() {
    let strict = json!({ "reads": "fence", "after_expiry": "refuse" });
    let strict = with(
        ours(),
        "/rules/0",
        rule("/jobs/{job}/{*rest}", "job:{job}", strict),
    );
    for (name, asked) in &OURS[..7] {
        every_fault(name, &|| ours_scene(*asked, &strict));
    }
}

#[test]
fn any_call_may_fail_under_external_tokens() {
    for (name, asked) in EXTERNAL {
        every_fault(name, &|| external_scene(asked));
    }
}

#[test]
fn any_call_may_fail_while_a_new_generation_is_put_in_force() {
    for (name, asked) in OURS {
        every_fault(name, &|| newer_scene(asked));
    }
}

#[test]
fn any_call_may_fail_while_a_filter_is_configured() {
    let text = ours().to_string();
    let configure = |hook: Option<(usize, Fault)>| {
        let proxy = Proxy::unconfigured(&World::new(Dialect::NgxWasm));
        let names = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
        let seen = std::rc::Rc::clone(&names);
        proxy.host.hook(move |call| {
            seen.borrow_mut().push(call.name);
            hook.filter(|(at, _)| *at == call.index)
                .map(|(_, fault)| fault)
        });
        let done = proxy.configure(ROOT, &text);
        proxy.host.unhook();
        (proxy, done, names.take())
    };
    let (_, done, names) = configure(None);
    assert!(done);
    for (at, name) in names.into_iter().enumerate() {
        for fault in faults(name) {
            let (proxy, done, _) = configure(Some((at, fault)));
            let what = format!("call {at} ({name}): {fault:?}");
            let outcome = write(&proxy, "1", "a");
            assert_eq!(outcome.status(), if done { 412 } else { 503 }, "{what}");
            assert!(proxy.configure(ROOT, &text), "{what}: once more");
            proxy.world().advance(Duration::from_secs(1));
            let token = proxy.acquire(JOB, "a");
            assert!(write(&proxy, &token, "a").is_forwarded(), "{what}");
        }
    }
}
