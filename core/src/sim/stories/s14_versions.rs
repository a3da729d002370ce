//! (14) ZooKeeper and etcd: the lock's version in the payload.

use super::cast::{B, lease, variant, worker};
use super::{Parameters, Story};
use crate::sim::dialect::Dialect;
use crate::sim::event::{Accident, Native};
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Mechanism, Tokens};
use crate::sim::scenario::{Draft, Scenario};
use crate::sim::who::Who;

pub(super) const STORY: Story = Story {
    number: 14,
    name: "versions",
    title: "ZooKeeper and etcd: the version in the payload",
    lesson: "The lock recipe alone says who may write, not who writes. Put the number that the lock came with (czxid, mod revision) into every write, and let the resource compare it; gaps between the numbers do no harm.",
    parameters: Parameters {
        lease_ms: 10_000,
        pause_ms: 15_000,
        drift_ppm: 0,
        delay_ms: 10,
    },
    build,
};

fn build(p: &Parameters) -> Vec<Scenario> {
    let told = |name, shows, dialect, native, in_payload| {
        let (tokens, check) = if in_payload {
            (Tokens::Granted, Check::Store)
        } else {
            (Tokens::None, Check::Nowhere)
        };
        let holders = [worker(Draft::Half), worker(Draft::Whole).starting(2_000)];
        let holders = holders.map(|plan| plan.checked_at(check));
        let mechanism = Mechanism {
            tokens,
            check,
            dialect,
            first_token: 17,
            ..lease(p)
        };
        variant(name, shows, holders, mechanism, p)
            .with_pause_of_a(p)
            .with(5_000, Accident::Native(native))
    };
    let trashed = [
        Law::ReportStaysWhole,
        Law::StaleNeverAdmitted,
        Law::NoDualWrite,
        Law::NoLostUpdate,
    ];
    let lost_watch = Accident::LoseNext {
        from: Who::Issuer,
        to: B,
    };
    let session = Native::CloseSession(0);
    let keys = Native::OtherKeys(5);
    // Who is awake when its session is closed does not know, and believes on.
    let believes = [Law::HolderStopsInTime];
    vec![
        told(
            "versions.zookeeper-lock-only",
            "A's session is closed while A is paused; its ephemeral node goes, and B's watch fires. A wakes up and writes.",
            Dialect::ZooKeeper,
            session,
            false,
        )
        .breaking(&trashed)
        .lucky_with(&believes),
        told(
            "versions.etcd-lock-only",
            "A's etcd lease runs out while A is paused. A wakes up and writes.",
            Dialect::Etcd,
            keys,
            false,
        )
        .breaking(&trashed),
        told(
            "versions.zookeeper-watch-lost",
            "The watch fires, and the message is lost: nobody leads until B asks by itself.",
            Dialect::ZooKeeper,
            session,
            true,
        )
        .with(4_000, lost_watch)
        .breaking(&[Law::SomeoneCanAcquire])
        .lucky_with(&believes),
        told(
            "versions.zookeeper",
            "Every write carries the zxid that made the lock node, and the resource compares it: whatever A believes, its write is refused.",
            Dialect::ZooKeeper,
            session,
            true,
        )
        .lucky_with(&believes),
        told(
            "versions.etcd",
            "Every write carries the revision of the lock key. Other keys are written in between: the revisions have gaps, and still only rise.",
            Dialect::Etcd,
            keys,
            true,
        ),
    ]
}
