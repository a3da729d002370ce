//! Proxies around one etcd: calls are answered when the test says so, and time passes for all.

use crate::store::Store;
use crate::support::client::{Proxy, ROOT, Request};
use crate::support::host::{Answered, Posted};
use crate::support::settings::etcd;
use crate::support::world::{Dialect, World};
use fencegate::exchange::Action;
use fencegate_core::quorum::Init;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

pub const JOB: &str = "job:1";
pub const PLACE: &str = "/jobs/1/x";
/// The window.
pub const WINDOW: Duration = Duration::from_millis(250);

/// Proxies around one etcd; a clone is another handle on the same.
#[derive(Clone)]
pub struct Site {
    pub store: Rc<RefCell<Store>>,
    worlds: Rc<RefCell<Vec<World>>>,
}

/// A request that was begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begun {
    pub context: u32,
    pub action: Action,
}

/// The value of init at the start.
pub const fn init() -> Init {
    Init {
        cluster: 77,
        epoch: 1,
        generation: 0,
        mapping: 0,
        trust: WINDOW,
        wait: WINDOW,
    }
}

impl Site {
    /// An etcd that was initialised.
    pub fn new() -> Self {
        let site = Self::bare();
        site.put_init(&init());
        site
    }

    /// One that was not.
    pub fn bare() -> Self {
        Self {
            store: Rc::new(RefCell::new(Store::new())),
            worlds: Rc::default(),
        }
    }

    pub fn put_init(&self, init: &Init) {
        self.store.borrow_mut().put("/fg/init", &init.encode());
    }

    /// The value of init as it is there.
    pub fn init_there(&self) -> Init {
        let store = self.store.borrow();
        let entry = store.get("/fg/init").expect("an init");
        Init::decode(&entry.value).expect("a sound init")
    }

    /// Another proxy with one worker.
    pub fn proxy(&self, config: &Value) -> Proxy {
        let seed = u64::try_from(self.worlds.borrow().len()).expect("few proxies");
        let world = World::new(Dialect::Envoy).seeded(100 + seed);
        self.worlds.borrow_mut().push(world.clone());
        Proxy::join(&world, config)
    }

    /// A proxy with the usual configuration that has made its first contact.
    pub fn ready(&self) -> Proxy {
        let proxy = self.proxy(&etcd());
        self.tick(&proxy);
        assert_eq!(
            self.send(&proxy, &Request::new("GET", "/fence/v1/ready")).0,
            200
        );
        proxy
    }

    /// Time passes for the proxy of that number no more.
    pub fn stop_clocks_of(&self, proxy: usize) {
        self.worlds.borrow_mut().remove(proxy);
    }

    /// Time passes everywhere.
    pub fn advance(&self, span: Duration) {
        self.store.borrow_mut().now += span;
        for world in self.worlds.borrow().iter() {
            world.advance(span);
        }
    }

    /// A tick, with all that follows.
    pub fn tick(&self, proxy: &Proxy) {
        proxy.tick();
        self.serve(proxy);
    }

    /// Lets time pass in ticks, with all that follows.
    pub fn pass(&self, proxies: &[&Proxy], span: Duration) {
        let short = span < Duration::from_secs(5);
        let step = Duration::from_millis(if short { 10 } else { 100 });
        let mut left = span;
        while !left.is_zero() {
            let now = step.min(left);
            self.advance(now);
            left -= now;
            for proxy in proxies {
                self.tick(proxy);
            }
        }
    }

    /// What etcd answers to a call.
    pub fn answer_to(&self, call: &Posted) -> (u16, Vec<u8>) {
        assert!(call.from < 100, "calls are the filter's own: {}", call.from);
        let header = |wanted: &str| {
            let mut found = call.headers.iter().filter(|(name, _)| name == wanted);
            found.next().map(|(_, value)| value.as_str())
        };
        assert_eq!(header("grpc-metadata-hasleader"), Some("true"));
        let path = header(":path").expect("a path");
        let mut store = self.store.borrow_mut();
        let (status, body) = store.answer(path, header("authorization"), &call.body);
        (status, body.to_string().into_bytes())
    }

