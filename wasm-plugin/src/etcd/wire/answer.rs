//! Answers as their JSON has them: what is needed of them, all of it optional.

use super::base64;
use crate::json::{Failed, Read, Reader};
use crate::object;

/// A body of any kind: each kind has some of these. One type serves all, since the code that reads a
/// type takes room.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) header: Option<Header>,
    pub(super) succeeded: bool,
    pub(super) responses: Vec<Response>,
    /// What a stream brings is one level deeper.
    pub(super) result: Option<Box<Body>>,
    pub(super) id: Number,
    pub(super) ttl: Number,
    pub(super) token: String,
    /// Of a refusal: gRPC's number for it.
    pub(super) code: u32,
    /// Of a refusal: etcd's words for it.
    pub(super) message: String,
}

/// Who answered, and when.
#[derive(Debug)]
pub(super) struct Header {
    cluster_id: Number,
    revision: Number,
    raft_term: Number,
}

/// What one operation of a transaction brought: something read, or nothing that is needed.
#[derive(Debug)]
pub(super) struct Response {
    pub(super) response_range: Option<Range>,
}

/// What was read.
#[derive(Debug)]
pub(super) struct Range {
    pub(super) kvs: Vec<Pair>,
    /// Whether a limit left some out.
    pub(super) more: bool,
}

/// A key with its value, both in base64.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) key: String,
    value: String,
    create_revision: Number,
    mod_revision: Number,
    lease: Number,
}

/// A number of 64 bits: a text of digits, or left out where it is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number(pub(super) u64);

object! { Body and others {
    header = None,
    succeeded = false,
    responses = Vec::new(),
    result = None,
    id as "ID" = Number(0),
    ttl as "TTL" = Number(0),
    token = String::new(),
    code = 0,
    message = String::new(),
} }
object! { Header and others { cluster_id = Number(0), revision = Number(0), raft_term = Number(0) } }
object! { Response and others { response_range = None } }
object! { Range and others { kvs = Vec::new(), more = false } }
object! { Pair and others {
    key = String::new(),
    value = String::new(),
    create_revision = Number(0),
    mod_revision = Number(0),
    lease = Number(0),
} }

impl Body {
    /// The store's number and its revision.
    pub(super) fn head(&self) -> Option<(u64, u64)> {
        let header = self.header.as_ref()?;
        let (cluster, revision) = (header.cluster_id.0, header.revision.0);
        (cluster > 0 && revision > 0).then_some((cluster, revision))
    }

    /// The term of the last thing that the member which answered was told by a leader; 0: of none since
    /// it was started.
    pub(super) fn term(&self) -> Option<u64> {
        Some(self.header.as_ref()?.raft_term.0)
    }
}

impl Pair {
    pub(super) fn bytes(&self) -> Option<Vec<u8>> {
        base64::decode(&self.value)
    }

    /// The revision of its last put.
    pub(super) fn put_at(&self) -> Option<u64> {
        self.mod_revision.there()
    }

    /// The revision since which it is there.
    pub(super) fn since(&self) -> Option<u64> {
        self.create_revision.there()
    }

    /// The lease that it goes with; 0: none.
    pub(super) const fn lease(&self) -> u64 {
        self.lease.0
    }
}

impl Number {
    fn there(self) -> Option<u64> {
        (self.0 > 0).then_some(self.0)
    }
}

impl Read for Number {
    fn read(from: &mut Reader<'_>) -> Result<Self, Failed> {
        let text = String::read(from)?;
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|_| digits);
        number
            .map(Self)
            .ok_or_else(|| from.fail("this is no number"))
    }
}
