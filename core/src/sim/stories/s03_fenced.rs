//! (3) The same report, fenced with 42 and 43: where the token is checked.

use super::cast::{lease, reporter, variant, worker};
use super::{Parameters, Story};
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Condition, Etag, Mechanism, Tokens};
use crate::sim::scenario::{Draft, Scenario};

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
    build,
};

fn build(p: &Parameters) -> Vec<Scenario> {
    let mechanism = Mechanism {
        first_token: 42,
        ..lease(p)
    };
    let told = |name, shows, check, b_works_ms| {
        let b = reporter(Draft::Whole, b_works_ms).starting(3_000);
        let holders = [worker(Draft::Half), b].map(|plan| plan.checked_at(check));
        let mechanism = Mechanism { check, ..mechanism };
        variant(name, shows, holders, mechanism, p).with_pause_of_a(p)
    };
    let mut if_match = told(
        "fenced.if-match",
        "No token at all: each writes only if the report is still the version that it read.",
        Check::Nowhere,
        1_000,
    );
    if_match.mechanism.tokens = Tokens::None;
    if_match.mechanism.condition = Condition::AsRead(Etag::PerWrite);
    vec![
        told(
            "fenced.theater",
            "Every write carries its token, and nobody looks at it.",
            Check::Nowhere,
            1_000,
        )
        .breaking(&[
            Law::ReportStaysWhole,
            Law::StaleNeverAdmitted,
            Law::NoDualWrite,
            Law::NoLostUpdate,
        ]),
        told(
            "fenced.first-write",
            "The proxy hears of 43 only by B's first write. A wakes up while B still works: 42 passes, and B overwrites what it never saw.",
            Check::ProxyAtFirstWrite,
            10_000,
        )
        .breaking(&[Law::NoLostUpdate])
        // Let through one after the other at the same instant, they come in any order.
        .lucky_with(&[Law::ReportStaysWhole, Law::NoDualWrite]),
        told(
            "fenced.proxy",
            "The proxy is also the issuer: the grant of 43 ends 42 at the same instant.",
            Check::Proxy,
            10_000,
        ),
        told(
            "fenced.store",
            "The store checks the token together with the write. B claims the mark before it looks: what it sees, 42 cannot change any more.",
            Check::Store,
            1_000,
        ),
        if_match,
    ]
}
