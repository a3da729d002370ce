//! What guards the store: every way that people use, each a switch.
//!
//! Stories differ in these switches only; the machines that decide are the same.

use super::clock::Millis;
use super::dialect::Dialect;
use super::who::Who;
use crate::check::AfterExpiry;
use core::time::Duration;
use serde::{Deserialize, Serialize};

/// The switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mechanism {
    /// Who gets to write.
    pub lock: Lock,
    /// What a write carries.
    pub tokens: Tokens,
    /// Whether a write says whose it is, so that an equal token is good for one holder only.
    pub named: bool,
    /// Whether the issuer keeps its numbers, or starts anew from nothing.
    pub issuer: Issuer,
    /// Where a write's token is checked.
    pub check: Check,
    /// The store's own condition on a write.
    pub condition: Condition,
    /// How long after it was superseded a write may be under way, where a check at the proxy counts
    /// them and a grant, or the first write with a higher token, waits for older ones; `None`:
    /// nobody counts. Without a check at the proxy it means nothing.
    pub drain_ms: Option<Millis>,
    /// Whether a proxy that learns that a token was superseded resets the writes under way with it.
    /// What left the proxy may arrive all the same.
    pub abort: bool,
    /// How long after a takeover the old holder's machine is switched off; `None`: never.
    pub stonith_ms: Option<Millis>,
    /// Whose words and numbers.
    pub dialect: Dialect,
    /// The first token that is granted.
    pub first_token: u64,
}

/// Who gets to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Lock {
    /// Everybody.
    None,
    /// Whoever holds the lease.
    Lease {
        /// How long it runs.
        ttl_ms: Millis,
        /// How long after it nobody is granted.
        lock_delay_ms: Millis,
        /// Whose clock says when it is over.
        clock: LeaseClock,
        /// What its end means for its token, where the proxy can know.
        after_expiry: AfterExpiryForm,
    },
}

/// The serializable twin of [`AfterExpiry`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AfterExpiryForm {
    /// [`AfterExpiry::AdmitUntilSuperseded`]
    #[default]
    AdmitUntilSuperseded,
    /// [`AfterExpiry::Refuse`]: the strict lease.
    Refuse,
}

/// Whose clock measures a lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeaseClock {
    /// The service's monotonic clock; holders are told durations.
    Service,
    /// Each holder's wall clock: the row in the database holds an absolute time.
    EveryWall,
}

/// What a write carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tokens {
    /// Nothing.
    None,
    /// The token of its grant.
    Granted,
    /// A number that its writer chose.
    Picked,
    /// A random number in place of each grant's token: what no lesson may survive.
    Random,
}

/// What an issuer keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Issuer {
    /// Everything, on disk. Set back to a snapshot, its numbers go back.
    Durable,
    /// The same; but whoever sets it back raises the epoch.
    DurableWithEpoch,
    /// Nothing: each start has an epoch of its own.
    Memory,
}

/// Where a token is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Check {
    /// Nowhere.
    Nowhere,
    /// At the proxy, which is also the issuer: a grant raises the mark.
    Proxy,
    /// At the proxy, which hears of a token by the first write that carries it.
    ProxyAtFirstWrite,
    /// At several proxies that ask one authority and trust the answer for a while.
    Window(Window),
    /// At the store, together with the write: a higher token raises the mark.
    Store,
    /// At the store, where only an explicit claim raises the mark.
    StoreByClaim,
}

/// How long several proxies trust what they know, and the mistakes that can be made with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Window {
    /// How long an answer is trusted.
    pub trust_ms: Millis,
    /// How long a grant waits before it is answered.
    pub wait_ms: Millis,
    /// The mistake.
    pub flaw: Option<WindowFlaw>,
}

/// The broken forms of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WindowFlaw {
    /// A repeated acquire is answered at once, without sitting out the window.
    ResumedAtOnce,
    /// An answer counts from when it arrived, not from when it was asked for.
    CountedFromArrival,
    /// Only the monotonic clock is looked at, which a suspended machine stops.
    MonotonicOnly,
}

/// The store's own condition on a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Condition {
    /// None: the last writer wins.
    None,
    /// The writer says which ETag it read.
    AsRead(Etag),
    /// The proxy reads the ETag, and the token in the metadata, before it sends a write on.
    Sealed(Etag),
}

/// What an ETag is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Etag {
    /// Every write has its own.
    PerWrite,
    /// The same bytes have the same.
    ByContent,
}

impl Check {
    /// Whether a proxy decides.
    #[must_use]
    pub const fn is_at_a_proxy(self) -> bool {
        matches!(
            self,
            Self::Proxy | Self::ProxyAtFirstWrite | Self::Window(_)
        )
    }

    /// Whether a grant binds whoever checks from the instant it is answered.
    #[must_use]
    pub const fn is_raised_by_grants(self) -> bool {
        matches!(self, Self::Proxy | Self::Window(_))
    }
}

impl Lock {
    /// How long a lease runs; 0 without a lock.
    #[must_use]
    pub const fn ttl_ms(self) -> Millis {
        match self {
            Self::None => 0,
            Self::Lease { ttl_ms, .. } => ttl_ms,
        }
    }

    /// How long after a lease nobody is granted.
    #[must_use]
    pub const fn lock_delay_ms(self) -> Millis {
        match self {
            Self::None => 0,
            Self::Lease { lock_delay_ms, .. } => lock_delay_ms,
        }
    }

    /// Whether leases are absolute times that each holder compares with its own wall clock.
    #[must_use]
    pub const fn is_by_walls(self) -> bool {
        matches!(
            self,
            Self::Lease {
                clock: LeaseClock::EveryWall,
                ..
            }
        )
    }

    /// What the end of a lease means for its token.
    #[must_use]
    pub const fn after_expiry(self) -> AfterExpiry {
        match self {
            Self::Lease {
                after_expiry: AfterExpiryForm::Refuse,
                ..
            } => AfterExpiry::Refuse,
            _ => AfterExpiry::AdmitUntilSuperseded,
        }
    }
}

impl Mechanism {
    /// The bound of the drain, where writes are counted beside the record that is kept there.
    #[must_use]
    pub fn drain_at(&self, at: Who) -> Option<Duration> {
        let counts = match self.check {
            Check::Proxy => at == Who::Issuer,
            Check::ProxyAtFirstWrite => matches!(at, Who::Proxy(_)),
            _ => false,
        };
        let bound_ms = self.drain_ms.filter(|_| counts)?;
        Some(Duration::from_millis(bound_ms.into()))
    }

    /// How long after a holder vanished somebody must have been granted, by design.
    #[must_use]
    pub fn takeover_bound_ms(&self) -> Millis {
        let wait = match self.check {
            Check::Window(window) => window.wait_ms,
            _ => 0,
        };
        [
            self.lock.ttl_ms(),
            self.lock.lock_delay_ms(),
            self.drain_ms.unwrap_or(0),
            wait,
        ]
        .into_iter()
        .fold(2_000, Millis::saturating_add)
    }
}
