//! (16) Block storage: the generation of an attachment.

use super::cast::{A, FLUSH_MS, WORK_MS, lease, variant, with_lock_delay};
use super::{Parameters, Story};
use crate::sim::dialect::Dialect;
use crate::sim::event::{Accident, Native};
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Mechanism};
use crate::sim::scenario::{Draft, HolderPlan, Op, Scenario};
use crate::sim::who::Who;

pub(super) const STORY: Story = Story {
    number: 16,
    name: "volume",
    title: "Block storage: attach generations",
    lesson: "A volume is taken from a node that does not answer. When the node's path comes back, its buffers are flushed: the volume must know that they are of an older attachment, even where the same node has it again.",
    parameters: Parameters {
        lease_ms: 10_000,
        pause_ms: 11_000,
        drift_ppm: 0,
        delay_ms: 10,
    },
    build,
};

/// Attaches, tells the volume its generation, and writes.
fn node() -> HolderPlan {
    HolderPlan::new(vec![
        Op::Acquire,
        Op::Fence { insists: true },
        Op::Read,
        Op::Work { ms: WORK_MS },
        Op::Put {
            draft: Draft::Half,
            flush_ms: FLUSH_MS,
        },
        Op::Put {
            draft: Draft::Whole,
            flush_ms: FLUSH_MS,
        },
    ])
}

fn build(p: &Parameters) -> Vec<Scenario> {
    let told = |name, shows, check, again| {
        let a = HolderPlan {
            comes_back: again,
            ..node()
        };
        let reader = HolderPlan::new(vec![Op::Acquire, Op::Read, Op::Release]);
        let b = if again {
            reader.starting(40_000)
        } else {
            node().starting(2_000)
        };
        let mechanism = Mechanism {
            check,
            dialect: Dialect::Block,
            ..lease(p)
        };
        // A node that was detached by force gets as long as its lease to notice.
        let mechanism = with_lock_delay(mechanism, p.lease_ms);
        let cut = |to| Accident::Cut { from: A, to };
        let heal = |to| Accident::Heal { from: A, to };
        let back = 1_200_u32.saturating_add(p.pause_ms);
        variant(name, shows, [a, b], mechanism, p)
            .with(1_200, cut(Who::Store))
            .with(1_200, cut(Who::Issuer))
            .with(5_000, Accident::Break)
            .with(back, heal(Who::Store))
            .with(back, heal(Who::Issuer))
            .with(35_000, Accident::Native(Native::FlushBuffers(0)))
    };
    vec![
        told(
            "volume.unchecked",
            "The volume takes what comes: A's old buffers land on B's report.",
            Check::Nowhere,
            false,
        )
        .breaking(&[
            Law::ReportStaysWhole,
            Law::StaleNeverAdmitted,
            Law::NoDualWrite,
            Law::NoLostUpdate,
        ]),
        told(
            "volume.generation",
            "The volume knows the newest attachment, and refuses A's old buffers.",
            Check::StoreByClaim,
            false,
        ),
        told(
            "volume.same-node",
            "The volume is attached to A again. A's buffers of the first attachment are refused all the same.",
            Check::StoreByClaim,
            true,
        ),
    ]
}
