//! What many stories share: a careful worker, the usual lease, a pause in the wrong moment.

use super::variant::{
    AMID_WRITE, Befalls, FLUSH_MS, LEASE, PAUSE, Script, Span, Variant, WORK_MS, What, Worker, ms,
};
use crate::sim::clock::Millis;
use crate::sim::dialect::Dialect;
use crate::sim::event::Accident;
use crate::sim::laws::Law;
use crate::sim::mechanism::{
    AfterExpiryForm, Check, Condition, Issuer, LeaseClock, Lock, Mechanism, Tokens,
};
use crate::sim::scenario::{Draft, OnRefusal, Op};
use crate::sim::who::Who;

pub(super) const A: Who = Who::Holder(0);
pub(super) const B: Who = Who::Holder(1);
pub(super) const P1: Who = Who::Proxy(0);

/// A lease by the service's clock, its token carried by every write, and nobody who checks it.
pub(super) const LEASED: Mechanism = Mechanism {
    lock: lock(LeaseClock::Service, AfterExpiryForm::AdmitUntilSuperseded),
    tokens: Tokens::Granted,
    named: true,
    issuer: Issuer::Durable,
    check: Check::Nowhere,
    condition: Condition::None,
    drain_ms: None,
    abort: false,
    stonith_ms: None,
    dialect: Dialect::Fencegate,
    first_token: 1,
};

/// A lease as long as the variant says.
pub(super) const fn lock(clock: LeaseClock, after_expiry: AfterExpiryForm) -> Lock {
    Lock::Lease {
        ttl_ms: 0,
        lock_delay_ms: 0,
        clock,
        after_expiry,
    }
}

/// The usual lease, checked there.
pub(super) const fn checked(check: Check) -> Mechanism {
    Mechanism { check, ..LEASED }
}

/// Gets the lease, looks at the report, works, and writes it.
pub(super) const fn worker(draft: Draft) -> Worker {
    reporter(draft, WORK_MS)
}

/// A worker that works for so long before it writes.
pub(super) const fn reporter(draft: Draft, works_ms: Millis) -> Worker {
    Worker {
        starts: ms(0),
        script: Script::Reports(draft, works_ms),
        claims: false,
        stops_at_expiry: true,
        on_refusal: OnRefusal::Stop,
        comes_back: false,
        tries: 4,
        renews: true,
        via: 0,
        allows_for_drift: false,
    }
}

/// A holder with a script of its own.
pub(super) const fn doing(script: &'static [Op]) -> Worker {
    Worker {
        script: Script::Of(script),
        ..worker(Draft::Whole)
    }
}

pub(super) const WORK: Op = Op::Work { ms: WORK_MS };
pub(super) const FENCE: Op = Op::Fence { insists: true };

/// Looks at the lease, and writes.
pub(super) const fn put(draft: Draft) -> Op {
    Op::Put {
        draft,
        flush_ms: FLUSH_MS,
    }
}

/// Something at this time.
pub(super) const fn at(at_ms: Millis, accident: Accident) -> Befalls {
    when(ms(at_ms), accident)
}

/// Something at a time that the parameters say.
pub(super) const fn when(at: Span, accident: Accident) -> Befalls {
    Befalls(at, What::This(accident))
}

/// It stands still and does not know; `clock_stops` with its machine.
pub(super) const fn pause(who: Who, clock_stops: bool) -> Accident {
    Accident::Pause { who, clock_stops }
}

/// A is paused while its write is on the way out.
pub(super) const PAUSE_OF_A: Befalls = when(AMID_WRITE, pause(A, false));
/// When the pause is over.
pub(super) const AFTER_PAUSE: Span = Span {
    amid_write: true,
    ..PAUSE
};
/// A wakes up.
pub(super) const A_WAKES: Befalls = when(AFTER_PAUSE, Accident::Resume(A));

/// Two workers and the usual lease; A is paused while its write is on the way out. To begin with.
pub(super) const PAUSED: Variant = Variant {
    name: "",
    shows: "",
    a: worker(Draft::Whole),
    b: worker(Draft::Whole).starting(2_000),
    mechanism: LEASED,
    lease: LEASE,
    lock_delay: ms(0),
    drain: None,
    befalls: &[PAUSE_OF_A, A_WAKES],
    breaks: &[],
    lucky: &[],
};

/// An old write lands on a newer one.
pub(super) const OVERWRITTEN: &[Law] =
    &[Law::StaleNeverAdmitted, Law::NoDualWrite, Law::NoLostUpdate];
/// And the report is in pieces.
pub(super) const TRASHED: &[Law] = &[
    Law::ReportStaysWhole,
    Law::StaleNeverAdmitted,
    Law::NoDualWrite,
    Law::NoLostUpdate,
];
/// The same by somebody who believes that it may.
pub(super) const BELIEVED_AND_OVERWRITTEN: &[Law] = &[
    Law::HolderStopsInTime,
    Law::StaleNeverAdmitted,
    Law::NoDualWrite,
    Law::NoLostUpdate,
];
