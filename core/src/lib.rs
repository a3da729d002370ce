//! Fencegate's core.
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
pub mod drive;
pub mod flaw;
pub mod host_name;
pub mod later;
pub mod lease;
pub mod machine;
pub mod moment;
pub mod name;
pub mod path;
pub mod policy;
pub mod record;
pub mod request;
pub mod spent;
pub mod start;
pub mod tenure;
pub mod token;
pub mod verdict;
