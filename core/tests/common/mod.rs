//! A small authority for tests: the bytes of every record, the spent ids, one start of the
//! issuer and a clock that moves only when told to.
#![allow(
    dead_code,
    reason = "every test crate compiles this file and uses a part of it"
)]

use fencegate_core::check::{Access, AfterExpiry, Check, External, Judgement, Presented};
use fencegate_core::codec;
use fencegate_core::drive::{Authority, drive};
use fencegate_core::lease::{Acquire, Acquired, Break, Leased, NotGranted, Owned, Release, Renew};
use fencegate_core::machine::{Change, NotStored, Operation, Seen};
use fencegate_core::moment::Moment;
use fencegate_core::queue::{self, Queue, WAITER_LEN};
use fencegate_core::record::Record;
use fencegate_core::spent::{Fingerprint, SPENT_MAX, Spent};
use fencegate_core::start::Start;
use fencegate_core::token::Token;
use fencegate_core::verdict::{Fault, Reason, Verdict};
use std::collections::BTreeMap;
use std::time::Duration;

/// How many conflicts a driver of these tests judges again.
pub(crate) const CONFLICTS_MAX: u8 = 2;

/// An acquire by `a` of `r` for ten seconds; tests change what they are about.
pub(crate) const ACQUIRE: Acquire<'static> = Acquire {
    resource: "r",
    holder: "a",
    request_id: None,
    expect_mark: None,
    ttl: Duration::from_secs(10),
    lock_delay: Duration::ZERO,
    generation: 1,
};

/// The rule *ours*, with the default after the end of a lease.
pub(crate) const OURS: Judgement = Judgement::Ours {
    after_expiry: AfterExpiry::AdmitUntilSuperseded,
};

/// The rule *ours*, with strict leases.
pub(crate) const STRICT: Judgement = Judgement::Ours {
    after_expiry: AfterExpiry::Refuse,
};

/// The rule *external*, with nothing given up.
pub(crate) const EXTERNAL: Judgement = Judgement::External(External {
    jump_max: None,
    unnamed_may_share: false,
});

/// Token `number` of epoch 0.
pub(crate) fn token(number: u64) -> Token {
    Token::new(0, number).expect("tests use numbers above 0")
}

/// So many seconds.
pub(crate) const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// So many milliseconds.
pub(crate) const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// `token` as presented by `holder`.
pub(crate) const fn by<'a>(holder: &'a str, token: Token) -> Presented<'a> {
    Presented {
        token,
        holder: Some(holder),
    }
}

/// A write, judged by the rule *ours*.
pub(crate) const fn write<'a>(holder: &'a str, token: Token) -> Check<'a> {
    Check {
        presented: by(holder, token),
        access: Access::Write,
        judgement: OURS,
        generation: 1,
    }
}

/// A write, judged by the rule *external*.
pub(crate) const fn external<'a>(holder: &'a str, token: Token) -> Check<'a> {
    Check {
        judgement: EXTERNAL,
        ..write(holder, token)
    }
}

/// A renewal to ten seconds from now.
pub(crate) const fn renew<'a>(holder: &'a str, token: Token) -> Renew<'a> {
    Renew {
        presented: by(holder, token),
        ttl: Duration::from_secs(10),
        lock_delay: Duration::ZERO,
        generation: 1,
    }
}

/// A clean release.
pub(crate) const fn release<'a>(holder: &'a str, token: Token) -> Release<'a> {
    Release {
        presented: by(holder, token),
        writes_answered: true,
        generation: 1,
    }
}

/// A break of `r` without a lock delay.
pub(crate) const BREAK: Break<'static> = Break {
    resource: "r",
    lock_delay: Duration::ZERO,
    generation: 1,
};

/// The reason of a rejection, if it is one.
pub(crate) const fn reason(verdict: Verdict) -> Option<Reason> {
    match verdict {
        Verdict::Reject(rejection) => Some(rejection.reason),
        _ => None,
    }
}

/// Why the lease is not the caller's.
pub(crate) const fn lost<T: Copy>(owned: Owned<T>) -> Option<Reason> {
    match owned {
        Owned::Lost(rejection) => Some(rejection.reason),
        _ => None,
    }
}

/// Whether the verdict admits.
pub(crate) const fn admits(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Admit(_))
}

/// What was granted.
#[track_caller]
pub(crate) fn granted(acquired: Acquired) -> Leased {
    match acquired {
        Acquired::Granted { leased, .. } => leased,
        other => panic!("granted, but it is {other:?}"),
    }
}

/// For how long it is held by somebody else.
#[track_caller]
pub(crate) fn held(acquired: Acquired) -> Duration {
    match acquired {
        Acquired::NotGranted(NotGranted::Held { retry_after, .. }) => retry_after,
        other => panic!("held, but it is {other:?}"),
    }
}

/// What is kept of one resource.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    /// The bytes of the record.
    pub(crate) bytes: Option<Vec<u8>>,
    /// Fingerprints, oldest first.
    pub(crate) spent: Vec<[u8; 8]>,
    /// Who waits.
    pub(crate) waiters: Vec<[u8; WAITER_LEN]>,
    /// Counts the stores.
    pub(crate) version: u64,
}

