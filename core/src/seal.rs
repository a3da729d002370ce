//! The seal: the store itself refuses an older write, by its own condition.
//!
//! ```text
//!   Head --headed--> judge --+--> Done (rejected, undecided, not there)
//!     ^                      \--> Forward (one condition, the token as metadata)
//!     |                              | answered
//!     |        +---------------------+----------------------+--------------------+
//!     |        v                     v                      v                    v
//!     +--- read again       Done(Applied)      Done(NotApplied)       perhaps applied
//!    (s3: 409, bounded)                                                  Prove: HEAD once more
//!                                                                     --> Applied | Unknown
//! ```
//!
//! A write that was admitted and then delayed meets the condition of the moment when it was
//! judged: once a higher token has written that object, the condition fails. This holds
//! - per object, and while the object exists: create, delete, and a delayed "only if absent" lands;
//! - where the ETag or generation changes with **every** write. A content-hash ETag does not
//!   ([`Profile::has_aba_hole`]): token 6 rewrites the same bytes, and the late write of token 5
//!   finds its ETag again.
//!
//! A refusal by the store after an attempt that was perhaps applied proves nothing: the refusal
//! may be of our own second attempt by our own first one. The outcome is then *unknown*, unless
//! another HEAD finds this very write.
//!
//! Refuses to know how requests are sent and signed, and which headers carry what.

mod condition;
mod etag;
mod profile;
mod write;

pub use condition::{ClientCondition, Condition};
pub use etag::{Etag, EtagList};
pub use profile::{Meaning, Profile, Reply};
pub use write::{
    Forward, Head, Headed, NotApplied, Object, Outcome, Prove, Sealed, Stamp, Step, Write,
};
