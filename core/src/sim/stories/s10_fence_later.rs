//! (10) Write first, fence later: the window in which two write.

use super::cast::{FLUSH_MS, WORK_MS, lease, variant};
use super::{Parameters, Story};
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Mechanism};
use crate::sim::scenario::{Draft, HolderPlan, Op, Scenario};

pub(super) const STORY: Story = Story {
    number: 10,
    name: "fence-later",
    title: "Write first, fence later",
    lesson: "Between the new leader's first write and its fence both leaders write. The order is the whole point: first the fence, then the first write.",
    parameters: Parameters {
        lease_ms: 10_000,
        pause_ms: 15_000,
        drift_ppm: 0,
        delay_ms: 10,
    },
    build,
};

const PUT: Op = Op::Put {
    draft: Draft::Whole,
    flush_ms: FLUSH_MS,
};

fn build(p: &Parameters) -> Vec<Scenario> {
    let fence = Op::Fence { insists: true };
    let work = Op::Work { ms: WORK_MS };
    let long = Op::Work { ms: 8_000 };
    let first = vec![Op::Acquire, fence, Op::Read, work, PUT, long, Op::Release];
    let later = vec![Op::Acquire, Op::Read, work, PUT, long, fence, Op::Release];
    let told = |name, shows, script| {
        let a = HolderPlan::new(first.clone());
        let holders = [a, HolderPlan::new(script).starting(2_000)];
        let mechanism = Mechanism {
            check: Check::StoreByClaim,
            ..lease(p)
        };
        variant(name, shows, holders, mechanism, p).with_pause_of_a(p)
    };
    vec![
        told(
            "fence-later.later",
            "B writes, and raises the mark only afterwards: A wakes up in between.",
            later,
        )
        .breaking(&[Law::NoDualWrite, Law::StaleNeverAdmitted, Law::NoLostUpdate]),
        told(
            "fence-later.first",
            "B raises the mark, and then writes.",
            first.clone(),
        ),
    ]
}
