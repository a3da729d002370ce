//! The lease API over etcd, through one proxy and the other: whatever one of them answered, the other
//! knows, or asks.

mod bounds;
mod ending;
mod granting;
mod looking;
mod scene;
mod waiting;
