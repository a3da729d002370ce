//! Answers as their JSON has them: what is needed of them, all of it optional.

use base64ct::{Base64, Encoding};
use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// A body of any kind: each kind has some of these. One type serves all, since the code that reads a
/// type takes room.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Body {
    pub(super) header: Option<Header>,
    pub(super) succeeded: bool,
    pub(super) responses: Vec<Response>,
    /// What a stream brings is one level deeper.
    pub(super) result: Option<Box<Body>>,
    #[serde(rename = "ID")]
    pub(super) id: Number,
    #[serde(rename = "TTL")]
    pub(super) ttl: Number,
    pub(super) token: String,
    /// Of a refusal: gRPC's number for it.
    pub(super) code: u32,
    /// Of a refusal: etcd's words for it.
    pub(super) message: String,
}

/// Who answered, and when.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Header {
    cluster_id: Number,
    revision: Number,
}

/// What one operation of a transaction brought: something read, or nothing that is needed.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Response {
    pub(super) response_range: Option<Range>,
}

/// What was read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Range {
    pub(super) kvs: Vec<Pair>,
    /// Whether a limit left some out.
    pub(super) more: bool,
}

/// A key with its value, both in base64.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Pair {
    pub(super) key: String,
    value: String,
    create_revision: Number,
    mod_revision: Number,
    lease: Number,
}

/// A number of 64 bits: a text of digits, or left out where it is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Number(pub(super) u64);

impl Body {
    /// The store's number and its revision.
    pub(super) fn head(&self) -> Option<(u64, u64)> {
        let header = self.header.as_ref()?;
        let (cluster, revision) = (header.cluster_id.0, header.revision.0);
        (cluster > 0 && revision > 0).then_some((cluster, revision))
    }
}

impl Pair {
    pub(super) fn bytes(&self) -> Option<Vec<u8>> {
        Base64::decode_vec(&self.value).ok()
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

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|_| digits);
        number
            .map(Self)
            .ok_or_else(|| D::Error::custom("this is no number"))
    }
}
