//! One configured filter: what its requests share.

use crate::authority::Authority;
use crate::config::{Settings, Store, Tokens};
use crate::counters::Counters;
use crate::etcd::Etcd;
use crate::host::Host;
use crate::memory::{Buffers, Memory, set_up};
use crate::reply::Kind;
use core::time::Duration;

/// A filter that was configured.
#[derive(Debug)]
pub struct Filter {
    /// What it does.
    pub settings: Settings,
    /// Where it keeps marks and leases.
    pub authority: Authority,
    /// What it counts.
    pub counters: Counters,
}

/// Memory that is kept from request to request, so that a request allocates nearly nothing.
#[derive(Debug, Default)]
pub struct Scratch {
    /// The request's headers.
    pub headers: Vec<u8>,
    /// The request's body, for the lease API.
    pub body: Vec<u8>,
    /// The decision for the log.
    pub decision: String,
    /// The authority's values.
    pub buffers: Buffers,
}

impl Filter {
    /// Sets up what the settings need. `root` is the filter's own context.
    ///
    /// # Errors
    /// A sentence on what is in the way.
    pub fn set_up(
        host: &dyn Host,
        scratch: &mut Scratch,
        root: u32,
        settings: Settings,
    ) -> Result<Self, String> {
        let authority = match &settings.store {
            Store::Memory { resources } => {
                Authority::Memory(memory(host, scratch, &settings, *resources)?)
            }
            Store::Etcd(etcd) => {
                let etcd = Etcd::set_up(host, root, &settings, etcd).map_err(|error| {
                    format!(
                        "this proxy lacks counters, histograms or random numbers (status {}): the authority `etcd` needs them",
                        error.0
                    )
                })?;
                Authority::Etcd(Box::new(etcd))
            }
        };
        let counters = Counters::define(host, &Kind::of_requests())
            .map_err(|error| format!("this proxy has no counters (status {})", error.0))?;
        Ok(Self {
            settings,
            authority,
            counters,
        })
    }
}

fn memory(
    host: &dyn Host,
    scratch: &mut Scratch,
    settings: &Settings,
    resources: u32,
) -> Result<Memory, String> {
    let layout =
        set_up(host, &mut scratch.buffers, resources).map_err(|error| error.to_string())?;
    let quarantine = match settings.tokens {
        Tokens::Ours(granting) => granting.quarantine,
        Tokens::External { .. } => Duration::ZERO,
    };
    let mapping = settings.mapping_hash();
    let memory = Memory::new(layout, settings.generation, mapping, quarantine);
    memory.accepts(host, &mut scratch.buffers)?;
    Ok(memory)
}
