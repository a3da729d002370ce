//! (18) An issuer that is set back to a snapshot: tokens go back, and the epoch saves.

use super::cast::{A, P1, lease, variant, with_lock_delay, worker};
use super::{Parameters, Story};
use crate::sim::clock::Millis;
use crate::sim::event::Accident;
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Issuer, Mechanism};
use crate::sim::scenario::{Draft, HolderPlan, Scenario};
use crate::sim::who::Who;

pub(super) const STORY: Story = Story {
    number: 18,
    name: "restored",
    title: "The issuer comes back from a snapshot",
    lesson: "A counter that is set back grants numbers once more. An epoch that rises with every history makes the new tokens higher than all old ones; and whoever forgot the mark must not take that for none.",
    parameters: Parameters {
        lease_ms: 10_000,
        pause_ms: 15_000,
        drift_ppm: 0,
        delay_ms: 10,
    },
    build,
};

fn build(p: &Parameters) -> Vec<Scenario> {
    let twice = |plan: HolderPlan| HolderPlan {
        script: [plan.script.clone(), plan.script].concat(),
        ..plan
    };
    let restored = |name, shows, issuer| {
        let holders = [
            twice(worker(Draft::Whole)).starting(0),
            worker(Draft::Whole).starting(30_000),
        ];
        let mechanism = Mechanism {
            issuer,
            check: Check::Store,
            first_token: 5,
            ..lease(p)
        };
        variant(name, shows, holders, mechanism, p)
            .with(1_000, Accident::Snapshot)
            .with(20_000, Accident::Restore)
    };
    let paused = |name, shows, mechanism: Mechanism, restart| {
        // An issuer without a disk grants nothing before its epoch's second has come; A asks again.
        let waits = mechanism.issuer == Issuer::Memory && mechanism.lock.lock_delay_ms() == 0;
        let opens_ms = if waits { 1_020 } else { 0 };
        let pause = Accident::Pause {
            who: A,
            clock_stops: false,
        };
        // One that waits out the leases of before is closed for so long after each start.
        let closed_ms = mechanism.lock.lock_delay_ms();
        let later = |ms: Millis| closed_ms.saturating_add(ms);
        let a = worker(Draft::Whole).starting(closed_ms);
        let b = worker(Draft::Whole).starting(later(later(12_500)));
        let scenario = variant(name, shows, [a, b], mechanism, p);
        let asleep_ms = later(scenario.amid_write(p).saturating_add(opens_ms));
        scenario
            .with(asleep_ms, pause)
            .with(later(15_000), restart)
            .with(asleep_ms.saturating_add(p.pause_ms), Accident::Resume(A))
    };
    let memory = Mechanism {
        issuer: Issuer::Memory,
        check: Check::Proxy,
        ..lease(p)
    };
    let restart = Accident::Restart {
        who: Who::Issuer,
        with_memory: false,
    };
    vec![
        restored(
            "restored.back",
            "5 and 6 were granted; the snapshot knows of 5 only. B is granted 6 once more, and refused.",
            Issuer::Durable,
        )
        .breaking(&[Law::TokensOnlyRise])
        .lucky_with(&[Law::NewestNotRefused]),
        paused(
            "restored.forgetful-proxy",
            "Tokens come from elsewhere, and the proxy that keeps the mark starts again: it takes the first token that it sees.",
            Mechanism {
                check: Check::ProxyAtFirstWrite,
                ..lease(p)
            },
            Accident::Restart {
                who: P1,
                with_memory: false,
            },
        )
        .breaking(&[
            Law::UnknownIsNotEmpty,
            Law::StaleNeverAdmitted,
            Law::MarkNeverFalls,
            Law::NoDualWrite,
            Law::NoLostUpdate,
        ]),
        restored(
            "restored.epoch",
            "Whoever restores raises the epoch: 1.6 is above everything of before.",
            Issuer::DurableWithEpoch,
        ),
        // A restart ends all leases, and who is awake and holds one cannot know: it believes on.
        paused(
            "restored.memory",
            "Our issuer keeps nothing. Its next start granted nothing yet, so it admits nothing: what A holds is of another epoch.",
            memory,
            restart,
        )
        .lucky_with(&[Law::HolderStopsInTime]),
        paused(
            "restored.memory-waits",
            "The same issuer with a lock delay as long as a lease: after a start it grants nothing before every lease of before is over.",
            with_lock_delay(memory, p.lease_ms),
            restart,
        ),
    ]
}
