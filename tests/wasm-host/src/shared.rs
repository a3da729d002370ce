//! Shared data as three kinds of host keep it, and what may happen to it.
//!
//! | on a call of `set` with | Envoy | ngx_wasm | MOSN |
//! |---|---|---|---|
//! | 0, value present | overwritten | mismatch | mismatch |
//! | 0, value missing | created | created | created |
//! | its version, value present | replaced | replaced | replaced |
//! | another version, value present | mismatch | mismatch | mismatch |
//! | any version, value missing | created | mismatch | created |
//!
//! Knows nothing of what the filter keeps in it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Whose rules shared data follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the words say it")]
pub enum Dialect {
    Envoy,
    NgxWasm,
    Mosn,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Envoy, Self::NgxWasm, Self::Mosn];
}

/// What happens to a value that nobody set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Spoil {
    /// It is gone.
    Drop,
    /// It is there and empty: what removing leaves on Envoy.
    Empty,
    /// One bit is another one; the version stays.
    Flip(u16),
    /// Its end is missing.
    Cut(u16),
    /// It changes places with the next one.
    Swap,
}

#[derive(Clone, Debug)]
struct Value {
    bytes: Vec<u8>,
    cas: u32,
    /// The bytes that were set, where these are not they any more.
    set: Option<Vec<u8>>,
    /// Which life of the store it is of.
    life: u32,
}

/// What a reader gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Their version.
    pub cas: u32,
    /// The bytes that somebody set.
    pub set: Vec<u8>,
}

/// Another version is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch;

/// The shared data of one proxy.
#[derive(Clone, Debug)]
pub struct Shared {
    dialect: Dialect,
    values: BTreeMap<Vec<u8>, Value>,
    dropped: BTreeMap<Vec<u8>, Vec<u8>>,
    last_cas: u32,
    /// Counts how often everything was lost, value by value.
    life: u32,
}

impl Shared {
    /// No values yet.
    #[must_use]
    pub const fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            values: BTreeMap::new(),
            dropped: BTreeMap::new(),
            last_cas: 0,
            life: 0,
        }
    }

    /// How many values there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Reads a value.
    #[must_use]
    pub fn get(&self, key: &[u8]) -> Option<Found> {
        self.values.get(key).map(|value| Found {
            bytes: value.bytes.clone(),
            cas: value.cas,
            set: value.set.as_ref().unwrap_or(&value.bytes).clone(),
        })
    }

    /// Sets a value, by the dialect's rules.
    ///
    /// # Errors
    /// [`Mismatch`].
    pub fn set(&mut self, key: &[u8], bytes: &[u8], cas: u32) -> Result<(), Mismatch> {
        let there = self.values.get(key).map(|value| value.cas);
        let allowed = match (self.dialect, there, cas) {
            (Dialect::Envoy, _, 0) | (_, None, 0) => true,
            (_, Some(there), cas) => there == cas,
            (dialect, None, _) => dialect != Dialect::NgxWasm,
        };
        if !allowed {
            return Err(Mismatch);
        }
        self.put(key.to_vec(), bytes.to_vec(), None);
        Ok(())
    }

    fn put(&mut self, key: Vec<u8>, bytes: Vec<u8>, set: Option<Vec<u8>>) {
        self.last_cas += 1;
        let cas = self.last_cas;
        // What is made while others are lost already is of the next life.
        let life = self.values.get(&key).map(|value| value.life);
        let life = life.unwrap_or(self.life + u32::from(!self.dropped.is_empty()));
        self.values.insert(
            key,
            Value {
                bytes,
                cas,
                set,
                life,
            },
        );
    }

    /// Whether nothing is left of what was there before values were dropped: then it is as after
    /// a restart, and nobody can tell the difference.
    pub fn lost_everything(&mut self) -> bool {
        let lost =
            !self.dropped.is_empty() && self.values.values().all(|value| value.life != self.life);
        if lost {
            self.life += 1;
            self.dropped.clear();
        }
        lost
    }

    /// Whether a value can be dropped while somebody is between reading and setting it. Where a
    /// version creates what is missing, that somebody overwrites whatever was set in between, and
    /// no filter can help it; but such hosts drop nothing while a filter lives.
    #[must_use]
    pub fn drops_under_way(&self) -> bool {
        self.dialect == Dialect::NgxWasm
    }

    /// Spoils the value that `pick` falls on; its key, if there is any.
    pub fn spoil(&mut self, pick: u16, spoil: Spoil) -> Option<Vec<u8>> {
        let at = usize::from(pick).checked_rem(self.values.len())?;
        let key = self.values.keys().nth(at)?.clone();
        let next = self
            .values
            .keys()
            .nth((at + 1) % self.values.len())?
            .clone();
        let value = self.values.get_mut(&key)?;
        let original = value.set.clone().unwrap_or_else(|| value.bytes.clone());
        match spoil {
            Spoil::Drop => {
                self.values.remove(&key);
                self.dropped.insert(key.clone(), original);
            }
            Spoil::Empty => self.put(key.clone(), Vec::new(), Some(original)),
            Spoil::Cut(len) => {
                let len = usize::from(len) % value.bytes.len().max(1);
                value.bytes.truncate(len);
                value.set = Some(original);
            }
            Spoil::Flip(bit) => {
                flip(&mut value.bytes, bit);
                value.set = Some(original);
            }
            Spoil::Swap => {
                let other = self.values.get(&next)?.clone();
                let bytes = self.values.get(&key)?.bytes.clone();
                if next != key {
                    let kept = other.set.unwrap_or_else(|| other.bytes.clone());
                    self.put(key.clone(), other.bytes, Some(original));
                    self.put(next, bytes, Some(kept));
                }
            }
        }
        Some(key)
    }

    /// Puts back what was spoiled, where nobody has set anything since.
    pub fn heal(&mut self) {
        let spoiled: Vec<_> = self
            .values
            .iter()
            .filter_map(|(key, value)| Some((key.clone(), value.set.clone()?)))
            .collect();
        for (key, bytes) in spoiled {
            self.put(key, bytes, None);
        }
        for (key, bytes) in core::mem::take(&mut self.dropped) {
            if !self.values.contains_key(&key) {
                self.put(key, bytes, None);
            }
        }
    }
}

