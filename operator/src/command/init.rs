//! `init`: makes an authority, once.

use std::error::Error;
use std::time::Duration;

use fencegate_core::quorum::Init;

use super::{epoch_now, millis};
use crate::gateway::Gateway;
use crate::init::Prefix;

/// Makes init, unless it is there.
pub(crate) fn run(
    gateway: &Gateway,
    prefix: &Prefix,
    window: Duration,
) -> Result<String, Box<dyn Error>> {
    let (found, answer) = prefix.look(gateway)?;
    if let Some(found) = found {
        let wait = millis(found.init.wait);
        return Err(format!(
            "{} is there already, with a window of {wait}; `fencegate status` shows it, `fencegate window` changes that",
            prefix.init()
        )
        .into());
    }
    let marks = gateway.count(&prefix.marks())?;
    if marks > 0 {
        return Err(format!(
            "there are {marks} marks under {} and no init: part of it was lost. Restore a backup and run `fencegate reseed`; or, if no token of before may ever be used again, delete what is left and run this again",
            prefix.0
        )
        .into());
    }
    let init = Init {
        cluster: answer.cluster,
        epoch: epoch_now()?,
        generation: 0,
        mapping: 0,
        trust: window,
        wait: window,
    };
    if !gateway.replace(&prefix.init(), &init.encode(), 0)? {
        return Err("somebody else has just made it: see `fencegate status`".into());
    }
    Ok(format!(
        "made {} in cluster {:x}: epoch {}, window {}",
        prefix.init(),
        init.cluster,
        init.epoch,
        millis(window)
    ))
}
