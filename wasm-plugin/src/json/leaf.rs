//! Numbers and texts, byte by byte.

use super::reader::{Failed, Reader};

const NUMBER: &str = "give a whole number from 0 to 18446744073709551615";
const UNENDED: &str = "this is no JSON: it ends within a text";

impl Reader<'_> {
    pub(super) fn number(&mut self) -> Result<u64, Failed> {
        self.space();
        let (digits, rest) = digits(self.rest);
        let leading_zero = digits.len() > 1 && digits.first() == Some(&b'0');
        if leading_zero || matches!(rest.first(), Some(b'.' | b'e' | b'E' | b'-' | b'+')) {
            return Err(self.fail(NUMBER));
        }
        self.rest = rest;
        let text = core::str::from_utf8(digits).unwrap_or_default();
        text.parse().map_err(|_| self.fail(NUMBER))
    }

    /// Goes over a number of any form, which JSON has several of.
    pub(super) fn pass_number(&mut self) -> Result<(), Failed> {
        self.space();
        let rest = self.rest.strip_prefix(b"-").unwrap_or(self.rest);
        let (whole, mut rest) = digits(rest);
        let mut good = whole == b"0" || !whole.is_empty() && whole.first() != Some(&b'0');
        if let Some(after) = rest.strip_prefix(b".") {
            let (fraction, after) = digits(after);
            good = good && !fraction.is_empty();
            rest = after;
        }
        if let Some((b'e' | b'E', after)) = rest.split_first() {
            let unsigned = after
                .strip_prefix(b"-")
                .or_else(|| after.strip_prefix(b"+"));
            let (exponent, after) = digits(unsigned.unwrap_or(after));
            good = good && !exponent.is_empty();
            rest = after;
        }
        self.rest = rest;
        if good {
            return Ok(());
        }
        Err(self.fail("this is no JSON: a value is missing"))
    }

    /// Takes a text.
    pub(super) fn text(&mut self) -> Result<String, Failed> {
        self.open(b'"', "a text")?;
        self.string()
    }

    /// Takes a text behind its first quote.
    pub(super) fn string(&mut self) -> Result<String, Failed> {
        let mut out = Vec::new();
        loop {
            match self.byte()? {
                b'"' => break,
                b'\\' => {
                    let c = self.escaped()?;
                    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
                0..=0x1f => return Err(self.fail("a text has no control characters")),
                byte => out.push(byte),
            }
        }
        String::from_utf8(out).map_err(|_| self.fail("a text is UTF-8"))
    }

    fn byte(&mut self) -> Result<u8, Failed> {
        let Some((byte, rest)) = self.rest.split_first() else {
            return Err(self.fail(UNENDED));
        };
        self.rest = rest;
        Ok(*byte)
    }

    fn escaped(&mut self) -> Result<char, Failed> {
        Ok(match self.byte()? {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let c = self.unicode();
                return c.ok_or_else(|| self.fail("a text has a broken \\u escape"));
            }
            _ => return Err(self.fail("a text has an unknown escape")),
        })
    }

    fn unicode(&mut self) -> Option<char> {
        let first = self.hex4()?;
        if let Some(c) = char::from_u32(first.into()) {
            return Some(c);
        }
        // The first half of a pair; the second must follow.
        self.rest = self.rest.strip_prefix(b"\\u")?;
        let pair = [first, self.hex4()?];
        let mut chars = char::decode_utf16(pair);
        match (chars.next(), chars.next()) {
            (Some(Ok(c)), None) => Some(c),
            _ => None,
        }
    }

    fn hex4(&mut self) -> Option<u16> {
        let (digits, rest) = self.rest.split_first_chunk::<4>()?;
        self.rest = rest;
        digits.iter().try_fold(0, |number, digit| {
            let digit = char::from(*digit).to_digit(16)?;
            Some(number << 4 | u16::try_from(digit).ok()?)
        })
    }
}

/// Parts a text behind the digits that it begins with.
fn digits(text: &[u8]) -> (&[u8], &[u8]) {
    let len = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    text.split_at_checked(len).unwrap_or_default()
}
