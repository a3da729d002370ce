//! The one place that turns what was decided into an HTTP answer.
//!
//! Errors are `application/problem+json` (RFC 9457). Whatever a client sent appears in them only
//! as a name that was checked, so nothing has to be escaped. A gRPC caller gets the matching
//! gRPC status, and a sentence instead of JSON.

use crate::host::{Host, HostError, Reply};
use crate::json::Object;
use core::time::Duration;
use fencegate_core::moment::millis_up;
use fencegate_core::policy;
use fencegate_core::token::Token;
use fencegate_core::verdict::{Fault, Reason};

const GRPC_INVALID_ARGUMENT: u8 = 3;
const GRPC_PERMISSION_DENIED: u8 = 7;
const GRPC_FAILED_PRECONDITION: u8 = 9;
const GRPC_UNAVAILABLE: u8 = 14;

/// The response header that tells the mark.
pub const MARK_HEADER: &str = "fencing-token-mark";

/// One row of the contract: a status, its reason and what they mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The HTTP status.
    pub status: u16,
    /// The stable name.
    pub reason: &'static str,
    /// One sentence for people.
    pub title: &'static str,
}

impl Kind {
    const fn new(status: u16, reason: &'static str, title: &'static str) -> Self {
        Self {
            status,
            reason,
            title,
        }
    }

    /// No rule matches, and such requests are rejected.
    pub const UNMATCHED: Self = Self::new(403, "unmatched", "No rule admits this request.");
    /// A holder must be named.
    pub const HOLDER_REQUIRED: Self =
        Self::new(428, "holder_required", "A write here names its holder.");
    /// The request does not exist in the lease API.
    pub const NOT_FOUND: Self = Self::new(404, "not_found", "The lease API has no such path.");
    /// The lease API wants another method.
    pub const METHOD: Self = Self::new(405, "method_not_allowed", "Another method is needed here.");
    /// The body is not what the lease API reads.
    pub const MALFORMED: Self = Self::new(400, "malformed", "The request cannot be read.");
    /// The body is too long, or did not come.
    pub const TOO_LARGE: Self = Self::new(413, "too_large", "The body is too large.");
    /// The body did not come in time.
    pub const TIMEOUT: Self = Self::new(408, "timeout", "The body did not arrive in time.");
    /// The peer may not do this.
    pub const FORBIDDEN: Self = Self::new(403, "forbidden", "This peer may not do this.");
    /// No rule makes this resource.
    pub const UNKNOWN_RESOURCE: Self = Self::new(
        404,
        "unknown_resource",
        "No rule guards a resource of this name.",
    );
    /// There is no record of the resource.
    pub const NO_RECORD: Self = Self::new(404, "no_grant", "Nothing is granted for this resource.");
    /// Somebody else holds the lease, or its lock delay runs.
    pub const HELD: Self = Self::new(409, "held", "The lease is held, or its lock delay runs.");
    /// The mark is not the expected one.
    pub const MARK_MOVED: Self = Self::new(
        409,
        "mark_moved",
        "Somebody was granted since you looked: read the resource first.",
    );
    /// There is no mark to expect anything of.
    pub const MARK_UNKNOWN: Self = Self::new(
        409,
        "mark_unknown",
        "This resource has no mark to compare with.",
    );
    /// The grant that answered this request id is over.
    pub const GRANT_ENDED: Self = Self::new(
        410,
        "grant_ended",
        "The grant of this request_id is over: acquire with a new one.",
    );

    /// The row of a rejected token.
    #[must_use]
    pub const fn of_reason(reason: Reason) -> Self {
        let title = match reason {
            Reason::Stale => "A newer token was granted: stop writing, do not retry.",
            Reason::NoGrant => "Nothing is granted here: acquire a lease first.",
            Reason::NeverIssued => "This token was never granted for this resource.",
            Reason::JumpTooFar => "The token is too far above the mark.",
            Reason::Released => "The lease was given back or broken: acquire again.",
            Reason::HeldByAnother => "The token is bound to another holder.",
            Reason::LeaseEnded => "The lease has ended: acquire again.",
        };
        Self::new(reason.status(), reason.word(), title)
    }

    /// The row of a fault.
    #[must_use]
    pub const fn of_fault(fault: Fault) -> Self {
        let title = match fault {
            Fault::Contended => "Too many others change this resource's record: try again.",
            Fault::Garbled => "The record of this resource does not verify.",
            Fault::Missing => "The record of this resource is lost.",
            Fault::Unreachable => "The authority does not answer.",
            Fault::Full => "There is no room for another resource.",
            Fault::Superseded => "A newer configuration is in force: try again.",
            Fault::Starting(_) => "The issuer has just started: older leases may still run.",
            Fault::IssuerBehind => "The issuer's tokens are behind the mark.",
            Fault::Settling(_) => {
                "The mark is new, and older ones may still be trusted: try again."
            }
            Fault::Replaced => "The authority was restored or is another one.",
            Fault::OtherWindow => "The authority's window is not the configured one.",
        };
        Self::new(Fault::STATUS, fault.word(), title)
    }

    /// The row of a request that was refused before any record was looked at.
    #[must_use]
    pub const fn of_refusal(reason: policy::Reason) -> Self {
        let title = match reason {
            policy::Reason::Malformed => "The request cannot be read.",
            policy::Reason::Ambiguous => "The request can be read in more than one way.",
            policy::Reason::CannotBeFenced => "No token can make this request safe.",
            policy::Reason::TooEarly => "Send this write after the TLS handshake.",
            policy::Reason::TokenRequired => "A write here carries a fencing token.",
        };
        Self::new(reason.status(), reason.name(), title)
    }

