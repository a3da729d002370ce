//! One worker of the proxy: an instance, its filters, and the requests that wait in it.

use crate::day::Callback;
use crate::instance::Instance;
use crate::ticket::Configured;
use crate::ticket::TicketId;

/// A filter that was configured in an instance.
#[derive(Clone, Copy, Debug)]
pub struct Root {
    /// Its context.
    pub context: u32,
    /// Its configuration; `None`: it was refused.
    pub configured: Option<Configured>,
}

/// A request that waits for [`crate::day::Step::Resume`].
#[derive(Clone, Debug)]
pub struct Held {
    /// Its context.
    pub context: u32,
    /// The request.
    pub ticket: TicketId,
    /// What is left of its script.
    pub script: Vec<Callback>,
}

/// One worker.
#[derive(Debug)]
pub struct Worker {
    /// Its number.
    pub number: usize,
    /// Its instance; `None`: it does not come up.
    pub instance: Option<Instance>,
    /// Its filters, the newest last.
    pub roots: Vec<Root>,
    /// Requests that wait.
    pub held: Vec<Held>,
    /// The last context number that was given out.
    pub last_context: u32,
}

impl Worker {
    /// A worker without an instance.
    #[must_use]
    pub const fn new(number: usize) -> Self {
        Self {
            number,
            instance: None,
            roots: Vec::new(),
            held: Vec::new(),
            last_context: 0,
        }
    }

    /// The filter that new requests get: the newest one that was not refused, else any.
    #[must_use]
    pub fn serving(&self) -> Option<Root> {
        let configured = self
            .roots
            .iter()
            .rev()
            .find(|root| root.configured.is_some());
        configured.or(self.roots.last()).copied()
    }

    /// A new context number.
    pub const fn next_context(&mut self) -> u32 {
        self.last_context += 1;
        self.last_context
    }
}
