//! A store of a quorum, and proxies before it.
#![allow(
    dead_code,
    reason = "every test crate compiles this file and uses a part of it"
)]

pub(crate) mod proxy;
pub(crate) mod store;

use fencegate_core::check::Access;
use fencegate_core::lease::{Acquired, Leased};
use fencegate_core::quorum::{Bearer, Outcome, Wanted};
use fencegate_core::token::Token;
use fencegate_core::verdict::{Fault, Reason, Verdict};
use fencegate_core::window::Whose;
use proxy::{INIT, Proxy, TERMS};
use std::time::Duration;
use store::Store;

pub(crate) const TTL: Duration = Duration::from_secs(10);

/// A store that was initialised, and a proxy that knows nothing.
pub(crate) fn world() -> (Store, Proxy) {
    (Store::with_init(INIT.encode()), Proxy::new(TERMS))
}

pub(crate) fn acquire(holder: &str) -> Wanted {
    Wanted::Acquire {
        holder: holder.to_owned(),
        request_id: None,
        expect_mark: None,
        ttl: TTL,
    }
}

pub(crate) fn acquire_as(holder: &str, id: &str) -> Wanted {
    Wanted::Acquire {
        holder: holder.to_owned(),
        request_id: Some(id.to_owned()),
        expect_mark: None,
        ttl: TTL,
    }
}

pub(crate) fn by(holder: &str, token: Token) -> Bearer {
    Bearer {
        token,
        holder: Some(holder.to_owned()),
    }
}

pub(crate) fn write(holder: &str, token: Token) -> Wanted {
    Wanted::Check {
        bearer: by(holder, token),
        access: Access::Write,
        whose: Whose::Ours,
    }
}

pub(crate) fn renew(holder: &str, token: Token, ttl: Duration) -> Wanted {
    Wanted::Renew {
        bearer: by(holder, token),
        ttl,
    }
}

pub(crate) fn release(holder: &str, token: Token, writes_answered: bool) -> Wanted {
    Wanted::Release {
        bearer: by(holder, token),
        writes_answered,
    }
}

#[track_caller]
pub(crate) fn granted(outcome: &Outcome) -> Leased {
    match outcome {
        Outcome::Acquired(Acquired::Granted { leased, .. }) => *leased,
        other => panic!("granted, but {other:?}"),
    }
}

pub(crate) fn reason(outcome: &Outcome) -> Option<Reason> {
    match outcome {
        Outcome::Verdict(Verdict::Reject(why)) => Some(why.reason),
        _ => None,
    }
}

pub(crate) fn admitted(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Verdict(Verdict::Admit(_)))
}

pub(crate) fn fault(outcome: &Outcome) -> Option<Fault> {
    outcome.fault()
}
