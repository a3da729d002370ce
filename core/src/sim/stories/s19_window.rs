//! (19) Two proxies over one authority: the window kept, and its five broken forms.

use super::cast::{A, FLUSH_MS, P1, WORK_MS, lease, variant};
use super::{Parameters, Story};
use crate::sim::clock::Millis;
use crate::sim::event::Accident;
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Mechanism, Window, WindowFlaw};
use crate::sim::scenario::{Draft, HolderPlan, Op, Scenario};
use crate::sim::who::Who;

pub(super) const STORY: Story = Story {
    number: 19,
    name: "window",
    title: "Two proxies and one window",
    lesson: "A proxy may trust what it knows for a window, if no grant is answered before every older knowledge has run out: counted from the asking, by both clocks, one window for all, and for repeated requests too.",
    parameters: Parameters {
        lease_ms: 10_000,
        pause_ms: 0,
        drift_ppm: 0,
        delay_ms: 10,
    },
    build,
};

/// How long a proxy trusts its knowledge.
const TRUST_MS: Millis = 4_000;
/// How long a grant waits: longer, by what the clocks may differ.
const WAIT_MS: Millis = 4_100;
/// From when A is paused in the middle of its second write.
const PAUSED_MS: Millis = 8_500;

const fn put(flush_ms: Millis) -> Op {
    Op::Put {
        draft: Draft::Whole,
        flush_ms,
    }
}

fn build(p: &Parameters) -> Vec<Scenario> {
    let told = |name, shows, (trust_ms, wait_ms, flaw), accidents: &[(Millis, Accident)]| {
        let a = HolderPlan::new(vec![
            Op::Acquire,
            Op::Read,
            Op::Work { ms: 7_000 },
            put(FLUSH_MS),
            put(1_500),
        ]);
        let b = HolderPlan::new(vec![
            Op::Acquire,
            Op::Read,
            Op::Work { ms: WORK_MS },
            put(FLUSH_MS),
            Op::Release,
        ]);
        let b = HolderPlan { via: 1, ..b }.starting(2_000);
        let window = Window {
            trust_ms,
            wait_ms,
            flaw,
        };
        let mechanism = Mechanism {
            check: Check::Window(window),
            ..lease(p)
        };
        let cut = Accident::Cut {
            from: A,
            to: Who::Issuer,
        };
        let scenario = variant(name, shows, [a, b], mechanism, p)
            .behind(2)
            .with(500, cut);
        accidents
            .iter()
            .fold(scenario, |scenario, (at_ms, accident)| {
                scenario.with(*at_ms, *accident)
            })
    };
    let pause = |who, clock_stops| Accident::Pause { who, clock_stops };
    let slow = |from, to, by_ms| Accident::Slow { from, to, by_ms };
    let soon = [(PAUSED_MS, pause(A, false)), (11_200, Accident::Resume(A))];
    let late = [(PAUSED_MS, pause(A, false)), (15_000, Accident::Resume(A))];
    // The authority's answer to A's first write takes its time; so does the write's second copy.
    let slow_answer = [
        (7_000, slow(Who::Issuer, P1, 4_800)),
        (8_400, slow(A, P1, 6_500)),
        (9_000, slow(Who::Issuer, P1, 0)),
        (9_300, slow(A, P1, 0)),
    ];
    let suspended = [
        (PAUSED_MS, pause(A, false)),
        (8_600, pause(P1, true)),
        (14_500, Accident::Resume(P1)),
        (15_000, Accident::Resume(A)),
    ];
    let kept = (TRUST_MS, WAIT_MS, None);
    let flawed = |flaw| (TRUST_MS, WAIT_MS, Some(flaw));
    let stale = [Law::StaleNeverAdmitted];
    vec![
        told(
            "window.not-waited",
            "B is told at once. Proxy 1 still trusts what it knew, and lets A's write through.",
            (TRUST_MS, 0, None),
            &soon,
        )
        .breaking(&stale),
        told(
            "window.two-windows",
            "Proxy 1 trusts for longer than the issuer waits.",
            (TRUST_MS.saturating_mul(2), WAIT_MS, None),
            &late,
        )
        .breaking(&stale),
        told(
            "window.from-arrival",
            "An answer was long on its way, and proxy 1 counts from its arrival.",
            flawed(WindowFlaw::CountedFromArrival),
            &slow_answer,
        )
        .breaking(&stale),
        told(
            "window.monotonic-only",
            "Proxy 1's machine is suspended, its monotonic clock with it: to proxy 1 no time has passed.",
            flawed(WindowFlaw::MonotonicOnly),
            &suspended,
        )
        .breaking(&stale),
        told(
            "window.resumed-at-once",
            "B repeats its request while it waits, and the repeated one is answered at once.",
            flawed(WindowFlaw::ResumedAtOnce),
            &soon,
        )
        .breaking(&stale),
        told(
            "window.kept",
            "B is told when nobody trusts older knowledge any more.",
            kept,
            &soon,
        ),
        told(
            "window.kept-late",
            "The same, and A wakes up later.",
            kept,
            &late,
        ),
        told(
            "window.kept-slow-answer",
            "An answer that is older than the window when it arrives admits nothing: proxy 1 asks again.",
            kept,
            &slow_answer,
        ),
        told(
            "window.kept-suspended",
            "Proxy 1's machine is suspended, and its wall clock tells it so.",
            kept,
            &suspended,
        ),
    ]
}
