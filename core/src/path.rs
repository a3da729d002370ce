//! The canonical path: one spelling per place, or a refusal that says why.
//!
//! Percent escapes are decoded once. Whatever two readers could understand differently (an encoded
//! slash, a dot segment, `;params`, ...) is refused rather than repaired, since the origin may
//! repair it otherwise. Nothing is allocated: a [`Path`] borrows the checked bytes and decodes while
//! it is walked. Letters keep their case: `/Jobs` and `/jobs` are two places.
//!
//! Knows nothing of hosts, methods, rules or resources.

mod target;
mod utf8;

use core::fmt;

pub use target::{Form, Target};
use utf8::Utf8;

/// The longest path, in bytes as sent, without the query.
pub const PATH_LEN_MAX: usize = 8192;

/// A checked path: a list of segments, none of them empty or made of dots only.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    /// Without the first and the last slash; empty for the root.
    inner: &'a [u8],
}

/// One segment of a checked path, still as it was sent.
#[derive(Clone, Copy, Debug)]
pub struct Segment<'a>(&'a [u8]);

/// Why a path has more than one reading, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathAmbiguity {
    /// There is no `:path`.
    Missing,
    /// There are two of what can only be one.
    Twice,
    /// Another header (`x-original-url`, `x-rewrite-url`) asks for another path.
    Rewritten,
    /// More than [`PATH_LEN_MAX`] bytes.
    TooLong,
    /// Neither `/...` nor `http://...` nor `https://...`.
    Form,
    /// `*` with anything but a plain OPTIONS.
    Asterisk,
    /// A raw `#`.
    Fragment,
    /// `//`, which some stores merge and some do not.
    EmptySegment,
    /// `.` or `..`, however spelled.
    DotSegment,
    /// `%2F`: a slash that does not separate, to some.
    Slash,
    /// `\`, raw or encoded: a slash to some.
    Backslash,
    /// `;`, raw or encoded: the start of parameters to some.
    Semicolon,
    /// A raw `+`: a space to some stores (S3), a plus to others. `%2B` and `%20` are clear.
    Plus,
    /// `%25`: whoever decodes twice reads another path.
    DoubleEncoding,
    /// `%3F` or `%23`: whoever decodes before splitting reads another path.
    Delimiter,
    /// `%` without two hexadecimal digits.
    BadEscape,
    /// NUL, a control byte or DEL, raw or encoded, or a raw space.
    Control,
    /// Not UTF-8, or an overlong form of it.
    NotUtf8,
}

impl<'a> Path<'a> {
    /// Reads a path in origin form, without its query.
    ///
    /// # Errors
    /// Whatever could be read in two ways: see [`PathAmbiguity`].
    pub fn read(raw: &'a [u8]) -> Result<Self, PathAmbiguity> {
        if raw.len() > PATH_LEN_MAX {
            return Err(PathAmbiguity::TooLong);
        }
        let inner = match raw.strip_prefix(b"/").ok_or(PathAmbiguity::Form)? {
            b"" => return Ok(Self { inner: b"" }),
            b"/" => return Err(PathAmbiguity::EmptySegment),
            inner => inner.strip_suffix(b"/").unwrap_or(inner),
        };
        for segment in inner.split(|&byte| byte == b'/') {
            Segment::read(segment)?;
        }
        Ok(Self { inner })
    }

    /// The segments, first to last; none for the root.
    pub fn segments(self) -> impl Iterator<Item = Segment<'a>> {
        // Only the root has an empty piece here: `read` refused all others.
        self.inner
            .split(|&byte| byte == b'/')
            .filter(|piece| !piece.is_empty())
            .map(Segment)
    }
}

impl<'a> Segment<'a> {
    /// Checks one segment, as it was sent.
    ///
    /// # Errors
    /// As [`Path::read`]; a raw slash counts as an encoded one.
    pub fn read(raw: &'a [u8]) -> Result<Self, PathAmbiguity> {
        if raw.is_empty() {
            return Err(PathAmbiguity::EmptySegment);
        }
        let mut utf8 = Utf8::START;
        let mut bytes = raw.iter();
        while let Some(&sent) = bytes.next() {
            let byte = match sent {
                b'%' => escaped(&mut bytes).ok_or(PathAmbiguity::BadEscape)?,
                b' ' => return Err(PathAmbiguity::Control),
                b'+' => return Err(PathAmbiguity::Plus),
                plain => plain,
            };
            clear(byte)?;
            if !utf8.push(byte) {
                return Err(PathAmbiguity::NotUtf8);
            }
        }
        let segment = Self(raw);
        if !utf8.is_whole() {
            Err(PathAmbiguity::NotUtf8)
        } else if segment.is(b".") || segment.is(b"..") {
            Err(PathAmbiguity::DotSegment)
        } else {
            Ok(segment)
        }
    }

