//! Every reachable state of a model, without a cap, shortest traces first.
//!
//! A state is what its `Hash` says: whoever writes a model keeps out what cannot matter any more,
//! so that symmetric and dead things meet in one state. States are told apart by 128 bits of hash.
#![allow(
    dead_code,
    reason = "every test crate compiles this file and uses a part of it"
)]

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Debug;
use std::hash::{Hash, Hasher};

/// Something that has states and moves.
pub(crate) trait Model: Clone + Hash {
    /// One thing that can happen.
    type Move: Copy + Debug;

    /// All that can happen now.
    fn moves(&self) -> Vec<Self::Move>;

    /// What it leads to.
    ///
    /// # Errors
    /// The law that it breaks.
    fn after(&self, step: Self::Move) -> Result<Self, Broken>;

    /// Looks at a state by itself.
    ///
    /// # Errors
    /// The law that it breaks.
    fn look(&self) -> Result<(), Broken> {
        Ok(())
    }
}

/// A law that does not hold, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    pub(crate) law: &'static str,
    pub(crate) how: String,
}

/// Says that `law` is broken.
pub(crate) fn broken(law: &'static str, how: impl Into<String>) -> Broken {
    let how = how.into();
    Broken { law, how }
}

/// What was looked at: everything that can be reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count {
    pub(crate) states: usize,
    pub(crate) transitions: usize,
    pub(crate) depth: u32,
}

/// A broken law, and the shortest way there.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) broken: Broken,
    pub(crate) states: usize,
    pub(crate) trace: Vec<String>,
}

/// Hashes into 128 bits in one go: two lanes that mix in different ways.
#[derive(Clone, Copy)]
pub(crate) struct Wide(u64, u64);

impl Wide {
    pub(crate) const fn new() -> Self {
        Self(0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344)
    }

    pub(crate) fn both(self) -> u128 {
        let stir = |lane: u64| {
            let lane = (lane ^ (lane >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
            lane ^ (lane >> 29)
        };
        (u128::from(stir(self.0)) << 64) | u128::from(stir(self.1))
    }
}

impl Hasher for Wide {
    fn finish(&self) -> u64 {
        self.both() as u64
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.write_u64(word.into());
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0 ^ word)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(23);
        self.1 = (self.1.rotate_left(31) ^ word).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        self.1 ^= self.1 >> 28;
    }
}

fn fingerprint<M: Model>(model: &M) -> u128 {
    let mut hasher = Wide::new();
    model.hash(&mut hasher);
    hasher.both()
}

/// Walks through all states.
///
/// # Errors
/// The first broken law.
pub(crate) fn explore<M: Model>(start: &M) -> Result<Count, Found> {
    let first = fingerprint(start);
    // Each state with the one it was first reached from.
    let mut met: BTreeMap<u128, Option<(u128, M::Move)>> = BTreeMap::from([(first, None)]);
    let mut next = VecDeque::from([(first, start.clone(), 0)]);
    let (mut transitions, mut depth) = (0, 0);
    while let Some((from, state, steps)) = next.pop_front() {
        depth = steps;
        for step in state.moves() {
            transitions += 1;
            let reached = state.after(step).and_then(|reached| {
                let key = fingerprint(&reached);
                if met.contains_key(&key) {
                    return Ok(());
                }
                met.insert(key, Some((from, step)));
                reached.look()?;
                next.push_back((key, reached, steps + 1));
                Ok(())
            });
            if let Err(broken) = reached {
                let mut trace = vec![format!("{step:?}")];
                let mut at = from;
                while let Some(Some((before, step))) = met.get(&at) {
                    trace.push(format!("{step:?}"));
                    at = *before;
                }
                trace.reverse();
                let states = met.len();
                return Err(Found {
                    broken,
                    states,
                    trace,
                });
            }
        }
    }
    Ok(Count {
        states: met.len(),
        transitions,
        depth,
    })
}

/// No law is broken in any state; says how many there are.
#[track_caller]
pub(crate) fn holds<M: Model>(what: &str, model: &M, states_min: usize) -> Count {
    match explore(model) {
        Ok(count) => {
            println!(
                "{what}: exhausted, {} states, {} transitions, depth {}",
                count.states, count.transitions, count.depth
            );
            assert!(count.states >= states_min, "smaller than it should be");
            count
        }
        Err(found) => panic!("{what}: {:?} after {:#?}", found.broken, found.trace),
    }
}

/// Some way leads to a state in which `law` is broken.
#[track_caller]
pub(crate) fn finds<M: Model>(what: &str, model: &M, law: &str) {
    match explore(model) {
        Ok(count) => panic!("{what} is not found in {} states", count.states),
        Err(found) => {
            println!(
                "{what}: {} ({}) in state {} after {:?}",
                found.broken.law, found.broken.how, found.states, found.trace
            );
            assert_eq!(found.broken.law, law, "{found:?}");
        }
    }
}
