//! Five systems whose numbers are fencing tokens: each with its own codec into a [`Token`].

pub mod block;
pub mod etcd;
pub mod kafka;
pub mod kubernetes;
pub mod zookeeper;

use crate::token::Token;
use core::fmt;
use serde::{Deserialize, Serialize};

/// Whose words and numbers a scenario uses.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Dialect {
    /// Ours.
    #[default]
    Fencegate,
    /// Producer id, epoch and sequence.
    Kafka,
    /// zxid, ephemeral sequential nodes, sessions.
    ZooKeeper,
    /// Leases and mod revisions.
    Etcd,
    /// Lease objects and their transitions.
    Kubernetes {
        /// Whether the object's own incarnation is part of the token.
        with_incarnation: bool,
    },
    /// Attach generations of a volume.
    Block,
}

impl Dialect {
    /// A token in the system's own words.
    #[must_use]
    pub fn text(self, token: Token) -> String {
        let text = |shown: &dyn fmt::Display| shown.to_string();
        match self {
            Self::Fencegate => text(&token),
            Self::Kafka => text(&kafka::Producer::of(token)),
            Self::ZooKeeper => text(&zookeeper::Zxid::of(token)),
            Self::Etcd => text(&etcd::Revision::of(token)),
            Self::Kubernetes { .. } => text(&kubernetes::Transitions::of(token)),
            Self::Block => text(&block::Generation::of(token)),
        }
    }

    /// Whether whoever waits is woken, in place of asking again and again.
    #[must_use]
    pub const fn has_watches(self) -> bool {
        matches!(self, Self::ZooKeeper)
    }

    /// Whether the store knows a writer's sequence, and drops what it has already.
    #[must_use]
    pub const fn has_sequences(self) -> bool {
        matches!(self, Self::Kafka)
    }
}
