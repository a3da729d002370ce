//! (16) Block storage: the generation of an attachment.

use super::cast::{A, FENCE, LEASED, PAUSED, TRASHED, WORK, at, doing, put, when};
use super::variant::{LEASE, PAUSE, Span, Variant, Worker};
use super::{Parameters, Story};
use crate::sim::dialect::Dialect;
use crate::sim::event::{Accident, Native};
use crate::sim::mechanism::{Check, Mechanism};
use crate::sim::scenario::{Draft, Op};
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
    variants: VARIANTS,
};

/// Attaches, tells the volume its generation, and writes.
const NODE: Worker = doing(&[
    Op::Acquire,
    FENCE,
    Op::Read,
    WORK,
    put(Draft::Half),
    put(Draft::Whole),
]);

const fn cut(to: Who) -> Accident {
    Accident::Cut { from: A, to }
}

const fn heal(to: Who) -> Accident {
    Accident::Heal { from: A, to }
}

const BACK: Span = Span { ms: 1_200, ..PAUSE };

const TAKEN: Variant = Variant {
    a: NODE,
    b: NODE.starting(2_000),
    mechanism: Mechanism {
        check: Check::StoreByClaim,
        dialect: Dialect::Block,
        ..LEASED
    },
    // A node that was detached by force gets as long as its lease to notice.
    lock_delay: LEASE,
    befalls: &[
        at(1_200, cut(Who::Store)),
        at(1_200, cut(Who::Issuer)),
        at(5_000, Accident::Break),
        when(BACK, heal(Who::Store)),
        when(BACK, heal(Who::Issuer)),
        at(35_000, Accident::Native(Native::FlushBuffers(0))),
    ],
    ..PAUSED
};

const VARIANTS: &[Variant] = &[
    Variant {
        name: "volume.unchecked",
        shows: "The volume takes what comes: A's old buffers land on B's report.",
        mechanism: Mechanism {
            check: Check::Nowhere,
            ..TAKEN.mechanism
        },
        breaks: TRASHED,
        ..TAKEN
    },
    Variant {
        name: "volume.generation",
        shows: "The volume knows the newest attachment, and refuses A's old buffers.",
        ..TAKEN
    },
    Variant {
        name: "volume.same-node",
        shows: "The volume is attached to A again. A's buffers of the first attachment are refused all the same.",
        a: Worker {
            comes_back: true,
            ..NODE
        },
        b: doing(&[Op::Acquire, Op::Read, Op::Release]).starting(40_000),
        ..TAKEN
    },
];
