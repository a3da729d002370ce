//! Where marks and leases are kept: in this process, or elsewhere.
//!
//! Memory answers at once. What is elsewhere is asked in the name of a request, which is held; what
//! it says is handed back by that request's number.

use crate::etcd::{Etcd, Finished};
use crate::host::{CallId, Host};
use crate::memory::{Buffers, Memory};
use fencegate_core::verdict::Fault;

/// Where a filter keeps marks and leases.
#[derive(Debug)]
pub enum Authority {
    /// In the shared data of this process.
    Memory(Memory),
    /// In etcd.
    Etcd(Box<Etcd>),
}

impl Authority {
    /// Refuses if a newer configuration is in force. Needed for requests that no record decides.
    ///
    /// # Errors
    /// [`Fault::Superseded`], or that it cannot be told.
    pub fn not_superseded(&self, host: &dyn Host, buffers: &mut Buffers) -> Result<(), Fault> {
        match self {
            Self::Memory(memory) => memory.not_superseded(host, buffers),
            Self::Etcd(etcd) => etcd.not_superseded(),
        }
    }

    const fn elsewhere(&self) -> Option<&Etcd> {
        match self {
            Self::Memory(_) => None,
            Self::Etcd(etcd) => Some(etcd),
        }
    }

    /// A call that it made is answered.
    pub fn on_answer(&self, host: &dyn Host, id: CallId, has_headers: bool) {
        if let Some(etcd) = self.elsewhere() {
            etcd.on_answer(host, id, has_headers);
        }
    }

    /// Time passes.
    pub fn on_tick(&self, host: &dyn Host) {
        if let Some(etcd) = self.elsewhere() {
            etcd.on_tick(host);
        }
    }

    /// The request of this context is over: whatever is said to it, nobody hears.
    pub fn forget(&self, host: &dyn Host, context: u32) {
        if let Some(etcd) = self.elsewhere() {
            etcd.forget(host, context);
        }
    }

    /// What was said since, and is to be told.
    pub fn take_finished(&self) -> Vec<Finished> {
        self.elsewhere().map_or_else(Vec::new, Etcd::take_finished)
    }

    /// These could not be told yet.
    pub fn tell_later(&self, not_told: Vec<Finished>) {
        if let Some(etcd) = self.elsewhere() {
            etcd.tell_later(not_told);
        }
    }

    /// Whether it wants to be called often.
    #[must_use]
    pub fn is_awake(&self) -> bool {
        self.elsewhere().is_some_and(Etcd::is_awake)
    }
}
