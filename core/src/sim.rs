//! The world in a box: the core's machines between actors that pause, crash and lose messages.
//!
//! ```text
//!   Scenario + seed --> World --step(Event)--> World --> ...      laws, on every state
//!                         |                      |
//!   schedule: proposes the next event      told --> words: one sentence each
//!                         |
//!   search: takes every event that could be next, until a law breaks
//!   Timeline: log and snapshots; any state again, in both directions; forks keep the old branch
//! ```
//!
//! A state is a pure function of scenario, seed, log and number. True time moves with events
//! only; every actor reads its own clock. The same machines decide as in the filter: here a
//! driver steps them, and nothing else in this crate knows of it.

pub mod accident;
mod beginning;
pub mod clock;
pub mod dialect;
pub mod dice;
pub mod diff;
pub mod event;
mod holder;
mod issuer;
mod judge;
pub mod keeper;
pub mod law;
pub mod laws;
pub mod mechanism;
pub mod message;
mod proxy;
mod records;
pub mod scenario;
pub mod schedule;
pub mod search;
mod stage;
mod store;
pub mod stories;
pub mod timeline;
pub mod told;
pub mod who;
pub mod witness;
pub mod words;
pub mod world;
