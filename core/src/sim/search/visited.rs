//! The set of states that were met: an open table of 128-bit keys, and nothing else.

/// At most so many of eight places are taken.
const EIGHTHS: usize = 6;
const FIRST: usize = 1 << 10;

/// The set. Zero stands for an empty place; no key is zero.
#[derive(Clone, Debug)]
pub(super) struct Visited {
    places: Vec<u128>,
    taken: usize,
}

impl Visited {
    pub(super) fn new() -> Self {
        Self {
            places: vec![0; FIRST],
            taken: 0,
        }
    }

    /// Adds a key; whether it is new.
    pub(super) fn insert(&mut self, key: u128) -> bool {
        let limit = self.places.len().saturating_mul(EIGHTHS) >> 3;
        if self.taken >= limit {
            self.grow();
        }
        let is_new = place(&mut self.places, key.max(1));
        self.taken = self.taken.saturating_add(usize::from(is_new));
        is_new
    }

    pub(super) const fn bytes(&self) -> usize {
        self.places.len().saturating_mul(size_of::<u128>())
    }

    fn grow(&mut self) {
        let wider = vec![0; self.places.len().saturating_mul(2)];
        for key in core::mem::replace(&mut self.places, wider) {
            if key != 0 {
                place(&mut self.places, key);
            }
        }
    }
}

/// Puts a key where it belongs; whether it was not there. The length is a power of two, and some
/// place is always empty.
fn place(places: &mut [u128], key: u128) -> bool {
    let mask = places.len().wrapping_sub(1);
    let mut at = (key as usize) & mask;
    for _ in 0..places.len() {
        match places.get_mut(at) {
            Some(place) if *place == key => return false,
            Some(place) if *place == 0 => {
                *place = key;
                return true;
            }
            _ => at = at.wrapping_add(1) & mask,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::Visited;
    use std::collections::BTreeSet;

    #[test]
    fn it_is_a_set() {
        let (mut set, mut other) = (Visited::new(), BTreeSet::new());
        for number in 0..20_000_u128 {
            let key = number.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c) % 7_919 + 1;
            assert_eq!(set.insert(key), other.insert(key));
        }
        assert_eq!(set.taken, other.len());
    }
}
