//! What is written in the picture.

use fencegate_core::sim::clock::Millis;
use fencegate_core::sim::event::Accident;
use fencegate_core::sim::who::Who;
use fencegate_core::token::Token;

/// A short text in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// An actor.
    Actor(Who),
    /// One half of the report: whose it is.
    Half(Option<u8>),
    /// A true time on the axis.
    At(Millis),
    /// How long a broken gap is.
    Gap(Millis),
    /// What a clock says.
    Clock(Millis),
    /// What a clock says that stands still.
    Frozen(Millis),
    /// By how much a wall clock is ahead of true time, or behind it.
    WallOff(i32),
    /// What is left of a lease.
    Left(Millis),
    /// For how long a process stands still.
    Paused(Millis),
    /// There is no process.
    Crashed,
    /// A lease, and its token.
    Lease(Option<Token>),
    /// The holder believes, and is wrong.
    Mistaken,
    /// The token that a message carries.
    Token(Option<Token>),
    /// A write is rejected: what it carried, and the mark.
    Rejected(Option<Token>, Option<Token>),
    /// The store's own condition failed.
    Refused,
    /// Nobody could decide.
    Undecided,
    /// Something befell somebody.
    Fault(Accident),
    /// So many believe at once, for so long.
    Several(u8, Millis),
    /// The mark that is checked against.
    Mark(Option<Token>),
    /// What the lanes are, for those who do not see them.
    Lanes,
    /// What the picture of the actors is.
    Nodes,
}
