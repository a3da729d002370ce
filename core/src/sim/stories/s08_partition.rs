//! (8) A partition one way, and abdication by timer.

use super::cast::{A, lease, reporter, variant, worker};
use super::{Parameters, Story};
use crate::sim::event::Accident;
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Mechanism};
use crate::sim::scenario::{Draft, HolderPlan, Scenario};
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
    build,
};

fn build(p: &Parameters) -> Vec<Scenario> {
    let told = |name, shows, (from, to), stops_at_expiry, check| {
        let a = HolderPlan {
            stops_at_expiry,
            ..reporter(Draft::Whole, 15_000)
        };
        let holders = [a, worker(Draft::Whole).starting(2_000)];
        let mechanism = Mechanism { check, ..lease(p) };
        variant(name, shows, holders, mechanism, p).with(500, Accident::Cut { from, to })
    };
    let there = (A, Who::Issuer);
    let back = (Who::Issuer, A);
    vec![
        told(
            "partition.careless",
            "A's renewals are lost, and A works on as if they were not.",
            there,
            false,
            Check::Nowhere,
        )
        .breaking(&[
            Law::HolderStopsInTime,
            Law::StaleNeverAdmitted,
            Law::NoDualWrite,
            Law::NoLostUpdate,
        ]),
        told(
            "partition.careless-fenced",
            "The same A, and a store that checks: A believes, and its write is refused.",
            there,
            false,
            Check::Store,
        )
        .breaking(&[Law::HolderStopsInTime]),
        told(
            "partition.abdicates",
            "A's renewals are lost. A abdicates by its own timer, before B is granted.",
            there,
            true,
            Check::Store,
        ),
        told(
            "partition.abdicates-answers-lost",
            "A's renewals arrive, and the answers are lost: A cannot know, and abdicates all the same.",
            back,
            true,
            Check::Store,
        ),
    ]
}
