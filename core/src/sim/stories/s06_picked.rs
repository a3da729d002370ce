//! (6) Tokens that clients count up themselves: both pick 8.

use super::cast::{lease, variant, worker};
use super::{Parameters, Story};
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Lock, Mechanism, Tokens};
use crate::sim::scenario::{Draft, HolderPlan, Op, Scenario};

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
    build,
};

fn build(p: &Parameters) -> Vec<Scenario> {
    let picker = |plan: HolderPlan| HolderPlan {
        script: plan
            .script
            .into_iter()
            .map(|op| if op == Op::Acquire { Op::PickToken } else { op })
            .filter(|op| *op != Op::Release)
            .collect(),
        ..plan
    };
    let picked = |name, shows, named| {
        let holders = [
            picker(worker(Draft::Whole)),
            picker(worker(Draft::Whole).starting(100)),
        ];
        let mechanism = Mechanism {
            lock: Lock::None,
            tokens: Tokens::Picked,
            named,
            check: Check::Store,
            first_token: 8,
            ..lease(p)
        };
        variant(name, shows, holders, mechanism, p)
    };
    let twins = [Law::TokensOnlyRise, Law::HolderStopsInTime];
    let granted = variant(
        "picked.granted",
        "The issuer counts: 8 for one, and 9 for the other when its turn has come.",
        [worker(Draft::Whole), worker(Draft::Whole).starting(100)],
        Mechanism {
            check: Check::Store,
            first_token: 8,
            ..lease(p)
        },
        p,
    );
    vec![
        picked(
            "picked.unnamed",
            "Both read the mark, both pick 8, and 8 is good for anybody.",
            false,
        )
        .breaking(&[
            Law::EqualTokenOneHolder,
            Law::TokensOnlyRise,
            Law::HolderStopsInTime,
            Law::NoLostUpdate,
        ]),
        picked(
            "picked.named",
            "Both pick 8. The store binds 8 to whoever came first, so the data is safe; but nobody knows who leads.",
            true,
        )
        .breaking(&twins),
        granted,
    ]
}
