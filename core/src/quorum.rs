//! The authority of many proxies: a store that a quorum keeps, with transactions, a revision that
//! only rises, and leases of its own.
//!
//! What is put and read goes through [`Transaction`], which says nothing of how it is sent.
//!
//! ```text
//!   init       what all proxies share: see [`crate::window::Init`]
//!   mark  R    the mark of R and whose it is; kept for ever
//!   lock  R    there while R is leased or its lock delay runs; goes with the store's own lease
//!   version g  put whenever a mark of the group g is put: the background read looks at these alone
//! ```

pub mod transaction;

pub use transaction::{
    Answer, Call, CallError, LeaseId, Lock, LockChange, Reply, Survey, Surveyed, Transaction, Value,
};
