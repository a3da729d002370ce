//! 128 bits that stand for a state.
//!
//! Two lanes of multiply-and-fold over 64-bit words. Were it a random function, the chance that
//! any two of n states share one is below n² / 2^129: for a hundred million states 2 in 10^23.
//! It resists no adversary, and need not: scenarios are nobody's attack on themselves.

const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND: u64 = 0xd6e8_feb8_6659_fd93;
const LAST: u64 = 0xa076_1d64_78bd_642f;

/// A hash under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mix {
    first: u64,
    second: u64,
}

const fn fold(word: u64, by: u64) -> u64 {
    let product = (word as u128).wrapping_mul(by as u128);
    (product as u64) ^ ((product >> 64) as u64)
}

impl Mix {
    pub(super) const fn new() -> Self {
        Self {
            first: LAST,
            second: FIRST,
        }
    }

    #[inline]
    pub(super) const fn put(&mut self, word: u64) {
        self.first = fold(self.first ^ word, FIRST).wrapping_add(LAST);
        self.second = fold(self.second.rotate_left(29) ^ word ^ LAST, SECOND).wrapping_add(word);
    }

    #[inline]
    pub(super) const fn put_both(&mut self, key: u128) {
        self.put(key as u64);
        self.put((key >> 64) as u64);
    }

    pub(super) const fn finish(self) -> u128 {
        let high = fold(self.first ^ self.second.rotate_left(32), LAST);
        let low = fold(self.second ^ high, FIRST) ^ self.first;
        ((high as u128) << 64) | low as u128
    }
}
