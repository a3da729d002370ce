//! The real parts around the filter: what the tests start, drive, watch and stop.
//!
//! Nothing here is a stand-in for the filter. An [`envoy`] is a real Envoy that loads the compiled
//! filter, from the very configurations that `examples/` shows to users ([`config`]). The [`origin`]
//! is a small store of our own: it is atomic, it survives a restart, and it writes down everything
//! that reaches it, so that a test can prove what did *not*. Requests are sent as exact bytes
//! ([`http`], [`http2`]), leases are asked for as a worker would ([`issuer`]), every process that is started
//! here is stopped here ([`process`]).
//!
//! An [`etcd`] is a real one as well, of several members that can be killed, stopped and cut off, and a
//! [`fleet`] is several Envoys over it.
//!
//! On top of these stand the [`story`] that `make demo` tells, beside the page that it serves
//! ([`site`]), and the [`hammer`] that looks for one admission too many.
//!
//! This crate knows built artefacts and HTTP only: not one function of the filter or of the core.

mod accept;
pub mod config;
pub mod envoy;
pub mod etcd;
pub mod fleet;
pub mod grpc;
pub mod hammer;
pub mod http;
pub mod http2;
pub mod issuer;
pub mod origin;
pub mod process;
pub mod rig;
pub mod seed;
pub mod site;
pub mod spellings;
pub mod story;
pub mod tables;
pub mod wire;
pub mod worker;
