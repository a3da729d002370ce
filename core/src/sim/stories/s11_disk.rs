//! (11) A disk stall: the process lives, its clock goes on, and its bytes stick.

use super::cast::{A, lease, variant, worker};
use super::{Parameters, Story};
use crate::sim::event::Accident;
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Mechanism};
use crate::sim::scenario::{Draft, Scenario};

pub(super) const STORY: Story = Story {
    number: 11,
    name: "disk",
    title: "The disk stalls, and lets go",
    lesson: "A knows that its lease is over and stops in time. The bytes that it handed over before do not know: they leave when the disk lets go.",
    parameters: Parameters {
        lease_ms: 10_000,
        pause_ms: 15_000,
        drift_ppm: 0,
        delay_ms: 10,
    },
    build,
};

fn build(p: &Parameters) -> Vec<Scenario> {
    let told = |name, shows, check| {
        let holders = [worker(Draft::Half), worker(Draft::Whole).starting(2_000)];
        let holders = holders.map(|plan| plan.checked_at(check));
        let mechanism = Mechanism { check, ..lease(p) };
        let scenario = variant(name, shows, holders, mechanism, p);
        let at = scenario.amid_write(p);
        scenario
            .with(at, Accident::Stall(A))
            .with(at.saturating_add(p.pause_ms), Accident::Unstall(A))
    };
    vec![
        told(
            "disk.unchecked",
            "Nobody checks what leaves the disk late.",
            Check::Nowhere,
        )
        .breaking(&[
            Law::ReportStaysWhole,
            Law::StaleNeverAdmitted,
            Law::NoDualWrite,
            Law::NoLostUpdate,
        ]),
        told(
            "disk.fenced",
            "B claims the mark before it looks. What leaves A's disk late carries the old token, and the store refuses it.",
            Check::Store,
        ),
    ]
}