/// The authority: all cells, the issuer's start and the clock.
#[derive(Clone, Debug)]
pub(crate) struct World {
    /// The monotonic clock.
    pub(crate) now: Moment,
    /// The issuer's start.
    pub(crate) start: Start,
    /// Resources by name.
    pub(crate) cells: BTreeMap<String, Cell>,
}

impl Default for World {
    fn default() -> Self {
        Self::started(secs(1000), 0)
    }
}

impl World {
    /// An empty authority whose issuer starts at this wall time with this base.
    pub(crate) fn started(wall: Duration, base: u64) -> Self {
        let now = Moment::from_nanos(0);
        Self {
            now,
            start: Start::new(wall, now, base).expect("before the year 2106"),
            cells: BTreeMap::new(),
        }
    }

    /// Another process: nothing is left but the monotonic clock of the machine.
    pub(crate) fn restart(&mut self, wall: Duration, base: u64) {
        self.cells.clear();
        self.start = Start::new(wall, self.now, base).expect("before the year 2106");
    }

    /// Time passes.
    pub(crate) fn pass(&mut self, wait: Duration) {
        self.now = self.now.after(wait);
    }

    /// Runs an operation on `r`.
    pub(crate) fn run<O: Operation<Change = Change>>(&mut self, operation: O) -> O::Outcome {
        self.run_on("r", operation)
    }

    /// Runs an operation on a resource.
    pub(crate) fn run_on<O: Operation<Change = Change>>(
        &mut self,
        resource: &str,
        operation: O,
    ) -> O::Outcome {
        drive(&mut self.at(resource), operation, CONFLICTS_MAX)
    }

    /// Acquires `r` for `holder` for ten seconds; it must be granted.
    #[track_caller]
    pub(crate) fn grant(&mut self, holder: &str) -> Token {
        granted(self.run(Acquire { holder, ..ACQUIRE })).token
    }

    /// The authority's view of one resource.
    pub(crate) fn at<'w>(&'w mut self, resource: &'w str) -> At<'w> {
        At {
            now: self.now,
            start: &mut self.start,
            cell: self.cells.entry(resource.to_owned()).or_default(),
            resource,
        }
    }

    /// The record, if there is one that verifies.
    pub(crate) fn record(&mut self, resource: &str) -> Result<Option<Record>, Fault> {
        let mut at = self.at(resource);
        let (seen, _) = at.load()?;
        Ok(seen.record.map(|record| record.to_owned()))
    }

    /// Forgets the record if nothing is lost by that; says whether it did.
    pub(crate) fn forget(&mut self, resource: &str) -> bool {
        let now = self.now;
        let Ok(Some(record)) = self.record(resource) else {
            return false;
        };
        let Some(grant) = record.grant.filter(|grant| grant.is_forgettable(now)) else {
            return false;
        };
        let cell = self.at(resource).cell;
        if let (Some(holder), Some(id)) = (&record.holder, &grant.request_id) {
            cell.spend(Fingerprint::of(resource, holder, id));
        }
        cell.bytes = None;
        cell.version += 1;
        true
    }
}

impl Cell {
    /// Keeps the fingerprint; the oldest goes when there is no room.
    pub(crate) fn spend(&mut self, fingerprint: Fingerprint) {
        if self.spent.len() == SPENT_MAX {
            self.spent.remove(0);
        }
        self.spent.push(fingerprint.0);
    }

    /// What is kept, verified.
    pub(crate) fn seen(&self, resource: &str) -> Result<Seen<'_>, Fault> {
        let record = match &self.bytes {
            None => None,
            Some(bytes) => match codec::decode(bytes) {
                Ok((name, record)) if name == resource => Some(record),
                _ => return Err(Fault::Garbled),
            },
        };
        Ok(Seen {
            record,
            spent: Spent(&self.spent),
            queue: Queue {
                waiters: &self.waiters,
                resource: 0,
            },
        })
    }

    /// Replaces what is kept.
    pub(crate) fn put(&mut self, resource: &str, change: &Change, now: Moment) {
        let mut bytes = Vec::new();
        codec::encode(resource, &change.record, &mut bytes).expect("names of tests are short");
        self.bytes = Some(bytes);
        if let Some(fingerprint) = change.spend {
            self.spend(fingerprint);
        }
        if let Some(change) = change.queue {
            self.waiters = queue::changed(&self.waiters, 0, change, now).expect("few wait");
        }
        self.version += 1;
    }
}

/// One resource of a [`World`].
pub(crate) struct At<'w> {
    now: Moment,
    start: &'w mut Start,
    /// What is kept.
    pub(crate) cell: &'w mut Cell,
    resource: &'w str,
}

impl Authority for At<'_> {
    type Change = Change;
    type Version = u64;

    fn now(&self) -> Moment {
        self.now
    }

    fn load(&mut self) -> Result<(Seen<'_>, u64), Fault> {
        Ok((self.cell.seen(self.resource)?, self.cell.version))
    }

    fn draw(&mut self) -> Result<Token, Fault> {
        let (token, next) = self.start.draw().map_err(|_| Fault::Full)?;
        *self.start = next;
        Ok(token)
    }

    fn store(&mut self, change: &Change, version: &u64) -> Result<(), NotStored> {
        if self.cell.version != *version {
            return Err(NotStored::Conflict);
        }
        self.cell.put(self.resource, change, self.now);
        Ok(())
    }
}
