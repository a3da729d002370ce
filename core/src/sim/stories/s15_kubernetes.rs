//! (15) Kubernetes leader election: without a token at the resource, and with.

use super::cast::{lease, variant, worker};
use super::{Parameters, Story};
use crate::sim::dialect::Dialect;
use crate::sim::event::{Accident, Native};
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Mechanism, Tokens};
use crate::sim::scenario::{Draft, Scenario};

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
    build,
};

fn build(p: &Parameters) -> Vec<Scenario> {
    let told = |name, shows, with_incarnation, (tokens, check), deleted| {
        let b = worker(Draft::Whole).starting(if deleted { 5_000 } else { 2_000 });
        let mut holders = [worker(Draft::Whole), b];
        if !deleted {
            holders = holders.map(|plan| plan.checked_at(check));
        }
        let mechanism = Mechanism {
            tokens,
            check,
            dialect: Dialect::Kubernetes { with_incarnation },
            first_token: 4,
            ..lease(p)
        };
        let scenario = variant(name, shows, holders, mechanism, p);
        if deleted {
            // A wrote and crashed; then somebody cleans up.
            scenario
                .with(3_000, Accident::Crash(super::cast::A))
                .with(4_000, Accident::Native(Native::DeleteLeaseObject))
        } else {
            scenario.with_pause_of_a(p)
        }
    };
    let without = (Tokens::None, Check::Nowhere);
    let with = (Tokens::Granted, Check::Store);
    vec![
        told(
            "kubernetes.election-only",
            "A controller is elected, paused and replaced. It wakes up and writes.",
            false,
            without,
            false,
        )
        .breaking(&[
            Law::StaleNeverAdmitted,
            Law::NoDualWrite,
            Law::NoLostUpdate,
        ]),
        told(
            "kubernetes.transitions",
            "The transitions are the token. The object is deleted, the count begins again, and the new leader is refused.",
            false,
            with,
            true,
        )
        .breaking(&[Law::NewestNotRefused, Law::TokensOnlyRise]),
        told(
            "kubernetes.incarnation",
            "The same deletion, and the object's incarnation is part of the token.",
            true,
            with,
            true,
        ),
        told(
            "kubernetes.fenced",
            "The same pause. Each leader claims the mark first, and the resource compares the token.",
            true,
            with,
            false,
        ),
    ]
}
