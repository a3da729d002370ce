//! Init: what all proxies of one authority share, read and replaced.

use fencegate_core::quorum::Init;

use crate::gateway::{Answer, Gateway, GatewayError};

/// The part of etcd's keys that one authority owns.
#[derive(Clone, Debug)]
pub(crate) struct Prefix(pub(crate) String);

/// Init as it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// What it says.
    pub(crate) init: Init,
    /// The revision of its last put.
    pub(crate) revision: u64,
}

/// Why init is not what was hoped for.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InitError {
    /// There is none.
    #[error(
        "there is nothing under {0}: if that is the proxies' prefix, run `fencegate init` first"
    )]
    None(String),
    /// It does not verify.
    #[error(
        "what is under {0} is not Fencegate's, or is damaged: choose another prefix, or restore a backup"
    )]
    Garbled(String),
    /// etcd did not do it.
    #[error(transparent)]
    Gateway(#[from] GatewayError),
}

impl Prefix {
    /// The key of init.
    pub(crate) fn init(&self) -> String {
        format!("{}init", self.0)
    }

    /// The keys of marks begin with this.
    pub(crate) fn marks(&self) -> String {
        format!("{}m/", self.0)
    }

    /// The keys of locks begin with this.
    pub(crate) fn locks(&self) -> String {
        format!("{}l/", self.0)
    }

    /// Reads init; the answer tells which cluster it is in.
    pub(crate) fn look(&self, gateway: &Gateway) -> Result<(Option<Found>, Answer), InitError> {
        let answer = gateway.read(&self.init())?;
        let found = match &answer.first {
            None => None,
            Some(value) => {
                let init = Init::decode(&value.bytes);
                Some(Found {
                    init: init.map_err(|_| InitError::Garbled(self.init()))?,
                    revision: value.revision,
                })
            }
        };
        Ok((found, answer))
    }

    /// Reads init, which must be there.
    pub(crate) fn read(&self, gateway: &Gateway) -> Result<(Found, Answer), InitError> {
        let (found, answer) = self.look(gateway)?;
        Ok((found.ok_or_else(|| InitError::None(self.init()))?, answer))
    }
}
