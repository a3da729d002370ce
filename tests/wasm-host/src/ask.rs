//! What a client asks, as data: which token it will send depends on what it was told by then.

use serde::{Deserialize, Serialize};

/// A request of a client.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Ask {
    /// `POST acquire`
    Acquire {
        /// Of which resource.
        resource: u8,
        /// For whom.
        holder: u8,
        /// For how long.
        ttl_ms: u32,
        /// Under which request id.
        request_id: Option<u8>,
        /// Whether only if nobody was granted since.
        expect: bool,
        /// How long the caller would wait.
        wait_ms: u32,
    },
    /// `POST renew`, `release` or `claim`
    Owned {
        /// Which of them.
        call: Owned,
        /// Of which resource.
        resource: u8,
        /// By whom.
        who: Who,
        /// With which token.
        token: Pick,
    },
    /// `POST break`
    Break(u8),
    /// `GET leases/{resource}`
    Lease(u8),
    /// `GET leases`
    Leases,
    /// `GET ready`
    Ready,
    /// A request to what a rule guards.
    Guarded {
        /// Which resource.
        resource: u8,
        /// By whom.
        who: Who,
        /// With which token.
        token: Sent,
        /// With which method of [`METHODS`].
        method: u8,
    },
    /// The same where the rule only observes.
    Observed {
        /// Which resource.
        resource: u8,
        /// With which token.
        token: Sent,
    },
    /// A request that no rule guards.
    Free,
    /// A request that must be refused whatever its token is, or that cannot be read.
    Odd {
        /// Which resource.
        resource: u8,
        /// In which of [`ODDITIES`] ways.
        oddity: u8,
    },
}

/// Calls of whoever was granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the words say it")]
pub enum Owned {
    Renew,
    Release,
    ReleaseUnanswered,
    Claim,
}

/// By whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Who {
    /// Whoever was granted that token.
    Owner,
    /// This holder.
    Other(u8),
    /// Somebody unnamed.
    Nobody,
    /// A name of [`NO_NAMES`].
    NoName(u8),
}

/// Which of the tokens that clients know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pick {
    /// The newest.
    Newest,
    /// An older one.
    Older(u8),
    /// One above the newest.
    Above(u16),
    /// One below the newest.
    Below(u16),
    /// The newest of another resource.
    Of(u8),
    /// The newest one's number in the next epoch.
    NextEpoch,
}

/// What is sent as token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sent {
    /// One token.
    One(Pick),
    /// None.
    None,
    /// Two.
    Two(Pick, Pick),
    /// Bytes of [`NO_TOKENS`].
    NoToken(u8),
}

/// Methods of guarded requests; the first ones read.
pub const METHODS: [&str; 7] = ["GET", "HEAD", "PUT", "POST", "DELETE", "PATCH", "BREW"];
/// How many of [`METHODS`] read.
pub const METHODS_READING: usize = 2;

/// What is no name of a holder.
pub const NO_NAMES: [&[u8]; 6] = [b"", b"a b", b"a,b", b"\xc0\xaf", b"x\r\ny: z", b"<b>"];

/// What is no token.
pub const NO_TOKENS: [&[u8]; 14] = [
    b"",
    b"0",
    b"007",
    b"-1",
    b"+1",
    b"1e3",
    b"1.2.3",
    b"0.7",
    b"18446744073709551616",
    b"4294967296.1",
    b"1,2",
    b" ",
    b"\xc0\x80",
    b"1\x002",
];

/// How many odd requests [`crate::client`] knows.
pub const ODDITIES: u8 = 16;
