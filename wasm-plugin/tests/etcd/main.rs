//! The filter with the authority `etcd`, by its callbacks: what it calls, what it makes of the answers
//! in whatever order they come, and what becomes of the requests that wait.
#![allow(
    unreachable_pub,
    reason = "modules of one test share what is public in them"
)]

#[path = "../support/mod.rs"]
mod support;

mod site;
mod store;

mod callbacks;
mod random;
mod sharing;
mod steps;
mod story;
mod trouble;
mod users;
