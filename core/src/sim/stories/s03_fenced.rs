//! (3) The same report, fenced with 42 and 43: where the token is checked.

use super::cast::{LEASED, PAUSED, TRASHED, reporter, worker};
use super::variant::Variant;
use super::{Parameters, Story};
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Condition, Etag, Mechanism, Tokens};
use crate::sim::scenario::Draft;

pub(super) const STORY: Story = Story {
    number: 3,
    name: "fenced",
    title: "The same report, fenced with 42 and 43",
    lesson: "A token that is carried and not checked is theater. Whoever checks it must be on the way of every write, and must hear of a new token before the new holder relies on it.",
    parameters: Parameters {
        lease_ms: 30_000,
        pause_ms: 35_000,
        drift_ppm: 0,
        delay_ms: 10,
    },
    variants: VARIANTS,
};

const REPORT: Variant = Variant {
    a: worker(Draft::Half),
    b: worker(Draft::Whole).starting(3_000),
    mechanism: checked(Check::Nowhere),
    ..PAUSED
};

const fn checked(check: Check) -> Mechanism {
    Mechanism {
        check,
        first_token: 42,
        ..LEASED
    }
}

const VARIANTS: &[Variant] = &[
    Variant {
        name: "fenced.theater",
        shows: "Every write carries its token, and nobody looks at it.",
        breaks: TRASHED,
        ..REPORT
    },
    Variant {
        name: "fenced.first-write",
        shows: "The proxy hears of 43 only by B's first write. A wakes up while B still works: 42 passes, and B overwrites what it never saw.",
        b: reporter(Draft::Whole, 10_000).starting(3_000),
        mechanism: checked(Check::ProxyAtFirstWrite),
        breaks: &[Law::NoLostUpdate],
        // Let through one after the other at the same instant, they come in any order.
        lucky: &[Law::ReportStaysWhole, Law::NoDualWrite],
        ..REPORT
    },
    Variant {
        name: "fenced.proxy",
        shows: "The proxy is also the issuer: the grant of 43 ends 42 at the same instant.",
        b: reporter(Draft::Whole, 10_000).starting(3_000),
        mechanism: checked(Check::Proxy),
        ..REPORT
    },
    Variant {
        name: "fenced.store",
        shows: "The store checks the token together with the write. B claims the mark before it looks: what it sees, 42 cannot change any more.",
        a: REPORT.a.claiming(),
        b: REPORT.b.claiming(),
        mechanism: checked(Check::Store),
        ..REPORT
    },
    Variant {
        name: "fenced.if-match",
        shows: "No token at all: each writes only if the report is still the version that it read.",
        mechanism: Mechanism {
            tokens: Tokens::None,
            condition: Condition::AsRead(Etag::PerWrite),
            ..REPORT.mechanism
        },
        ..REPORT
    },
];
