//! One worker thread with the whole plugin in it, and requests that go through its callbacks.

use super::host::{Answered, FakeHost, Headers, Posted, Seen};
use super::world::{Dialect, World};
use fencegate::exchange::Action;
use fencegate::host::CallId;
use fencegate::plugin::Plugin;
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::Duration;

/// The context of the filter that is configured.
pub const ROOT: u32 = 1;

/// A worker thread.
pub struct Proxy {
    pub host: FakeHost,
    pub plugin: RefCell<Plugin>,
    last_context: Cell<u32>,
}

/// A request.
#[derive(Clone, Debug)]
pub struct Request {
    pub headers: Headers,
    pub body: Option<Vec<u8>>,
}

/// What became of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The origin got it.
    Forwarded,
    /// The filter answered it.
    Answered(Answered),
    /// Neither: it is held.
    Held,
}

/// What became of a request, and what was left behind.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub fate: Fate,
    /// The mark that the origin's answer tells.
    pub told: Option<String>,
    /// The decision for the access log.
    pub decision: Option<Value>,
    pub counted: BTreeMap<String, u64>,
    pub log: Vec<String>,
}

impl Request {
    pub fn new(method: &str, path: &str) -> Self {
        let request = Self {
            headers: Vec::new(),
            body: None,
        };
        request
            .header(":method", method)
            .header(":path", path)
            .header(":authority", "store.example")
            .header(":scheme", "http")
    }

    /// A write of a token.
    pub fn put(path: &str, token: &str, holder: &str) -> Self {
        Self::new("PUT", path)
            .header("fencing-token", token)
            .header("fencing-holder", holder)
    }

    /// A call of the lease API.
    pub fn call(name: &str, body: &Value) -> Self {
        let mut request = Self::new("POST", &format!("/fence/v1/{name}"));
        request.body = Some(body.to_string().into_bytes());
        request
    }

    #[must_use]
    pub fn header(self, name: &str, value: &str) -> Self {
        self.raw(name.as_bytes(), value.as_bytes())
    }

    #[must_use]
    pub fn raw(mut self, name: &[u8], value: &[u8]) -> Self {
        self.headers.push((name.to_vec(), value.to_vec()));
        self
    }

    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(other, _)| other != name.as_bytes());
        self
    }
}

impl Proxy {
    /// A worker of `world` with this configuration.
    ///
    /// # Errors
    /// It is refused; the log.
    pub fn configured(world: &World, config: &str) -> Result<Self, String> {
        let proxy = Self::unconfigured(world);
        if proxy.configure(ROOT, config) {
            Ok(proxy)
        } else {
            Err(proxy.host.seen.borrow().log.join("\n"))
        }
    }

    pub fn unconfigured(world: &World) -> Self {
        Self {
            host: FakeHost::new(world),
            plugin: RefCell::default(),
            last_context: Cell::new(100),
        }
    }

    /// Gives the filter `root` a configuration.
    pub fn configure(&self, root: u32, config: &str) -> bool {
        *self.host.configuration.borrow_mut() = config.as_bytes().to_vec();
        self.plugin.borrow_mut().on_configure(&self.host, root)
    }

    /// A worker of a new process, past the second in which no token is drawn yet.
    pub fn start(config: &Value) -> Self {
        let world = World::new(Dialect::Envoy);
        let proxy = Self::join(&world, config);
        world.advance(Duration::from_secs(1));
        proxy
    }

    /// One more worker of a process.
    pub fn join(world: &World, config: &Value) -> Self {
        Self::configured(world, &config.to_string()).unwrap_or_else(|log| panic!("{log}"))
    }

    pub fn world(&self) -> &World {
        &self.host.world
    }

    /// Begins a request under `root`, whose headers will be these; its context.
    pub fn begin(&self, root: u32, headers: &Headers) -> u32 {
        let context = self.last_context.get() + 1;
        self.last_context.set(context);
        *self.host.headers.borrow_mut() = headers.clone();
        *self.host.seen.borrow_mut() = Seen::default();
        self.plugin.borrow_mut().on_request(context, root);
        context
    }

    pub fn headers(&self, context: u32, last: bool) -> Action {
        self.host.current.set(context);
        let mut plugin = self.plugin.borrow_mut();
        plugin.on_request_headers(&self.host, context, last)
    }

    pub fn body(&self, context: u32, bytes: &[u8], last: bool) -> Action {
        self.host.current.set(context);
        *self.host.body.borrow_mut() = bytes.to_vec();
        let size = u32::try_from(bytes.len()).expect("a short body");
        let mut plugin = self.plugin.borrow_mut();
        plugin.on_request_body(&self.host, context, size, last)
    }

    pub fn trailers(&self, context: u32) -> Action {
        self.host.current.set(context);
        let mut plugin = self.plugin.borrow_mut();
        plugin.on_request_trailers(&self.host, context)
    }

    pub fn response_headers(&self, context: u32) {
        self.host.current.set(context);
        let plugin = self.plugin.borrow();
        plugin.on_response_headers(&self.host, context);
    }

