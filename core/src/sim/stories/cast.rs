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
        only_as_told: Vec::new(),
        ends_ms: 120_000,
    }
}

impl HolderPlan {
    /// The same, which claims the mark before it looks at the report: what it sees then, nobody
    /// older can change any more. Without that, an older write that comes between its look and its
    /// first write is let through, and overwritten unseen.
    pub(super) fn claiming(mut self) -> Self {
        let at = self.script.iter().position(|op| *op == Op::Read);
        let fence = Op::Fence { insists: true };
        self.script.insert(at.unwrap_or(0), fence);
        self
    }

    /// The same, claiming the mark first if the store checks it.
    pub(super) fn checked_at(self, check: Check) -> Self {
        match check {
            Check::Store | Check::StoreByClaim => self.claiming(),
            _ => self,
        }
    }
}

impl Scenario {
    /// When A, which begins at 0, has looked at its lease, and its bytes have not left yet.
    pub(super) fn amid_write(&self, p: &Parameters) -> Millis {
        let script = self.plan(0).map_or(&[][..], |plan| &plan.script);
        let before = script.iter().take_while(|op| !matches!(op, Op::Put { .. }));
        let messages = before.map(|op| match op {
            Op::Acquire | Op::Fence { .. } => 2,
            // Each proxy is a message more each way.
            Op::Read | Op::PickToken => u32::from(self.proxies).saturating_mul(2).saturating_add(2),
            _ => 0,
        });
        let messages = messages.fold(0, u32::saturating_add);
        let before = p.delay_ms.saturating_mul(messages);
        before.saturating_add(WORK_MS).saturating_add(100)
    }

    /// The same, with something that befalls somebody.
    pub(super) fn with(mut self, at_ms: Millis, accident: Accident) -> Self {
        let before = |planned: &Planned| planned.at_ms <= at_ms;
        let at = self.accidents.partition_point(before);
        self.accidents.insert(at, Planned { at_ms, accident });
        self
    }

    /// The same, where A is paused while its write is on the way out.
    pub(super) fn with_pause_of_a(self, p: &Parameters) -> Self {
        let at = self.amid_write(p);
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

    /// The same, where these laws hold by luck: at other instants the same faults break them.
    pub(super) fn lucky_with(mut self, laws: &[Law]) -> Self {
        self.only_as_told = laws.to_vec();
        self
    }
}
