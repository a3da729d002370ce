//! One worker thread's host: a [`World`], one request at a time, and a hook on every call.
//!
//! The hook sees each call before it is done. It may run another worker's operation in between,
//! wait for its turn, or have the call fail in one of the ways of [`Fault`].

use super::world::{FAILED, World};
use fencegate::host::{
    CallId, Cas, CounterId, HistogramId, Host, HostError, Level, NotSet, Post, Reply, pairs,
};
use fencegate_core::moment::{Moment, nanos};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::Duration;

/// A call that is about to be done.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// How many calls came before it.
    pub index: usize,
    /// The method of [`Host`].
    pub name: &'static str,
    /// The key, name or path that it is about.
    pub key: &'a [u8],
}

impl Call<'_> {
    /// Whether other workers can see it or be seen by it.
    pub fn is_shared(&self) -> bool {
        matches!(self.name, "shared" | "set_shared")
    }
}

/// How a call goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It fails.
    Fail,
    /// A value is set, but the host says that it was not.
    DoneAndFail,
    /// A value that is there is not replaced, as if its version were another one by now.
    Mismatch,
    /// There is no such value.
    Lose,
    /// Only so many bytes come back.
    Truncate(usize),
    /// One bit of what comes back is wrong; counted around its end.
    Flip(usize),
}

/// Called before each call.
pub type Hook = Box<dyn FnMut(&Call<'_>) -> Option<Fault>>;

/// An answer that the filter gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    pub grpc_status: Option<u8>,
}

/// What the filter did.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    pub replies: Vec<Answered>,
    pub response_headers: Vec<(String, String)>,
    pub properties: Vec<(String, Vec<u8>)>,
    pub log: Vec<String>,
    pub tick: Option<Duration>,
    pub entered: Option<u32>,
}

/// A call that the filter sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posted {
    pub id: u32,
    /// The context that it was sent from, and that its answer goes to.
    pub from: u32,
    pub cluster: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    pub timeout: Duration,
}

/// Header pairs.
pub type Headers = Vec<(Vec<u8>, Vec<u8>)>;

/// The host of one worker thread.
pub struct FakeHost {
    pub world: World,
    pub headers: RefCell<Headers>,
    pub body: RefCell<Vec<u8>>,
    pub configuration: RefCell<Vec<u8>>,
    pub properties: RefCell<BTreeMap<String, Vec<u8>>>,
    pub seen: RefCell<Seen>,
    /// The calls that were sent, first one first, until somebody takes them.
    pub posted: RefCell<Vec<Posted>>,
    /// The context that calls refer to.
    pub current: Cell<u32>,
    /// The requests that were held and may go on.
    pub resumed: RefCell<Vec<u32>>,
    /// All answers that the filter gave, with the requests that they are for.
    pub answered: RefCell<Vec<(u32, Answered)>>,
    /// The answer that is being delivered: headers and body.
    pub answer: RefCell<(Headers, Vec<u8>)>,
    /// What the host says to a call instead of sending it.
    pub refuses_calls: Cell<Option<u32>>,
    /// What was recorded, by histogram.
    pub recorded: RefCell<Vec<(String, u64)>>,
    histograms: RefCell<Vec<String>>,
    last_call: Cell<u32>,
    counters: RefCell<Vec<(String, u64)>>,
    hook: RefCell<Option<Hook>>,
    calls: Cell<usize>,
}

impl FakeHost {
    pub fn new(world: &World) -> Self {
        Self {
            world: world.clone(),
            headers: RefCell::default(),
            body: RefCell::default(),
            configuration: RefCell::default(),
            properties: RefCell::default(),
            seen: RefCell::default(),
            posted: RefCell::default(),
            current: Cell::default(),
            resumed: RefCell::default(),
            answered: RefCell::default(),
            answer: RefCell::default(),
            refuses_calls: Cell::default(),
            recorded: RefCell::default(),
            histograms: RefCell::default(),
            last_call: Cell::default(),
            counters: RefCell::default(),
            hook: RefCell::default(),
            calls: Cell::new(0),
        }
    }

