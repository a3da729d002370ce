//! What the filter needs of the proxy that it runs in: only the calls that are used.
//!
//! Everything else in this crate sees `&dyn Host` and plain data. Calls that return data fill a
//! buffer of the caller's, which is kept from request to request: nothing is allocated anew.

#[cfg(target_arch = "wasm32")]
mod abi;
#[cfg(target_arch = "wasm32")]
mod envoy;
pub mod pairs;
pub mod shared;

use core::time::Duration;
use fencegate_core::moment::Moment;

/// A call that the host did not do, with its status where it gave one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostError(pub u32);

/// The version of a shared value: what a compare-and-swap compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cas(pub u32);

/// Why a shared value was not set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotSet {
    /// Another version is there, or none.
    Mismatch,
    /// Anything else.
    Failed(HostError),
}

/// How loud a log line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Something an operator may want to know.
    Info = 2,
    /// Something an operator should look at.
    Warn = 3,
    /// Something does not work.
    Error = 4,
}

/// A counter as the host knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CounterId(pub u32);

/// A histogram as the host knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HistogramId(pub u32);

/// The number of a call that was sent; its answer says the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallId(pub u32);

/// A POST to another server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Post<'a> {
    /// The proxy's name for the servers that may take it.
    pub cluster: &'a str,
    /// Its headers, those that say where to included.
    pub headers: &'a [(&'a str, &'a str)],
    /// Its body.
    pub body: &'a [u8],
    /// How long its answer may take.
    pub timeout: Duration,
}

/// An answer that the filter gives by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply<'a> {
    /// The HTTP status.
    pub status: u16,
    /// Header names and values; they hold no control characters.
    pub headers: &'a [(&'a str, &'a str)],
    /// The body.
    pub body: &'a [u8],
    /// The gRPC status, for a gRPC caller only.
    pub grpc_status: Option<u8>,
}

/// The proxy. Methods take `&self`: the proxy is shared, its state is its own affair.
pub trait Host {
    /// The monotonic clock; the same for all worker threads of a process.
    ///
    /// # Errors
    /// The host has none.
    fn now(&self) -> Result<Moment, HostError>;

    /// Time since 1970 by the wall clock.
    ///
    /// # Errors
    /// The host has none.
    fn wall(&self) -> Result<Duration, HostError>;

    /// A random number that an outsider cannot guess.
    ///
    /// # Errors
    /// The host has none.
    fn random(&self) -> Result<u64, HostError>;

    /// Reads a shared value into `into`; `None` where there is none.
    ///
    /// # Errors
    /// The host did not answer; `into` is then of no meaning.
    fn shared(&self, key: &[u8], into: &mut Vec<u8>) -> Result<Option<Cas>, HostError>;

    /// Sets a shared value if its version is `cas`. What a host makes of 0, of a missing key and
    /// of [`u32::MAX`] differs: use [`shared`] instead of this.
    ///
    /// # Errors
    /// It was not set.
    fn set_shared(&self, key: &[u8], value: &[u8], cas: u32) -> Result<(), NotSet>;

    /// Reads all request headers, in the form that [`pairs`] reads.
    ///
    /// # Errors
    /// The host did not answer.
    fn request_headers(&self, into: &mut Vec<u8>) -> Result<(), HostError>;

    /// Reads at most `len_max` bytes of the buffered request body.
    ///
    /// # Errors
    /// The host did not answer.
    fn request_body(&self, len_max: u32, into: &mut Vec<u8>) -> Result<(), HostError>;

    /// Reads the plugin's configuration.
    ///
    /// # Errors
    /// The host did not answer.
    fn configuration(&self, into: &mut Vec<u8>) -> Result<(), HostError>;

    /// Reads a property, its path separated by zero bytes, like
    /// `"connection\0uri_san_peer_certificate"`; `None` where there is none.
    ///
    /// # Errors
    /// The host did not answer.
    fn property(&self, path: &str, into: &mut Vec<u8>) -> Result<Option<()>, HostError>;

    /// Leaves a value for the access log.
    fn set_property(&self, name: &str, value: &[u8]);

    /// Sets a response header, in place of any of that name.
    fn set_response_header(&self, name: &str, value: &str);

    /// Answers the request.
    ///
    /// # Errors
    /// The host did not take the answer.
    fn reply(&self, reply: &Reply<'_>) -> Result<(), HostError>;

    /// Lets a request go on that was held.
    ///
    /// # Errors
    /// The host did not let it.
    fn resume(&self) -> Result<(), HostError>;

    /// Sends a call from the context that calls refer to. Its answer comes later, or never where
    /// that context is gone by then.
    ///
    /// # Errors
    /// It was not sent: there is no such cluster, no server in it, or too many calls are under way.
    fn post(&self, post: &Post<'_>) -> Result<CallId, HostError>;

    /// Reads the headers of the call's answer that is being delivered, in the form that [`pairs`]
    /// reads.
    ///
    /// # Errors
    /// The host did not answer.
    fn answer_headers(&self, into: &mut Vec<u8>) -> Result<(), HostError>;

    /// Reads at most `len_max` bytes of that answer's body.
    ///
    /// # Errors
    /// The host did not answer.
    fn answer_body(&self, len_max: u32, into: &mut Vec<u8>) -> Result<(), HostError>;

    /// Defines a counter, or finds the one of that name.
    ///
    /// # Errors
    /// The host has no counters.
    fn counter(&self, name: &str) -> Result<CounterId, HostError>;

    /// Adds one to a counter.
    fn count(&self, counter: CounterId);

    /// Defines a histogram, or finds the one of that name.
    ///
    /// # Errors
    /// The host has no histograms.
    fn histogram(&self, name: &str) -> Result<HistogramId, HostError>;

    /// Adds a value to a histogram.
    fn record(&self, histogram: HistogramId, value: u64);

    /// Writes to the host's log.
    fn log(&self, level: Level, text: &str);

    /// Asks to be called every `period`.
    fn tick_every(&self, period: Duration);

    /// Makes `context` the one that calls refer to; needed before a request is answered from a tick.
    ///
    /// # Errors
    /// The host knows no such context.
    fn enter_context(&self, context: u32) -> Result<(), HostError>;
}
