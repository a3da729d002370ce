//! A day as data: what is sent, what the proxy does wrong, and in which order.
//!
//! Nothing in here happened yet, and nothing depends on chance: the same day runs the same way
//! each time, a part of a day is a day, and a day can be kept in a file.

use crate::ask::Ask;
use crate::shared::{Dialect, Spoil};
use serde::{Deserialize, Serialize};

/// A day.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Day {
    /// Where it plays.
    pub setting: Setting,
    /// What happens, in this order. A [`Fault::Turn`] takes the next ones and does them inside.
    pub steps: Vec<Step>,
}

/// Where a day plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// The rules of shared data.
    pub dialect: Dialect,
    /// How many instances, 1 to 4.
    pub workers: u8,
    /// Whether tokens come from elsewhere.
    pub external: bool,
    /// For how many resources there is room: 16 a bucket.
    pub resources: u32,
    /// The lock delay in ms.
    pub lock_delay_ms: u32,
    /// Whether a token ends with its lease.
    pub strict: bool,
    /// Whether reads are judged.
    pub reads_fenced: bool,
    /// Whether answers tell the mark.
    pub disclose: bool,
    /// What the host's random numbers come from.
    pub random: u64,
}

/// Something that happens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Step {
    /// A request comes to a worker (or, if that one is in a host call, to the next).
    Request {
        /// The worker.
        worker: u8,
        /// What is asked.
        ask: Ask,
        /// Which callbacks the proxy makes for it.
        script: Vec<Callback>,
        /// What goes wrong meanwhile.
        faults: Vec<CallFault>,
    },
    /// A request that was held goes on.
    Resume {
        /// The worker.
        worker: u8,
        /// Which of its held requests.
        pick: u8,
        /// What goes wrong meanwhile.
        faults: Vec<CallFault>,
    },
    /// A worker's timer fires.
    Tick {
        /// The worker.
        worker: u8,
        /// What goes wrong meanwhile.
        faults: Vec<CallFault>,
    },
    /// Time passes, on both clocks, in ms. A machine that was suspended for an hour looks like this.
    Time(u32),
    /// The wall clock is set, by so many ms.
    Wall(i32),
    /// Something happens to the shared value that `pick` falls on.
    Spoil {
        /// Which.
        pick: u16,
        /// What.
        spoil: Spoil,
    },
    /// What was spoiled is put back.
    Heal,
    /// A worker's instance dies, and a new one comes.
    Kill(u8),
    /// A worker gets a new configuration.
    Configure {
        /// The worker.
        worker: u8,
        /// Which one.
        update: Update,
        /// What goes wrong meanwhile.
        faults: Vec<CallFault>,
    },
    /// A worker's replaced filters are taken away.
    Retire(u8),
    /// The whole proxy starts anew: shared data is gone.
    Restart,
}

/// A new configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Update {
    /// Its generation, compared with the worker's newest one.
    pub generation: i8,
    /// Which of two mappings of requests to resources it has.
    pub mapping: u8,
    /// Another number of resources.
    pub resources: Option<u32>,
    /// Whether it can be read at all.
    pub broken: bool,
}

/// A callback that the proxy makes for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Callback {
    /// `proxy_on_context_create`
    Create,
    /// `proxy_on_request_headers`; whether they are the end of the request.
    Headers(bool),
    /// `proxy_on_request_body`: so many percent are there; whether that is the end.
    Body(u8, bool),
    /// `proxy_on_request_trailers`
    Trailers,
    /// `proxy_on_response_headers`
    Answer,
    /// `proxy_on_done`, `proxy_on_log` where exported, and `proxy_on_delete`.
    Delete,
    /// The rest waits for [`Step::Resume`].
    Hold,
}

/// A fault at the `at`th host call of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallFault {
    /// At which one, counted from 0.
    pub at: u16,
    /// What.
    pub fault: Fault,
}

/// What a proxy does wrong in a host call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fault {
    /// It does nothing and says this.
    Refuse(u32),
    /// It does what was asked and says this.
    Deny(u32),
    /// It says that all is well and gives no data.
    Nothing,
    /// The data it gives lack their end.
    Cut(u16),
    /// One bit of the data it gives is another.
    Flip(u16),
    /// It takes its time: the next steps happen inside the call.
    Turn(u8),
    /// So many ms pass inside the call.
    Wait(u32),
    /// The instance dies in the call.
    Die,
}
