//! (12) The straggler: let through in time, and then late.

use super::cast::{FLUSH_MS, P1, WORK_MS, lease, variant, with_lock_delay};
use super::{Parameters, Story};
use crate::sim::clock::Millis;
use crate::sim::event::Accident;
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Condition, Etag, Mechanism};
use crate::sim::scenario::{Draft, HolderPlan, Op, Scenario};
use crate::sim::who::Who;

pub(super) const STORY: Story = Story {
    number: 12,
    name: "straggler",
    title: "Let through in time, and then late",
    lesson: "A check in a proxy leaves a window between let through and written. Wait until what is under way is answered (drain, lock delay), or let the store itself refuse (seal, on ETags that change with every write). A reset (abort) calls back only what has not left.",
    parameters: Parameters {
        lease_ms: 10_000,
        pause_ms: 25_000,
        drift_ppm: 0,
        delay_ms: 10,
    },
    build,
};

const fn put(draft: Draft) -> Op {
    Op::Put {
        draft,
        flush_ms: FLUSH_MS,
    }
}

/// When A's second write is about to leave the proxy.
fn before_second_write(p: &Parameters, sealed: bool) -> Millis {
    // With the seal each write asks the store first: a message there and one back.
    let messages = if sealed { 15 } else { 11 };
    let half = p.delay_ms.checked_div(2).unwrap_or(0);
    p.delay_ms
        .saturating_mul(messages)
        .saturating_add(2_500)
        .saturating_sub(half)
}

fn build(p: &Parameters) -> Vec<Scenario> {
    let work = |ms| Op::Work { ms };
    let a = || HolderPlan {
        tries: 0,
        ..HolderPlan::new(vec![
            Op::Acquire,
            Op::Read,
            work(WORK_MS),
            put(Draft::Whole),
            work(500),
            put(Draft::Whole),
        ])
    };
    let b = |draft| {
        let script = vec![
            Op::Acquire,
            Op::Read,
            work(WORK_MS),
            put(draft),
            Op::Release,
        ];
        HolderPlan::new(script).starting(2_000)
    };
    let told = |name, shows, draft, mechanism: Mechanism| {
        let sealed = mechanism.condition != Condition::None;
        let holders = [a(), b(draft)];
        let slow = |by_ms| Accident::Slow {
            from: P1,
            to: Who::Store,
            by_ms,
        };
        let at = before_second_write(p, sealed);
        variant(name, shows, holders, mechanism, p)
            .with(at, slow(p.pause_ms))
            .with(9_000, slow(0))
    };
    let proxy = Mechanism {
        check: Check::Proxy,
        ..lease(p)
    };
    let aborting = Mechanism {
        abort: true,
        ..proxy
    };
    let sticking = {
        let holders = [a(), b(Draft::Whole)];
        let name = "straggler.abort-in-time";
        let shows =
            "A's write sticks in the proxy's buffers, and B's grant makes the proxy drop it there.";
        variant(name, shows, holders, aborting, p)
            .with(before_second_write(p, false), Accident::Stall(P1))
            .with(14_000, Accident::Unstall(P1))
    };
    let late = [Law::NoDualWrite, Law::NoLostUpdate];
    vec![
        told(
            "straggler.proxy-only",
            "The proxy let A's write through while A held the lease. It reaches the store after B's.",
            Draft::Whole,
            proxy,
        )
        .breaking(&late),
        told(
            "straggler.abort",
            "B's grant makes the proxy reset A's write. Its bytes have left already, and land after B's.",
            Draft::Whole,
            aborting,
        )
        .breaking(&late),
        told(
            "straggler.aba",
            "Sealed by an ETag that is made from the bytes. B writes the same bytes once more, so the ETag is the same, and A's late write passes.",
            Draft::Same,
            Mechanism {
                condition: Condition::Sealed(Etag::ByContent),
                ..proxy
            },
        )
        .breaking(&[
            Law::SealedAtTheOrigin,
            Law::MarkNeverFalls,
            Law::NoDualWrite,
            Law::NoLostUpdate,
        ]),
        told(
            "straggler.drain",
            "B is granted, and told so only when A's writes under way are answered.",
            Draft::Whole,
            Mechanism {
                drain_ms: Some(p.pause_ms.saturating_add(10_000)),
                ..proxy
            },
        ),
        sticking,
        told(
            "straggler.abort-and-drain",
            "What was reset and had left is waited for as long as it may be under way.",
            Draft::Whole,
            Mechanism {
                drain_ms: Some(p.pause_ms.saturating_add(10_000)),
                ..aborting
            },
        ),
        told(
            "straggler.lock-delay",
            "Nobody is granted for as long after the lease as a write may be under way.",
            Draft::Whole,
            with_lock_delay(proxy, p.pause_ms),
        ),
        told(
            "straggler.sealed",
            "The proxy writes only if the report is still what it looked at: the store refuses the straggler.",
            Draft::Same,
            Mechanism {
                condition: Condition::Sealed(Etag::PerWrite),
                ..proxy
            },
        ),
    ]
}
