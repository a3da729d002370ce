//! (11) A disk stall: the process lives, its clock goes on, and its bytes stick.

use super::cast::{A, AFTER_PAUSE, PAUSED, TRASHED, checked, when, worker};
use super::variant::{AMID_WRITE, Variant};
use super::{Parameters, Story};
use crate::sim::event::Accident;
use crate::sim::mechanism::Check;
use crate::sim::scenario::Draft;

pub(super) const STORY: Story = Story {
    number: 11,
    name: "disk",
    title: "The disk stalls, and lets go",
    lesson: "A knows that its lease is over and stops in time. The bytes that it handed over before do not know: they leave when the disk lets go.",
    parameters: Parameters {
        lease_ms: 10_000,
        pause_ms: 15_000,
        drift_ppm: 0,
        delay_ms: 10,
    },
    variants: VARIANTS,
};

const STALLED: Variant = Variant {
    a: worker(Draft::Half),
    befalls: &[
        when(AMID_WRITE, Accident::Stall(A)),
        when(AFTER_PAUSE, Accident::Unstall(A)),
    ],
    ..PAUSED
};

const VARIANTS: &[Variant] = &[
    Variant {
        name: "disk.unchecked",
        shows: "Nobody checks what leaves the disk late.",
        breaks: TRASHED,
        ..STALLED
    },
    Variant {
        name: "disk.fenced",
        shows: "B claims the mark before it looks. What leaves A's disk late carries the old token, and the store refuses it.",
        a: STALLED.a.claiming(),
        b: STALLED.b.claiming(),
        mechanism: checked(Check::Store),
        ..STALLED
    },
];
