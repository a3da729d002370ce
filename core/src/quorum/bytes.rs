//! What both values that are kept have in common as bytes: a first byte that says which it is, the
//! format, and a checksum at the end.

use crate::codec::{Garbled, checksum, take};

const FORMAT: u8 = 1;

/// Which value it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Init,
    Mark,
}

impl Kind {
    const fn byte(self) -> u8 {
        match self {
            Self::Init => b'i',
            Self::Mark => b'm',
        }
    }

    /// The beginning of a value.
    pub(super) fn begin(self) -> Vec<u8> {
        vec![self.byte(), FORMAT]
    }

    /// What stands between the beginning and the checksum.
    pub(super) fn open(self, bytes: &[u8]) -> Result<&[u8], Garbled> {
        let (body, sum) = bytes.split_last_chunk::<8>().ok_or(Garbled)?;
        let mut rest = body;
        match take(&mut rest)? {
            [kind, FORMAT] if kind == self.byte() && checksum(body) == *sum => Ok(rest),
            _ => Err(Garbled),
        }
    }
}

/// Ends a value.
pub(super) fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = checksum(&bytes);
    bytes.extend_from_slice(&sum);
    bytes
}