    /// The bytes after percent-decoding; they are UTF-8.
    pub fn decoded(self) -> impl Iterator<Item = u8> + 'a {
        let mut bytes = self.0.iter();
        core::iter::from_fn(move || match bytes.next()? {
            // `read` saw to it that every escape is a good one.
            b'%' => escaped(&mut bytes),
            &plain => Some(plain),
        })
    }

    /// Whether it decodes to exactly these bytes.
    #[must_use]
    pub fn is(self, decoded: &[u8]) -> bool {
        self.decoded().eq(decoded.iter().copied())
    }

    /// Its one canonical spelling: all but unreserved bytes as `%` and two upper-case digits.
    pub fn canonical(self) -> impl Iterator<Item = u8> + 'a {
        self.decoded().flat_map(canonical_byte)
    }
}

/// Whether `byte` is spelled as itself in a canonical segment: letters, digits and `-._~`.
#[must_use]
pub const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// Refuses a decoded byte that a second reader could take for something else.
const fn clear(byte: u8) -> Result<(), PathAmbiguity> {
    Err(match byte {
        b'/' => PathAmbiguity::Slash,
        b'\\' => PathAmbiguity::Backslash,
        b';' => PathAmbiguity::Semicolon,
        b'%' => PathAmbiguity::DoubleEncoding,
        b'?' | b'#' => PathAmbiguity::Delimiter,
        0x00..=0x1f | 0x7f => PathAmbiguity::Control,
        _ => return Ok(()),
    })
}

/// Reads the two digits after a `%`; `None` when they are not hexadecimal.
pub(crate) fn escaped(bytes: &mut core::slice::Iter<'_, u8>) -> Option<u8> {
    let high = hex(*bytes.next()?)?;
    let low = hex(*bytes.next()?)?;
    Some(high.wrapping_shl(4) | low)
}

const fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit.wrapping_sub(b'0')),
        b'a'..=b'f' => Some(digit.wrapping_sub(b'a').wrapping_add(10)),
        b'A'..=b'F' => Some(digit.wrapping_sub(b'A').wrapping_add(10)),
        _ => None,
    }
}

/// The canonical spelling of one decoded byte.
pub(crate) fn canonical_byte(byte: u8) -> impl Iterator<Item = u8> {
    let (escape, plain) = if is_unreserved(byte) {
        (None, Some(byte))
    } else {
        (Some(percent(byte)), None)
    };
    escape.into_iter().flatten().chain(plain)
}

const fn percent(byte: u8) -> [u8; 3] {
    [
        b'%',
        hex_digit(byte.wrapping_shr(4)),
        hex_digit(byte & 0x0f),
    ]
}

const fn hex_digit(nibble: u8) -> u8 {
    match nibble {
        0..=9 => b'0'.wrapping_add(nibble),
        _ => b'A'.wrapping_sub(10).wrapping_add(nibble),
    }
}

impl fmt::Display for PathAmbiguity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "there is no path",
            Self::Twice => "it is given twice",
            Self::Rewritten => "another header asks for another path",
            Self::TooLong => "it is longer than 8192 bytes",
            Self::Form => "it starts neither with / nor with http:// or https://",
            Self::Asterisk => "* names no resource",
            Self::Fragment => "# starts a fragment, which is never sent; a name cannot have it",
            Self::EmptySegment => "// is one slash to some stores and two to others",
            Self::DotSegment => "a segment of dots means another directory to some stores",
            Self::Slash => "an encoded slash separates for some stores and not for others",
            Self::Backslash => "a backslash is a slash to some stores",
            Self::Semicolon => "a semicolon starts parameters for some stores",
            Self::Plus => "+ is a space to some stores: write %2B or %20",
            Self::DoubleEncoding => "an encoded % reads differently when it is decoded twice",
            Self::Delimiter => "an encoded ? or # ends the path for some stores",
            Self::BadEscape => "% is not followed by two hexadecimal digits",
            Self::Control => "it has a control byte or a raw space",
            Self::NotUtf8 => "it is not UTF-8 after decoding",
        })
    }
}

impl core::error::Error for PathAmbiguity {}
