//! (14) ZooKeeper and etcd: the lock's version in the payload.

use super::cast::{A_WAKES, B, LEASED, PAUSE_OF_A, PAUSED, TRASHED, at, worker};
use super::variant::{Befalls, Variant};
use super::{Parameters, Story};
use crate::sim::dialect::Dialect;
use crate::sim::event::{Accident, Native};
use crate::sim::laws::Law;
use crate::sim::mechanism::{Check, Mechanism, Tokens};
use crate::sim::scenario::Draft;
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
    variants: VARIANTS,
};

const LOCK: Variant = Variant {
    a: worker(Draft::Half),
    befalls: &[
        PAUSE_OF_A,
        A_WAKES,
        at(5_000, Accident::Native(Native::OtherKeys(5))),
    ],
    ..PAUSED
};

const PAYLOAD: Variant = Variant {
    a: LOCK.a.claiming(),
    b: LOCK.b.claiming(),
    ..LOCK
};

const SESSION_CLOSES: Befalls = at(5_000, Accident::Native(Native::CloseSession(0)));
const CLOSED: &[Befalls] = &[PAUSE_OF_A, A_WAKES, SESSION_CLOSES];

const fn lock_only(dialect: Dialect) -> Mechanism {
    Mechanism {
        tokens: Tokens::None,
        dialect,
        first_token: 17,
        ..LEASED
    }
}

const fn in_payload(dialect: Dialect) -> Mechanism {
    Mechanism {
        tokens: Tokens::Granted,
        check: Check::Store,
        ..lock_only(dialect)
    }
}

/// Who is awake when its session is closed does not know, and believes on.
const BELIEVES: &[Law] = &[Law::HolderStopsInTime];

const VARIANTS: &[Variant] = &[
    Variant {
        name: "versions.zookeeper-lock-only",
        shows: "A's session is closed while A is paused; its ephemeral node goes, and B's watch fires. A wakes up and writes.",
        mechanism: lock_only(Dialect::ZooKeeper),
        befalls: CLOSED,
        breaks: TRASHED,
        lucky: BELIEVES,
        ..LOCK
    },
    Variant {
        name: "versions.etcd-lock-only",
        shows: "A's etcd lease runs out while A is paused. A wakes up and writes.",
        mechanism: lock_only(Dialect::Etcd),
        breaks: TRASHED,
        ..LOCK
    },
    Variant {
        name: "versions.zookeeper-watch-lost",
        shows: "The watch fires, and the message is lost: nobody leads until B asks by itself.",
        mechanism: in_payload(Dialect::ZooKeeper),
        befalls: &[
            PAUSE_OF_A,
            A_WAKES,
            SESSION_CLOSES,
            at(
                4_000,
                Accident::LoseNext {
                    from: Who::Issuer,
                    to: B,
                },
            ),
        ],
        breaks: &[Law::SomeoneCanAcquire],
        lucky: BELIEVES,
        ..PAYLOAD
    },
    Variant {
        name: "versions.zookeeper",
        shows: "Every write carries the zxid that made the lock node, and the resource compares it: whatever A believes, its write is refused.",
        mechanism: in_payload(Dialect::ZooKeeper),
        befalls: CLOSED,
        lucky: BELIEVES,
        ..PAYLOAD
    },
    Variant {
        name: "versions.etcd",
        shows: "Every write carries the revision of the lock key. Other keys are written in between: the revisions have gaps, and still only rise.",
        mechanism: in_payload(Dialect::Etcd),
        ..PAYLOAD
    },
];
