//! (15) Kubernetes leader election: without a token at the resource, and with.

use super::cast::{A, LEASED, OVERWRITTEN, PAUSED, at};
use super::variant::Variant;
use super::{Parameters, Story};
use crate::sim::dialect::Dialect;
use crate::sim::event::{Accident, Native};
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Mechanism, Tokens};

pub(super) const STORY: Story = Story {
    number: 15,
    name: "kubernetes",
    title: "Kubernetes: leader election on a Lease object",
    lesson: "A Lease object elects a leader and stops nobody. leaseTransitions makes a token, but it begins again when the object is deleted: count the object's incarnation with it.",
    parameters: Parameters {
        lease_ms: 15_000,
        pause_ms: 25_000,
        drift_ppm: 0,
        delay_ms: 10,
    },
    variants: VARIANTS,
};

const fn with(with_incarnation: bool) -> Mechanism {
    Mechanism {
        check: Check::Store,
        dialect: Dialect::Kubernetes { with_incarnation },
        first_token: 4,
        ..LEASED
    }
}

/// A wrote and crashed; then somebody cleans up.
const DELETED: Variant = Variant {
    b: PAUSED.b.starting(5_000),
    mechanism: with(true),
    befalls: &[
        at(3_000, Accident::Crash(A)),
        at(4_000, Accident::Native(Native::DeleteLeaseObject)),
    ],
    ..PAUSED
};

const VARIANTS: &[Variant] = &[
    Variant {
        name: "kubernetes.election-only",
        shows: "A controller is elected, paused and replaced. It wakes up and writes.",
        mechanism: Mechanism {
            tokens: Tokens::None,
            check: Check::Nowhere,
            ..with(false)
        },
        breaks: OVERWRITTEN,
        ..PAUSED
    },
    Variant {
        name: "kubernetes.transitions",
        shows: "The transitions are the token. The object is deleted, the count begins again, and the new leader is refused.",
        mechanism: with(false),
        breaks: &[Law::NewestNotRefused, Law::TokensOnlyRise],
        ..DELETED
    },
    Variant {
        name: "kubernetes.incarnation",
        shows: "The same deletion, and the object's incarnation is part of the token.",
        ..DELETED
    },
    Variant {
        name: "kubernetes.fenced",
        shows: "The same pause. Each leader claims the mark first, and the resource compares the token.",
        a: PAUSED.a.claiming(),
        b: PAUSED.b.claiming(),
        mechanism: with(true),
        ..PAUSED
    },
];