    /// Answers one call.
    pub fn deliver(&self, proxy: &Proxy, call: &Posted) {
        let (status, body) = self.answer_to(call);
        proxy.answer(call, Some((status, &body)));
    }

    /// Answers calls until there are none; how many there were.
    pub fn serve(&self, proxy: &Proxy) -> usize {
        let mut served = 0;
        loop {
            let calls = proxy.take_posted();
            if calls.is_empty() {
                return served;
            }
            for call in calls {
                served += 1;
                assert!(served < 10_000, "calls without an end");
                self.deliver(proxy, &call);
            }
        }
    }

    /// Begins a request, up to the end of its body.
    pub fn begin(&self, proxy: &Proxy, request: &Request) -> Begun {
        let context = proxy.begin(ROOT, &request.headers);
        let mut action = proxy.headers(context, request.body.is_none());
        if let Some(body) = &request.body {
            action = proxy.body(context, body, true);
        }
        Begun { context, action }
    }

    /// What a request was answered; `None`: nothing.
    pub fn answered(&self, proxy: &Proxy, begun: Begun) -> Option<Answered> {
        let answered = proxy.host.answered.borrow();
        let mut own = answered
            .iter()
            .filter(|(context, _)| *context == begun.context);
        let first = own.next().map(|(_, answer)| answer.clone());
        assert!(own.next().is_none(), "answered twice");
        first
    }

    /// Whether a request went on, at once or later.
    pub fn went_on(&self, proxy: &Proxy, begun: Begun) -> bool {
        let resumed = proxy.host.resumed.borrow();
        let times = resumed
            .iter()
            .filter(|context| **context == begun.context)
            .count();
        let at_once = usize::from(begun.action == Action::Continue);
        assert!(times + at_once <= 1, "it went on twice");
        times + at_once == 1
    }

    /// Status and body of what a request came to; 0 where it went on.
    pub fn fate(&self, proxy: &Proxy, begun: Begun) -> (u16, Value) {
        match (self.went_on(proxy, begun), self.answered(proxy, begun)) {
            (true, None) => (0, Value::Null),
            (false, Some(answer)) => {
                let body = serde_json::from_slice(&answer.body);
                (answer.status, body.expect("JSON"))
            }
            (false, None) => panic!("it is held"),
            (true, Some(answer)) => panic!("it went on and was answered: {answer:?}"),
        }
    }

    /// Sends a request to its end, with all that is called for it and the time that it takes.
    pub fn send(&self, proxy: &Proxy, request: &Request) -> (u16, Value) {
        let begun = self.begin(proxy, request);
        self.serve(proxy);
        for _ in 0..500 {
            if self.went_on(proxy, begun) || self.answered(proxy, begun).is_some() {
                break;
            }
            self.pass(&[proxy], Duration::from_millis(10));
        }
        let fate = self.fate(proxy, begun);
        proxy.end(begun.context);
        fate
    }

    pub fn call(&self, proxy: &Proxy, name: &str, body: Value) -> (u16, Value) {
        self.send(proxy, &Request::call(name, &body))
    }

    /// A grant's token.
    pub fn acquire(&self, proxy: &Proxy, holder: &str) -> String {
        let (status, body) = self.call(
            proxy,
            "acquire",
            json!({ "resource": JOB, "holder": holder }),
        );
        assert_eq!(status, 201, "{body}");
        body["token"].as_str().expect("a token").to_owned()
    }

    /// What a write comes to: 0 where it went on.
    pub fn write(&self, proxy: &Proxy, token: &str, holder: &str) -> u16 {
        self.send(proxy, &Request::put(PLACE, token, holder)).0
    }
}
