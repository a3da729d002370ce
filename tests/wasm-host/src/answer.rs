//! An answer of the filter, as a client reads it.

use fencegate_core::token::Token;
use serde_json::Value;

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u32,
    /// Names and values.
    pub headers: Vec<(Vec<u8>, Vec<u8>)>,
    /// The body.
    pub body: Vec<u8>,
    /// The gRPC status; -1: none.
    pub grpc: i32,
}

impl Answer {
    /// The body as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    /// What is wrong with it as HTTP, whatever it says.
    #[must_use]
    pub fn flaw(&self) -> Option<&'static str> {
        if !(200..600).contains(&self.status) {
            return Some("the status is none");
        }
        let control = |text: &[u8]| text.iter().any(|byte| byte.is_ascii_control());
        if self
            .headers
            .iter()
            .any(|(name, value)| control(name) || control(value))
        {
            return Some("a header holds a control character");
        }
        let stored = self
            .headers
            .iter()
            .any(|(name, value)| name == b"cache-control" && value == b"no-store");
        if !stored {
            return Some("it may be stored by a cache");
        }
        let json = self.json();
        if self.grpc < 0 && json.is_null() {
            return Some("the body is no JSON");
        }
        if self.grpc < 0 && self.status >= 400 && !json["reason"].is_string() {
            return Some("an error has no reason");
        }
        None
    }
}

/// A token in an answer.
#[must_use]
pub fn token(json: &Value, field: &str) -> Option<Token> {
    Token::parse(json[field].as_str()?.as_bytes()).ok()
}
