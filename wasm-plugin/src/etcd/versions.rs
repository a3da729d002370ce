//! What the last background reads found: the version of each group, and as of when.
//!
//! A read asks only for what was put since the one before, so it must fit: what it starts from must
//! be known already, under the same init.

use super::wire::GROUPS;
use fencegate_core::quorum::{InForce, Survey, Surveyed};
use fencegate_core::window::{self, Instants};

/// The versions of all groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Versions {
    /// The init that they were read under.
    pub(super) init: Option<window::Init>,
    /// The store's revision up to which they are complete.
    pub(super) as_of: u64,
    /// When the latest read was sent that they are complete from.
    pub(super) sent: Option<Instants>,
    /// By group.
    pub(super) by_group: Vec<u64>,
}

impl Versions {
    /// None is known.
    pub(super) fn none() -> Self {
        Self {
            init: None,
            as_of: 0,
            sent: None,
            by_group: vec![0; usize::from(GROUPS)],
        }
    }

    /// The version of a group; 0: none was put, as far as is known.
    pub(super) fn of(&self, group: u16) -> u64 {
        self.by_group
            .get(usize::from(group))
            .copied()
            .unwrap_or_default()
    }

    /// When they were asked for, and under which init; `None`: they never were.
    pub(super) fn stamp(&self) -> Option<(Instants, window::Init)> {
        Some((self.sent?, self.init?))
    }

    /// Whether they are good for a while yet.
    pub(super) fn is_fresh(&self, now: Instants) -> bool {
        let stamp = self.stamp();
        stamp.is_some_and(|(sent, init)| now.is_within(init.trust, sent))
    }

    /// The background read to send next, under this init.
    pub(super) fn next(&self, in_force: Option<InForce>) -> Survey {
        let init = in_force.map(|it| it.init.window(it.at));
        let since = match init {
            Some(_) if init == self.init && self.as_of > 0 => self.as_of.saturating_add(1),
            _ => 0,
        };
        Survey {
            init: init.map_or(0, |init| init.revision),
            since,
        }
    }

    /// Takes the answer to a background read; whether it fits.
    pub(super) fn take(
        &mut self,
        survey: Survey,
        surveyed: &Surveyed,
        in_force: InForce,
        sent: Instants,
    ) -> bool {
        let init = in_force.init.window(in_force.at);
        if self.init != Some(init) && survey.since == 0 {
            *self = Self {
                init: Some(init),
                ..Self::none()
            };
        }
        let fits = self.init == Some(init) && survey.since <= self.as_of.saturating_add(1);
        if fits {
            for (group, version) in &surveyed.versions {
                if let Some(slot) = self.by_group.get_mut(usize::from(*group)) {
                    *slot = (*slot).max(*version);
                }
            }
            self.as_of = self.as_of.max(surveyed.header);
            self.sent = self.sent.max(Some(sent));
        }
        fits
    }

    /// Takes what another worker knows: of a later init all of it, of the same one the maximum. It is
    /// then complete from the later of the two reads, and above neither.
    pub(super) fn merge(&mut self, other: &Self) {
        let order = |it: &Self| it.init.map(|init| (init.epoch, init.revision));
        if order(other) > order(self) {
            self.clone_from(other);
        } else if other.init == self.init {
            for (mine, theirs) in self.by_group.iter_mut().zip(&other.by_group) {
                *mine = (*mine).max(*theirs);
            }
            self.as_of = self.as_of.max(other.as_of);
            self.sent = self.sent.max(other.sent);
        }
    }
}
