//! A user's token.

use crate::json::Object;
use fencegate_core::quorum::CallError;

/// The path and body that ask for a token. The body holds the password: it belongs in no log.
#[must_use]
pub fn login(user: &str, password: &str) -> (&'static str, String) {
    let mut body = String::new();
    let mut object = Object::begin(&mut body);
    object.text("name", user).text("password", password);
    object.end();
    ("/v3/auth/authenticate", body)
}

/// The token that came back: what the header `Authorization` of each call must say.
///
/// # Errors
/// [`CallError::Refused`] where user and password are not good, or etcd has no users.
pub fn login_token(status: u16, body: &[u8]) -> Result<String, CallError> {
    let token = super::body(status, body)?.token;
    // It becomes a header's value.
    let fit = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
    match fit {
        true => Ok(token),
        false => Err(CallError::Unknown),
    }
}
