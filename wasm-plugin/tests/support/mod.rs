//! A proxy that is nothing but data: its shared values, its clocks, its worker threads.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test takes what it needs of it"
)]

pub mod client;
pub mod host;
pub mod settings;
pub mod turns;
pub mod world;
