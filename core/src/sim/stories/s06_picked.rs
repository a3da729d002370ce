//! (6) Tokens that clients count up themselves: both pick 8.

use super::cast::{LEASED, PAUSED, WORK, doing, put, worker};
use super::variant::{Variant, Worker};
use super::{Parameters, Story};
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Lock, Mechanism, Tokens};
use crate::sim::scenario::{Draft, Op};

pub(super) const STORY: Story = Story {
    number: 6,
    name: "picked",
    title: "Both pick 8",
    lesson: "Who reads 7 and adds 1 gets 8, and so does the other one. The number must be given out by whoever keeps it, in one step with the lock.",
    parameters: Parameters {
        lease_ms: 10_000,
        pause_ms: 0,
        drift_ppm: 0,
        delay_ms: 10,
    },
    variants: VARIANTS,
};

const PICKER: Worker = doing(&[Op::PickToken, Op::Read, WORK, put(Draft::Whole)]);

const PICKED: Variant = Variant {
    a: PICKER,
    b: PICKER.starting(100),
    mechanism: Mechanism {
        lock: Lock::None,
        tokens: Tokens::Picked,
        check: Check::Store,
        first_token: 8,
        ..LEASED
    },
    befalls: &[],
    ..PAUSED
};

const VARIANTS: &[Variant] = &[
    Variant {
        name: "picked.unnamed",
        shows: "Both read the mark, both pick 8, and 8 is good for anybody.",
        mechanism: Mechanism {
            named: false,
            ..PICKED.mechanism
        },
        breaks: &[
            Law::EqualTokenOneHolder,
            Law::TokensOnlyRise,
            Law::HolderStopsInTime,
            Law::NoLostUpdate,
        ],
        ..PICKED
    },
    Variant {
        name: "picked.named",
        shows: "Both pick 8. The store binds 8 to whoever came first, so the data is safe; but nobody knows who leads.",
        breaks: &[Law::TokensOnlyRise, Law::HolderStopsInTime],
        ..PICKED
    },
    Variant {
        name: "picked.granted",
        shows: "The issuer counts: 8 for one, and 9 for the other when its turn has come.",
        a: worker(Draft::Whole),
        b: worker(Draft::Whole).starting(100),
        mechanism: Mechanism {
            check: Check::Store,
            first_token: 8,
            ..LEASED
        },
        ..PICKED
    },
];
