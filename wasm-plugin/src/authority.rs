//! Where marks and leases are kept: in this process, or elsewhere.
//!
//! Memory answers at once. What is elsewhere is asked in the name of a request, which is held; what
//! it says is handed back by that request's number.

use crate::api::wish::Outcome;
use crate::memory::Memory;
use fencegate_core::verdict::Verdict;

/// Where a filter keeps marks and leases.
#[derive(Debug)]
pub enum Authority {
    /// In the shared data of this process.
    Memory(Memory),
}

/// What an authority says that was asked.
#[derive(Clone, Debug)]
pub enum Said {
    /// To a request that is judged.
    Verdict(Verdict),
    /// To a call of the lease API.
    Outcome(Outcome),
}

impl Authority {
    /// The request of this number is over: whatever is said to it, nobody hears.
    pub const fn forget(&self, _context: u32) {
        match self {
            Self::Memory(_) => {}
        }
    }
}
