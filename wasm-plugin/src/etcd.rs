//! The authority `etcd`: marks and leases in a store that many proxies share.
//!
//! [`wire`] is how etcd is asked and how its answers are read; it knows neither when nor why.

pub mod wire;
