//! What becomes of requests while etcd is not well: `docs/fail-closed.md`, each row on two real Envoys
//! over a real etcd. Nothing is admitted that should not be, what is refused is refused within the
//! configured time limit, and nobody has to restart an Envoy when it is over.
//!
//! `FENCEGATE_RENEW=1 cargo test -p fencegate-tests --release --test closed` writes the page anew.

mod page;
mod rows;
mod scene;
