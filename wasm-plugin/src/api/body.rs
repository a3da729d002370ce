//! What the bodies of the lease API say.

use crate::json::{self, Failed, Read, ReadError, Reader};
use crate::object;
use crate::reply::{Kind, Problem};
use fencegate_core::name::{self, NameError};
use fencegate_core::token::Token;

/// `POST acquire`.
#[derive(Debug)]
pub struct Acquire {
    /// What is to be protected.
    pub resource: Resource,
    /// Who asks; may be left out where the TLS peer says it.
    pub holder: Option<Holder>,
    /// How long the lease is to run, in ms.
    pub ttl_ms: Option<u32>,
    /// Names this incarnation of the holder: repeated, it gets the same grant.
    pub request_id: Option<RequestId>,
    /// Grant only if this is still the mark.
    pub expect_mark: Option<WireToken>,
    /// How long to wait for it, in ms.
    pub wait_ms: Option<u32>,
}

/// `POST renew`.
#[derive(Debug)]
pub struct Renew {
    /// What is protected.
    pub resource: Resource,
    /// Whose lease.
    pub holder: Option<Holder>,
    /// The token of the lease.
    pub token: WireToken,
    /// How long from now it is to run, in ms.
    pub ttl_ms: Option<u32>,
}

/// `POST release`.
#[derive(Debug)]
pub struct Release {
    /// What is protected.
    pub resource: Resource,
    /// Whose lease.
    pub holder: Option<Holder>,
    /// The token of the lease.
    pub token: WireToken,
    /// Whether all of the holder's writes were answered.
    pub writes_answered: bool,
}

/// `POST claim`.
#[derive(Debug)]
pub struct Claim {
    /// What is protected.
    pub resource: Resource,
    /// Who claims.
    pub holder: Option<Holder>,
    /// With which token.
    pub token: WireToken,
}

/// `POST break`.
#[derive(Debug)]
pub struct Break {
    /// Whose lease is to end.
    pub resource: Resource,
}

object! { Acquire {
    resource, holder = None, ttl_ms = None, request_id = None, expect_mark = None, wait_ms = None,
} }
object! { Renew { resource, holder = None, token, ttl_ms = None } }
object! { Release { resource, holder = None, token, writes_answered = true } }
object! { Claim { resource, holder = None, token } }
object! { Break { resource } }

/// Reads a body.
///
/// # Errors
/// The answer that says what is wrong with it.
pub fn read<T: Read>(bytes: &[u8]) -> Result<T, Problem<'static>> {
    json::read(bytes).map_err(malformed)
}

fn malformed(error: ReadError) -> Problem<'static> {
    Problem::detailed(Kind::MALFORMED, plain(&error.to_string()))
}

/// The place may quote what was sent; nothing of that goes into an answer that a page could
/// take for markup.
fn plain(sentence: &str) -> String {
    sentence
        .chars()
        .map(|c| {
            if c.is_ascii_graphic() || c == ' ' {
                c
            } else {
                '?'
            }
        })
        .filter(|c| !matches!(c, '<' | '>' | '&'))
        .collect()
}

/// The name of a resource.
#[derive(Debug)]
pub struct Resource(pub String);
/// The name of a holder.
#[derive(Debug)]
pub struct Holder(pub String);
/// A request id.
#[derive(Debug)]
pub struct RequestId(pub String);
/// A token, as text: its number may be too large for a JSON number.
#[derive(Debug)]
pub struct WireToken(pub Token);

fn checked(
    from: &mut Reader<'_>,
    check: fn(&[u8]) -> Result<&str, NameError>,
) -> Result<String, Failed> {
    let text = String::read(from)?;
    match check(text.as_bytes()) {
        Ok(_) => Ok(text),
        Err(error) => Err(from.fail(&error.to_string())),
    }
}

impl Read for Resource {
    fn read(from: &mut Reader<'_>) -> Result<Self, Failed> {
        checked(from, name::resource).map(Self)
    }
}

impl Read for Holder {
    fn read(from: &mut Reader<'_>) -> Result<Self, Failed> {
        checked(from, name::holder).map(Self)
    }
}

impl Read for RequestId {
    fn read(from: &mut Reader<'_>) -> Result<Self, Failed> {
        checked(from, name::request_id).map(Self)
    }
}

impl Read for WireToken {
    fn read(from: &mut Reader<'_>) -> Result<Self, Failed> {
        let text = String::read(from)?;
        let token = Token::parse(text.as_bytes());
        token
            .map(Self)
            .map_err(|error| from.fail(&error.to_string()))
    }
}
