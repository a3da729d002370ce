//! Calls to etcd's JSON gateway, as it is asked by whoever looks after it.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;

use crate::http::{Answer, Connection, Request};

/// How long an answer may take: longer than etcd itself takes to give up.
const PATIENCE: Duration = Duration::from_secs(10);

/// Calls the gateway at `address`.
///
/// # Errors
/// When there is no answer within ten seconds.
pub fn call(address: SocketAddr, path: &str, body: &Value) -> io::Result<Answer> {
    call_within(address, path, body, PATIENCE)
}

/// Like [`call`], with another time limit.
///
/// # Errors
/// When there is no answer within it.
pub fn call_within(
    address: SocketAddr,
    path: &str,
    body: &Value,
    patience: Duration,
) -> io::Result<Answer> {
    let request = request(path, &body.to_string(), &[]);
    Connection::open_within(address, patience)?.exchange(&request)
}

/// Like [`call`], with headers like `Authorization: abc`, and any text as body.
///
/// # Errors
/// When there is no answer within ten seconds.
pub fn call_with(
    address: SocketAddr,
    path: &str,
    body: &str,
    headers: &[String],
) -> io::Result<Answer> {
    let request = request(path, body, headers);
    Connection::open_within(address, PATIENCE)?.exchange(&request)
}

fn request(path: &str, body: &str, headers: &[String]) -> Request {
    let mut request = Request::new("POST", path)
        .header("Host", "etcd")
        .header("Content-Type", "application/json")
        .body(body);
    for header in headers {
        let (name, value) = header.split_once(": ").unwrap_or((header, ""));
        request = request.header(name, value);
    }
    request
}
