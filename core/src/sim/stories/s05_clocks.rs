//! (5) A clock step makes two valid leases; and a clock that is slow.

use super::cast::{A, B, lease, reporter, variant, worker};
use super::{Parameters, Story};
use crate::sim::event::Accident;
use crate::sim::laws::Law;
use crate::sim::mechanism::{AfterExpiryForm, Check, LeaseClock, Lock, Mechanism};
use crate::sim::scenario::{Draft, HolderPlan, Scenario};
use crate::sim::who::Who;

pub(super) const STORY: Story = Story {
    number: 5,
    name: "clocks",
    title: "A clock step makes two valid leases",
    lesson: "A lease that ends at a time of day ends for each machine by its own clock. Let one service measure it, tell its holders durations, and let them allow for clocks that run at other rates; tokens stay right whatever the clocks do.",
    parameters: Parameters {
        lease_ms: 10_000,
        pause_ms: 0,
        drift_ppm: -50_000,
        delay_ms: 10,
    },
    build,
};

fn build(p: &Parameters) -> Vec<Scenario> {
    let by = |clock, check| Mechanism {
        lock: Lock::Lease {
            ttl_ms: p.lease_ms,
            lock_delay_ms: 0,
            clock,
            after_expiry: AfterExpiryForm::AdmitUntilSuperseded,
        },
        check,
        ..lease(p)
    };
    let stepped = |name, shows, mechanism: Mechanism| {
        // A works on, long enough for B to come between.
        let a = HolderPlan {
            renews: false,
            ..reporter(Draft::Whole, 5_000)
        };
        let b = worker(Draft::Whole).starting(3_000);
        let holders = [a, b].map(|plan| plan.checked_at(mechanism.check));
        let step = Accident::StepClock {
            who: B,
            by_ms: 60_000,
        };
        variant(name, shows, holders, mechanism, p).with(2_000, step)
    };
    let slow = |name, shows, rate_error_ppm| {
        let a = HolderPlan {
            rate_error_ppm,
            ..reporter(Draft::Whole, 20_000)
        };
        let holders = [a, worker(Draft::Whole).starting(1_000)];
        let mechanism = by(LeaseClock::Service, Check::Store);
        let drift = Accident::Drift {
            who: A,
            rate_ppm: p.drift_ppm,
        };
        let cut = Accident::Cut {
            from: A,
            to: Who::Issuer,
        };
        variant(name, shows, holders, mechanism, p)
            .with(0, drift)
            .with(500, cut)
    };
    // If B steps before it is granted, its lease ends a minute later by everybody else's clock.
    let locked_out = [Law::SomeoneCanAcquire];
    vec![
        stepped(
            "clocks.walls",
            "The end of the lease is a time of day. B's clock is set forward: for B the lease is over, for A it is not.",
            by(LeaseClock::EveryWall, Check::Nowhere),
        )
        .breaking(&[
            Law::HolderStopsInTime,
            Law::StaleNeverAdmitted,
            Law::NoDualWrite,
            Law::NoLostUpdate,
        ])
        .lucky_with(&locked_out),
        stepped(
            "clocks.walls-fenced",
            "The same two valid leases, and a store that checks tokens: two believe, one writes.",
            by(LeaseClock::EveryWall, Check::Store),
        )
        .breaking(&[Law::HolderStopsInTime])
        .lucky_with(&locked_out),
        stepped(
            "clocks.service",
            "The service measures the lease by its own monotonic clock: the step changes nothing.",
            by(LeaseClock::Service, Check::Store),
        ),
        slow(
            "clocks.slow",
            "A is cut off, and its clock is slower than it thinks clocks can be: it believes too long.",
            1_000,
        )
        .breaking(&[Law::HolderStopsInTime]),
        slow(
            "clocks.slow-allowed",
            "The same slow clock, and an A that allows for it: it stops in time.",
            p.drift_ppm.unsigned_abs().saturating_mul(2),
        ),
    ]
}
