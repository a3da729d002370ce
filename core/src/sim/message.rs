//! Messages in flight: values that anybody may look at, delay, lose, double or reorder.

use super::clock::Millis;
use super::who::{Name, Who};
use crate::moment::Moment;
use crate::tenure::Left;
use crate::token::Token;
use crate::verdict::Reason;
use crate::window::{Instants, Reading};
use serde::{Deserialize, Serialize};

/// The number of a message.
pub type MessageId = u16;

/// A message on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// Its number.
    pub id: MessageId,
    /// From whom.
    pub from: Who,
    /// To whom.
    pub to: Who,
    /// When it was sent.
    pub sent: Millis,
    /// When it should arrive.
    pub due: Millis,
    /// What the network has in mind for it.
    pub fate: Fate,
    /// What it says.
    pub payload: Payload,
}

impl Message {
    /// Whether it can come twice. A connection gives each request one answer, so the store's do
    /// not. What comes twice from a proxy was sent twice, by a retry that the proxy knows of.
    #[must_use]
    pub const fn may_come_twice(&self) -> bool {
        !matches!((self.from, self.to), (Who::Store, Who::Proxy(_)))
    }
}

/// What the network has in mind for a message: a proposal, not yet an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It arrives.
    Arrives,
    /// It is lost.
    IsLost,
    /// It comes twice.
    ComesTwice,
}

/// What a message says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Payload {
    /// "May I have the lease?"
    Acquire {
        /// Names this incarnation of the holder.
        request: u8,
        /// When it was asked, by the asker's clock.
        asked: Moment,
    },
    /// "I still hold it."
    Renew {
        /// With this token.
        token: Token,
        /// When it was asked, by the asker's clock.
        asked: Moment,
    },
    /// "I give it back."
    Release {
        /// With this token.
        token: Token,
    },
    /// "It is yours."
    Granted {
        /// With this token.
        token: Token,
        /// Which grant this is, in the order of truth. Only the laws look at it.
        turn: u8,
        /// When it was asked, by the asker's clock.
        asked: Moment,
        /// What is left of it.
        left: Left,
    },
    /// "Somebody holds it."
    Held {
        /// For so long at least.
        retry_ms: Millis,
    },
    /// "What your request was granted is over": ask anew.
    Over,
    /// "It is kept."
    Kept {
        /// When it was asked, by the asker's clock.
        asked: Moment,
        /// What is left of it.
        left: Left,
    },
    /// "It is lost."
    Lost,
    /// "It is given back."
    Released,
    /// "Not now": a 503.
    NotNow,
    /// "What you waited for is free": a watch fired.
    Watch,
    /// "Raise the mark to this."
    Claim {
        /// By whom.
        by: u8,
        /// To this token.
        token: Token,
        /// Which grant this is, in the order of truth.
        turn: u8,
    },
    /// "It is raised", or it is higher already.
    Claimed {
        /// For whom.
        by: u8,
        /// Whether it is raised.
        raised: bool,
    },
    /// "What is there?"
    Read {
        /// For whom.
        by: u8,
    },
    /// "This is there."
    Shown {
        /// To whom.
        by: u8,
        /// What.
        sight: Sight,
    },
    /// A write.
    Write(Write),
    /// The answer to a write.
    Answer {
        /// Whose write.
        by: u8,
        /// Which of its writes.
        seq: u8,
        /// The start that the write was sent on in.
        start: u8,
        /// What became of it.
        answer: Answer,
    },
    /// A proxy asks the authority for the record.
    Ask {
        /// When, by its clocks.
        asked: Instants,
    },
    /// The authority tells the record.
    Told {
        /// When it was asked for, by the proxy's clocks.
        asked: Instants,
        /// What there is.
        reading: Reading<Name>,
    },
}

/// What a reader saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sight {
    /// The version of the report.
    pub version: u16,
    /// Its ETag.
    pub etag: u16,
    /// Its halves.
    pub halves: [Half; 2],
    /// The mark that whoever checks has, if it tells.
    pub mark: Option<Token>,
    /// Whose write was the last.
    pub by: Option<u8>,
}

/// One half of the report: blank, or written by a holder.
pub type Half = Option<u8>;

/// What a write does to one half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edit {
    /// Nothing.
    Keep,
    /// It is this afterwards.
    Put(Half),
}

/// A write on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Write {
    /// By whom.
    pub by: u8,
    /// In which turn, in the order of truth. Only the laws look at it.
    pub turn: u8,
    /// With which token.
    pub token: Option<Token>,
    /// Which of the holder's writes.
    pub seq: u8,
    /// What it does.
    pub edits: [Edit; 2],
    /// The version that its writer saw last.
    pub base: Option<u16>,
    /// The store's own condition: the ETag that must still be there.
    pub if_match: Option<u16>,
    /// In which start of its proxy it was sent on: an answer to another one has no connection any
    /// more. 0 where it comes from its writer.
    pub start: u8,
}

/// What became of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Answer {
    /// It is stored, as this version.
    Stored {
        /// The version.
        version: u16,
    },
    /// It was rejected.
    Rejected {
        /// Why.
        reason: Reason,
        /// The mark that it was judged against.
        mark: Option<Token>,
    },
    /// The store's own condition failed.
    Condition,
    /// Nobody could decide: a 503.
    NotNow,
}
