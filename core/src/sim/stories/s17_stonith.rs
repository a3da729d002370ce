//! (17) STONITH too slow, tokens in time.

use super::cast::{lease, variant, worker};
use super::{Parameters, Story};
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Mechanism};
use crate::sim::scenario::{Draft, Scenario};

pub(super) const STORY: Story = Story {
    number: 17,
    name: "stonith",
    title: "The plug is pulled too late",
    lesson: "Switching the old leader off fences the machine, once the plug is out. Tokens fence the writes at once, and need no plug.",
    parameters: Parameters {
        lease_ms: 10_000,
        pause_ms: 12_000,
        drift_ppm: 0,
        delay_ms: 10,
    },
    build,
};

fn build(p: &Parameters) -> Vec<Scenario> {
    let told = |name, shows, stonith_ms, check| {
        let leader = || worker(Draft::Whole).checked_at(check);
        let holders = [leader(), leader().starting(2_000)];
        let mechanism = Mechanism {
            stonith_ms: Some(stonith_ms),
            check,
            ..lease(p)
        };
        variant(name, shows, holders, mechanism, p).with_pause_of_a(p)
    };
    vec![
        told(
            "stonith.slow",
            "The cloud API takes its time: A wakes up before its machine is switched off.",
            8_000,
            Check::Nowhere,
        )
        .breaking(&[Law::StaleNeverAdmitted, Law::NoDualWrite, Law::NoLostUpdate]),
        told(
            "stonith.fast",
            "The plug is out before A wakes up. That is a race won, not a rule: a second is long enough for a write.",
            1_000,
            Check::Nowhere,
        )
        .lucky_with(&[Law::NoLostUpdate]),
        told(
            "stonith.slow-fenced",
            "The plug is late again. Each leader claims the mark first, and the store checks tokens.",
            8_000,
            Check::Store,
        ),
    ]
}
