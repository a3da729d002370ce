//! The proxy-wasm filter: stops stale writes in front of an HTTP store.
//!
//! ```text
//!   host/abi --> plugin --> exchange --+--> guard --+--> authority --+--> memory --> shared data
//!                                      \--> api ----/                \--> etcd --> calls
//!                                            \--> reply            (fencegate-core decides)
//! ```
//! `host/` alone names the proxy; `reply` alone knows HTTP statuses; nothing here decides.
#![cfg_attr(not(target_arch = "wasm32"), forbid(unsafe_code))]
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

pub mod api;
pub mod authority;
pub mod config;
pub mod contexts;
pub mod counters;
pub mod decision;
pub mod etcd;
pub mod exchange;
pub mod filter;
pub mod guard;
pub mod host;
pub mod json;
pub mod memory;
pub mod plugin;
pub mod reply;
