//! What many stories share: a careful worker, the usual lease, a pause in the wrong moment.

use super::Parameters;
use crate::sim::clock::Millis;
use crate::sim::dialect::Dialect;
use crate::sim::event::Accident;
use crate::sim::laws::Law;
use crate::sim::mechanism::{
    AfterExpiryForm, Check, Condition, Issuer, LeaseClock, Lock, Mechanism, Tokens,
};
use crate::sim::scenario::{Draft, HolderPlan, Net, Op, Planned, Scenario, VERSION};
use crate::sim::who::Who;

pub(super) const A: Who = Who::Holder(0);
pub(super) const B: Who = Who::Holder(1);
pub(super) const P1: Who = Who::Proxy(0);

/// How long a worker works before it writes.
pub(super) const WORK_MS: Millis = 1_000;
/// How long after the look at the lease the bytes leave.
pub(super) const FLUSH_MS: Millis = 500;

/// A lease by the service's clock, its token carried by every write, and nobody who checks it.
pub(super) const fn lease(p: &Parameters) -> Mechanism {
    Mechanism {
        lock: Lock::Lease {
            ttl_ms: p.lease_ms,
            lock_delay_ms: 0,
            clock: LeaseClock::Service,
            after_expiry: AfterExpiryForm::AdmitUntilSuperseded,
        },
        tokens: Tokens::Granted,
        named: true,
        issuer: Issuer::Durable,
        check: Check::Nowhere,
        condition: Condition::None,
        drain_ms: None,
        abort: false,
        stonith_ms: None,
        dialect: Dialect::Fencegate,
        first_token: 1,
    }
}

/// Gets the lease, looks at the report, works, and writes it.
pub(super) fn worker(draft: Draft) -> HolderPlan {
    HolderPlan::new(vec![
        Op::Acquire,
        Op::Read,
        Op::Work { ms: WORK_MS },
        Op::Put {
            draft,
            flush_ms: FLUSH_MS,
        },
        Op::Release,
    ])
}

/// A worker that works for so long before it writes.
pub(super) fn reporter(draft: Draft, ms: Millis) -> HolderPlan {
    let plan = worker(draft);
    let longer = |op| match op {
        Op::Work { .. } => Op::Work { ms },
        other => other,
    };
    HolderPlan {
        script: plan.script.into_iter().map(longer).collect(),
        ..plan
    }
}

/// The same mechanism, with this lock delay.
pub(super) const fn with_lock_delay(mechanism: Mechanism, lock_delay_ms: Millis) -> Mechanism {
    Mechanism {
        lock: Lock::Lease {
            ttl_ms: mechanism.lock.ttl_ms(),
            lock_delay_ms,
            clock: LeaseClock::Service,
            after_expiry: AfterExpiryForm::AdmitUntilSuperseded,
        },
        ..mechanism
    }
}

/// Checked at the proxy, and a token ends with its lease.
pub(super) const fn strict(p: &Parameters) -> Mechanism {
    Mechanism {
        lock: Lock::Lease {
            ttl_ms: p.lease_ms,
            lock_delay_ms: 0,
            clock: LeaseClock::Service,
            after_expiry: AfterExpiryForm::Refuse,
        },
        check: Check::Proxy,
        ..lease(p)
    }
}

/// A variant, with these two holders.
pub(super) fn variant(
    name: &str,
    shows: &str,
    holders: [HolderPlan; 2],
    mechanism: Mechanism,
    p: &Parameters,
) -> Scenario {
    Scenario {
        version: VERSION,
        name: name.to_owned(),
        shows: shows.to_owned(),
        holders: holders.to_vec(),
        proxies: if mechanism.check.is_at_a_proxy() {
            1
        } else {
            0
        },
        mechanism,
        net: Net {
            delay_ms: p.delay_ms,
            ..Net::default()
        },
        accidents: Vec::new(),
        breaks: Vec::new(),
        ends_ms: 120_000,
    }
}

/// When a worker that begins at 0 has looked at its lease, and its bytes have not left yet.
pub(super) const fn amid_write(p: &Parameters, proxies: u32) -> Millis {
    // Acquire and read are a message there and one back; each proxy is one more each way.
    let messages = proxies.saturating_mul(2).saturating_add(4);
    let before = p.delay_ms.saturating_mul(messages);
    before.saturating_add(WORK_MS).saturating_add(100)
}

impl Scenario {
    /// The same, with something that befalls somebody.
    pub(super) fn with(mut self, at_ms: Millis, accident: Accident) -> Self {
        self.accidents.push(Planned { at_ms, accident });
        self.accidents.sort_by_key(|planned| planned.at_ms);
        self
    }

    /// The same, where A is paused while its write is on the way out.
    pub(super) fn with_pause_of_a(self, p: &Parameters) -> Self {
        let at = amid_write(p, self.proxies.into());
        let pause = Accident::Pause {
            who: A,
            clock_stops: false,
        };
        self.with(at, pause)
            .with(at.saturating_add(p.pause_ms), Accident::Resume(A))
    }

    /// The same, with this many proxies.
    pub(super) const fn behind(mut self, proxies: u8) -> Self {
        self.proxies = proxies;
        self
    }

    /// The same, which breaks these laws.
    pub(super) fn breaking(mut self, laws: &[Law]) -> Self {
        self.breaks = laws.to_vec();
        self
    }
}
