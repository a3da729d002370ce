//! (17) STONITH too slow, tokens in time.

use super::cast::{LEASED, OVERWRITTEN, PAUSED};
use super::variant::Variant;
use super::{Parameters, Story};
use crate::sim::clock::Millis;
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Mechanism};

pub(super) const STORY: Story = Story {
    number: 17,
    name: "stonith",
    title: "The plug is pulled too late",
    lesson: "Switching the old leader off fences the machine, once the plug is out. Tokens fence the writes at once, and need no plug.",
    parameters: Parameters {
        lease_ms: 10_000,
        pause_ms: 12_000,
        drift_ppm: 0,
        delay_ms: 10,
    },
    variants: VARIANTS,
};

const fn pulled_after(ms: Millis) -> Mechanism {
    Mechanism {
        stonith_ms: Some(ms),
        ..LEASED
    }
}

const VARIANTS: &[Variant] = &[
    Variant {
        name: "stonith.slow",
        shows: "The cloud API takes its time: A wakes up before its machine is switched off.",
        mechanism: pulled_after(8_000),
        breaks: OVERWRITTEN,
        ..PAUSED
    },
    Variant {
        name: "stonith.fast",
        shows: "The plug is out before A wakes up. That is a race won, not a rule: a second is long enough for a write.",
        mechanism: pulled_after(1_000),
        lucky: &[Law::NoLostUpdate],
        ..PAUSED
    },
    Variant {
        name: "stonith.slow-fenced",
        shows: "The plug is late again. Each leader claims the mark first, and the store checks tokens.",
        a: PAUSED.a.claiming(),
        b: PAUSED.b.claiming(),
        mechanism: Mechanism {
            check: Check::Store,
            ..pulled_after(8_000)
        },
        ..PAUSED
    },
];
