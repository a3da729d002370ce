//! (7) A long collection: the lease is shorter than the pause, and what a longer one costs.

use super::cast::{A, lease, strict, variant, worker};
use super::{Parameters, Story};
use crate::sim::event::Accident;
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Mechanism};
use crate::sim::scenario::{Draft, HolderPlan, Scenario};

pub(super) const STORY: Story = Story {
    number: 7,
    name: "gc",
    title: "The lease is shorter than the pause",
    lesson: "A lease longer than every pause keeps a paused leader in office, and keeps everybody waiting just as long when it is dead. Pauses have no upper bound that one can count on; tokens do not need one.",
    parameters: Parameters {
        lease_ms: 10_000,
        pause_ms: 20_000,
        drift_ppm: 0,
        delay_ms: 10,
    },
    build,
};

fn build(p: &Parameters) -> Vec<Scenario> {
    let holders = || [worker(Draft::Whole), worker(Draft::Whole).starting(2_000)];
    let longer = &Parameters {
        lease_ms: p.pause_ms.saturating_add(5_000),
        ..*p
    };
    let checked = |p: &Parameters| Mechanism {
        check: Check::Store,
        ..lease(p)
    };
    let crashed = |name, shows, p: &Parameters| {
        let scenario = variant(name, shows, holders(), checked(p), p);
        let at = scenario.amid_write(p);
        scenario.with(at, Accident::Crash(A))
    };
    let mut alone = holders();
    if let Some(b) = alone.last_mut() {
        b.starts_ms = 60_000;
    }
    vec![
        variant(
            "gc.short-lease",
            "The collection takes longer than the lease runs; nobody checks tokens.",
            holders(),
            lease(p),
            p,
        )
        .with_pause_of_a(p)
        .breaking(&[
            Law::StaleNeverAdmitted,
            Law::NoDualWrite,
            Law::NoLostUpdate,
        ]),
        variant(
            "gc.long-lease",
            "The lease is longer than this pause: A wakes up in office, and B had to wait. It holds for as long as no pause is longer than the lease.",
            holders(),
            lease(longer),
            longer,
        )
        .with_pause_of_a(longer)
        .lucky_with(&[Law::StaleNeverAdmitted, Law::NoDualWrite, Law::NoLostUpdate]),
        crashed(
            "gc.long-lease-and-dead",
            "The same long lease, and A is dead: nobody leads until it runs out.",
            longer,
        ),
        crashed(
            "gc.short-lease-and-dead",
            "A short lease, and A is dead: B leads soon.",
            p,
        ),
        variant(
            "gc.short-lease-fenced",
            "A short lease, the same collection, leaders that claim the mark first and a store that checks it: soon and safe.",
            holders().map(HolderPlan::claiming),
            checked(p),
            p,
        )
        .with_pause_of_a(p),
        variant(
            "gc.strict",
            "Nobody took over, and the rule says that a token ends with its lease: A's late write is refused all the same.",
            alone,
            strict(p),
            p,
        )
        .with_pause_of_a(p),
    ]
}
