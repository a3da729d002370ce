//! One request over either version of HTTP.

use std::io;
use std::net::SocketAddr;

use crate::http::{Answer, Request};
use crate::http2;

/// How a request travels to the proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// HTTP/1.1.
    Http1,
    /// HTTP/2 with prior knowledge, without TLS.
    Http2,
}

impl Wire {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Http1, Self::Http2];

    /// Sends a request on a connection of its own and reads the answer.
    ///
    /// # Errors
    /// When the proxy closes or resets instead of answering, which is how it refuses some requests.
    pub fn send(self, address: SocketAddr, request: &Request) -> io::Result<Answer> {
        match self {
            Self::Http1 => request.send_to(address),
            Self::Http2 => http2::send_to(address, request),
        }
    }
}
