//! (4) The holder that stops at 412, the one that retries blindly, and the one that helps itself.

use super::cast::{LEASED, PAUSED, worker};
use super::variant::{Variant, Worker};
use super::{Parameters, Story};
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Mechanism};
use crate::sim::scenario::{Draft, OnRefusal};

pub(super) const STORY: Story = Story {
    number: 4,
    name: "refused",
    title: "What to do with a 412",
    lesson: "Refused means replaced: stop, or begin anew with a new lease and a new look at the report. Repeating the write is useless, and choosing a higher number oneself takes the fence down.",
    parameters: Parameters {
        lease_ms: 30_000,
        pause_ms: 35_000,
        drift_ppm: 0,
        delay_ms: 10,
    },
    variants: VARIANTS,
};

const STORE: Variant = Variant {
    b: worker(Draft::Whole).starting(3_000).claiming(),
    mechanism: Mechanism {
        first_token: 42,
        check: Check::Store,
        ..LEASED
    },
    ..PAUSED
};

const fn after(on_refusal: OnRefusal, draft: Draft) -> Worker {
    Worker {
        on_refusal,
        ..worker(draft)
    }
}

const VARIANTS: &[Variant] = &[
    Variant {
        name: "refused.picks",
        shows: "A's client takes the next number for its token. The store cannot know that nobody granted it.",
        a: after(OnRefusal::NextToken, Draft::Half).claiming(),
        breaks: &[
            Law::StaleNeverAdmitted,
            Law::ReportStaysWhole,
            Law::NoDualWrite,
            Law::NoLostUpdate,
        ],
        // A number that A took before B is granted it is A's: B, the newest, is refused.
        lucky: &[Law::NewestNotRefused],
        ..STORE
    },
    Variant {
        name: "refused.picks-in-vain",
        shows: "A takes the next number, and whoever checks knows what was granted: never issued.",
        a: after(OnRefusal::NextToken, Draft::Half),
        b: worker(Draft::Whole).starting(3_000),
        mechanism: Mechanism {
            check: Check::Proxy,
            ..STORE.mechanism
        },
        ..STORE
    },
    Variant {
        name: "refused.retries",
        shows: "A's client sends the same write by itself again and again, and is refused again and again.",
        a: after(OnRefusal::Retry, Draft::Half).claiming(),
        ..STORE
    },
    Variant {
        name: "refused.stops",
        shows: "A stops.",
        a: after(OnRefusal::Stop, Draft::Half).claiming(),
        ..STORE
    },
    Variant {
        name: "refused.begins-anew",
        shows: "A waits for a new lease, reads B's report, and writes its own over it.",
        a: after(OnRefusal::Renounce, Draft::Whole).claiming(),
        ..STORE
    },
];
