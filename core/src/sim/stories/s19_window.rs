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

const fn put(flush_ms: Millis) -> Op {
    Op::Put {
        draft: Draft::Whole,
        flush_ms,
    }
}

/// What befalls whom, by true time.
type Accidents = Vec<(Millis, Accident)>;

const fn pause(who: Who, clock_stops: bool) -> Accident {
    Accident::Pause { who, clock_stops }
}

const fn slow(from: Who, to: Who, by_ms: Millis) -> Accident {
    Accident::Slow { from, to, by_ms }
}

/// A's second write leaves when A wakes up: soon, while proxy 1 may still trust, or late.
fn asleep(from: Millis, to: Millis) -> Accidents {
    vec![(from, pause(A, false)), (to, Accident::Resume(A))]
}

/// The authority's answer to A's first write takes its time, and so does the write's second copy.
fn slow_answer() -> Accidents {
    vec![
        (WAIT_MS + 7_000, slow(Who::Issuer, P1, 4_800)),
        (WAIT_MS + 8_200, slow(A, P1, 6_500)),
        (WAIT_MS + 9_000, slow(Who::Issuer, P1, 0)),
        (WAIT_MS + 9_300, slow(A, P1, 0)),
    ]
}

/// Proxy 1's machine is suspended while A sleeps.
fn suspended() -> Accidents {
    let mut accidents = asleep(WAIT_MS + 8_100, WAIT_MS + 15_000);
    accidents.push((WAIT_MS + 8_600, pause(P1, true)));
    accidents.push((WAIT_MS + 14_500, Accident::Resume(P1)));
    accidents
}

fn told(
    p: &Parameters,
    (name, shows): (&str, &str),
    window: Window,
    accidents: Accidents,
) -> Scenario {
    let a = HolderPlan::new(vec![
        Op::Acquire,
        Op::Read,
        Op::Work { ms: 6_850 },
        put(FLUSH_MS),
        put(1_000),
    ]);
    let a = HolderPlan { tries: 1, ..a };
    let b = HolderPlan::new(vec![
        Op::Acquire,
        Op::Read,
        Op::Work { ms: WORK_MS },
        put(FLUSH_MS),
        Op::Release,
    ]);
    let b = HolderPlan { via: 1, ..b }.starting(5_000);
    let mechanism = Mechanism {
        check: Check::Window(window),
        ..lease(p)
    };
    let cut = Accident::Cut {
        from: A,
        to: Who::Issuer,
    };
    let at_once = window.wait_ms == 0 || window.flaw == Some(WindowFlaw::ResumedAtOnce);
    // A has its lease by then, and has not renewed it.
    let cut_ms = if at_once { 2_000 } else { 4_500 };
    let scenario = variant(name, shows, [a, b], mechanism, p)
        .behind(2)
        .with(cut_ms, cut);
    accidents
        .into_iter()
        .fold(scenario, |scenario, (at_ms, accident)| {
            scenario.with(at_ms, accident)
        })
}

fn build(p: &Parameters) -> Vec<Scenario> {
    let kept = Window {
        trust_ms: TRUST_MS,
        wait_ms: WAIT_MS,
        flaw: None,
    };
    let flawed = |flaw| Window {
        flaw: Some(flaw),
        ..kept
    };
    let soon = asleep(WAIT_MS + 8_100, WAIT_MS + 11_200);
    let late = asleep(WAIT_MS + 8_100, WAIT_MS + 15_000);
    let stale_and_lost = [Law::StaleNeverAdmitted, Law::NoLostUpdate];
    vec![
        told(
            p,
            (
                "window.not-waited",
                "B is told at once. Proxy 1 still trusts what it knew, and lets A's write through.",
            ),
            Window { wait_ms: 0, ..kept },
            asleep(8_100, 11_200),
        )
        .breaking(&stale_and_lost),
        told(
            p,
            (
                "window.two-windows",
                "Proxy 1 trusts for longer than the issuer waits.",
            ),
            Window {
                trust_ms: TRUST_MS.saturating_mul(2),
                ..kept
            },
            late.clone(),
        )
        .breaking(&stale_and_lost),
        told(
            p,
            (
                "window.from-arrival",
                "An answer was long on its way, and proxy 1 counts from its arrival.",
            ),
            flawed(WindowFlaw::CountedFromArrival),
            slow_answer(),
        )
        .breaking(&stale_and_lost),
        told(
            p,
            (
                "window.monotonic-only",
                "Proxy 1's machine is suspended, its monotonic clock with it: to proxy 1 no time has passed.",
            ),
            flawed(WindowFlaw::MonotonicOnly),
            suspended(),
        )
        .breaking(&stale_and_lost),
        told(
            p,
            (
                "window.resumed-at-once",
                "B repeats its request while it waits, and the repeated one is answered at once.",
            ),
            flawed(WindowFlaw::ResumedAtOnce),
            asleep(9_200, 11_800),
        )
        .breaking(&stale_and_lost),
        told(
            p,
            (
                "window.kept",
                "B is told when nobody trusts older knowledge any more.",
            ),
            kept,
            soon,
        ),
        told(
            p,
            ("window.kept-late", "The same, and A wakes up later."),
            kept,
            late,
        ),
        told(
            p,
            (
                "window.kept-slow-answer",
                "An answer that is older than the window when it arrives admits nothing: proxy 1 asks again.",
            ),
            kept,
            slow_answer(),
        ),
        told(
            p,
            (
                "window.kept-suspended",
                "Proxy 1's machine is suspended, and its wall clock tells it so.",
            ),
            kept,
            suspended(),
        ),
    ]
}