    /// Every row that a guarded request can meet. Two more faults are met by calls of the lease
    /// API alone: `starting` and `issuer_behind`.
    #[must_use]
    pub fn of_requests() -> Vec<Self> {
        let mut all = vec![Self::UNMATCHED, Self::HOLDER_REQUIRED];
        for reason in policy::Reason::ALL {
            all.push(Self::of_refusal(reason));
        }
        for reason in Reason::ALL {
            all.push(Self::of_reason(reason));
        }
        for fault in Fault::ALL {
            if fault.is_of_checks() {
                all.push(Self::of_fault(fault));
            }
        }
        all
    }

    /// Whether the same request may succeed later.
    const fn is_retryable(&self) -> bool {
        matches!(self.status, 408 | 425 | 503) || matches!(self.reason.as_bytes(), b"held")
    }

    const fn grpc_status(&self) -> u8 {
        match self.status {
            400 | 404 | 405 | 413 => GRPC_INVALID_ARGUMENT,
            403 => GRPC_PERMISSION_DENIED,
            408 | 425 | 503 => GRPC_UNAVAILABLE,
            _ => GRPC_FAILED_PRECONDITION,
        }
    }
}

/// An error answer.
#[derive(Clone, Debug)]
pub struct Problem<'a> {
    /// The row of the contract.
    pub kind: Kind,
    /// What exactly, where there is more to say than the title.
    pub detail: Option<String>,
    /// The resource, where it is known.
    pub resource: Option<&'a str>,
    /// The token that was presented.
    pub presented: Option<Token>,
    /// The mark, where it may be told.
    pub current: Option<Token>,
    /// When to come again.
    pub retry_after: Option<Duration>,
    /// An earlier attempt of the request may have been applied.
    pub repeated: bool,
}

impl<'a> Problem<'a> {
    /// A problem of this kind, with nothing more to say.
    #[must_use]
    pub const fn new(kind: Kind) -> Self {
        Self {
            kind,
            detail: None,
            resource: None,
            presented: None,
            current: None,
            retry_after: None,
            repeated: false,
        }
    }

    /// A problem with a sentence of detail.
    #[must_use]
    pub fn detailed(kind: Kind, detail: impl Into<String>) -> Self {
        Self {
            detail: Some(detail.into()),
            ..Self::new(kind)
        }
    }

    /// The problem of a fault.
    #[must_use]
    pub fn of_fault(fault: Fault) -> Self {
        let wait = match fault {
            Fault::Starting(wait) | Fault::Settling(wait) => wait,
            _ => Duration::from_secs(1),
        };
        Self {
            retry_after: Some(wait),
            ..Self::new(Kind::of_fault(fault))
        }
    }

    /// The same, about this resource.
    #[must_use]
    pub const fn about(mut self, resource: &'a str) -> Self {
        self.resource = Some(resource);
        self
    }

    /// Sends it.
    ///
    /// # Errors
    /// The host did not take the answer.
    pub fn send(&self, host: &dyn Host, grpc: bool) -> Result<(), HostError> {
        let retry_after = self.retry_after.map(|wait| whole_seconds(wait).to_string());
        let current = self.current.map(|mark| mark.to_string());
        let content = if grpc {
            "text/plain"
        } else {
            "application/problem+json"
        };
        let mut headers = vec![
            ("content-type", content),
            ("cache-control", "no-store"),
            ("x-content-type-options", "nosniff"),
        ];
        if let Some(seconds) = &retry_after {
            headers.push(("retry-after", seconds));
        }
        if let Some(mark) = &current {
            headers.push((MARK_HEADER, mark));
        }
        let body = if grpc { self.sentence() } else { self.json() };
        host.reply(&Reply {
            status: self.kind.status,
            headers: &headers,
            body: body.as_bytes(),
            grpc_status: grpc.then(|| self.kind.grpc_status()),
        })
    }

    fn sentence(&self) -> String {
        format!("{}: {}", self.kind.reason, self.kind.title)
    }

    fn json(&self) -> String {
        let kind = &self.kind;
        let mut body = String::new();
        let mut object = Object::begin(&mut body);
        object
            .plain_text("type", format_args!("urn:fencegate:{}", kind.reason))
            .text("title", kind.title)
            .value("status", kind.status)
            .text("reason", kind.reason);
        for (name, text) in [
            ("detail", self.detail.as_deref()),
            ("resource", self.resource),
        ] {
            if let Some(text) = text {
                object.text(name, text);
            }
        }
        for (name, token) in [("presented", self.presented), ("current", self.current)] {
            if let Some(token) = token {
                object.plain_text(name, token);
            }
        }
        object.value("retryable", kind.is_retryable());
        if let Some(wait) = self.retry_after {
            object.value("retry_after_ms", millis_up(wait));
        }
        let outcome = if self.repeated {
            "unknown"
        } else {
            "not_applied"
        };
        object.text("outcome", outcome).end();
        body
    }
}

/// Sends an answer of the lease API.
///
/// # Errors
/// The host did not take the answer.
pub fn send_json(host: &dyn Host, status: u16, body: &str) -> Result<(), HostError> {
    host.reply(&Reply {
        status,
        headers: &[
            ("content-type", "application/json"),
            ("cache-control", "no-store"),
            ("x-content-type-options", "nosniff"),
        ],
        body: body.as_bytes(),
        grpc_status: None,
    })
}

/// Rounded up, so that nobody comes too early.
fn whole_seconds(wait: Duration) -> u64 {
    let rest = u64::from(wait.subsec_nanos() != 0);
    wait.as_secs().saturating_add(rest)
}
