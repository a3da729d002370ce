//! (8) A partition one way, and abdication by timer.

use super::cast::{A, BELIEVED_AND_OVERWRITTEN, LEASED, PAUSED, at, checked, reporter};
use super::variant::{Variant, Worker};
use super::{Parameters, Story};
use crate::sim::event::Accident;
use crate::sim::laws::Law;
use crate::sim::mechanism::Check;
use crate::sim::scenario::Draft;
use crate::sim::who::Who;

pub(super) const STORY: Story = Story {
    number: 8,
    name: "partition",
    title: "Cut off one way: who cannot renew must stop",
    lesson: "A's renewals do not arrive, and no message tells it so. A careful holder needs none: its own timer runs out before the issuer's.",
    parameters: Parameters {
        lease_ms: 10_000,
        pause_ms: 0,
        drift_ppm: 0,
        delay_ms: 10,
    },
    variants: VARIANTS,
};

const CUT: Variant = Variant {
    a: reporter(Draft::Whole, 15_000),
    mechanism: checked(Check::Store),
    befalls: &[at(
        500,
        Accident::Cut {
            from: A,
            to: Who::Issuer,
        },
    )],
    ..PAUSED
};

const CARELESS: Worker = Worker {
    stops_at_expiry: false,
    ..CUT.a
};

const VARIANTS: &[Variant] = &[
    Variant {
        name: "partition.careless",
        shows: "A's renewals are lost, and A works on as if they were not.",
        a: CARELESS,
        mechanism: LEASED,
        breaks: BELIEVED_AND_OVERWRITTEN,
        ..CUT
    },
    Variant {
        name: "partition.careless-fenced",
        shows: "The same A, and a store that checks: A believes, and its write is refused.",
        a: CARELESS,
        breaks: &[Law::HolderStopsInTime],
        ..CUT
    },
    Variant {
        name: "partition.abdicates",
        shows: "A's renewals are lost. A abdicates by its own timer, before B is granted.",
        ..CUT
    },
    Variant {
        name: "partition.abdicates-answers-lost",
        shows: "A's renewals arrive, and the answers are lost: A cannot know, and abdicates all the same.",
        befalls: &[at(
            500,
            Accident::Cut {
                from: Who::Issuer,
                to: A,
            },
        )],
        ..CUT
    },
];
