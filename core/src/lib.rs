//! Fencegate's core.

pub mod name;
pub mod token;
