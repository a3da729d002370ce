//! Who may call, and as whom.

use super::Api;
use super::body::{Holder, Resource};
use crate::config::{Access, BreakAccess, PeerProperty};
use crate::reply::{Kind, Problem};
use fencegate_core::name;

impl Api<'_> {
    /// The name of the TLS peer.
    fn peer(&mut self, property: PeerProperty) -> Result<String, Problem<'static>> {
        let value = &mut self.scratch.body;
        match self.host.property(property.path(), value) {
            Ok(Some(())) => match name::holder(value) {
                Ok(name) => Ok(name.to_owned()),
                Err(_) => Err(forbidden(
                    "the name in the peer's certificate is no name of a holder",
                )),
            },
            _ => Err(forbidden(
                "this listener's peer has no certificate with that name in it",
            )),
        }
    }

    /// Whether the peer may look at leases.
    pub(super) fn peer_may_look(&mut self) -> Result<(), Problem<'static>> {
        match self.filter.settings.access {
            Access::Anyone => Ok(()),
            Access::Peer(property) => self.peer(property).map(drop),
        }
    }

    /// The holder that the caller is, if it may act on this resource. Overwrites the body.
    pub(super) fn caller(
        &mut self,
        named: Option<Holder>,
        resource: &Resource,
    ) -> Result<String, Problem<'static>> {
        let holder = match (self.filter.settings.access, named) {
            (Access::Anyone, Some(Holder(holder))) => holder,
            (Access::Anyone, None) => {
                return Err(Problem::detailed(
                    Kind::MALFORMED,
                    "holder: name the holder",
                ));
            }
            (Access::Peer(property), named) => {
                let peer = self.peer(property)?;
                if named.is_some_and(|Holder(named)| named != peer) {
                    return Err(forbidden(
                        "holder: it must be the name in the peer's certificate",
                    ));
                }
                peer
            }
        };
        self.guarded(resource)?;
        Ok(holder)
    }

    /// Refuses a name that no rule makes: it would protect nothing.
    pub(super) fn guarded(&self, resource: &Resource) -> Result<(), Problem<'static>> {
        if self.filter.settings.policy.produces(&resource.0) {
            Ok(())
        } else {
            Err(Problem::new(Kind::UNKNOWN_RESOURCE))
        }
    }

    /// The operator that the caller is.
    pub(super) fn operator(&mut self) -> Result<String, Problem<'static>> {
        let filter = self.filter;
        match &filter.settings.break_access {
            BreakAccess::Nobody => Err(forbidden("issuer.fencegate.break_access allows nobody")),
            BreakAccess::Anyone => Ok("anyone".to_owned()),
            BreakAccess::Peers(operators) => {
                let peer = self.peer(operators.by)?;
                if operators.names.contains(&peer) {
                    Ok(peer)
                } else {
                    Err(forbidden(
                        "issuer.fencegate.break_access does not name this peer",
                    ))
                }
            }
        }
    }
}

fn forbidden(detail: &str) -> Problem<'static> {
    Problem::detailed(Kind::FORBIDDEN, detail)
}
