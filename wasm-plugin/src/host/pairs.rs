//! Header pairs as a host gives them: all in one block of bytes.
//!
//! ```text
//!   count 4 | (name len 4 | value len 4) x count | (name 0 value 0) x count
//! ```
//! Integers are little-endian. Nothing is copied, and a block that is not of this form is
//! refused as a whole: half of the headers could be the half without the second token.

/// The header pairs in a block.
#[derive(Clone, Copy, Debug)]
pub struct Pairs<'a> {
    lens: &'a [[u8; 8]],
    text: &'a [u8],
}

impl<'a> Pairs<'a> {
    /// Reads a block; `None` if it is not of this form.
    #[must_use]
    pub fn read(block: &'a [u8]) -> Option<Self> {
        let (count, rest) = block.split_first_chunk::<4>()?;
        let count = usize::try_from(u32::from_le_bytes(*count)).ok()?;
        let (lens, text) = rest.split_at_checked(count.checked_mul(8)?)?;
        let (lens, _) = lens.as_chunks::<8>();
        let pairs = Self { lens, text };
        let mut walk = pairs.iter();
        let seen = walk.by_ref().count();
        (seen == count && walk.text.is_empty()).then_some(pairs)
    }

    /// The pairs, in the host's order.
    #[must_use]
    pub const fn iter(&self) -> Iter<'a> {
        Iter {
            lens: self.lens,
            text: self.text,
        }
    }
}

/// Walks over header pairs.
#[derive(Clone, Debug)]
pub struct Iter<'a> {
    lens: &'a [[u8; 8]],
    text: &'a [u8],
}

impl<'a> Iterator for Iter<'a> {
    type Item = (&'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let (lens, rest) = self.lens.split_first()?;
        let (name_len, value_len) = lens.split_first_chunk::<4>()?;
        let value_len = value_len.first_chunk::<4>()?;
        let (name, after_name) = text(self.text, *name_len)?;
        let (value, after_value) = text(after_name, *value_len)?;
        self.lens = rest;
        self.text = after_value;
        Some((name, value))
    }
}

/// Splits off a text of the length `len` and the zero byte behind it.
fn text(bytes: &[u8], len: [u8; 4]) -> Option<(&[u8], &[u8])> {
    let len = usize::try_from(u32::from_le_bytes(len)).ok()?;
    let (text, rest) = bytes.split_at_checked(len)?;
    let rest = rest.strip_prefix(&[0])?;
    Some((text, rest))
}

/// Writes pairs in the same form, for hosts and for tests.
pub fn write<'a>(pairs: impl Iterator<Item = (&'a [u8], &'a [u8])> + Clone, out: &mut Vec<u8>) {
    let len = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes();
    out.clear();
    let count = u32::try_from(pairs.clone().count()).unwrap_or(u32::MAX);
    out.extend_from_slice(&count.to_le_bytes());
    for (name, value) in pairs.clone() {
        out.extend_from_slice(&len(name));
        out.extend_from_slice(&len(value));
    }
    for (name, value) in pairs {
        for text in [name, value] {
            out.extend_from_slice(text);
            out.push(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn block(pairs: &[(Vec<u8>, Vec<u8>)]) -> Vec<u8> {
        let mut out = Vec::new();
        write(pairs.iter().map(|(n, v)| (&n[..], &v[..])), &mut out);
        out
    }

    proptest! {
        #[test]
        fn pairs_come_back_as_written(pairs: Vec<(Vec<u8>, Vec<u8>)>) {
            let block = block(&pairs);
            let read: Vec<_> = Pairs::read(&block).expect("a written block").iter()
                .map(|(n, v)| (n.to_vec(), v.to_vec())).collect();
            prop_assert_eq!(read, pairs);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
            if let Some(pairs) = Pairs::read(&bytes) {
                prop_assert!(pairs.iter().count() <= bytes.len());
            }
        }
    }

    #[test]
    fn a_block_cut_short_is_refused_as_a_whole() {
        let block = block(&[
            (b"a".to_vec(), b"1".to_vec()),
            (b"b".to_vec(), b"2".to_vec()),
        ]);
        for len in 0..block.len() {
            assert!(Pairs::read(&block[..len]).is_none(), "{len} bytes");
        }
    }
}
