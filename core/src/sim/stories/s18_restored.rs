//! (18) An issuer that is set back to a snapshot: tokens go back, and the epoch saves.

use super::cast::{
    A, A_WAKES, P1, PAUSE_OF_A, PAUSED, WORK, at, checked, doing, pause, put, when, worker,
};
use super::variant::{AMID_WRITE, LEASE, Span, Variant, Worker};
use super::{Parameters, Story};
use crate::sim::event::Accident;
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Issuer, Mechanism};
use crate::sim::scenario::{Draft, Op};
use crate::sim::who::Who;

pub(super) const STORY: Story = Story {
    number: 18,
    name: "restored",
    title: "The issuer comes back from a snapshot",
    lesson: "A counter that is set back grants numbers once more. An epoch that rises with every history makes the new tokens higher than all old ones; and whoever forgot the mark must not take that for none.",
    parameters: Parameters {
        lease_ms: 10_000,
        pause_ms: 15_000,
        drift_ppm: 0,
        delay_ms: 10,
    },
    variants: VARIANTS,
};

const TWICE: Worker = doing(&[
    Op::Acquire,
    Op::Read,
    WORK,
    put(Draft::Whole),
    Op::Release,
    Op::Acquire,
    Op::Read,
    WORK,
    put(Draft::Whole),
    Op::Release,
]);

const RESTORED: Variant = Variant {
    a: TWICE,
    b: worker(Draft::Whole).starting(30_000),
    mechanism: Mechanism {
        first_token: 5,
        ..checked(Check::Store)
    },
    befalls: &[at(1_000, Accident::Snapshot), at(20_000, Accident::Restore)],
    ..PAUSED
};

const MEMORY: Mechanism = Mechanism {
    issuer: Issuer::Memory,
    ..checked(Check::Proxy)
};

/// An issuer without a disk grants nothing before its epoch's second has come; A asks again.
const ONCE_OPEN: Span = Span {
    ms: 1_020,
    ..AMID_WRITE
};
const A_LEASE_LATER: Span = Span {
    leases: 1,
    ..AMID_WRITE
};

const fn restart(who: Who) -> Accident {
    Accident::Restart {
        who,
        with_memory: false,
    }
}

const VARIANTS: &[Variant] = &[
    Variant {
        name: "restored.back",
        shows: "5 and 6 were granted; the snapshot knows of 5 only. B is granted 6 once more, and refused.",
        breaks: &[Law::TokensOnlyRise],
        lucky: &[Law::NewestNotRefused],
        ..RESTORED
    },
    Variant {
        name: "restored.forgetful-proxy",
        shows: "Tokens come from elsewhere, and the proxy that keeps the mark starts again: it takes the first token that it sees.",
        b: worker(Draft::Whole).starting(12_500),
        mechanism: checked(Check::ProxyAtFirstWrite),
        befalls: &[PAUSE_OF_A, at(15_000, restart(P1)), A_WAKES],
        breaks: &[
            Law::UnknownIsNotEmpty,
            Law::StaleNeverAdmitted,
            Law::MarkNeverFalls,
            Law::NoDualWrite,
            Law::NoLostUpdate,
        ],
        ..PAUSED
    },
    Variant {
        name: "restored.epoch",
        shows: "Whoever restores raises the epoch: 1.6 is above everything of before.",
        mechanism: Mechanism {
            issuer: Issuer::DurableWithEpoch,
            ..RESTORED.mechanism
        },
        ..RESTORED
    },
    Variant {
        name: "restored.memory",
        shows: "Our issuer keeps nothing. Its next start granted nothing yet, so it admits nothing: what A holds is of another epoch.",
        b: worker(Draft::Whole).starting(12_500),
        mechanism: MEMORY,
        befalls: &[
            when(ONCE_OPEN, pause(A, false)),
            at(15_000, restart(Who::Issuer)),
            when(
                Span {
                    pauses: 1,
                    ..ONCE_OPEN
                },
                Accident::Resume(A),
            ),
        ],
        // A restart ends all leases, and who is awake and holds one cannot know: it believes on.
        lucky: &[Law::HolderStopsInTime],
        ..PAUSED
    },
    // One that waits out the leases of before is closed for so long after each start.
    Variant {
        name: "restored.memory-waits",
        shows: "The same issuer with a lock delay as long as a lease: after a start it grants nothing before every lease of before is over.",
        a: Worker {
            starts: LEASE,
            ..worker(Draft::Whole)
        },
        b: Worker {
            starts: Span {
                ms: 12_500,
                leases: 2,
                ..LEASE
            },
            ..worker(Draft::Whole)
        },
        mechanism: MEMORY,
        lock_delay: LEASE,
        befalls: &[
            when(A_LEASE_LATER, pause(A, false)),
            when(
                Span {
                    ms: 15_000,
                    ..LEASE
                },
                restart(Who::Issuer),
            ),
            when(
                Span {
                    pauses: 1,
                    ..A_LEASE_LATER
                },
                Accident::Resume(A),
            ),
        ],
        ..PAUSED
    },
];
