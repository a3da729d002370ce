//! Fencing tokens, leases and the check, as pure functions and state machines.
//!
//! ```text
//!   request --read--> policy --route--> Guarded { resource, token, holder }
//!                                          |
//!                     check, lease: operations, decided on what was read
//!                                          |
//!             machine: Load -> Draw -> Store -> Done, again after every conflict
//!                                          |
//!       drive: a loop over an authority that answers at once; other drivers step the same states
//! ```
//!
//! Nothing here reads a clock, draws a random number or does I/O: time and randomness are
//! arguments, and whoever keeps records is asked by a driver.
//!
//! ```
//! use fencegate_core::check::{Access, AfterExpiry, Check, Judgement, Presented};
//! use fencegate_core::machine::{Load, Seen, Step};
//! use fencegate_core::moment::Moment;
//! use fencegate_core::queue::Queue;
//! use fencegate_core::record::{Grant, Record};
//! use fencegate_core::spent::Spent;
//! use fencegate_core::token::Token;
//! use fencegate_core::verdict::{Reason, Verdict};
//! use core::time::Duration;
//!
//! // The store's current token is 8, and B holds the lease that it stands for.
//! let record = Record {
//!     token: Token::new(0, 8).ok_or("0 is no token")?,
//!     holder: Some("B"),
//!     generation: 1,
//!     grant: Some(Grant {
//!         request_id: None,
//!         ttl: Duration::from_secs(10),
//!         ends: Moment::from_nanos(10_000_000_000),
//!         free: Moment::from_nanos(10_000_000_000),
//!         released: false,
//!     }),
//! };
//! // A was paused, and does not know that it was replaced.
//! let late = Check {
//!     presented: Presented { token: "7".parse()?, holder: Some("A") },
//!     access: Access::Write,
//!     judgement: Judgement::Ours { after_expiry: AfterExpiry::AdmitUntilSuperseded },
//!     generation: 1,
//! };
//! let seen = Seen { record: Some(record), spent: Spent::default(), queue: Queue::default() };
//! let step = Load::new(late, 3).loaded(Ok((seen, "version 1")), Moment::from_nanos(5));
//! assert!(matches!(step, Step::Done(Verdict::Reject(why)) if why.reason == Reason::Stale));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::todo,
        clippy::indexing_slicing,
        clippy::string_slice,
        clippy::arithmetic_side_effects
    )
)]

pub mod check;
pub mod codec;
pub mod drain;
pub mod drive;
pub mod flaw;
pub mod host_name;
pub mod later;
pub mod laws;
pub mod lease;
pub mod machine;
pub mod moment;
pub mod name;
pub mod path;
pub mod policy;
pub mod queue;
pub mod quorum;
pub mod record;
pub mod request;
pub mod seal;
pub mod sim;
pub mod spent;
pub mod start;
pub mod tenure;
pub mod token;
pub mod verdict;
pub mod window;
