//! Numbers from a seed, for what a network does by itself. Time and chance are arguments; what
//! came of them is in the log.

/// The number that `seed` has for `what`: one step of splitmix64.
#[must_use]
pub const fn roll(seed: u64, what: u64) -> u64 {
    let mut mixed = seed.wrapping_add(what.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
