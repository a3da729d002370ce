//! The switches of the mechanism that a visitor may set against what the story says.

use fencegate_core::sim::clock::Millis;
use fencegate_core::sim::mechanism::{
    AfterExpiryForm, Check, Condition, Etag, LeaseClock, Lock, Mechanism, Tokens,
};
use fencegate_core::sim::scenario::{OnRefusal, Scenario};

/// What is set; `None`: as the story has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Guard {
    /// Where tokens are checked.
    pub check: Option<Place>,
    /// Who gets to write.
    pub lease: Option<LeaseKind>,
    /// Whether a grant waits for the writes under way at the proxy.
    pub drain: Option<bool>,
    /// The store's own condition.
    pub condition: Option<Condition>,
    /// Whether holders stop by their own timer.
    pub stops_at_expiry: Option<bool>,
    /// What holders do when they are refused.
    pub on_refusal: Option<OnRefusal>,
}

/// Where a token is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere.
    Nowhere,
    /// At the proxy that is also the issuer.
    Proxy,
    /// At a proxy that hears of a token by the first write with it.
    ProxyAtFirstWrite,
    /// At the store.
    Store,
}

/// What kind of lease there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaseKind {
    /// None: everybody may write.
    None,
    /// Measured by the service's clock.
    Service,
    /// The same, and its token ends with it.
    Strict,
    /// An absolute time, which each compares with its own wall clock.
    EveryWall,
}

/// One switch, set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// Where tokens are checked.
    Check(Place),
    /// What kind of lease there is.
    Lease(LeaseKind),
    /// Whether grants wait for older writes.
    Drain(bool),
    /// The store's own condition.
    Condition(Condition),
    /// Whether holders stop by their own timer.
    StopsAtExpiry(bool),
    /// What holders do when they are refused.
    OnRefusal(OnRefusal),
}

impl Place {
    /// Every place, from none to the last.
    pub const ALL: [Self; 4] = [
        Self::Nowhere,
        Self::Proxy,
        Self::ProxyAtFirstWrite,
        Self::Store,
    ];

    /// Where a mechanism checks; `None`: in a way that no switch sets.
    #[must_use]
    pub const fn of(check: Check) -> Option<Self> {
        match check {
            Check::Nowhere => Some(Self::Nowhere),
            Check::Proxy => Some(Self::Proxy),
            Check::ProxyAtFirstWrite => Some(Self::ProxyAtFirstWrite),
            Check::Store => Some(Self::Store),
            Check::Window(_) | Check::StoreByClaim => None,
        }
    }

    const fn check(self) -> Check {
        match self {
            Self::Nowhere => Check::Nowhere,
            Self::Proxy => Check::Proxy,
            Self::ProxyAtFirstWrite => Check::ProxyAtFirstWrite,
            Self::Store => Check::Store,
        }
    }
}

impl LeaseKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::None, Self::Service, Self::Strict, Self::EveryWall];

    /// What kind a lock is.
    #[must_use]
    pub const fn of(lock: Lock) -> Self {
        match lock {
            Lock::None => Self::None,
            Lock::Lease {
                clock: LeaseClock::EveryWall,
                ..
            } => Self::EveryWall,
            Lock::Lease {
                after_expiry: AfterExpiryForm::Refuse,
                ..
            } => Self::Strict,
            Lock::Lease { .. } => Self::Service,
        }
    }

    const fn lock(self, ttl_ms: Millis, lock_delay_ms: Millis) -> Lock {
        let (clock, after_expiry) = match self {
            Self::None => return Lock::None,
            Self::Service => (LeaseClock::Service, AfterExpiryForm::AdmitUntilSuperseded),
            Self::Strict => (LeaseClock::Service, AfterExpiryForm::Refuse),
            Self::EveryWall => (LeaseClock::EveryWall, AfterExpiryForm::AdmitUntilSuperseded),
        };
        Lock::Lease {
            ttl_ms,
            lock_delay_ms,
            clock,
            after_expiry,
        }
    }
}

/// Every condition that a switch sets.
pub const CONDITIONS: [Condition; 4] = [
    Condition::None,
    Condition::AsRead(Etag::PerWrite),
    Condition::AsRead(Etag::ByContent),
    Condition::Sealed(Etag::PerWrite),
];

/// What a drain waits for at most, and a lease runs for, where the story has none.
const DRAIN_MS: Millis = 30_000;
const LEASE_MS: Millis = 30_000;

impl Guard {
    /// The same, with a switch set.
    #[must_use]
    pub const fn with(mut self, switch: Switch) -> Self {
        match switch {
            Switch::Check(place) => self.check = Some(place),
            Switch::Lease(kind) => self.lease = Some(kind),
            Switch::Drain(on) => self.drain = Some(on),
            Switch::Condition(condition) => self.condition = Some(condition),
            Switch::StopsAtExpiry(on) => self.stops_at_expiry = Some(on),
            Switch::OnRefusal(what) => self.on_refusal = Some(what),
        }
        self
    }

    /// The scenario with these switches in place of its own. A check at a proxy gets a proxy.
    #[must_use]
    pub fn over(&self, mut scenario: Scenario) -> Scenario {
        if *self == Self::default() {
            return scenario;
        }
        self.over_mechanism(&mut scenario.mechanism);
        if scenario.mechanism.check.is_at_a_proxy() || scenario.mechanism.drain_ms.is_some() {
            scenario.proxies = scenario.proxies.max(1);
        }
        for plan in &mut scenario.holders {
            plan.stops_at_expiry = self.stops_at_expiry.unwrap_or(plan.stops_at_expiry);
            plan.on_refusal = self.on_refusal.unwrap_or(plan.on_refusal);
        }
        // What the story promised of itself is promised of it no more.
        scenario.breaks.clear();
        scenario
    }

    fn over_mechanism(&self, mechanism: &mut Mechanism) {
        if let Some(kind) = self.lease {
            let ttl_ms = match mechanism.lock.ttl_ms() {
                0 => LEASE_MS,
                ttl_ms => ttl_ms,
            };
            mechanism.lock = kind.lock(ttl_ms, mechanism.lock.lock_delay_ms());
        }
        if let Some(place) = self.check {
            mechanism.check = place.check();
            if place != Place::Nowhere && mechanism.tokens == Tokens::None {
                mechanism.tokens = Tokens::Granted;
            }
        }
        if let Some(on) = self.drain {
            let drain_ms = mechanism.drain_ms.unwrap_or(DRAIN_MS);
            mechanism.drain_ms = on.then_some(drain_ms);
        }
        mechanism.condition = self.condition.unwrap_or(mechanism.condition);
    }
}
