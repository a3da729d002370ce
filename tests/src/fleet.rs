//! Several Envoys in front of one store, with one etcd behind all of them.

use std::net::SocketAddr;

use tempfile::TempDir;

use crate::config::{Config, FENCED};
use crate::envoy::{Envoy, EnvoyError, Options};
use crate::etcd::{Etcd, EtcdError};
use crate::issuer::Issuer;
use crate::origin::Origin;

/// Why there is no fleet.
#[derive(Debug, thiserror::Error)]
pub enum FleetError {
    /// No Envoy.
    #[error(transparent)]
    Envoy(#[from] EnvoyError),
    /// No etcd.
    #[error(transparent)]
    Etcd(#[from] EtcdError),
    /// Files or sockets.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// Envoys in front of one store. Dropping it stops all.
pub struct Fleet {
    /// The proxies.
    pub proxies: Vec<Proxy>,
    /// The store and witness.
    pub origin: Origin,
    _folder: TempDir,
}

/// One Envoy of a fleet.
pub struct Proxy {
    /// The process.
    pub envoy: Envoy,
    /// Its fenced listener.
    pub address: SocketAddr,
    /// The issuer behind that listener.
    pub issuer: Issuer,
}

impl Fleet {
    /// Starts so many Envoys of two workers each from one configuration.
    ///
    /// They need not be ready: with a prefix that was not put in force, they never are.
    ///
    /// # Errors
    /// See [`EnvoyError`].
    pub fn start(proxies: usize, config: Config, etcd: &Etcd) -> Result<Self, EnvoyError> {
        Self::start_with(proxies, config, etcd, &Options::default())
    }

    /// Like [`Self::start`], with options for each Envoy.
    ///
    /// # Errors
    /// See [`EnvoyError`].
    pub fn start_with(
        proxies: usize,
        config: Config,
        etcd: &Etcd,
        options: &Options,
    ) -> Result<Self, EnvoyError> {
        let folder = tempfile::tempdir()?;
        let origin = Origin::start(&folder.path().join("objects"))?;
        let config = config.with_etcd(etcd).with_store(origin.address());
        let started = (0..proxies).map(|_| Proxy::start(&config, options.clone()));
        Ok(Self {
            proxies: started.collect::<Result<_, _>>()?,
            origin,
            _folder: folder,
        })
    }

    /// Waits until each proxy's issuer is ready.
    ///
    /// # Errors
    /// When one is not in time.
    pub fn wait_until_ready(&self) -> std::io::Result<()> {
        self.proxies
            .iter()
            .try_for_each(|proxy| proxy.issuer.wait_until_ready())
    }

    /// How many requests have reached the store.
    pub fn reached(&self) -> usize {
        self.origin.journal().entries.len()
    }
}

impl Proxy {
    /// Starts one more from a configuration that names store and etcd.
    ///
    /// # Errors
    /// See [`EnvoyError`].
    pub fn start(config: &Config, options: Options) -> Result<Self, EnvoyError> {
        let envoy = Envoy::start_with(config, options)?;
        let address = envoy.address(FENCED)?;
        Ok(Self {
            envoy,
            address,
            issuer: Issuer::at(address),
        })
    }
}
