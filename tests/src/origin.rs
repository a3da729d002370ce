//! The origin of the tests and of the demo: a small atomic HTTP store of our own.
//!
//! GET, HEAD, PUT and DELETE of whole objects on disk. A write is applied under one lock, whole or
//! not at all, and survives a restart; `If-Match` and `If-None-Match` are judged under the same
//! lock; the strong entity tag names the *version*, so that equal bytes written twice differ. An
//! object keeps the `Fencing-Token` and the `x-meta-*` headers it arrived with and gives them back.
//!
//! It is also a witness: its [`Journal`] holds every request that reached it. What it refuses to
//! know is fencing: it never compares a token. That is the proxy's part, and the point of the tests.

mod conditions;
mod journal;
mod serve;
mod store;

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};

use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::accept::accept;
pub use journal::{Entry, Journal};
use serve::{Shared, lock};
use store::Store;

/// A running origin. It stops when it is dropped; what it stored stays in its folder.
pub struct Origin {
    shared: Arc<Shared>,
    address: SocketAddr,
    control: SocketAddr,
    runtime: Option<Runtime>,
}

/// An object as the origin has it, seen without HTTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// The version that is there.
    pub version: u64,
    /// The `Fencing-Token` it was written with, if any.
    pub token: Option<String>,
    /// The whole content.
    pub body: Vec<u8>,
}

impl Origin {
    /// Starts an origin over `folder` (created if absent) on free loopback ports.
    ///
    /// It runs on threads of its own, so callers need no runtime.
    ///
    /// # Errors
    /// When the folder cannot be read or written, or no port is free.
    pub fn start(folder: &Path) -> io::Result<Self> {
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        Self::start_at(folder, any, any)
    }

    /// Like [`Self::start`], at the given data and control addresses; port 0 means any free one.
    ///
    /// # Errors
    /// When the folder cannot be read or written, or an address cannot be bound.
    pub fn start_at(folder: &Path, address: SocketAddr, control: SocketAddr) -> io::Result<Self> {
        let store = Mutex::new(Store::open(folder)?);
        let shared = Arc::new(Shared {
            store,
            journal: Mutex::default(),
        });
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        let (data, control) = runtime.block_on(async {
            io::Result::Ok((
                TcpListener::bind(address).await?,
                TcpListener::bind(control).await?,
            ))
        })?;
        let (address, control_address) = (data.local_addr()?, control.local_addr()?);

        let serving = Arc::clone(&shared);
        runtime.spawn(accept(data, move |request| {
            serve::answer(Arc::clone(&serving), request)
        }));
        let watching = Arc::clone(&shared);
        runtime.spawn(accept(control, move |request| {
            let answer = serve::control(&watching, &request);
            async move { Ok::<_, Infallible>(answer) }
        }));
        Ok(Self {
            shared,
            address,
            control: control_address,
            runtime: Some(runtime),
        })
    }

    /// Where objects are read and written.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where the journal is read: `GET /journal` answers a [`Journal`] in JSON. It has a port of its
    /// own so that no request through a proxy can reach it.
    pub fn control_address(&self) -> SocketAddr {
        self.control
    }

    /// Everything that was received so far.
    pub fn journal(&self) -> Journal {
        lock(&self.shared.journal).clone()
    }

    /// The object at `path` (without query), if it exists and can be read.
    pub fn object(&self, path: &str) -> Option<Object> {
        let store = lock(&self.shared.store);
        let version = store.find(path)?;
        let token = version
            .headers
            .iter()
            .find(|(name, _)| name == "fencing-token")
            .map(|(_, value)| value.clone());
        Some(Object {
            version: version.version,
            token,
            body: store.body(version).ok()?,
        })
    }
}

impl Drop for Origin {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
