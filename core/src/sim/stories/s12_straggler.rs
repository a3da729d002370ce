//! (12) The straggler: let through in time, and then late.

use super::cast::{P1, PAUSED, WORK, at, checked, doing, put, when, worker};
use super::variant::{Befalls, PAUSE, Span, Variant, What, Worker, ms};
use super::{Parameters, Story};
use crate::sim::event::Accident;
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Condition, Etag, Mechanism};
use crate::sim::scenario::{Draft, Op};
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
    variants: VARIANTS,
};

/// When A's second write is about to leave the proxy: half a message before the eleventh.
const BEFORE_SECOND_WRITE: Span = Span {
    half_delays: 21,
    ..ms(2_500)
};

const SLOW: Befalls = Befalls(BEFORE_SECOND_WRITE, What::SlowsForPause(P1, Who::Store));
const FAST: Befalls = at(
    9_000,
    Accident::Slow {
        from: P1,
        to: Who::Store,
        by_ms: 0,
    },
);

const STRAGGLER: Variant = Variant {
    a: Worker {
        tries: 0,
        ..doing(&[
            Op::Acquire,
            Op::Read,
            WORK,
            put(Draft::Whole),
            Op::Work { ms: 500 },
            put(Draft::Whole),
        ])
    },
    mechanism: checked(Check::Proxy),
    befalls: &[SLOW, FAST],
    ..PAUSED
};

/// B writes the same bytes once more.
const SEALED: Variant = Variant {
    b: worker(Draft::Same).starting(2_000),
    befalls: &[
        // With the seal each write asks the store first: a message there and one back.
        Befalls(
            Span {
                half_delays: 29,
                ..BEFORE_SECOND_WRITE
            },
            SLOW.1,
        ),
        FAST,
    ],
    ..STRAGGLER
};

const fn sealed(etag: Etag) -> Mechanism {
    Mechanism {
        condition: Condition::Sealed(etag),
        ..STRAGGLER.mechanism
    }
}

const ABORTING: Mechanism = Mechanism {
    abort: true,
    ..STRAGGLER.mechanism
};

/// As long as a write may be under way.
const DRAIN: Option<Span> = Some(Span {
    ms: 10_000,
    ..PAUSE
});

const LATE: &[Law] = &[Law::NoDualWrite, Law::NoLostUpdate];

const VARIANTS: &[Variant] = &[
    Variant {
        name: "straggler.proxy-only",
        shows: "The proxy let A's write through while A held the lease. It reaches the store after B's.",
        breaks: LATE,
        ..STRAGGLER
    },
    Variant {
        name: "straggler.abort",
        shows: "B's grant makes the proxy reset A's write. Its bytes have left already, and land after B's.",
        mechanism: ABORTING,
        breaks: LATE,
        ..STRAGGLER
    },
    Variant {
        name: "straggler.aba",
        shows: "Sealed by an ETag that is made from the bytes. B writes the same bytes once more, so the ETag is the same, and A's late write passes.",
        mechanism: sealed(Etag::ByContent),
        breaks: &[
            Law::SealedAtTheOrigin,
            Law::MarkNeverFalls,
            Law::NoDualWrite,
            Law::NoLostUpdate,
        ],
        ..SEALED
    },
    Variant {
        name: "straggler.drain",
        shows: "B is granted, and told so only when A's writes under way are answered.",
        drain: DRAIN,
        ..STRAGGLER
    },
    Variant {
        name: "straggler.abort-in-time",
        shows: "A's write sticks in the proxy's buffers, and B's grant makes the proxy drop it there.",
        mechanism: ABORTING,
        befalls: &[
            when(BEFORE_SECOND_WRITE, Accident::Stall(P1)),
            at(14_000, Accident::Unstall(P1)),
        ],
        ..STRAGGLER
    },
    Variant {
        name: "straggler.abort-and-drain",
        shows: "What was reset and had left is waited for as long as it may be under way.",
        mechanism: ABORTING,
        drain: DRAIN,
        ..STRAGGLER
    },
    Variant {
        name: "straggler.lock-delay",
        shows: "Nobody is granted for as long after the lease as a write may be under way.",
        lock_delay: PAUSE,
        ..STRAGGLER
    },
    Variant {
        name: "straggler.sealed",
        shows: "The proxy writes only if the report is still what it looked at: the store refuses the straggler.",
        mechanism: sealed(Etag::PerWrite),
        ..SEALED
    },
];
