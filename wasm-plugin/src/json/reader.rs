//! Walks over a JSON text, byte by byte, and remembers where it is.

use super::fault::Fault;
use core::fmt;

/// How deep values may be nested: far deeper than anything that is read here.
pub(super) const DEPTH_MAX: u8 = 32;
const NUMBER: &str = "give a whole number from 0 to 18446744073709551615";
pub(super) const NUMBER_U32: &str = "give a whole number from 0 to 4294967295";

/// A step into a value.
pub(super) enum Level {
    Key(String),
    Index(usize),
}

/// The steps that were taken when the error came.
pub(super) fn place(path: &[Level]) -> String {
    let mut out = String::new();
    for level in path {
        match level {
            Level::Key(key) => {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(key);
            }
            Level::Index(index) => {
                let _: fmt::Result = fmt::Write::write_fmt(&mut out, format_args!("[{index}]"));
            }
        }
    }
    out
}

/// What is left of a text, and the steps that lead there.
pub(super) struct Reader<'de> {
    pub(super) rest: &'de [u8],
    pub(super) path: Vec<Level>,
}

impl<'de> Reader<'de> {
    pub(super) const fn of(json: &'de [u8]) -> Self {
        Self {
            rest: json,
            path: Vec::new(),
        }
    }

    pub(super) fn space(&mut self) {
        while let Some((b' ' | b'\t' | b'\n' | b'\r', rest)) = self.rest.split_first() {
            self.rest = rest;
        }
    }

    pub(super) fn peek(&mut self) -> Option<u8> {
        self.space();
        self.rest.first().copied()
    }

    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        if found {
            self.rest = self.rest.split_first().map_or(self.rest, |(_, rest)| rest);
        }
        found
    }

    pub(super) fn need(&mut self, byte: u8) -> Result<(), Fault> {
        if self.eat(byte) {
            Ok(())
        } else {
            Err(Fault(format!(
                "this is no JSON: a {} is missing",
                char::from(byte)
            )))
        }
    }

    pub(super) fn word(&mut self, word: &[u8]) -> bool {
        self.space();
        let after = self.rest.strip_prefix(word);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    pub(super) fn number(&mut self) -> Result<u64, Fault> {
        self.space();
        let (digits, rest) = digits(self.rest);
        let leading_zero = digits.len() > 1 && digits.first() == Some(&b'0');
        if leading_zero || matches!(rest.first(), Some(b'.' | b'e' | b'E' | b'-' | b'+')) {
            return Err(Fault::new(NUMBER));
        }
        self.rest = rest;
        let text = core::str::from_utf8(digits).unwrap_or_default();
        text.parse().map_err(|_| Fault::new(NUMBER))
    }

    /// Goes over a number of any form, which JSON has several of.
    pub(super) fn pass_number(&mut self) -> Result<(), Fault> {
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
        good.then_some(())
            .ok_or_else(|| Fault::new("this is no JSON: a value is missing"))
    }

    /// Reads a string behind its first quote.
    pub(super) fn string(&mut self) -> Result<String, Fault> {
        let mut out = Vec::new();
        loop {
            let (byte, rest) = self.rest.split_first().ok_or_else(unended)?;
            self.rest = rest;
            match byte {
                b'"' => break,
                b'\\' => {
                    let c = self.escaped()?;
                    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
                0..=0x1f => return Err(Fault::new("a text has no control characters")),
                byte => out.push(*byte),
            }
        }
        String::from_utf8(out).map_err(|_| Fault::new("a text is UTF-8"))
    }

    pub(super) fn escaped(&mut self) -> Result<char, Fault> {
        let (byte, rest) = self.rest.split_first().ok_or_else(unended)?;
        self.rest = rest;
        Ok(match byte {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return Err(Fault::new("a text has an unknown escape")),
        })
    }

    pub(super) fn unicode(&mut self) -> Result<char, Fault> {
        let broken = || Fault::new("a text has a broken \\u escape");
        let first = self.hex4().ok_or_else(broken)?;
        if let Some(c) = char::from_u32(first) {
            return Ok(c);
        }
        // The first half of a pair; the second must follow.
        if !self.rest.starts_with(b"\\u") {
            return Err(broken());
        }
        self.rest = self.rest.strip_prefix(b"\\u").unwrap_or_default();
        let second = self.hex4().ok_or_else(broken)?;
        let pair = u16::try_from(first).and_then(|first| Ok([first, u16::try_from(second)?]));
        let pair = pair.map_err(|_| broken())?;
        let mut chars = char::decode_utf16(pair);
        match (chars.next(), chars.next()) {
            (Some(Ok(c)), None) => Ok(c),
            _ => Err(broken()),
        }
    }

    pub(super) fn hex4(&mut self) -> Option<u32> {
        let (digits, rest) = self.rest.split_first_chunk::<4>()?;
        self.rest = rest;
        if !digits.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        u32::from_str_radix(core::str::from_utf8(digits).ok()?, 16).ok()
    }

    pub(super) fn enter(&mut self, level: Level) -> Result<(), Fault> {
        if self.path.len() >= usize::from(DEPTH_MAX) {
            return Err(Fault::new("it is nested too deep"));
        }
        self.path.push(level);
        Ok(())
    }

    /// Leaves a level when what was in it is read. After an error the path stays, to be told.
    pub(super) fn leave(&mut self) {
        self.path.pop();
    }

    /// Takes the byte that begins a value.
    pub(super) fn open(&mut self, byte: u8, what: &str) -> Result<(), Fault> {
        if self.eat(byte) {
            Ok(())
        } else {
            Err(Fault(format!("give {what}")))
        }
    }

    /// Reads the name of a member, and steps into it.
    pub(super) fn name(&mut self) -> Result<String, Fault> {
        self.open(b'"', "a name in quotes")?;
        let name = self.string()?;
        self.enter(Level::Key(name.clone()))?;
        self.need(b':')?;
        Ok(name)
    }

    /// Reads up to the value of a variant that has one.
    pub(super) fn open_variant(&mut self) -> Result<String, Fault> {
        self.open(b'{', "a name, or an object with one member")?;
        self.name()
    }
}

/// Parts a text behind the digits that it begins with.
fn digits(text: &[u8]) -> (&[u8], &[u8]) {
    let len = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    text.split_at_checked(len).unwrap_or_default()
}

fn unended() -> Fault {
    Fault::new("this is no JSON: it ends within a text")
}
