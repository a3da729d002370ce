//! As much of the filter's own format as is needed to say whether a decision had a sound basis.
//!
//! A value holds several records. Its head lists them and has a checksum; each record has its own.
//! So with a sound head it can be said which records there are, and a record that is garbled
//! spoils nothing but itself.

/// The length of the head without what it lists.
const HEAD_LEN: usize = 28;
/// What each thing that it lists adds: a record, a spent request id, a waiter.
const LISTED_LEN: [usize; 3] = [10, 8, 24];

/// Whether this is the key of a value that holds records.
#[must_use]
pub fn is_key(key: &[u8]) -> bool {
    key.starts_with(b"fencegate.b")
}

/// Whether a reader that got `read` in place of `set` can tell which records there are.
#[must_use]
pub fn is_sound(set: &[u8], read: Option<&[u8]>) -> bool {
    let Some(counts) = set.get(1..4) else {
        return false;
    };
    let listed = counts
        .iter()
        .zip(LISTED_LEN)
        .map(|(count, len)| usize::from(*count) * len);
    let len = HEAD_LEN + listed.sum::<usize>();
    let head = |bytes: &[u8]| bytes.get(..len).map(<[u8]>::to_vec);
    head(set).is_some() && read.is_some_and(|read| head(read) == head(set))
}
