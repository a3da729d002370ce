//! (2) Redis `SET job:1 NX EX 30`, and the trashed report.pdf.

use super::cast::{lease, variant, worker};
use super::{Parameters, Story};
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Lock, Mechanism, Tokens};
use crate::sim::scenario::{Draft, HolderPlan, Op, Scenario};

pub(super) const STORY: Story = Story {
    number: 2,
    name: "redis",
    title: "SET NX EX 30, and the trashed report.pdf",
    lesson: "A lock with a time limit protects nothing by itself: the resource does not know of it. Even a worker that looks at its clock before it writes is too late when it is paused after the look.",
    parameters: Parameters {
        lease_ms: 30_000,
        pause_ms: 35_000,
        drift_ppm: 0,
        delay_ms: 10,
    },
    build,
};

fn build(p: &Parameters) -> Vec<Scenario> {
    let redis = Mechanism {
        tokens: Tokens::None,
        ..lease(p)
    };
    let told = |name, shows, holder: fn(HolderPlan) -> HolderPlan, mechanism: Mechanism| {
        let worker = |draft| holder(worker(draft)).checked_at(mechanism.check);
        let holders = [worker(Draft::Half), worker(Draft::Whole).starting(3_000)];
        variant(name, shows, holders, mechanism, p).with_pause_of_a(p)
    };
    let trashed = [
        Law::ReportStaysWhole,
        Law::StaleNeverAdmitted,
        Law::NoDualWrite,
        Law::NoLostUpdate,
    ];
    vec![
        told(
            "redis.no-lock",
            "No lock at all: both think that they may write.",
            |mut plan| {
                plan.script.retain(|op| *op != Op::Release);
                plan
            },
            Mechanism {
                lock: Lock::None,
                ..redis
            },
        )
        .breaking(&[
            Law::ReportStaysWhole,
            Law::HolderStopsInTime,
            Law::StaleNeverAdmitted,
            Law::NoDualWrite,
            Law::NoLostUpdate,
        ]),
        told(
            "redis.lock-only",
            "A lock only in Redis: A is paused for longer than it runs, wakes up and never looks at its clock.",
            |plan| HolderPlan {
                stops_at_expiry: false,
                renews: false,
                ..plan
            },
            redis,
        )
        .breaking(&[
            Law::ReportStaysWhole,
            Law::HolderStopsInTime,
            Law::StaleNeverAdmitted,
            Law::NoDualWrite,
            Law::NoLostUpdate,
        ]),
        told(
            "redis.careful",
            "The same, and A looks at its clock before each write; but the pause comes after the look.",
            |plan| plan,
            redis,
        )
        .breaking(&trashed),
        told(
            "redis.fenced",
            "The same two workers, which claim the mark before they look at the report, and a store that checks the token.",
            |plan| plan,
            Mechanism {
                tokens: Tokens::Granted,
                check: Check::Store,
                first_token: 42,
                ..redis
            },
        ),
    ]
}
