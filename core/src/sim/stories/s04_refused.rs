//! (4) The holder that stops at 412, the one that retries blindly, and the one that helps itself.

use super::cast::{lease, variant, worker};
use super::{Parameters, Story};
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Mechanism};
use crate::sim::scenario::{Draft, HolderPlan, OnRefusal, Scenario};

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
    build,
};

fn build(p: &Parameters) -> Vec<Scenario> {
    let told = |name, shows, on_refusal, check| {
        let anew = on_refusal == OnRefusal::Renounce;
        let a = HolderPlan {
            on_refusal,
            ..worker(if anew { Draft::Whole } else { Draft::Half })
        };
        let b = worker(Draft::Whole).starting(3_000);
        let holders = [a, b].map(|plan| plan.checked_at(check));
        let mechanism = Mechanism {
            first_token: 42,
            check,
            ..lease(p)
        };
        variant(name, shows, holders, mechanism, p).with_pause_of_a(p)
    };
    vec![
        told(
            "refused.picks",
            "A's client takes the next number for its token. The store cannot know that nobody granted it.",
            OnRefusal::NextToken,
            Check::Store,
        )
        .breaking(&[
            Law::StaleNeverAdmitted,
            Law::ReportStaysWhole,
            Law::NoDualWrite,
            Law::NoLostUpdate,
        ])
        // A number that A took before B is granted it is A's: B, the newest, is refused.
        .lucky_with(&[Law::NewestNotRefused]),
        told(
            "refused.picks-in-vain",
            "A takes the next number, and whoever checks knows what was granted: never issued.",
            OnRefusal::NextToken,
            Check::Proxy,
        ),
        told(
            "refused.retries",
            "A's client sends the same write by itself again and again, and is refused again and again.",
            OnRefusal::Retry,
            Check::Store,
        ),
        told(
            "refused.stops",
            "A stops.",
            OnRefusal::Stop,
            Check::Store,
        ),
        told(
            "refused.begins-anew",
            "A waits for a new lease, reads B's report, and writes its own over it.",
            OnRefusal::Renounce,
            Check::Store,
        ),
    ]
}
