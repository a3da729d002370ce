//! Every reachable state of a model, without a cap, shortest traces first.
//!
//! A state is what its `Hash` says: whoever writes a model keeps out what cannot matter any more,
//! so that symmetric and dead things meet in one state. States are told apart by 128 bits of hash.
#![allow(
    dead_code,
    reason = "every test crate compiles this file and uses a part of it"
)]

use std::collections::{HashMap, VecDeque};
use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};

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

fn fingerprint<M: Model>(model: &M) -> u128 {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        model.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    (half(1) << 64) | half(2)
}

/// Walks through all states.
///
/// # Errors
/// The first broken law.
pub(crate) fn explore<M: Model>(start: &M) -> Result<Count, Found> {
    let first = fingerprint(start);
    // Each state with the one it was first reached from.
    let mut met: HashMap<u128, Option<(u128, M::Move)>> = HashMap::from([(first, None)]);
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
