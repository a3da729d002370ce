//! (19) Two proxies over one authority: the window kept, and its five broken forms.

use super::cast::{A, P1, PAUSED, WORK, at, checked, doing, pause, put};
use super::variant::{Befalls, Variant, Worker};
use super::{Parameters, Story};
use crate::sim::clock::Millis;
use crate::sim::event::Accident;
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Mechanism, Window, WindowFlaw};
use crate::sim::scenario::{Draft, Op};
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
    variants: VARIANTS,
};

/// How long a proxy trusts its knowledge.
const TRUST_MS: Millis = 4_000;
/// How long a grant waits: longer, by what the clocks may differ.
const WAIT_MS: Millis = 4_100;

const KEPT: Window = Window {
    trust_ms: TRUST_MS,
    wait_ms: WAIT_MS,
    flaw: None,
};

const fn by(window: Window) -> Mechanism {
    checked(Check::Window(window))
}

const fn flawed(flaw: WindowFlaw) -> Mechanism {
    by(Window {
        flaw: Some(flaw),
        ..KEPT
    })
}

const TOLD: Variant = Variant {
    a: Worker {
        tries: 1,
        ..doing(&[
            Op::Acquire,
            Op::Read,
            Op::Work { ms: 6_850 },
            put(Draft::Whole),
            Op::Put {
                draft: Draft::Whole,
                flush_ms: 1_000,
            },
        ])
    },
    b: Worker {
        via: 1,
        ..doing(&[Op::Acquire, Op::Read, WORK, put(Draft::Whole), Op::Release]).starting(5_000)
    },
    mechanism: by(KEPT),
    // A's second write leaves when A wakes up: soon, while proxy 1 may still trust, or late.
    befalls: &[CUT, ASLEEP, wakes(WAIT_MS + 11_200)],
    ..PAUSED
};

const STALE_AND_LOST: &[Law] = &[Law::StaleNeverAdmitted, Law::NoLostUpdate];

const OFF: Accident = Accident::Cut {
    from: A,
    to: Who::Issuer,
};
/// A has its lease by then, and has not renewed it.
const CUT: Befalls = at(4_500, OFF);
/// The same, where A is told at once.
const CUT_SOON: Befalls = at(2_000, OFF);

const fn falls_asleep(at_ms: Millis) -> Befalls {
    at(at_ms, pause(A, false))
}

const fn wakes(at_ms: Millis) -> Befalls {
    at(at_ms, Accident::Resume(A))
}

const ASLEEP: Befalls = falls_asleep(WAIT_MS + 8_100);
const AWAKE_LATE: &[Befalls] = &[CUT, ASLEEP, wakes(WAIT_MS + 15_000)];

/// Proxy 1's machine is suspended while A sleeps.
const SUSPENDED: &[Befalls] = &[
    CUT,
    ASLEEP,
    at(WAIT_MS + 8_600, pause(P1, true)),
    at(WAIT_MS + 14_500, Accident::Resume(P1)),
    wakes(WAIT_MS + 15_000),
];

const fn slow(from: Who, to: Who, by_ms: Millis) -> Accident {
    Accident::Slow { from, to, by_ms }
}

/// The authority's answer to A's first write takes its time, and so does the write's second copy.
const SLOW_ANSWER: &[Befalls] = &[
    CUT,
    at(WAIT_MS + 7_000, slow(Who::Issuer, P1, 4_800)),
    at(WAIT_MS + 8_200, slow(A, P1, 6_500)),
    at(WAIT_MS + 9_000, slow(Who::Issuer, P1, 0)),
    at(WAIT_MS + 9_300, slow(A, P1, 0)),
];

const VARIANTS: &[Variant] = &[
    Variant {
        name: "window.not-waited",
        shows: "B is told at once. Proxy 1 still trusts what it knew, and lets A's write through.",
        mechanism: by(Window { wait_ms: 0, ..KEPT }),
        befalls: &[CUT_SOON, falls_asleep(8_100), wakes(11_200)],
        breaks: STALE_AND_LOST,
        ..TOLD
    },
    Variant {
        name: "window.two-windows",
        shows: "Proxy 1 trusts for longer than the issuer waits.",
        mechanism: by(Window {
            trust_ms: TRUST_MS * 2,
            ..KEPT
        }),
        befalls: AWAKE_LATE,
        breaks: STALE_AND_LOST,
        ..TOLD
    },
    Variant {
        name: "window.from-arrival",
        shows: "An answer was long on its way, and proxy 1 counts from its arrival.",
        mechanism: flawed(WindowFlaw::CountedFromArrival),
        befalls: SLOW_ANSWER,
        breaks: STALE_AND_LOST,
        ..TOLD
    },
    Variant {
        name: "window.monotonic-only",
        shows: "Proxy 1's machine is suspended, its monotonic clock with it: to proxy 1 no time has passed.",
        mechanism: flawed(WindowFlaw::MonotonicOnly),
        befalls: SUSPENDED,
        breaks: STALE_AND_LOST,
        ..TOLD
    },
    Variant {
        name: "window.resumed-at-once",
        shows: "B repeats its request while it waits, and the repeated one is answered at once.",
        mechanism: flawed(WindowFlaw::ResumedAtOnce),
        befalls: &[CUT_SOON, falls_asleep(9_200), wakes(11_800)],
        breaks: STALE_AND_LOST,
        ..TOLD
    },
    Variant {
        name: "window.kept",
        shows: "B is told when nobody trusts older knowledge any more.",
        ..TOLD
    },
    Variant {
        name: "window.kept-late",
        shows: "The same, and A wakes up later.",
        befalls: AWAKE_LATE,
        ..TOLD
    },
    Variant {
        name: "window.kept-slow-answer",
        shows: "An answer that is older than the window when it arrives admits nothing: proxy 1 asks again.",
        befalls: SLOW_ANSWER,
        ..TOLD
    },
    Variant {
        name: "window.kept-suspended",
        shows: "Proxy 1's machine is suspended, and its wall clock tells it so.",
        befalls: SUSPENDED,
        ..TOLD
    },
];
