//! A fenced store, ready to be tried: an origin, an Envoy in front of it, its issuer.

use std::net::SocketAddr;

use tempfile::TempDir;

use crate::config::{Config, FENCED};
use crate::envoy::{Envoy, EnvoyError, Options};
use crate::http::{Answer, Request};
use crate::issuer::{Grant, Issuer};
use crate::origin::Origin;

/// An origin with an Envoy in front of it. Dropping it stops both.
pub struct Rig {
    /// The proxy.
    pub envoy: Envoy,
    /// The fenced listener.
    pub address: SocketAddr,
    /// The issuer behind that listener.
    pub issuer: Issuer,
    /// The store and witness.
    pub origin: Origin,
    _folder: TempDir,
}

impl Rig {
    /// Starts both from an example and waits until the issuer is ready.
    ///
    /// # Errors
    /// See [`EnvoyError`].
    pub fn start(config: Config) -> Result<Self, EnvoyError> {
        Self::start_with(config, Options::default())
    }

    /// Like [`Self::start`], with options for the Envoy.
    ///
    /// # Errors
    /// See [`EnvoyError`].
    pub fn start_with(config: Config, options: Options) -> Result<Self, EnvoyError> {
        let folder = tempfile::tempdir()?;
        let origin = Origin::start(&folder.path().join("objects"))?;
        let envoy = Envoy::start_with(&config.with_store(origin.address()), options)?;
        let address = envoy.address(FENCED)?;
        let issuer = Issuer::at(address);
        issuer.wait_until_ready()?;
        Ok(Self {
            envoy,
            address,
            issuer,
            origin,
            _folder: folder,
        })
    }

    /// A lease of `resource`, whatever it takes.
    ///
    /// # Panics
    /// When it is not granted.
    pub fn grant(&self, resource: &str, holder: &str, ttl_ms: u64) -> Grant {
        self.issuer
            .acquire_patiently(resource, holder, ttl_ms)
            .expect("a grant")
    }

    /// Sends a request through the proxy.
    ///
    /// # Panics
    /// When there is no answer.
    pub fn send(&self, request: &Request) -> Answer {
        request.send_to(self.address).expect("an answer")
    }

    /// Writes a small object with a grant's token and holder.
    pub fn write(&self, path: &str, grant: &Grant) -> Answer {
        self.send(&write(path, &grant.token, &grant.holder))
    }

    /// How many requests have reached the store.
    pub fn reached(&self) -> usize {
        self.origin.journal().entries.len()
    }

    /// Sends a request that must be refused, and checks everything that holds of every refusal: the
    /// status, the problem body, the headers, and that the store has not seen one byte.
    ///
    /// # Panics
    /// When anything of that does not hold.
    pub fn refused(&self, request: &Request, status: u16, reason: &str) -> Answer {
        let before = self.reached();
        let answer = self.send(request);
        let told = format!("{} {}", answer.status, answer.body_text());
        assert_eq!(
            (answer.status, answer.reason().as_str()),
            (status, reason),
            "{told}"
        );
        check_problem(&answer, &told);
        assert_eq!(
            self.reached(),
            before,
            "a refused request reached the store: {told}"
        );
        answer
    }
}

/// A write of a small object with a token and a holder.
pub fn write(path: &str, token: &str, holder: &str) -> Request {
    bare_write(path)
        .header("Fencing-Token", token)
        .header("Fencing-Holder", holder)
}

/// A write of a small object without token or holder.
pub fn bare_write(path: &str) -> Request {
    Request::new("PUT", path)
        .header("Host", "store.example")
        .body("a small object")
}

/// Checks what holds of every refusal, the issuer's included.
///
/// # Panics
/// When it does not hold.
pub fn check_problem(answer: &Answer, told: &str) {
    let problem = answer.json();
    assert_eq!(
        answer.text("content-type").as_deref(),
        Some("application/problem+json"),
        "{told}"
    );
    assert_eq!(
        answer.text("cache-control").as_deref(),
        Some("no-store"),
        "{told}"
    );
    assert_eq!(
        problem["type"],
        format!("urn:fencegate:{}", answer.reason()).as_str(),
        "{told}"
    );
    assert_eq!(problem["status"], answer.status, "{told}");
    assert!(
        problem["title"]
            .as_str()
            .is_some_and(|title| !title.is_empty()),
        "{told}"
    );
    assert!(problem["retryable"].is_boolean(), "{told}");
}
