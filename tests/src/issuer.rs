//! The issuer's calls as a worker makes them: JSON out, an [`Answer`] back.
//!
//! The answers stay raw, since most tests look at their status, headers and reason; what a worker
//! needs from a grant is read by [`Grant::from_answer`].

use std::io;
use std::net::SocketAddr;

use serde_json::{Value, json};

use crate::http::{Answer, Connection, Request};

/// The issuer behind one listener of a proxy.
#[derive(Clone, Debug)]
pub struct Issuer {
    address: SocketAddr,
    path: String,
    authority: String,
}

/// A lease and its token, as granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// What the lease is for.
    pub resource: String,
    /// Who holds it.
    pub holder: String,
    /// The fencing token, as text.
    pub token: String,
    /// What was left of the lease when the answer was made, in milliseconds.
    pub ttl_ms: u64,
}

impl Issuer {
    /// The issuer at `address` under the usual path `/fence/v1`.
    pub fn at(address: SocketAddr) -> Self {
        Self {
            address,
            path: "/fence/v1".to_owned(),
            authority: "issuer.example".to_owned(),
        }
    }

    /// Asks for the lease of `resource`.
    ///
    /// # Errors
    /// As [`Request::send_to`].
    pub fn acquire(&self, resource: &str, holder: &str, ttl_ms: u64) -> io::Result<Answer> {
        self.call(
            "acquire",
            &json!({ "resource": resource, "holder": holder, "ttl_ms": ttl_ms }),
        )
    }

    /// Asks until the lease is granted: waits as told by `Retry-After` and `retry_after_ms`.
    ///
    /// # Errors
    /// When a call fails, an answer is neither a grant nor a "not now", or 200 tries were in vain.
    pub fn acquire_patiently(
        &self,
        resource: &str,
        holder: &str,
        ttl_ms: u64,
    ) -> io::Result<Grant> {
        for _ in 0..200 {
            let answer = self.acquire(resource, holder, ttl_ms)?;
            if let Some(grant) = Grant::from_answer(&answer) {
                return Ok(grant);
            }
            if !matches!(answer.status, 409 | 503) {
                return Err(io::Error::other(format!(
                    "{}: {}",
                    answer.status,
                    answer.body_text()
                )));
            }
            std::thread::sleep(retry_after(&answer));
        }
        Err(io::ErrorKind::TimedOut.into())
    }

    /// Asks for more time, or at least no less.
    ///
    /// # Errors
    /// As [`Request::send_to`].
    pub fn renew(&self, grant: &Grant, ttl_ms: u64) -> io::Result<Answer> {
        let mut body = about(grant);
        body["ttl_ms"] = json!(ttl_ms);
        self.call("renew", &body)
    }

    /// Gives the lease back; `writes_answered` says that no write is still under way.
    ///
    /// # Errors
    /// As [`Request::send_to`].
    pub fn release(&self, grant: &Grant, writes_answered: bool) -> io::Result<Answer> {
        let mut body = about(grant);
        body["writes_answered"] = json!(writes_answered);
        self.call("release", &body)
    }

    /// Confirms the token (ours) or raises the mark to it (external), without writing.
    ///
    /// # Errors
    /// As [`Request::send_to`].
    pub fn claim(&self, resource: &str, holder: &str, token: &str) -> io::Result<Answer> {
        self.call(
            "claim",
            &json!({ "resource": resource, "holder": holder, "token": token }),
        )
    }

    /// Ends the lease of `resource` by an operator's word.
    ///
    /// # Errors
    /// As [`Request::send_to`].
    pub fn break_lease(&self, resource: &str) -> io::Result<Answer> {
        self.call("break", &json!({ "resource": resource }))
    }

    /// Reads one lease, or with an empty `resource` all of them; `query` comes after a `?`.
    ///
    /// # Errors
    /// As [`Request::send_to`].
    pub fn leases(&self, resource: &str, query: &str) -> io::Result<Answer> {
        let one = if resource.is_empty() {
            String::new()
        } else {
            format!("/{resource}")
        };
        let query = if query.is_empty() {
            String::new()
        } else {
            format!("?{query}")
        };
        self.get(&format!("leases{one}{query}"))
    }

    /// Asks whether the issuer grants.
    ///
    /// # Errors
    /// As [`Request::send_to`].
    pub fn ready(&self) -> io::Result<Answer> {
        self.get("ready")
    }

    /// Waits until the issuer grants.
    ///
    /// # Errors
    /// When it does not within about ten seconds.
    pub fn wait_until_ready(&self) -> io::Result<()> {
        for _ in 0..200 {
            if self.ready().is_ok_and(|answer| answer.status == 200) {
                return Ok(());
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        Err(io::Error::new(
            io::ErrorKind::TimedOut,
            "the issuer never became ready",
        ))
    }

    /// A POST with any JSON.
    ///
    /// # Errors
    /// As [`Request::send_to`].
    pub fn call(&self, verb: &str, body: &Value) -> io::Result<Answer> {
        self.post(verb, body.to_string().as_bytes())
    }

    /// A POST with any bytes.
    ///
    /// # Errors
    /// As [`Request::send_to`].
    pub fn post(&self, verb: &str, body: &[u8]) -> io::Result<Answer> {
        self.request("POST", verb)
            .header("Content-Type", "application/json")
            .body(body)
            .send_to(self.address)
    }

    /// The request for one call, to be bent by a test.
    pub fn request(&self, method: &str, verb: &str) -> Request {
        Request::new(method, format!("{}/{verb}", self.path)).header("Host", &self.authority)
    }

    /// A connection to the proxy, for many calls.
    ///
    /// # Errors
    /// As [`Connection::open`].
    pub fn connect(&self) -> io::Result<Connection> {
        Connection::open(self.address)
    }

    fn get(&self, verb: &str) -> io::Result<Answer> {
        self.request("GET", verb).send_to(self.address)
    }
}

impl Grant {
    /// The grant in a 201 answer; `None` for any other.
    pub fn from_answer(answer: &Answer) -> Option<Self> {
        let body = (answer.status == 201).then(|| answer.json())?;
        let text = |field: &str| body[field].as_str().map(str::to_owned);
        Some(Self {
            resource: text("resource")?,
            holder: text("holder")?,
            token: text("token")?,
            ttl_ms: body["ttl_ms"].as_u64()?,
        })
    }
}

/// How long a 409 or 503 asks to wait; at least 10 ms, at most 60 s.
pub fn retry_after(answer: &Answer) -> std::time::Duration {
    let fine = answer.json()["retry_after_ms"].as_u64();
    let coarse = || {
        answer
            .text("retry-after")
            .and_then(|text| text.parse::<u64>().ok())
            .map(|seconds| seconds * 1000)
    };
    std::time::Duration::from_millis(fine.or_else(coarse).unwrap_or(200).clamp(10, 60_000))
}

fn about(grant: &Grant) -> Value {
    json!({ "resource": grant.resource, "holder": grant.holder, "token": grant.token })
}
