//! Names that come from outside: of holders, resources and requests.
//!
//! They end up in headers, JSON, logs and pages. Instead of escaping them in each of those
//! places, only bytes that need no escape anywhere are accepted.

use core::fmt;

/// The longest holder name, in bytes.
pub const HOLDER_LEN_MAX: usize = 128;
/// The longest resource name, in bytes.
pub const RESOURCE_LEN_MAX: usize = 256;
/// The longest request id, in bytes.
pub const REQUEST_ID_LEN_MAX: usize = 64;

/// Why bytes are not a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameError {
    /// No byte at all.
    Empty,
    /// More than so many bytes.
    TooLong {
        /// The most that is allowed.
        max: usize,
    },
    /// A byte outside letters, digits and `-._~:/@+=%`.
    Byte,
}

/// Whether `byte` may stand in a name: letters, digits and `-._~:/@+=%`.
#[must_use]
pub const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'-' | b'.' | b'_' | b'~' | b':' | b'/' | b'@' | b'+' | b'=' | b'%'
        )
}

/// Reads the name of a holder.
///
/// # Errors
/// Empty, longer than [`HOLDER_LEN_MAX`], or with another byte than [`is_name_byte`] allows.
pub fn holder(bytes: &[u8]) -> Result<&str, NameError> {
    name(bytes, HOLDER_LEN_MAX)
}

/// Reads the name of a resource.
///
/// # Errors
/// Empty, longer than [`RESOURCE_LEN_MAX`], or with another byte than [`is_name_byte`] allows.
pub fn resource(bytes: &[u8]) -> Result<&str, NameError> {
    name(bytes, RESOURCE_LEN_MAX)
}

/// Reads a request id, which names one incarnation of a holder.
///
/// # Errors
/// Empty, longer than [`REQUEST_ID_LEN_MAX`], or with another byte than [`is_name_byte`] allows.
pub fn request_id(bytes: &[u8]) -> Result<&str, NameError> {
    name(bytes, REQUEST_ID_LEN_MAX)
}

fn name(bytes: &[u8], max: usize) -> Result<&str, NameError> {
    if bytes.is_empty() {
        return Err(NameError::Empty);
    }
    if bytes.len() > max {
        return Err(NameError::TooLong { max });
    }
    if !bytes.iter().all(|&byte| is_name_byte(byte)) {
        return Err(NameError::Byte);
    }
    core::str::from_utf8(bytes).map_err(|_| NameError::Byte)
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("a name has at least one character"),
            Self::TooLong { max } => write!(f, "a name here has at most {max} characters"),
            Self::Byte => f.write_str("a name has letters, digits and - . _ ~ : / @ + = % only"),
        }
    }
}

impl core::error::Error for NameError {}
