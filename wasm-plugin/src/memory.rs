//! The authority `memory`: records in the shared data of one proxy process.
//!
//! Shared data is a map from bytes to bytes, shared by all worker threads, in which nothing is
//! ever freed and in which a missing value may mean "lost". So all values are created before
//! traffic, their number is fixed, and one that is missing later is a fault:
//!
//! ```text
//!   layout       how many buckets, and the secret that spreads resources over them
//!   start        the issuer's epoch and its last number            (start.rs of the core)
//!   generation   which configuration is in force
//!   bucket 0..n  a few records each, and the request ids that are over
//! ```

mod bucket;
mod generation;
mod layout;
mod operate;
mod set_up;

pub use layout::Layout;
pub use operate::Buffers;
use operate::Resource;
pub use set_up::{SetUpError, set_up};

use crate::host::{Cas, Host, HostError, NotSet, shared};
use core::time::Duration;
use fencegate_core::drive::drive;
use fencegate_core::machine::{Change, Operation};
use fencegate_core::moment::Moment;
use fencegate_core::record::Record;
use fencegate_core::start::Start;
use fencegate_core::token::Token;
use fencegate_core::verdict::Fault;
use generation::InForce;

const START_KEY: &[u8] = b"fencegate.start";
/// Each conflict means that somebody else got on, so this many in a row are a storm.
const CONFLICTS_MAX: u8 = 64;

/// The authority as one filter configuration sees it.
#[derive(Debug)]
pub struct Memory {
    layout: Layout,
    in_force: InForce,
    /// How long leases of before a start, or of an older generation, may go on.
    quarantine: Duration,
}

impl Memory {
    /// The authority over a layout that is set up, for the given generation of the rules.
    #[must_use]
    pub const fn new(
        layout: Layout,
        generation: u32,
        mapping_hash: u64,
        quarantine: Duration,
    ) -> Self {
        Self {
            in_force: InForce::new(layout.instance, generation, mapping_hash),
            layout,
            quarantine,
        }
    }

    /// Whether the shared data would take this configuration.
    ///
    /// # Errors
    /// A sentence saying why not.
    pub fn accepts(&self, host: &dyn Host, buffers: &mut Buffers) -> Result<(), String> {
        self.in_force.accepts(host, &mut buffers.small)
    }

    /// Refuses if a newer configuration is in force. Needed for requests that no record decides;
    /// an operation finds out by itself.
    ///
    /// # Errors
    /// [`Fault::Superseded`], or that it cannot be told.
    pub fn not_superseded(&self, host: &dyn Host, buffers: &mut Buffers) -> Result<(), Fault> {
        self.in_force.not_superseded(host, &mut buffers.small)
    }

    /// Runs an operation on the record of `resource`.
    pub fn run<O: Operation<Change = Change>>(
        &self,
        host: &dyn Host,
        buffers: &mut Buffers,
        resource: &str,
        operation: O,
    ) -> O::Outcome {
        if let Err(fault) = self.in_force.publish(host, &self.layout, buffers) {
            return fault.into();
        }
        match Resource::new(self, host, buffers, resource) {
            Ok(mut resource) => drive(&mut resource, operation, CONFLICTS_MAX),
            Err(fault) => fault.into(),
        }
    }

    /// How long no token can be drawn yet; `None`: one can.
    ///
    /// # Errors
    /// It cannot be told.
    pub fn closed_for(
        &self,
        host: &dyn Host,
        buffers: &mut Buffers,
    ) -> Result<Option<Duration>, Fault> {
        self.in_force.publish(host, &self.layout, buffers)?;
        let now = host.now().map_err(unreachable)?;
        let (start, _) = self.start(host, &mut buffers.small)?;
        self.closed(host, &start, now, &mut buffers.small)
    }

    fn closed(
        &self,
        host: &dyn Host,
        start: &Start,
        now: Moment,
        small: &mut Vec<u8>,
    ) -> Result<Option<Duration>, Fault> {
        let since = self.in_force.since(host, small)?;
        let opens = since.after(self.quarantine);
        let generation = (now < opens).then(|| opens.since(now));
        Ok(generation.max(start.closed_for(self.quarantine, now)))
    }

    /// Calls `each` for the records of bucket `index`, in no order that means anything.
    /// `None` past the last bucket.
    ///
    /// # Errors
    /// The bucket cannot be read.
    pub fn records_in(
        &self,
        host: &dyn Host,
        buffers: &mut Buffers,
        index: u32,
        each: &mut dyn FnMut(&str, &Record<&str>),
    ) -> Result<Option<()>, Fault> {
        if index >= self.layout.buckets() {
            return Ok(None);
        }
        self.in_force.publish(host, &self.layout, buffers)?;
        let place = self.layout.place_at(index);
        bucket::load(host, &place, &mut buffers.bucket)?;
        let bucket = bucket::Bucket::read(&buffers.bucket, &place)?;
        self.in_force.check(&bucket)?;
        for entry in bucket.entries() {
            let (resource, record) = entry?.decode()?;
            each(resource, &record);
        }
        Ok(Some(()))
    }

    fn draw(&self, host: &dyn Host, small: &mut Vec<u8>) -> Result<Token, Fault> {
        for _ in 0..=CONFLICTS_MAX {
            let (start, cas) = self.start(host, small)?;
            let now = host.now().map_err(unreachable)?;
            if let Some(wait) = self.closed(host, &start, now, small)? {
                return Err(Fault::Starting(wait));
            }
            let (token, next) = start.draw().map_err(|_| Fault::IssuerBehind)?;
            match shared::replace(host, START_KEY, &start_value(&self.layout, &next), cas) {
                Ok(()) => return Ok(token),
                Err(NotSet::Mismatch) => {}
                Err(NotSet::Failed(error)) => return Err(unreachable(error)),
            }
        }
        Err(Fault::Contended)
    }

    fn start(&self, host: &dyn Host, small: &mut Vec<u8>) -> Result<(Start, Cas), Fault> {
        let cas = host
            .shared(START_KEY, small)
            .map_err(unreachable)?
            .ok_or(Fault::Missing)?;
        let start = small.strip_prefix(&self.layout.instance.to_le_bytes());
        let start = start.and_then(|start| Start::decode(start).ok());
        Ok((start.ok_or(Fault::Garbled)?, cas))
    }
}

/// The issuer's start as it is kept: with the layout that it belongs to.
fn start_value(layout: &Layout, start: &Start) -> Vec<u8> {
    let mut value = layout.instance.to_le_bytes().to_vec();
    value.extend_from_slice(&start.encode());
    value
}

/// Whatever the host's reason is, the record's state is not known.
const fn unreachable(_: HostError) -> Fault {
    Fault::Unreachable
}
