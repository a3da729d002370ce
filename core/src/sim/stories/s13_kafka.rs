//! (13) Kafka: the zombie producer is fenced, and must make a new producer.

use super::cast::{A_WAKES, B, LEASED, OVERWRITTEN, PAUSE_OF_A, PAUSED, at, worker};
use super::variant::{LEASE, Variant, Worker};
use super::{Parameters, Story};
use crate::sim::dialect::Dialect;
use crate::sim::event::{Accident, Native};
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Mechanism};
use crate::sim::scenario::{Draft, OnRefusal};
use crate::sim::who::Who;

pub(super) const STORY: Story = Story {
    number: 13,
    name: "kafka",
    title: "Kafka: the zombie producer",
    lesson: "The coordinator aborts a transaction that takes too long, and raises the producer's epoch. The zombie's batches are refused from then on; raising the epoch itself would be a lie: it must make a new producer.",
    parameters: Parameters {
        lease_ms: 10_000,
        pause_ms: 15_000,
        drift_ppm: 0,
        delay_ms: 10,
    },
    variants: VARIANTS,
};

const FENCED: Variant = Variant {
    b: worker(Draft::Whole).starting(10_500).claiming(),
    mechanism: Mechanism {
        check: Check::Store,
        dialect: Dialect::Kafka,
        ..LEASED
    },
    befalls: &[
        PAUSE_OF_A,
        A_WAKES,
        at(10_000, Accident::Native(Native::AbortTransaction)),
        // B's reading has passed; the next of its messages to the store is its write.
        at(
            10_800,
            Accident::DuplicateNext {
                from: B,
                to: Who::Store,
            },
        ),
    ],
    // An abort tells the zombie nothing: awake, it believes on while the next one is granted.
    lucky: &[Law::HolderStopsInTime],
    ..PAUSED
};

const fn zombie(on_refusal: OnRefusal) -> Worker {
    Worker {
        on_refusal,
        ..worker(Draft::Whole).claiming()
    }
}

const VARIANTS: &[Variant] = &[
    Variant {
        name: "kafka.unfenced",
        shows: "The broker does not look at epochs: the zombie's batch is appended after B's.",
        a: worker(Draft::Whole),
        b: worker(Draft::Whole).starting(10_500),
        mechanism: Mechanism {
            check: Check::Nowhere,
            ..FENCED.mechanism
        },
        breaks: OVERWRITTEN,
        ..FENCED
    },
    Variant {
        name: "kafka.own-epoch",
        shows: "The zombie is fenced, and raises its epoch itself.",
        a: zombie(OnRefusal::NextToken),
        breaks: OVERWRITTEN,
        ..FENCED
    },
    Variant {
        name: "kafka.new-producer",
        shows: "The zombie is fenced and makes a new producer: a new epoch, and a new look. A batch that comes twice is stored once, by its sequence.",
        a: zombie(OnRefusal::Renounce),
        ..FENCED
    },
    Variant {
        name: "kafka.waited",
        shows: "The same, and after an abort nobody is let in for as long as the zombie may believe.",
        a: zombie(OnRefusal::Renounce),
        lock_delay: LEASE,
        lucky: &[],
        ..FENCED
    },
];
