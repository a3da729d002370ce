//! Everything at one instant of true time: small values, cheap to clone, ordered and hashable.
//!
//! What never changes (scripts, switches, delays) is in the [`Scenario`]; a world holds only
//! what does.

use super::clock::{Clock, Millis};
use super::keeper::{Keeper, Numbers};
use super::message::{Half, Message, MessageId, Sight, Write};
use super::scenario::Scenario;
use super::who::{Name, Who};
use super::witness::Witness;
use crate::moment::Moment;
use crate::tenure::Tenure;
use crate::token::Token;
use crate::window::{Instants, Knowledge};
use serde::{Deserialize, Serialize};

/// Everything at one instant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct World {
    /// True time.
    pub now: Millis,
    /// How many of the planned accidents there were already.
    pub begun: u16,
    /// The lease service.
    pub issuer: Issuer,
    /// The store.
    pub store: Store,
    /// The proxies.
    pub proxies: Vec<Proxy>,
    /// The holders.
    pub holders: Vec<Holder>,
    /// The messages in flight, by number.
    pub messages: Vec<Message>,
    /// The links that are not as usual.
    pub links: Vec<Link>,
    /// The number of the next message.
    pub next_message: MessageId,
    /// What somebody who sees everything remembers.
    pub witness: Witness,
}

/// Whether a process runs.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Life {
    /// It runs.
    #[default]
    Runs,
    /// It stands still, and does not know.
    Paused,
    /// There is no process.
    Crashed,
}

/// The lease service.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Issuer {
    /// Whether it runs.
    pub life: Life,
    /// Its clocks.
    pub clock: Clock,
    /// The record.
    pub keeper: Keeper,
    /// What it knows as somebody who must wait until others' older knowledge has run out.
    pub known: Knowledge<Name>,
    /// What tokens are drawn from.
    pub numbers: Numbers,
    /// What it would be set back to.
    pub snapshot: Option<(Keeper, Numbers)>,
    /// Grants that wait before they are answered, oldest first.
    pub waiting: Vec<WaitingGrant>,
    /// Who waits for the lease to end, first come first.
    pub watchers: Vec<u8>,
    /// Whose machine is switched off, and at which true time: the plug knows no other clock.
    pub plug: Option<(u8, Millis)>,
}

/// A grant that is made and not yet answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaitingGrant {
    /// To whom.
    pub to: u8,
    /// When it was asked, by the asker's clock.
    pub asked: Moment,
    /// The request that it answers.
    pub request: u8,
    /// Its token.
    pub token: Token,
    /// Its turn.
    pub turn: u8,
    /// When it was asked, by the issuer's clock.
    pub arrived: Moment,
    /// When it is answered at the latest, by the issuer's clock.
    pub until: Moment,
}

/// The store.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Store {
    /// Whether it runs.
    pub life: Life,
    /// Whether its disk stands still.
    pub stalled: bool,
    /// The report, in halves.
    pub halves: [Half; 2],
    /// Counts the writes.
    pub version: u16,
    /// Whose write was the last.
    pub last_by: Option<u8>,
    /// The mark beside the report, where the store checks.
    pub keeper: Keeper,
    /// The token in the report's metadata.
    pub sealed: Option<Token>,
    /// Writes that wait for the disk, with whom to answer.
    pub stuck: Vec<(Who, Write)>,
    /// The last sequence of each producer, where it knows sequences.
    pub sequences: Vec<(u8, u8)>,
}

/// A proxy.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proxy {
    /// Whether it runs.
    pub life: Life,
    /// Its clocks.
    pub clock: Clock,
    /// Its own record, where it has one.
    pub keeper: Keeper,
    /// How often it started with nothing of before.
    pub starts: u8,
    /// Whether its connection to the store takes nothing more: what it sends on sticks.
    pub stalled: bool,
    /// What it knows of the authority's record, where it trusts that for a while.
    pub known: Knowledge<Name>,
    /// Writes that wait for an answer of the authority or the store.
    pub waiting: Vec<Waiting>,
    /// Writes that were sent on and are not answered.
    pub in_flight: Vec<Forwarded>,
}

/// A write that waits in a proxy: no byte of it has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waiting {
    /// The write.
    pub write: Write,
    /// For whose answer it waits.
    pub on: WaitsOn,
}

/// For whose answer a write waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum WaitsOn {
    /// The authority's, to what was asked then; it may be asked so many times more.
    Authority {
        /// When it was asked.
        sent: Instants,
        /// How many times more.
        asks_left: u8,
    },
    /// The store's, which is looked at before the write is sealed.
    Store,
}

