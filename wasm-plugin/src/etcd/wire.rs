//! What the core asks of its store, as etcd's JSON gateway takes it, and what comes back.
//!
//! Pure: a call becomes a path and a body, a status and a body become an answer. Whatever does not
//! look exactly as it must is [`CallError::Unknown`]: nobody knows then whether it was done. Nothing here
//! knows of connections, time limits or headers.
//!
//! ```text
//!   keys      names under the prefix           ask      calls, written
//!   answer    answers, as their JSON has them  told     answers, as the core has them
//!   refusal   what went wrong, and whether it was done all the same
//!   page      a page of leases                 login    a user's token
//!   base64    as keys and values are spelled
//! ```
//! Numbers of 64 bits are texts there, and what is 0, false or empty is left out.

mod answer;
mod ask;
pub mod base64;
mod keys;
mod login;
mod page;
mod refusal;
mod told;

pub use ask::request;
pub use keys::{GROUPS, Keys, group};
pub use login::{login, login_token};
pub use page::{Page, Paged};
pub use refusal::wants_login;
pub use told::reply;

use fencegate_core::quorum::CallError;

/// The status of an answer that has what was asked for.
const OK: u16 = 200;

/// Reads a body that came with `status`, or says what a refusal means.
fn body(status: u16, body: &[u8]) -> Result<answer::Body, CallError> {
    match status {
        OK => crate::json::read(body).map_err(|_| CallError::Unknown),
        _ => Err(refusal::meaning(status, body)),
    }
}
