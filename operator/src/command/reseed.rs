//! `reseed`: after a backup was restored, begins a new epoch.
//!
//! A restored etcd has forgotten what was granted since the backup, and would grant the same numbers
//! again. In a new epoch every token that was granted before is refused, and every new one is above them
//! all. Tokens of an external issuer know no epoch of ours: for them, what was raised since the backup is lost.

use std::error::Error;

use fencegate_core::quorum::Init;

use super::epoch_now;
use crate::gateway::Gateway;
use crate::init::Prefix;

/// Begins a new epoch in the cluster that answers.
pub(crate) fn run(gateway: &Gateway, prefix: &Prefix) -> Result<String, Box<dyn Error>> {
    let (found, answer) = prefix.read(gateway)?;
    let before = found.init;
    let next = before
        .epoch
        .checked_add(1)
        .ok_or("there is no epoch left")?;
    let init = Init {
        cluster: answer.cluster,
        // Also above that of a reseed which the backup does not know of.
        epoch: epoch_now()?.max(next),
        ..before
    };
    if !gateway.replace(&prefix.init(), &init.encode(), found.revision)? {
        return Err("somebody else has just changed it: see `fencegate status`, and run this again if it is still needed".into());
    }
    Ok(format!(
        "epoch {} -> {}, cluster {:x} -> {:x}: every token granted before is refused, holders acquire anew. \
Marks of external tokens are those of the backup, and an older token above them passes: \
claim the newest token of each resource before you let writers in",
        before.epoch, init.epoch, before.cluster, init.cluster
    ))
}
