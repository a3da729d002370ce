//! `status`: what is there, and whether anything is wrong with it.

use std::error::Error;
use std::fmt::Write as _;

use super::millis;
use crate::gateway::Gateway;
use crate::init::Prefix;

/// Describes an authority; an error is something that makes proxies refuse.
pub(crate) fn run(gateway: &Gateway, prefix: &Prefix) -> Result<String, Box<dyn Error>> {
    let (found, answer) = prefix.read(gateway)?;
    let init = found.init;
    if init.cluster != answer.cluster {
        return Err(format!(
            "{} was made in cluster {:x}, and this is {:x}: it was restored or copied. Proxies refuse until you run `fencegate reseed`",
            prefix.init(), init.cluster, answer.cluster
        )
        .into());
    }
    let mut out = String::new();
    let _ = writeln!(
        out,
        "cluster     {:x}, revision {}",
        answer.cluster, answer.revision
    );
    let _ = writeln!(out, "epoch       {}", init.epoch);
    let _ = match init.generation {
        0 => writeln!(out, "generation  none in force yet"),
        generation => writeln!(out, "generation  {generation}"),
    };
    let _ = match init.trust == init.wait {
        true => writeln!(out, "window      {}", millis(init.wait)),
        false => writeln!(
            out,
            "window      trusted for {}, waited for {}: a change is under way; `fencegate window` goes on with it",
            millis(init.trust),
            millis(init.wait)
        ),
    };
    let _ = writeln!(out, "resources   {}", gateway.count(&prefix.marks())?);
    let _ = write!(out, "locks       {}", gateway.count(&prefix.locks())?);
    Ok(out)
}
