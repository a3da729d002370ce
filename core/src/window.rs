//! The window: how several proxies stay right without asking for every write.
//!
//! ```text
//!            sends          answer
//!   request ------> Asked ---------> Knowledge --decide--+--> Done(verdict)
//!      |                                ^  |             +--> Ask       (not fresh)
//!      \---------- from memory ---------+--+             +--> Settling  (unsettled: wait)
//!                                                        \--> Raise     (external, above the mark)
//!
//!   raise --> learned --sit out the wait--> put `settled` --> answer
//! ```
//!
//! A proxy admits from memory only while its knowledge is *fresh*: from a linearizable read that
//! it **sent** less than `trust` ago, by the monotonic clock and by the wall clock (a suspended
//! machine stops the first, a step moves the second). So whoever learns of a new mark waits, from
//! when it learned so **itself**, until everybody else's older knowledge has run out, before it
//! admits or answers that token; or reads that somebody did (`settled`).
//!
//! Five rules, each with a search that breaks without it: the wait; one window for all, with
//! `trust <= wait` at every moment of a change ([`Resize`]); an answer that is too old when it
//! arrives never admits; the order between workers ([`Publish`], [`Recall`]); and knowledge that
//! a background read covers only under the version that was read together with it.
//!
//! Refuses to know how a read is made, and what a version key is called.

mod ask;
mod clock;
mod decide;
mod knowledge;
mod resize;
mod settle;
mod share;

pub use ask::{Asked, Asking, Step};
pub use clock::{Instants, RateError};
pub use decide::{Decided, Question, Whose};
pub use knowledge::{Init, Knowledge, Known, Learned, Reading};
pub use resize::{Resize, ResizeStep, Span};
pub use settle::{SettleStep, Settling, SitOut};
pub use share::{PagedRead, Publish, PublishStep, Recall, RecallMark, RecallTime, Recalled};
