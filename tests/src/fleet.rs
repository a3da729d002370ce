//! Several Envoys in front of one store, with one etcd behind all of them.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tempfile::TempDir;

use crate::config::{Config, FENCED};
use crate::envoy::{Envoy, EnvoyError, Options};
use crate::etcd::{Etcd, EtcdError};
use crate::http::{Answer, Request};
use crate::issuer::{Grant, Issuer};
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
    config: Config,
    options: Options,
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
        Self::start_as_is(proxies, config.with_etcd(etcd), options)
    }

    /// Like [`Self::start_with`], from a configuration that says itself where etcd is.
    ///
    /// # Errors
    /// See [`EnvoyError`].
    pub fn start_as_is(
        proxies: usize,
        config: Config,
        options: &Options,
    ) -> Result<Self, EnvoyError> {
        let folder = tempfile::tempdir()?;
        let origin = Origin::start(&folder.path().join("objects"))?;
        let config = config.with_store(origin.address());
        let started = (0..proxies).map(|_| Proxy::start(&config, options.clone()));
        Ok(Self {
            proxies: started.collect::<Result<_, _>>()?,
            origin,
            config,
            options: options.clone(),
            _folder: folder,
        })
    }

    /// The configuration that all of them were started from.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Stops one of them and starts it anew, at another address.
    ///
    /// # Errors
    /// See [`EnvoyError`].
    pub fn restart(&mut self, proxy: usize) -> Result<(), EnvoyError> {
        self.proxies.remove(proxy).envoy.stop();
        let started = Proxy::start(&self.config, self.options.clone())?;
        self.proxies.insert(proxy, started);
        Ok(())
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

    /// Sends a request through the first one of the two, or the second one.
    ///
    /// # Panics
    /// When there is no answer.
    pub fn send(&self, proxy: usize, request: &Request) -> Answer {
        let address = self.proxies[proxy].address;
        request.send_to(address).expect("an answer")
    }

    /// A lease of `resource` through one of them, whatever it takes.
    ///
    /// # Panics
    /// When it is not granted.
    pub fn grant(&self, proxy: usize, resource: &str, holder: &str, ttl_ms: u64) -> Grant {
        let issuer = &self.proxies[proxy].issuer;
        let grant = issuer.acquire_patiently(resource, holder, ttl_ms);
        grant.expect("a grant")
    }

    /// The sum of a counter over all of them.
    ///
    /// # Panics
    /// When one does not say.
    pub fn counter(&self, name: &str) -> u64 {
        let counters = self.proxies.iter().map(|proxy| proxy.envoy.counter(name));
        counters.map(|counter| counter.expect("a counter")).sum()
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

/// A fleet with the etcd that is behind it.
pub struct OverEtcd {
    /// The proxies.
    pub fleet: Fleet,
    /// What is behind them.
    pub etcd: Etcd,
}

impl OverEtcd {
    /// Two Envoys over an etcd of one member, made an authority with a window of 250 ms, ready to grant.
    ///
    /// # Errors
    /// See [`FleetError`].
    pub fn start(config: Config, options: &Options) -> Result<Self, FleetError> {
        let etcd = Etcd::start(1)?;
        etcd.operate(&["init", "--window", "250ms"])?;
        let fleet = Fleet::start_with(2, config, &etcd, options)?;
        fleet.wait_until_ready()?;
        Ok(Self { fleet, etcd })
    }
}

/// Where the tests of one program find what they have together: the last one to have it stops it.
pub type Together<T> = Mutex<Weak<T>>;

/// What another test has just now, or a new one.
pub fn together<T>(place: &Together<T>, start: impl FnOnce() -> T) -> Arc<T> {
    let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
    place.upgrade().unwrap_or_else(|| {
        let started = Arc::new(start());
        *place = Arc::downgrade(&started);
        started
    })
}
