//! Whether a stream of bytes is UTF-8, one byte at a time.
//!
//! The path is decoded as it is read, so there is no slice to hand to `str::from_utf8`.
//! Overlong forms, surrogates and everything above U+10FFFF are refused by the bounds of the
//! second byte, as in the Unicode standard's table 3-7.

/// What the next byte must be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Utf8 {
    /// How many continuation bytes the current character still wants: 0..=3.
    missing: u8,
    low: u8,
    high: u8,
}

impl Utf8 {
    pub(super) const START: Self = Self {
        missing: 0,
        low: 0x80,
        high: 0xbf,
    };

    /// Takes one byte; `false` when no UTF-8 text continues like this.
    pub(super) fn push(&mut self, byte: u8) -> bool {
        if self.missing == 0 {
            return self.begin(byte);
        }
        let fits = (self.low..=self.high).contains(&byte);
        *self = Self {
            missing: self.missing.saturating_sub(1),
            ..Self::START
        };
        fits
    }

    /// Whether the text may end here.
    pub(super) const fn is_whole(self) -> bool {
        self.missing == 0
    }

    fn begin(&mut self, byte: u8) -> bool {
        let (missing, low, high) = match byte {
            0x00..=0x7f => (0, 0x80, 0xbf),
            0xc2..=0xdf => (1, 0x80, 0xbf),
            0xe0 => (2, 0xa0, 0xbf),
            0xed => (2, 0x80, 0x9f),
            0xe1..=0xef => (2, 0x80, 0xbf),
            0xf0 => (3, 0x90, 0xbf),
            0xf1..=0xf3 => (3, 0x80, 0xbf),
            0xf4 => (3, 0x80, 0x8f),
            _ => return false,
        };
        *self = Self { missing, low, high };
        true
    }
}

#[cfg(test)]
mod tests {
    use super::Utf8;

    fn streamed(bytes: &[u8]) -> bool {
        let mut utf8 = Utf8::START;
        bytes.iter().all(|&byte| utf8.push(byte)) && utf8.is_whole()
    }

    /// Every sequence of up to four bytes, taken from both sides of each bound in the table.
    #[test]
    fn agrees_with_the_standard_library() {
        let edges = [
            0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0,
            0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
        ];
        let mut accepted = 0;
        for a in edges {
            for b in edges {
                for c in edges {
                    for d in edges {
                        let all = [a, b, c, d];
                        for len in 0..=4 {
                            let bytes = &all[..len];
                            assert_eq!(
                                streamed(bytes),
                                core::str::from_utf8(bytes).is_ok(),
                                "{bytes:02x?}"
                            );
                            accepted += usize::from(streamed(bytes));
                        }
                    }
                }
            }
        }
        assert!(accepted > 1000, "the table must also accept");
    }
}