/// Flips one bit, if there is any.
pub fn flip(bytes: &mut [u8], bit: u16) {
    let bit = usize::from(bit);
    if let Some(at) = (bit / 8).checked_rem(bytes.len()) {
        bytes[at] ^= 1 << (bit % 8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `set` with a number, on a present and on a missing value: what the table above says.
    #[test]
    fn each_dialect_follows_its_column() {
        use Dialect::{Envoy, Mosn, NgxWasm};
        let rows = [
            // dialect, 0 present, 0 missing, own present, other present, any missing
            (Envoy, [true, true, true, false, true]),
            (NgxWasm, [false, true, true, false, false]),
            (Mosn, [false, true, true, false, true]),
        ];
        for (dialect, expected) in rows {
            let mut there = Shared::new(dialect);
            there.set(b"k", b"old", 0).expect("a first value");
            let cas = there.get(b"k").expect("it is there").cas;
            let set = |key: &[u8], cas| there.clone().set(key, b"new", cas).is_ok();
            let seen = [
                set(b"k", 0),
                set(b"x", 0),
                set(b"k", cas),
                set(b"k", cas + 1),
                set(b"x", u32::MAX),
            ];
            assert_eq!(seen, expected, "{dialect:?}");
        }
    }

    #[test]
    fn what_is_spoiled_is_not_sound_and_heals() {
        for spoil in [
            Spoil::Drop,
            Spoil::Empty,
            Spoil::Flip(3),
            Spoil::Cut(1),
            Spoil::Swap,
        ] {
            let mut there = Shared::new(Dialect::Envoy);
            there.set(b"a", b"one", 0).expect("a value");
            there.set(b"b", b"two", 0).expect("a value");
            let key = there.spoil(0, spoil).expect("there are values");
            assert!(
                there.get(&key).is_none_or(|found| found.bytes != found.set),
                "{spoil:?}"
            );
            there.heal();
            let healed = there.get(&key).expect("it is back");
            assert!(
                healed.bytes == healed.set && healed.bytes == b"one",
                "{spoil:?}"
            );
        }
    }
}
