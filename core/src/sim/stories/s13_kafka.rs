//! (13) Kafka: the zombie producer is fenced, and must make a new producer.

use super::cast::{lease, variant, with_lock_delay, worker};
use super::{Parameters, Story};
use crate::sim::dialect::Dialect;
use crate::sim::event::{Accident, Native};
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Mechanism};
use crate::sim::scenario::{Draft, HolderPlan, OnRefusal, Scenario};
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
    build,
};

fn build(p: &Parameters) -> Vec<Scenario> {
    let told = |name, shows, on_refusal, check, waits_ms| {
        let a = HolderPlan {
            on_refusal,
            ..worker(Draft::Whole)
        };
        let b = worker(Draft::Whole).starting(10_500);
        let holders = [a, b].map(|plan| plan.checked_at(check));
        let mechanism = Mechanism {
            check,
            dialect: Dialect::Kafka,
            ..lease(p)
        };
        let abort = Accident::Native(Native::AbortTransaction);
        let twice = Accident::DuplicateNext {
            from: Who::Holder(1),
            to: Who::Store,
        };
        let mechanism = with_lock_delay(mechanism, waits_ms);
        variant(name, shows, holders, mechanism, p)
            .with_pause_of_a(p)
            .with(10_000, abort)
            // B's reading has passed; the next of its messages to the store is its write.
            .with(10_800, twice)
    };
    let lies = [Law::StaleNeverAdmitted, Law::NoDualWrite, Law::NoLostUpdate];
    // An abort tells the zombie nothing: awake, it believes on while the next one is granted.
    let believes = [Law::HolderStopsInTime];
    vec![
        told(
            "kafka.unfenced",
            "The broker does not look at epochs: the zombie's batch is appended after B's.",
            OnRefusal::Stop,
            Check::Nowhere,
            0,
        )
        .breaking(&lies)
        .lucky_with(&believes),
        told(
            "kafka.own-epoch",
            "The zombie is fenced, and raises its epoch itself.",
            OnRefusal::NextToken,
            Check::Store,
            0,
        )
        .breaking(&lies)
        .lucky_with(&believes),
        told(
            "kafka.new-producer",
            "The zombie is fenced and makes a new producer: a new epoch, and a new look. A batch that comes twice is stored once, by its sequence.",
            OnRefusal::Renounce,
            Check::Store,
            0,
        )
        .lucky_with(&believes),
        told(
            "kafka.waited",
            "The same, and after an abort nobody is let in for as long as the zombie may believe.",
            OnRefusal::Renounce,
            Check::Store,
            p.lease_ms,
        ),
    ]
}
