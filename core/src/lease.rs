//! Granting, renewing, releasing and breaking leases.
//!
//! Each is an operation for [`crate::machine`]. They refuse to know where records are kept and
//! how a request for them looks. A lease is measured on the authority's monotonic clock; its
//! holder is told durations only.
//!
//! ```text
//!   (none) --grant--> held --renew--> held
//!                      | \--end-----> over --lock delay--> free --grant--> held, higher token
//!                      |---release--> free at once (all writes answered), else after the lock delay
//!                      \---break----> over, mark raised
//! ```

mod acquire;
mod break_;
mod release;
mod renew;
mod wait;

pub use acquire::{Acquire, Acquired, NotGranted};
pub use break_::{Break, Broken};
pub use release::{Release, Released};
pub use renew::{Renew, Renewed};
pub use wait::{Leave, Left, PATIENCE, Wait};

use crate::record::{Grant, Record};
use crate::token::Token;
use crate::verdict::{Fault, Rejection};
use core::time::Duration;

/// What the holder is told of its lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leased {
    /// The token of the grant.
    pub token: Token,
    /// What is left of the lease at the instant of the decision.
    pub left: Duration,
}

/// The outcome of an operation by a holder on its own lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owned<T> {
    /// Done.
    Done(T),
    /// The lease is not the caller's any more, or never was.
    Lost(Rejection),
    /// Nobody knows.
    Undecided(Fault),
}

impl<T> From<Fault> for Owned<T> {
    fn from(fault: Fault) -> Self {
        Self::Undecided(fault)
    }
}

/// The record of a grant with its text owned, and `change` made to the grant.
fn with_grant(record: &Record<&str>, change: impl FnOnce(&mut Grant)) -> Record {
    let mut owned = record.to_owned();
    if let Some(grant) = &mut owned.grant {
        change(grant);
    }
    owned
}