    pub fn tick(&self) {
        self.tick_of(ROOT);
    }

    pub fn tick_of(&self, root: u32) {
        self.host.current.set(root);
        self.plugin.borrow_mut().on_tick(&self.host, root);
    }

    /// A request is over.
    pub fn end(&self, context: u32) {
        self.host.current.set(context);
        self.plugin.borrow_mut().on_delete(&self.host, context);
    }

    /// Delivers the answer to a call: `None`, it was broken off.
    pub fn answer(&self, call: &Posted, answer: Option<(u16, &[u8])>) {
        self.host.current.set(call.from);
        let (status, body) = answer.unwrap_or_default();
        let headers = vec![(b":status".to_vec(), status.to_string().into_bytes())];
        *self.host.answer.borrow_mut() = (headers, body.to_vec());
        let id = CallId(call.id);
        let mut plugin = self.plugin.borrow_mut();
        plugin.on_answer(&self.host, call.from, id, answer.is_some());
    }

    /// The calls that were sent and that nobody took yet.
    pub fn take_posted(&self) -> Vec<Posted> {
        core::mem::take(&mut *self.host.posted.borrow_mut())
    }

    pub fn replies(&self) -> Vec<Answered> {
        self.host.seen.borrow().replies.clone()
    }

    /// Sends a request as a proxy would, to its end.
    ///
    /// # Panics
    /// It is answered twice, or answered and forwarded.
    pub fn send(&self, request: &Request) -> Outcome {
        self.send_to(ROOT, request)
    }

    pub fn send_to(&self, root: u32, request: &Request) -> Outcome {
        let before = self.host.counters();
        let context = self.begin(root, &request.headers);
        let mut action = self.headers(context, request.body.is_none());
        if let Some(body) = &request.body
            && self.replies().is_empty()
        {
            action = self.body(context, body, true);
        }
        if action == Action::Continue {
            self.response_headers(context);
        }
        self.end(context);
        let seen = self.host.seen.borrow().clone();
        let fate = match (action, seen.replies.as_slice()) {
            (Action::Continue, []) => Fate::Forwarded,
            (Action::Pause, []) => Fate::Held,
            (Action::Pause, [reply]) => Fate::Answered(reply.clone()),
            both => panic!("decided more than once: {both:?}"),
        };
        Outcome {
            fate,
            told: one(seen.response_headers, "fencing-token-mark"),
            decision: one(seen.properties, "fence")
                .map(|text| serde_json::from_slice(&text).expect("the decision is JSON")),
            counted: difference(&before, self.host.counters()),
            log: seen.log,
        }
    }

    /// A call of the lease API that is expected to give this status; its body.
    pub fn call(&self, name: &str, body: &Value, status: u16) -> Value {
        let outcome = self.send(&Request::call(name, body));
        assert_eq!(outcome.status(), status, "{name} {body}: {outcome:?}");
        outcome.json()
    }

    /// A grant's token.
    pub fn acquire(&self, resource: &str, holder: &str) -> String {
        let body = serde_json::json!({ "resource": resource, "holder": holder });
        let grant = self.call("acquire", &body, 201);
        grant["token"].as_str().expect("a token").to_owned()
    }
}

impl Outcome {
    pub fn is_forwarded(&self) -> bool {
        self.fate == Fate::Forwarded
    }

    /// The answer, if the filter gave one.
    pub fn answer(&self) -> Option<&Answered> {
        match &self.fate {
            Fate::Answered(answer) => Some(answer),
            Fate::Forwarded | Fate::Held => None,
        }
    }

    /// The answer's status; 0 where the filter gave none.
    pub fn status(&self) -> u16 {
        self.answer().map_or(0, |answer| answer.status)
    }

    /// The answer's body.
    pub fn json(&self) -> Value {
        let answer = self.answer().unwrap_or_else(|| panic!("{self:?}"));
        serde_json::from_slice(&answer.body).unwrap_or_else(|why| panic!("{why}: {self:?}"))
    }

    pub fn reason(&self) -> String {
        let json = self.json();
        json["reason"].as_str().unwrap_or_default().to_owned()
    }

    pub fn header(&self, name: &str) -> Option<String> {
        one(self.answer()?.headers.clone(), name)
    }
}

/// The value of a name that is there at most once.
fn one<V>(pairs: Vec<(String, V)>, name: &str) -> Option<V> {
    let mut found = pairs.into_iter().filter(|(other, _)| other == name);
    let first = found.next();
    assert!(found.next().is_none(), "{name} is there twice");
    first.map(|(_, value)| value)
}

fn difference(
    before: &BTreeMap<String, u64>,
    after: BTreeMap<String, u64>,
) -> BTreeMap<String, u64> {
    let since = |(name, count): (String, u64)| {
        let more = count - before.get(&name).copied().unwrap_or(0);
        (more > 0).then_some((name, more))
    };
    after.into_iter().filter_map(since).collect()
}
