//! What a request says, read in one pass over its headers.
//!
//! Reading never fails: what has two readings, or none, is kept as such beside the rest, and the
//! policy decides whether that matters for the place that the request goes to. Values are borrowed.
//! Unknown headers are never looked into, so they may hold any bytes.
//!
//! Knows no rules and no resources.

mod draft;
mod names;
mod query;

use core::fmt;

pub use names::{HeaderNames, HeadersConfig};

pub use crate::check::Access;
use crate::host_name::{HostAmbiguity, HostName};
use crate::name::NameError;
use crate::path::{Form, PathAmbiguity};
use crate::token::{Token, TokenError};

/// A request, as far as its head says what it will do.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// `:method`.
    pub method: Result<&'a str, MethodFault>,
    /// A write if the method or anything that overrides it says so.
    pub access: Access,
    /// The host, which `:authority`, `host` and an absolute `:path` must agree on.
    pub authority: Result<HostName<'a>, HostAmbiguity>,
    /// The place on the host.
    pub path: Result<Form<'a>, PathAmbiguity>,
    /// Where COPY and MOVE write to.
    pub destination: Option<Destination<'a>>,
    /// Set when it writes to objects that its path does not name.
    pub several: Option<Several>,
    /// Set when what follows is no longer requests that could be judged.
    pub tunnel: Option<Tunnel>,
    /// The fencing token.
    pub token: Reading<Token, TokenError>,
    /// The holder.
    pub holder: Reading<&'a str, NameError>,
    /// It came as TLS early data, which an attacker can replay.
    pub early_data: bool,
    /// An attempt of it was sent before (`x-envoy-attempt-count`), and may have been applied.
    pub repeated: bool,
    /// The caller speaks gRPC (not gRPC-Web) and reads `grpc-status`, not the HTTP status.
    pub grpc: bool,
}

/// What a header says that may be given at most once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading<T, E> {
    /// There is none.
    Absent,
    /// Exactly one, and well formed.
    Given(T),
    /// Exactly one, and not well formed.
    Malformed(E),
    /// Two readers could take different values from it.
    Ambiguous(Twofold),
}

/// In which way a header has two readings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Twofold {
    /// Two values, even if they are equal, under one name or under two aliases.
    Twice,
    /// A list in one value.
    List,
    /// A name that gateways fold into the right one, like `fencing_token`.
    Spelling,
}

/// What is wrong with `:method`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MethodFault {
    /// There is none.
    Missing,
    /// There are two.
    Twice,
    /// It is not a token in the sense of RFC 9110.
    Malformed,
}

/// What the `destination` header of COPY and MOVE names.
#[derive(Clone, Copy, Debug)]
pub struct Destination<'a> {
    /// The host of an absolute URL; `None` for a path on the request's own host.
    pub authority: Option<Result<HostName<'a>, HostAmbiguity>>,
    /// The place on that host.
    pub path: Result<Form<'a>, PathAmbiguity>,
}

/// A write whose objects are not all named by its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Several {
    /// S3's multi-object delete: a POST with `?delete`; the body names the objects.
    Delete,
    /// Azure's batch: `?comp=batch`; the body holds whole requests.
    Batch,
    /// A rename that names its source in a header (S3 Express, Azure Data Lake).
    Rename,
}

/// A connection that leaves HTTP semantics behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tunnel {
    /// CONNECT to the host itself.
    Connect,
    /// CONNECT with `:protocol`, to a path.
    ExtendedConnect,
    /// An `upgrade` header.
    Upgrade,
}

impl<'a> Request<'a> {
    /// Reads all headers, pseudo-headers included, in any order and any case.
    pub fn read(
        headers: impl IntoIterator<Item = (&'a [u8], &'a [u8])>,
        names: &HeaderNames,
    ) -> Self {
        let mut draft = draft::Draft::default();
        for (name, value) in headers {
            draft.take(name, value, names);
        }
        draft.finish()
    }
}

/// Whether this method changes nothing, by RFC 9110. Case matters: `get` is some other method.
#[must_use]
pub fn is_read_method(method: &[u8]) -> bool {
    matches!(method, b"GET" | b"HEAD" | b"OPTIONS" | b"TRACE")
}

impl fmt::Display for Twofold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Twice => "it is given twice",
            Self::List => "it is a list",
            Self::Spelling => "its header name is one that gateways confuse with the right one",
        })
    }
}

impl fmt::Display for MethodFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "there is no method",
            Self::Twice => "the method is given twice",
            Self::Malformed => "the method is not a token",
        })
    }
}

impl fmt::Display for Several {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Delete => "a delete of several objects names them in its body",
            Self::Batch => "a batch names its objects in its body",
            Self::Rename => "a rename also removes its source",
        })
    }
}

impl fmt::Display for Tunnel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Connect | Self::ExtendedConnect => "what goes through a tunnel cannot be judged",
            Self::Upgrade => "what follows an upgrade cannot be judged",
        })
    }
}
