//! (9) The store is down, so the old leader cannot be fenced: take no writes.

use super::cast::{A_WAKES, OVERWRITTEN, PAUSE_OF_A, PAUSED, WORK, at, checked, doing, put};
use super::variant::Variant;
use super::{Parameters, Story};
use crate::sim::event::Accident;
use crate::sim::mechanism::Check;
use crate::sim::scenario::{Draft, Op};
use crate::sim::who::Who;

pub(super) const STORY: Story = Story {
    number: 9,
    name: "store-down",
    title: "The fence cannot be moved: take no writes",
    lesson: "As long as the new leader cannot fence the old one, it takes no writes. That is ugly, and correct.",
    parameters: Parameters {
        lease_ms: 10_000,
        pause_ms: 18_000,
        drift_ppm: 0,
        delay_ms: 10,
    },
    variants: VARIANTS,
};

/// Both claim the mark first, and insist on it.
const DOWN: Variant = Variant {
    a: PAUSED.a.claiming(),
    b: PAUSED.b.claiming(),
    mechanism: checked(Check::StoreByClaim),
    befalls: &[
        PAUSE_OF_A,
        A_WAKES,
        at(9_000, Accident::Crash(Who::Store)),
        at(
            12_000,
            Accident::Restart {
                who: Who::Store,
                with_memory: true,
            },
        ),
    ],
    ..PAUSED
};

const VARIANTS: &[Variant] = &[
    Variant {
        name: "store-down.goes-on",
        shows: "B's claim has no answer, and B goes on without it. When A wakes up, nothing stops its write.",
        b: doing(&[
            Op::Acquire,
            Op::Fence { insists: false },
            Op::Read,
            WORK,
            put(Draft::Whole),
            Op::Release,
        ])
        .starting(2_000),
        breaks: OVERWRITTEN,
        ..DOWN
    },
    Variant {
        name: "store-down.waits",
        shows: "B repeats its claim until the store has it, and takes no writes before.",
        ..DOWN
    },
];
