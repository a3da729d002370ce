//! The authority of many proxies: a store that a quorum keeps, with transactions, a revision that
//! only rises, and leases of its own.
//!
//! ```text
//!   init       what all proxies share                      --> Init, Heard
//!   mark  R    the mark of R and whose it is; kept for ever --> Kept, Known
//!   lock  R    there while R is leased or its lock delay runs; goes with the store's own lease
//!   version g  put whenever a mark of the group g is put: the background read looks at these alone
//!
//!   Known --decide--> the answer, from memory
//!     ^         \---> Flow: Call --answered--> (learn, judge again) --+--> Done
//!     |                  ^                            |               \--> SitOut --woken--+
//!     \------------------+----------------------------+------------------------------------/
//! ```
//!
//! A proxy is one *worker* that shares nothing with the others here; whoever drives it may bring
//! their knowledge together. What is put and read goes through [`Call`], which says nothing of how
//! it is sent. Every answer is learned before anything is decided on it, and what is decided is
//! decided by [`crate::check`], [`crate::lease`] and [`crate::window`] on what is known then: so a
//! conflict, a late answer, a lost one and a wait all end in the same place, judging again.

mod bytes;
mod flow;
mod heard;
mod init;
mod kept;
mod known;
mod seen;
mod terms;
mod transaction;

pub use flow::{At, Bearer, Calling, Looked, Outcome, Request, Sitting, Stale, Step, Wanted};
pub use heard::{Heard, InForce, Standing};
pub use init::Init;
pub use kept::{Kept, KeptGrant, Number};
pub use known::Known;
pub use terms::Terms;
pub use transaction::{
    Answer, Call, CallError, InitPut, LeaseId, Lock, LockChange, PutInit, Reply, Survey, Surveyed,
    Transaction, Value,
};
