//! (2) Redis `SET job:1 NX EX 30`, and the trashed report.pdf.

use super::cast::{LEASED, PAUSED, TRASHED, WORK, doing, put, worker};
use super::variant::{Variant, Worker};
use super::{Parameters, Story};
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Lock, Mechanism, Tokens};
use crate::sim::scenario::{Draft, Op};

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
    variants: VARIANTS,
};

const REDIS: Variant = Variant {
    a: worker(Draft::Half),
    b: worker(Draft::Whole).starting(3_000),
    mechanism: Mechanism {
        tokens: Tokens::None,
        ..LEASED
    },
    ..PAUSED
};

/// Never looks at its clock.
const fn careless(worker: Worker) -> Worker {
    Worker {
        stops_at_expiry: false,
        renews: false,
        ..worker
    }
}

const BELIEVED_AND_TRASHED: &[Law] = &[
    Law::ReportStaysWhole,
    Law::HolderStopsInTime,
    Law::StaleNeverAdmitted,
    Law::NoDualWrite,
    Law::NoLostUpdate,
];

const VARIANTS: &[Variant] = &[
    Variant {
        name: "redis.no-lock",
        shows: "No lock at all: both think that they may write.",
        a: doing(&[Op::Acquire, Op::Read, WORK, put(Draft::Half)]),
        b: doing(&[Op::Acquire, Op::Read, WORK, put(Draft::Whole)]).starting(3_000),
        mechanism: Mechanism {
            lock: Lock::None,
            ..REDIS.mechanism
        },
        breaks: BELIEVED_AND_TRASHED,
        ..REDIS
    },
    Variant {
        name: "redis.lock-only",
        shows: "A lock only in Redis: A is paused for longer than it runs, wakes up and never looks at its clock.",
        a: careless(REDIS.a),
        b: careless(REDIS.b),
        breaks: BELIEVED_AND_TRASHED,
        ..REDIS
    },
    Variant {
        name: "redis.careful",
        shows: "The same, and A looks at its clock before each write; but the pause comes after the look.",
        breaks: TRASHED,
        ..REDIS
    },
    Variant {
        name: "redis.fenced",
        shows: "The same two workers, which claim the mark before they look at the report, and a store that checks the token.",
        a: REDIS.a.claiming(),
        b: REDIS.b.claiming(),
        mechanism: Mechanism {
            check: Check::Store,
            first_token: 42,
            ..LEASED
        },
        ..REDIS
    },
];
