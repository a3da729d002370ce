//! What the filter costs: the same load on several Envoys in turn, in short slices, again and again.
//!
//! Machines differ and get warm, neighbours come and go. So nothing is compared but what was measured
//! in the same round, a few seconds apart, and what is told are ratios: the median over all rounds.

mod load;
mod table;

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

pub use load::{Load, Slice};
pub use table::{ratio, table};

/// Somebody to be measured.
#[derive(Clone, Debug)]
pub struct Contender {
    /// What it is called.
    pub name: String,
    /// Where it listens.
    pub address: SocketAddr,
    /// Whose processor time is counted: the Envoy's process.
    pub pid: u32,
    /// The request that is sent again and again.
    pub request: Vec<u8>,
    /// The status that each answer must have; any other one spoils the measurement.
    pub status: u16,
}

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How many rounds count; one more goes before them, to warm up.
    pub rounds: usize,
    /// How long each contender is loaded in a round.
    pub slice: Duration,
    /// How many requests are under way at once.
    pub connections: usize,
}

/// Measures all contenders; the slices of one contender stand in one list, round by round.
/// `progress` is told of every slice.
///
/// # Errors
/// A connection that breaks, or an answer that is not as it must be.
pub fn measure(
    contenders: &[Contender],
    plan: &Plan,
    mut progress: impl FnMut(usize, &Contender, &Slice),
) -> io::Result<Vec<Vec<Slice>>> {
    let load = Load {
        connections: plan.connections,
        duration: plan.slice,
    };
    let mut all = vec![Vec::new(); contenders.len()];
    for round in 0..=plan.rounds {
        // Whoever is first in one round is last in another.
        for turn in 0..contenders.len() {
            let at = (turn + round) % contenders.len();
            let slice = load.put_on(&contenders[at])?;
            progress(round, &contenders[at], &slice);
            if round > 0 {
                all[at].push(slice);
            }
        }
    }
    Ok(all)
}