/// A write that a proxy sent on and that is not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forwarded {
    /// The write.
    pub write: Write,
    /// How often it was sent.
    pub attempts: u8,
    /// Whether it sticks in the proxy's buffers: no byte of it has left.
    pub sticks: bool,
}

/// A holder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Holder {
    /// Whether it runs.
    pub life: Life,
    /// Whether its disk stands still.
    pub stalled: bool,
    /// Its clocks.
    pub clock: Clock,
    /// What it may believe of its lease.
    pub tenure: Tenure,
    /// The token that it has, until it knows better.
    pub token: Option<Token>,
    /// Which grant that is, in the order of truth.
    pub turn: u8,
    /// How many grants it asked for.
    pub requests: u8,
    /// How many writes it made.
    pub writes: u8,
    /// The line of its script.
    pub line: u8,
    /// What it does.
    pub doing: Doing,
    /// When it renews next.
    pub renews_at: Option<Moment>,
    /// A write that sticks in its disk although it stopped.
    pub stuck: Option<Write>,
    /// What it saw of the report.
    pub sight: Option<Sight>,
}

/// What a holder does, and until when by the clock that its leases are measured with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Doing {
    /// It begins its next line then.
    Next(Moment),
    /// It asked for the lease, and asks again then.
    Asking(Moment),
    /// It asked what is there, and asks again then.
    Reading(Moment),
    /// The bytes of this write leave then.
    Flushing(Write, Moment),
    /// It waits for the answer to this write, and sends it again then, so many times more.
    Writing(Write, Moment, u8),
    /// It claimed the mark, and claims it again then.
    Fencing(Moment),
    /// It gave the lease back, and says so again then.
    Releasing(Moment),
    /// Its script is done.
    Finished,
    /// It stopped before that.
    Stopped,
}

/// A link that is not as usual.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// From here.
    pub from: Who,
    /// To there.
    pub to: Who,
    /// Whether nothing arrives.
    pub cut: bool,
    /// By how much everything takes longer.
    pub slow_ms: Millis,
    /// How many of the next messages are lost.
    pub loses: u8,
    /// How many of the next messages come twice.
    pub doubles: u8,
}

impl World {
    /// A holder.
    #[must_use]
    pub fn holder(&self, index: u8) -> Option<&Holder> {
        self.holders.get(usize::from(index))
    }

    /// Whether an actor runs; `None`: there is no such actor.
    #[must_use]
    pub fn life(&self, who: Who) -> Option<Life> {
        match who {
            Who::Issuer => Some(self.issuer.life),
            Who::Store => Some(self.store.life),
            Who::Proxy(index) => self.proxies.get(usize::from(index)).map(|it| it.life),
            Who::Holder(index) => self.holder(index).map(|it| it.life),
        }
    }

    /// Whether messages arrive on this link.
    #[must_use]
    pub fn is_cut(&self, from: Who, to: Who) -> bool {
        self.links
            .iter()
            .any(|link| link.from == from && link.to == to && link.cut)
    }

    /// Whether a holder runs and believes at this instant that it may write.
    #[must_use]
    pub fn believes(&self, scenario: &Scenario, index: u8) -> bool {
        self.life(Who::Holder(index)) == Some(Life::Runs) && self.would_believe(scenario, index)
    }

    /// Whether a holder believes it, or would if it went on at this instant: one that is paused
    /// keeps its belief.
    #[must_use]
    pub fn would_believe(&self, scenario: &Scenario, index: u8) -> bool {
        let (Some(holder), Some(plan)) = (self.holder(index), scenario.plan(index)) else {
            return false;
        };
        holder.life != Life::Crashed && holder.thinks(scenario, plan.stops_at_expiry, self.now)
    }
}

impl Holder {
    /// Whether it waits for a lease.
    pub(super) const fn is_asking(&self) -> bool {
        matches!(self.doing, Doing::Asking(_))
    }

    /// The clock that its leases are measured with.
    #[must_use]
    pub fn reads(&self, scenario: &Scenario, now: Millis) -> Moment {
        if scenario.mechanism.lock.is_by_walls() {
            self.clock.wall(now)
        } else {
            self.clock.mono(now)
        }
    }

    /// Whether it would write, were it asked now.
    pub(super) fn thinks(&self, scenario: &Scenario, stops_at_expiry: bool, now: Millis) -> bool {
        if self.turn == 0 || matches!(self.doing, Doing::Stopped | Doing::Finished) {
            return false;
        }
        let has_clock = stops_at_expiry && scenario.mechanism.lock.ttl_ms() > 0;
        !has_clock || self.tenure.may_write(self.reads(scenario, now)).is_some()
    }
}
