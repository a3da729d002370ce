//! Drain: a new holder is answered only when no older write is under way any more.
//!
//! A check alone leaves a gap: a write that was admitted may reach the store late, after a newer
//! one. Where all writes of a resource pass one process, that process can count them.
//!
//! ```text
//!   write:  CountIn --> check --admitted--> forwarded --complete answer of the origin--> CountOut
//!                         |                     \----- anything else ------------------> Unresolved
//!                         \--rejected--> CountOut
//!
//!   grant:  raise the mark --> older writes in flight? --none, or the bound has passed--> answer
//!             (supersedes them)        |                                      (the lease starts)
//!                                      \--some--> 503, to be asked again with its request id
//! ```
//!
//! What makes it right, each shown by a test that breaks without it:
//! - a write is counted in **before** the record is read for its check;
//! - counts are per token and saturate, so that a late count-out never takes another token's;
//! - only a complete answer of the origin to the only attempt ends a write ([`Answer::ends`]);
//! - the bound runs from the raise that **first** superseded a token: neither later raises nor a
//!   storm of rejected writes restart it.
//!
//! It promises nothing about writes that pass another process, and nothing about a write that
//! outlives the bound: the bound must cover the longest stream that the proxy allows, and the
//! time that the origin may need after that. It refuses to know how answers look.
//!
//! Its operations run in the one machine ([`crate::machine`]) over the record *and* the counts
//! ([`Both`], [`Put`]); [`Plain`] runs any other operation there.

mod both;
mod check;
mod codec;
mod count;
mod flights;
mod grant;

pub use both::{Both, Plain, Put};
pub use check::{DrainedCheck, DrainedVerdict};
pub use codec::{decode, encode};
pub use count::{Answer, CountIn, CountOut, Counted, CountedIn, Unresolved};
pub use flights::{COUNT_MAX, Drain, FLIGHTS_MAX, Flight, Outlook};
pub use grant::{DrainedGrant, Grants};
