//! The whole plugin by its callbacks, on a fake proxy: the HTTP contract, the lease API, one
//! decision a request, and what happens when host calls fail.
#![allow(
    unreachable_pub,
    reason = "modules of one test share what is public in them"
)]

#[path = "../support/mod.rs"]
mod support;

mod access;
mod api_refusals;
mod callbacks;
mod contract;
mod external;
mod faults;
mod lease_api;
mod modes;
mod order;
mod outcomes;
mod requests;
mod unavailable;
mod waiting;
