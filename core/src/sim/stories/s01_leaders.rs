//! (1) Leader 7 against leader 8.

use super::cast::{lease, variant, worker};
use super::{Parameters, Story};
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Mechanism};
use crate::sim::scenario::{Draft, Scenario};

pub(super) const STORY: Story = Story {
    number: 1,
    name: "leaders",
    title: "Leader 7 against leader 8",
    lesson: "A replaced leader that is not dead still writes. The store must know the newest token and refuse the older one.",
    parameters: Parameters {
        lease_ms: 10_000,
        pause_ms: 15_000,
        drift_ppm: 0,
        delay_ms: 10,
    },
    build,
};

fn build(p: &Parameters) -> Vec<Scenario> {
    let mechanism = Mechanism {
        first_token: 7,
        ..lease(p)
    };
    let told = |name, shows, mechanism: Mechanism| {
        let leader = || worker(Draft::Whole).checked_at(mechanism.check);
        let holders = [leader(), leader().starting(2_000)];
        variant(name, shows, holders, mechanism, p).with_pause_of_a(p)
    };
    vec![
        told(
            "leaders.unchecked",
            "Nobody checks the token: leader 7 wakes up and overwrites what leader 8 wrote.",
            mechanism,
        )
        .breaking(&[Law::StaleNeverAdmitted, Law::NoDualWrite, Law::NoLostUpdate]),
        told(
            "leaders.fenced",
            "Each leader claims the mark before it begins, and the store keeps the highest: 7 is refused, since 8 is current.",
            Mechanism {
                check: Check::Store,
                ..mechanism
            },
        ),
    ]
}
