//! The numbers of proxy-wasm 0.2.1 that the filter and a proxy agree on.

/// All is well.
pub const OK: u32 = 0;
/// There is no such thing.
pub const NOT_FOUND: u32 = 1;
/// The arguments make no sense to the host.
pub const BAD_ARGUMENT: u32 = 2;
/// Another version is there.
pub const CAS_MISMATCH: u32 = 8;
/// Something failed inside the host.
pub const INTERNAL_FAILURE: u32 = 10;
/// This host has no such call.
pub const UNIMPLEMENTED: u32 = 12;

/// Every status that the specification knows besides [`OK`], and two that it does not.
pub const FAILURES: [u32; 14] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, u32::MAX];

/// The header map of a request.
pub const MAP_REQUEST_HEADERS: u32 = 0;
/// The header map of the origin's answer.
pub const MAP_RESPONSE_HEADERS: u32 = 2;
/// The buffer of a request's body.
pub const BUFFER_REQUEST_BODY: u32 = 0;
/// The buffer of the plugin's configuration.
pub const BUFFER_CONFIGURATION: u32 = 7;
/// A callback's answer: go on.
pub const CONTINUE: u32 = 0;
