//! What the bodies of the lease API say.

use crate::json;
use crate::reply::{Kind, Problem};
use fencegate_core::name::{self, NameError};
use fencegate_core::token::Token;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error};

/// `POST acquire`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// What is protected.
    pub resource: Resource,
    /// Whose lease.
    pub holder: Option<Holder>,
    /// The token of the lease.
    pub token: WireToken,
    /// Whether all of the holder's writes were answered.
    #[serde(default = "yes")]
    pub writes_answered: bool,
}

/// `POST claim`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// What is protected.
    pub resource: Resource,
    /// Who claims.
    pub holder: Option<Holder>,
    /// With which token.
    pub token: WireToken,
}

/// `POST break`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Break {
    /// Whose lease is to end.
    pub resource: Resource,
}

/// Reads a body.
///
/// # Errors
/// The answer that says what is wrong with it.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem<'static>> {
    json::read(bytes).map_err(|error| Problem::detailed(Kind::MALFORMED, plain(&error.to_string())))
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

fn checked<'de, D: Deserializer<'de>>(
    deserializer: D,
    check: impl Fn(&[u8]) -> Result<&str, NameError>,
) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    check(text.as_bytes()).map_err(D::Error::custom)?;
    Ok(text)
}

impl<'de> Deserialize<'de> for Resource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        checked(deserializer, name::resource).map(Self)
    }
}

impl<'de> Deserialize<'de> for Holder {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        checked(deserializer, name::holder).map(Self)
    }
}

impl<'de> Deserialize<'de> for RequestId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        checked(deserializer, name::request_id).map(Self)
    }
}

impl<'de> Deserialize<'de> for WireToken {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Token::parse(text.as_bytes())
            .map(Self)
            .map_err(D::Error::custom)
    }
}

const fn yes() -> bool {
    true
}
