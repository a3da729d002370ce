//! (9) The store is down, so the old leader cannot be fenced: take no writes.

use super::cast::{FLUSH_MS, WORK_MS, lease, variant};
use super::{Parameters, Story};
use crate::sim::event::Accident;
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Mechanism};
use crate::sim::scenario::{Draft, HolderPlan, Op, Scenario};
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
    build,
};

/// Claims the mark first, and insists on it or does not.
fn leader(insists: bool) -> HolderPlan {
    HolderPlan::new(vec![
        Op::Acquire,
        Op::Fence { insists },
        Op::Read,
        Op::Work { ms: WORK_MS },
        Op::Put {
            draft: Draft::Whole,
            flush_ms: FLUSH_MS,
        },
        Op::Release,
    ])
}

fn build(p: &Parameters) -> Vec<Scenario> {
    let told = |name, shows, insists| {
        let holders = [leader(true), leader(insists).starting(2_000)];
        let mechanism = Mechanism {
            check: Check::StoreByClaim,
            ..lease(p)
        };
        let up = Accident::Restart {
            who: Who::Store,
            with_memory: true,
        };
        variant(name, shows, holders, mechanism, p)
            .with_pause_of_a(p)
            .with(9_000, Accident::Crash(Who::Store))
            .with(12_000, up)
    };
    vec![
        told(
            "store-down.goes-on",
            "B's claim has no answer, and B goes on without it. When A wakes up, nothing stops its write.",
            false,
        )
        .breaking(&[
            Law::StaleNeverAdmitted,
            Law::NoDualWrite,
            Law::NoLostUpdate,
        ]),
        told(
            "store-down.waits",
            "B repeats its claim until the store has it, and takes no writes before.",
            true,
        ),
    ]
}
