//! What a refusal means: above all whether nothing was done.
//!
//! That is believed only of what etcd itself says, by gRPC's number in the body, and only where it says
//! so before it begins. Everything else leaves it open: time-outs, a member without the others, a gateway
//! on the way, and also a full store: a transaction that fills it is carried out *and*
//! answered with 429.

use super::answer::Body;
use fencegate_core::quorum::CallError;

const INVALID_ARGUMENT: u32 = 3;
const NOT_FOUND: u32 = 5;
const PERMISSION_DENIED: u32 = 7;
const FAILED_PRECONDITION: u32 = 9;
const OUT_OF_RANGE: u32 = 11;
const UNAUTHENTICATED: u32 = 16;

/// What an answer with any status but 200 says of the call.
pub(super) fn meaning(status: u16, body: &[u8]) -> CallError {
    let Some((code, message)) = said(body) else {
        return CallError::Unknown;
    };
    match (status, code) {
        (404, NOT_FOUND) if message == "etcdserver: requested lease not found" => {
            CallError::NoSuchLease
        }
        // Newer gateways say 400 where older ones say 412.
        (400 | 412, FAILED_PRECONDITION) if message == "etcdserver: lease already exists" => {
            CallError::LeaseExists
        }
        (400, INVALID_ARGUMENT | OUT_OF_RANGE)
        | (400 | 412, FAILED_PRECONDITION)
        | (401, UNAUTHENTICATED)
        | (403, PERMISSION_DENIED)
        | (404, NOT_FOUND) => CallError::Refused,
        _ => CallError::Unknown,
    }
}

/// Whether the answer to a call asks for a new token: there was none, or it is no longer good.
/// Nothing was done then.
#[must_use]
pub fn wants_login(status: u16, body: &[u8]) -> bool {
    match (status, said(body)) {
        (401, Some((UNAUTHENTICATED, _))) => true,
        (400, Some((INVALID_ARGUMENT, message))) => {
            message == "etcdserver: user name is empty"
                // Users or roles were changed since the token was given out.
                || message == "etcdserver: revision of auth store is old"
        }
        _ => false,
    }
}

fn said(body: &[u8]) -> Option<(u32, String)> {
    let Body { code, message, .. } = crate::json::read(body).ok()?;
    Some((code, message))
}
