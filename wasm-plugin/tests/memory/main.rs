//! The authority `memory` on fake worker threads: its laws in every order of host calls, under
//! damage, when it is full, and over changes of the configuration and restarts.

#![allow(
    unreachable_pub,
    reason = "modules of one test share what is public in them"
)]

#[path = "../support/mod.rs"]
mod support;

mod damage;
mod forgetting;
mod generations;
mod laws;
mod operations;
mod races;
mod random;
mod set_up;
mod starts;
