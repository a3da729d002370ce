//! Under which header names tokens and holders come, and which other names come dangerously close.

use serde::Deserialize;

use crate::flaw::{ConfigError, Flaw};

/// The most aliases of one header.
const ALIASES_MAX: usize = 8;
/// The longest configured header name, in bytes.
const HEADER_NAME_LEN_MAX: usize = 64;

/// The `headers` of the configuration.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema, serde::Serialize))]
#[serde(deny_unknown_fields, default)]
pub struct HeadersConfig {
    /// Names under which the token may come; a request may use one of them, once.
    pub token: Vec<String>,
    /// Names under which the holder may come; a request may use one of them, once.
    pub holder: Vec<String>,
}

impl Default for HeadersConfig {
    fn default() -> Self {
        Self {
            token: vec!["fencing-token".into(), "x-fencing-token".into()],
            holder: vec!["fencing-holder".into()],
        }
    }
}

/// Checked header names.
#[derive(Clone, Debug)]
pub struct HeaderNames {
    token: Vec<Vec<u8>>,
    holder: Vec<Vec<u8>>,
}

/// What a header is, as far as tokens and holders go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Token,
    Holder,
    /// Not a configured name, but some gateway would fold it into one.
    NearlyToken,
    NearlyHolder,
    Other,
}

/// Names that already mean something to the reading of a request.
const TAKEN: [&str; 16] = [
    "host",
    "content-type",
    "content-length",
    "transfer-encoding",
    "connection",
    "upgrade",
    "destination",
    "early-data",
    "x-http-method-override",
    "x-http-method",
    "x-method-override",
    "x-original-url",
    "x-rewrite-url",
    "x-amz-rename-source",
    "x-ms-rename-source",
    "te",
];

impl HeaderNames {
    /// Checks the configured names.
    ///
    /// # Errors
    /// Names the field and the mend when a list is empty or too long, or when a name is malformed,
    /// taken or given twice.
    pub fn build(config: &HeadersConfig) -> Result<Self, ConfigError> {
        let mut seen: Vec<(&str, String)> = Vec::new();
        for (field, names) in [("token", &config.token), ("holder", &config.holder)] {
            let field = format!("headers.{field}");
            if names.is_empty() || names.len() > ALIASES_MAX {
                return Err(ConfigError::new(
                    field,
                    Flaw::HeaderCount { max: ALIASES_MAX },
                ));
            }
            for (at, name) in names.iter().enumerate() {
                let here = format!("{field}[{at}]");
                check(name, &seen).map_err(|flaw| ConfigError::new(here.clone(), flaw))?;
                seen.push((name, here));
            }
        }
        let bytes = |names: &[String]| names.iter().map(|name| name.as_bytes().to_vec()).collect();
        Ok(Self {
            token: bytes(&config.token),
            holder: bytes(&config.holder),
        })
    }

    /// What `name` is.
    pub(super) fn which(&self, name: &[u8]) -> Named {
        let exact = |wanted: &&Vec<u8>| name.eq_ignore_ascii_case(wanted);
        let near = |wanted: &&Vec<u8>| is_confused_with(name, wanted);
        if let Some(wanted) = self.token.iter().find(near) {
            if exact(&wanted) {
                Named::Token
            } else {
                Named::NearlyToken
            }
        } else if let Some(wanted) = self.holder.iter().find(near) {
            if exact(&wanted) {
                Named::Holder
            } else {
                Named::NearlyHolder
            }
        } else {
            Named::Other
        }
    }
}

/// Whether some gateway takes `name` for `wanted`: CGI and its heirs turn every byte but letters
/// and digits into an underscore.
pub(super) fn is_confused_with(name: &[u8], wanted: &[u8]) -> bool {
    let folded = |&byte: &u8| {
        if byte.is_ascii_alphanumeric() {
            byte.to_ascii_lowercase()
        } else {
            b'_'
        }
    };
    name.len() == wanted.len() && name.iter().map(folded).eq(wanted.iter().map(folded))
}

fn check(name: &str, seen: &[(&str, String)]) -> Result<(), Flaw> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if name.is_empty() || name.len() > HEADER_NAME_LEN_MAX || !name.bytes().all(plain) {
        return Err(Flaw::HeaderName { name: name.into() });
    }
    if TAKEN.contains(&name) {
        return Err(Flaw::HeaderTaken { name: name.into() });
    }
    match seen.iter().find(|(other, _)| *other == name) {
        Some((_, at)) => Err(Flaw::HeaderTwice {
            name: name.into(),
            at: at.clone(),
        }),
        None => Ok(()),
    }
}
