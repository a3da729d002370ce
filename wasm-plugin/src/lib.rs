//! Fencegate.
