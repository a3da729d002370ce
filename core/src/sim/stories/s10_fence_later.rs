//! (10) Write first, fence later: the window in which two write.

use super::cast::{FENCE, PAUSED, WORK, checked, doing, put};
use super::variant::{Variant, Worker};
use super::{Parameters, Story};
use crate::sim::laws::Law;
use crate::sim::mechanism::Check;
use crate::sim::scenario::{Draft, Op};

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
    variants: VARIANTS,
};

const PUT: Op = put(Draft::Whole);
const LONG: Op = Op::Work { ms: 8_000 };
const FENCES: Worker = doing(&[Op::Acquire, FENCE, Op::Read, WORK, PUT, LONG, Op::Release]);

const FIRST: Variant = Variant {
    a: FENCES,
    b: FENCES.starting(2_000),
    mechanism: checked(Check::StoreByClaim),
    ..PAUSED
};

const VARIANTS: &[Variant] = &[
    Variant {
        name: "fence-later.later",
        shows: "B writes, and raises the mark only afterwards: A wakes up in between.",
        b: doing(&[Op::Acquire, Op::Read, WORK, PUT, LONG, FENCE, Op::Release]).starting(2_000),
        breaks: &[Law::NoDualWrite, Law::StaleNeverAdmitted, Law::NoLostUpdate],
        ..FIRST
    },
    Variant {
        name: "fence-later.first",
        shows: "B raises the mark, and then writes.",
        ..FIRST
    },
];
