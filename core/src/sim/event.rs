//! What happens: the only thing that changes a world, and all that a log holds.
//!
//! A log holds what happened, never the dice that chose it. Times are true time.

use super::clock::Millis;
pub use super::message::MessageId;
use super::who::Who;
use serde::{Deserialize, Serialize};

/// Something that happens at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// When.
    pub at: Millis,
    /// What.
    pub what: What,
}

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum What {
    /// A message arrives. Any message in flight may be next: that is reordering.
    Deliver(MessageId),
    /// A message is lost.
    Lose(MessageId),
    /// A message comes twice: this is the first time.
    Duplicate(MessageId),
    /// A message will take longer.
    Delay {
        /// Which.
        message: MessageId,
        /// By how much.
        by_ms: Millis,
    },
    /// The next timer of an actor goes off.
    Timer(Who),
    /// Something befalls somebody.
    Accident(Accident),
}

/// What may befall an actor, a link or a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Accident {
    /// A garbage collection, SIGSTOP, a hypervisor: it stands still and does not know.
    Pause {
        /// Who.
        who: Who,
        /// Whether its monotonic clock stands still as well, as in a suspended machine.
        clock_stops: bool,
    },
    /// It goes on where it was.
    Resume(Who),
    /// The process ends.
    Crash(Who),
    /// It is started again.
    Restart {
        /// Who.
        who: Who,
        /// Whether it finds what it knew.
        with_memory: bool,
    },
    /// Messages of one direction are lost.
    Cut {
        /// From here.
        from: Who,
        /// To there.
        to: Who,
    },
    /// They arrive again.
    Heal {
        /// From here.
        from: Who,
        /// To there.
        to: Who,
    },
    /// Messages of one direction take so much longer from now on.
    Slow {
        /// From here.
        from: Who,
        /// To there.
        to: Who,
        /// By how much; 0 ends it.
        by_ms: Millis,
    },
    /// The next message of one direction will be lost.
    LoseNext {
        /// From here.
        from: Who,
        /// To there.
        to: Who,
    },
    /// The next message of one direction will come twice.
    DuplicateNext {
        /// From here.
        from: Who,
        /// To there.
        to: Who,
    },
    /// Its disk does not answer, or a proxy's connection to the store takes nothing: writes and
    /// renewals stick, the process and its clock go on.
    Stall(Who),
    /// It goes on, and what stuck goes out.
    Unstall(Who),
    /// Its wall clock is set.
    StepClock {
        /// Whose.
        who: Who,
        /// By how much, forward or back.
        by_ms: i32,
    },
    /// Its clock runs at another rate from now on.
    Drift {
        /// Whose.
        who: Who,
        /// How much faster than true time, in millionths.
        rate_ppm: i32,
    },
    /// A snapshot of the issuer is taken.
    Snapshot,
    /// The issuer is set back to its snapshot.
    Restore,
    /// An operator ends whatever lease there is; a force-detach is one.
    Break,
    /// What only one of the systems knows.
    Native(Native),
}

/// Events of one system each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Native {
    /// Kafka: the coordinator aborts the open transaction and bumps the epoch.
    AbortTransaction,
    /// ZooKeeper: a client closes its session, and its ephemeral node goes at once.
    CloseSession(u8),
    /// etcd: other keys were written, and the revision rose with each.
    OtherKeys(u8),
    /// Kubernetes: somebody deletes the Lease object; the next one counts from 0.
    DeleteLeaseObject,
    /// Block storage: the path of a node comes back, and its buffers are flushed once more.
    FlushBuffers(u8),
}