    /// Counts calls from here on, each seen by `hook` first.
    pub fn hook(&self, hook: impl FnMut(&Call<'_>) -> Option<Fault> + 'static) {
        self.calls.set(0);
        *self.hook.borrow_mut() = Some(Box::new(hook));
    }

    pub fn unhook(&self) {
        *self.hook.borrow_mut() = None;
    }

    /// How many calls came since the last hook.
    pub fn calls(&self) -> usize {
        self.calls.get()
    }

    /// All counters that are not 0.
    pub fn counters(&self) -> BTreeMap<String, u64> {
        let counters = self.counters.borrow();
        counters
            .iter()
            .filter(|(_, count)| *count > 0)
            .cloned()
            .collect()
    }

    /// Whether a counter is defined, with any count.
    pub fn has_counter(&self, name: &str) -> bool {
        self.counters
            .borrow()
            .iter()
            .any(|(other, _)| other == name)
    }

    fn fault(&self, name: &'static str, key: &[u8]) -> Option<Fault> {
        let index = self.calls.get();
        self.calls.set(index + 1);
        // Taken out meanwhile, so that the hook may use this host without meeting itself.
        let mut hook = self.hook.borrow_mut().take()?;
        let fault = hook(&Call { index, name, key });
        let mut slot = self.hook.borrow_mut();
        if slot.is_none() {
            *slot = Some(hook);
        }
        fault
    }

    fn done(&self, name: &'static str, key: &[u8]) -> Result<(), HostError> {
        match self.fault(name, key) {
            None => Ok(()),
            Some(_) => Err(FAILED),
        }
    }

    /// Hands bytes over, in whatever state.
    fn deliver(fault: Option<Fault>, bytes: &[u8], into: &mut Vec<u8>) -> Result<(), HostError> {
        into.clear();
        into.extend_from_slice(bytes);
        match fault {
            None => Ok(()),
            Some(Fault::Truncate(len)) => {
                into.truncate(len.min(bytes.len().saturating_sub(1)));
                Ok(())
            }
            Some(Fault::Flip(bit)) => {
                let bits = into.len() * 8;
                if bits > 0 {
                    into[bit % bits / 8] ^= 1 << (bit % 8);
                }
                Ok(())
            }
            Some(_) => Err(FAILED),
        }
    }
}

impl Host for FakeHost {
    fn now(&self) -> Result<Moment, HostError> {
        self.done("now", b"")?;
        Ok(Moment::from_nanos(nanos(self.world.monotonic())))
    }

    fn wall(&self) -> Result<Duration, HostError> {
        self.done("wall", b"")?;
        Ok(self.world.wall())
    }

    fn random(&self) -> Result<u64, HostError> {
        self.done("random", b"")?;
        Ok(self.world.random())
    }

    fn shared(&self, key: &[u8], into: &mut Vec<u8>) -> Result<Option<Cas>, HostError> {
        match (self.fault("shared", key), self.world.read(key)) {
            (Some(Fault::Lose), _) | (None, None) => Ok(None),
            (fault, found) => {
                let (value, cas) = found.ok_or(FAILED)?;
                Self::deliver(fault, &value, into)?;
                Ok(Some(cas))
            }
        }
    }

    fn set_shared(&self, key: &[u8], value: &[u8], cas: u32) -> Result<(), NotSet> {
        match self.fault("set_shared", key) {
            None => self.world.swap(key, value, cas),
            Some(Fault::Mismatch) if self.world.read(key).is_some() => Err(NotSet::Mismatch),
            Some(Fault::Mismatch) => self.world.swap(key, value, cas),
            Some(Fault::DoneAndFail) => {
                self.world.swap(key, value, cas)?;
                Err(NotSet::Failed(FAILED))
            }
            Some(_) => Err(NotSet::Failed(FAILED)),
        }
    }

    fn request_headers(&self, into: &mut Vec<u8>) -> Result<(), HostError> {
        let fault = self.fault("request_headers", b"");
        let mut block = Vec::new();
        let headers = self.headers.borrow();
        pairs::write(headers.iter().map(|(n, v)| (&n[..], &v[..])), &mut block);
        Self::deliver(fault, &block, into)
    }

    fn request_body(&self, len_max: u32, into: &mut Vec<u8>) -> Result<(), HostError> {
        let fault = self.fault("request_body", b"");
        let body = self.body.borrow();
        let len = body
            .len()
            .min(usize::try_from(len_max).expect("32 bits fit"));
        Self::deliver(fault, &body[..len], into)
    }

    fn configuration(&self, into: &mut Vec<u8>) -> Result<(), HostError> {
        let fault = self.fault("configuration", b"");
        Self::deliver(fault, &self.configuration.borrow(), into)
    }

