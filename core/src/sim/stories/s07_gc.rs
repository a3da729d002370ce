//! (7) A long collection: the lease is shorter than the pause, and what a longer one costs.

use super::cast::{A, LEASED, OVERWRITTEN, PAUSED, checked, lock, when};
use super::variant::{AMID_WRITE, Befalls, PAUSE, Span, Variant};
use super::{Parameters, Story};
use crate::sim::event::Accident;
use crate::sim::mechanism::{AfterExpiryForm, Check, LeaseClock, Mechanism};

pub(super) const STORY: Story = Story {
    number: 7,
    name: "gc",
    title: "The lease is shorter than the pause",
    lesson: "A lease longer than every pause keeps a paused leader in office, and keeps everybody waiting just as long when it is dead. Pauses have no upper bound that one can count on; tokens do not need one.",
    parameters: Parameters {
        lease_ms: 10_000,
        pause_ms: 20_000,
        drift_ppm: 0,
        delay_ms: 10,
    },
    variants: VARIANTS,
};

/// Longer than the pause.
const LONGER: Span = Span { ms: 5_000, ..PAUSE };
const DEAD: &[Befalls] = &[when(AMID_WRITE, Accident::Crash(A))];

const VARIANTS: &[Variant] = &[
    Variant {
        name: "gc.short-lease",
        shows: "The collection takes longer than the lease runs; nobody checks tokens.",
        breaks: OVERWRITTEN,
        ..PAUSED
    },
    Variant {
        name: "gc.long-lease",
        shows: "The lease is longer than this pause: A wakes up in office, and B had to wait. It holds for as long as no pause is longer than the lease.",
        lease: LONGER,
        lucky: OVERWRITTEN,
        ..PAUSED
    },
    Variant {
        name: "gc.long-lease-and-dead",
        shows: "The same long lease, and A is dead: nobody leads until it runs out.",
        mechanism: checked(Check::Store),
        lease: LONGER,
        befalls: DEAD,
        ..PAUSED
    },
    Variant {
        name: "gc.short-lease-and-dead",
        shows: "A short lease, and A is dead: B leads soon.",
        mechanism: checked(Check::Store),
        befalls: DEAD,
        ..PAUSED
    },
    Variant {
        name: "gc.short-lease-fenced",
        shows: "A short lease, the same collection, leaders that claim the mark first and a store that checks it: soon and safe.",
        a: PAUSED.a.claiming(),
        b: PAUSED.b.claiming(),
        mechanism: checked(Check::Store),
        ..PAUSED
    },
    Variant {
        name: "gc.strict",
        shows: "Nobody took over, and the rule says that a token ends with its lease: A's late write is refused all the same.",
        b: PAUSED.b.starting(60_000),
        mechanism: Mechanism {
            lock: lock(LeaseClock::Service, AfterExpiryForm::Refuse),
            check: Check::Proxy,
            ..LEASED
        },
        ..PAUSED
    },
];
