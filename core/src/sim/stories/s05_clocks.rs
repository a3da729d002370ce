//! (5) A clock step makes two valid leases; and a clock that is slow.

use super::cast::{A, B, BELIEVED_AND_OVERWRITTEN, LEASED, PAUSED, at, lock, reporter, worker};
use super::variant::{Befalls, Variant, What, Worker, ms};
use super::{Parameters, Story};
use crate::sim::event::Accident;
use crate::sim::laws::Law;
use crate::sim::mechanism::{AfterExpiryForm, Check, LeaseClock, Mechanism};
use crate::sim::scenario::Draft;
use crate::sim::who::Who;

pub(super) const STORY: Story = Story {
    number: 5,
    name: "clocks",
    title: "A clock step makes two valid leases",
    lesson: "A lease that ends at a time of day ends for each machine by its own clock. Let one service measure it, tell its holders durations, and let them allow for clocks that run at other rates; tokens stay right whatever the clocks do.",
    parameters: Parameters {
        lease_ms: 10_000,
        pause_ms: 0,
        drift_ppm: -50_000,
        delay_ms: 10,
    },
    variants: VARIANTS,
};

const fn by(clock: LeaseClock, check: Check) -> Mechanism {
    Mechanism {
        lock: lock(clock, AfterExpiryForm::AdmitUntilSuperseded),
        check,
        ..LEASED
    }
}

const STEPPED: Variant = Variant {
    // A works on, long enough for B to come between.
    a: Worker {
        renews: false,
        ..reporter(Draft::Whole, 5_000)
    },
    b: worker(Draft::Whole).starting(3_000),
    befalls: &[at(
        2_000,
        Accident::StepClock {
            who: B,
            by_ms: 60_000,
        },
    )],
    ..PAUSED
};

const SLOW: Variant = Variant {
    a: reporter(Draft::Whole, 20_000),
    b: worker(Draft::Whole).starting(1_000),
    mechanism: by(LeaseClock::Service, Check::Store),
    befalls: &[
        Befalls(ms(0), What::Drifts(A)),
        at(
            500,
            Accident::Cut {
                from: A,
                to: Who::Issuer,
            },
        ),
    ],
    ..PAUSED
};

/// If B steps before it is granted, its lease ends a minute later by everybody else's clock.
const LOCKED_OUT: &[Law] = &[Law::SomeoneCanAcquire];

const VARIANTS: &[Variant] = &[
    Variant {
        name: "clocks.walls",
        shows: "The end of the lease is a time of day. B's clock is set forward: for B the lease is over, for A it is not.",
        mechanism: by(LeaseClock::EveryWall, Check::Nowhere),
        breaks: BELIEVED_AND_OVERWRITTEN,
        lucky: LOCKED_OUT,
        ..STEPPED
    },
    Variant {
        name: "clocks.walls-fenced",
        shows: "The same two valid leases, and a store that checks tokens: two believe, one writes.",
        a: STEPPED.a.claiming(),
        b: STEPPED.b.claiming(),
        mechanism: by(LeaseClock::EveryWall, Check::Store),
        breaks: &[Law::HolderStopsInTime],
        lucky: LOCKED_OUT,
        ..STEPPED
    },
    Variant {
        name: "clocks.service",
        shows: "The service measures the lease by its own monotonic clock: the step changes nothing.",
        a: STEPPED.a.claiming(),
        b: STEPPED.b.claiming(),
        mechanism: by(LeaseClock::Service, Check::Store),
        ..STEPPED
    },
    Variant {
        name: "clocks.slow",
        shows: "A is cut off, and its clock is slower than it thinks clocks can be: it believes too long.",
        breaks: &[Law::HolderStopsInTime],
        ..SLOW
    },
    Variant {
        name: "clocks.slow-allowed",
        shows: "The same slow clock, and an A that allows for it: it stops in time.",
        a: Worker {
            allows_for_drift: true,
            ..SLOW.a
        },
        ..SLOW
    },
];
