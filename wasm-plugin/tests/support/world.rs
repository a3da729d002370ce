//! What all worker threads of one proxy process share: shared data, clocks, randomness.
//!
//! Hosts disagree on the edges of compare-and-swap, so there are three dialects of it. Damage is
//! done from outside, by name: a value is put, dropped or overwritten whatever its version.

use fencegate::host::{Cas, HostError, NotSet};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How a host compares and swaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// 0 overwrites whatever is there; any other number creates a missing value.
    Envoy,
    /// `ngx_wasm_module`: 0 creates and never overwrites; no other number creates.
    NgxWasm,
    /// MOSN: 0 creates and never overwrites; any other number creates a missing value.
    Mosn,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Envoy, Self::NgxWasm, Self::Mosn];

    /// Whether a value of version `there` may be replaced, or a missing one made, by `cas`.
    fn allows(self, there: Option<u32>, cas: u32) -> bool {
        match (self, there, cas) {
            (Self::Envoy, Some(_), 0) => true,
            (Self::NgxWasm, None, cas) => cas == 0,
            (Self::Envoy | Self::Mosn, None, _) => true,
            (_, Some(there), cas) => there == cas,
        }
    }
}

/// One process; a clone is another handle on the same.
#[derive(Clone)]
pub struct World(Arc<Mutex<State>>);

struct State {
    dialect: Dialect,
    /// Each value with its version.
    values: BTreeMap<Vec<u8>, (Vec<u8>, u32)>,
    last_version: u32,
    monotonic: Duration,
    wall: Duration,
    random: u64,
    compares: bool,
}

impl World {
    /// A process with no shared value, up for an hour, in the middle of a wall second.
    pub fn new(dialect: Dialect) -> Self {
        Self(Arc::new(Mutex::new(State {
            dialect,
            values: BTreeMap::new(),
            last_version: 0,
            monotonic: Duration::from_secs(3600),
            wall: Duration::from_millis(1_796_049_502_500),
            random: 1,
            compares: true,
        })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same with other random numbers.
    #[must_use]
    pub fn seeded(self, seed: u64) -> Self {
        self.state().random = seed;
        self
    }

    /// Lets every write through, as a store would do that was written naively.
    pub fn stop_comparing(&self) {
        self.state().compares = false;
    }

    /// A copy that shares nothing with this one.
    #[must_use]
    pub fn fork(&self) -> Self {
        let state = self.state();
        Self(Arc::new(Mutex::new(State {
            values: state.values.clone(),
            ..*state
        })))
    }

    /// Lets time pass, on both clocks.
    pub fn advance(&self, span: Duration) {
        let mut state = self.state();
        state.monotonic += span;
        state.wall += span;
    }

    /// Steps the wall clock.
    pub fn set_wall(&self, wall: Duration) {
        self.state().wall = wall;
    }

    pub fn wall(&self) -> Duration {
        self.state().wall
    }

    pub fn monotonic(&self) -> Duration {
        self.state().monotonic
    }

    /// A number from the seed (SplitMix64).
    pub fn random(&self) -> u64 {
        let mut state = self.state();
        state.random = state.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Reads as the host does.
    pub fn read(&self, key: &[u8]) -> Option<(Vec<u8>, Cas)> {
        let state = self.state();
        let (value, version) = state.values.get(key)?;
        Some((value.clone(), Cas(*version)))
    }

    /// Compares and swaps as the host does.
    pub fn swap(&self, key: &[u8], value: &[u8], cas: u32) -> Result<(), NotSet> {
        let mut state = self.state();
        let there = state.values.get(key).map(|(_, version)| *version);
        if state.compares && !state.dialect.allows(there, cas) {
            return Err(NotSet::Mismatch);
        }
        state.last_version += 1;
        let version = state.last_version;
        state.values.insert(key.to_vec(), (value.to_vec(), version));
        Ok(())
    }

    /// The keys of all values.
    pub fn keys(&self) -> Vec<Vec<u8>> {
        self.state().values.keys().cloned().collect()
    }

    /// A value, whatever its version.
    pub fn value(&self, key: &[u8]) -> Vec<u8> {
        self.read(key)
            .unwrap_or_else(|| panic!("no value {}", key.escape_ascii()))
            .0
    }

    /// Damage: other bytes under the same version.
    pub fn overwrite(&self, key: &[u8], value: Vec<u8>) {
        self.state().values.get_mut(key).expect("a value").0 = value;
    }

    /// Damage: the value is gone.
    pub fn lose(&self, key: &[u8]) {
        self.state().values.remove(key);
    }
}

/// What a host says that failed.
pub const FAILED: HostError = HostError(10);