    fn property(&self, path: &str, into: &mut Vec<u8>) -> Result<Option<()>, HostError> {
        let fault = self.fault("property", path.as_bytes());
        match self.properties.borrow().get(path) {
            Some(value) if fault != Some(Fault::Lose) => {
                Self::deliver(fault, value, into).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn set_property(&self, name: &str, value: &[u8]) {
        if self.done("set_property", name.as_bytes()).is_ok() {
            let property = (name.to_owned(), value.to_vec());
            self.seen.borrow_mut().properties.push(property);
        }
    }

    fn set_response_header(&self, name: &str, value: &str) {
        if self.done("set_response_header", name.as_bytes()).is_ok() {
            let header = (name.to_owned(), value.to_owned());
            self.seen.borrow_mut().response_headers.push(header);
        }
    }

    fn reply(&self, reply: &Reply<'_>) -> Result<(), HostError> {
        self.done("reply", b"")?;
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let answered = Answered {
            status: reply.status,
            headers: reply.headers.iter().map(owned).collect(),
            body: reply.body.to_vec(),
            grpc_status: reply.grpc_status,
        };
        let context = self.current.get();
        self.answered.borrow_mut().push((context, answered.clone()));
        self.seen.borrow_mut().replies.push(answered);
        Ok(())
    }

    fn resume(&self) -> Result<(), HostError> {
        self.done("resume", b"")?;
        self.resumed.borrow_mut().push(self.current.get());
        Ok(())
    }

    fn post(&self, post: &Post<'_>) -> Result<CallId, HostError> {
        self.done("post", post.cluster.as_bytes())?;
        if let Some(status) = self.refuses_calls.get() {
            return Err(HostError(status));
        }
        let id = self.last_call.get() + 1;
        self.last_call.set(id);
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        self.posted.borrow_mut().push(Posted {
            id,
            from: self.current.get(),
            cluster: post.cluster.to_owned(),
            headers: post.headers.iter().map(owned).collect(),
            body: post.body.to_vec(),
            timeout: post.timeout,
        });
        Ok(CallId(id))
    }

    fn answer_headers(&self, into: &mut Vec<u8>) -> Result<(), HostError> {
        let fault = self.fault("answer_headers", b"");
        let mut block = Vec::new();
        let answer = self.answer.borrow();
        pairs::write(answer.0.iter().map(|(n, v)| (&n[..], &v[..])), &mut block);
        Self::deliver(fault, &block, into)
    }

    fn answer_body(&self, len_max: u32, into: &mut Vec<u8>) -> Result<(), HostError> {
        let fault = self.fault("answer_body", b"");
        let answer = self.answer.borrow();
        let len = usize::try_from(len_max).expect("32 bits fit");
        Self::deliver(fault, &answer.1[..answer.1.len().min(len)], into)
    }

    fn histogram(&self, name: &str) -> Result<HistogramId, HostError> {
        self.done("histogram", name.as_bytes())?;
        let mut histograms = self.histograms.borrow_mut();
        histograms.push(name.to_owned());
        Ok(HistogramId(
            u32::try_from(histograms.len() - 1).expect("few histograms"),
        ))
    }

    fn record(&self, histogram: HistogramId, value: u64) {
        if self.done("record", b"").is_ok() {
            let at = usize::try_from(histogram.0).expect("32 bits fit");
            let name = self.histograms.borrow()[at].clone();
            self.recorded.borrow_mut().push((name, value));
        }
    }

    fn counter(&self, name: &str) -> Result<CounterId, HostError> {
        self.done("counter", name.as_bytes())?;
        let mut counters = self.counters.borrow_mut();
        let at = counters.iter().position(|(other, _)| other == name);
        let at = at.unwrap_or_else(|| {
            counters.push((name.to_owned(), 0));
            counters.len() - 1
        });
        Ok(CounterId(u32::try_from(at).expect("few counters")))
    }

    fn count(&self, counter: CounterId) {
        if self.done("count", b"").is_ok() {
            let at = usize::try_from(counter.0).expect("32 bits fit");
            self.counters.borrow_mut()[at].1 += 1;
        }
    }

    fn log(&self, _: Level, text: &str) {
        if self.done("log", b"").is_ok() {
            self.seen.borrow_mut().log.push(text.to_owned());
        }
    }

    fn tick_every(&self, period: Duration) {
        if self.done("tick_every", b"").is_ok() {
            self.seen.borrow_mut().tick = Some(period);
        }
    }

    fn enter_context(&self, context: u32) -> Result<(), HostError> {
        self.done("enter_context", b"")?;
        self.current.set(context);
        self.seen.borrow_mut().entered = Some(context);
        Ok(())
    }
}
