//! (1) Leader 7 against leader 8.

use super::cast::{LEASED, OVERWRITTEN, PAUSED, worker};
use super::variant::{Variant, Worker};
use super::{Parameters, Story};
use crate::sim::mechanism::{Check, Mechanism};
use crate::sim::scenario::Draft;

pub(super) const STORY: Story = Story {
    number: 1,
    name: "leaders",
    title: "Leader 7 against leader 8",
    lesson: "A replaced leader that is not dead still writes. The store must know the newest token and refuse the older one.",
    parameters: Parameters {
        lease_ms: 10_000,
        pause_ms: 15_000,
        drift_ppm: 0,
        delay_ms: 10,
    },
    variants: VARIANTS,
};

const LEADER: Worker = worker(Draft::Whole).claiming();
const SEVEN: Mechanism = Mechanism {
    first_token: 7,
    ..LEASED
};

const VARIANTS: &[Variant] = &[
    Variant {
        name: "leaders.unchecked",
        shows: "Nobody checks the token: leader 7 wakes up and overwrites what leader 8 wrote.",
        mechanism: SEVEN,
        breaks: OVERWRITTEN,
        ..PAUSED
    },
    Variant {
        name: "leaders.fenced",
        shows: "Each leader claims the mark before it begins, and the store keeps the highest: 7 is refused, since 8 is current.",
        a: LEADER,
        b: LEADER.starting(2_000),
        mechanism: Mechanism {
            check: Check::Store,
            ..SEVEN
        },
        ..PAUSED
    },
];
