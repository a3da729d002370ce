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

#[cfg(test)]
mod tests {
    use super::*;
    use core::time::Duration;
    use fencegate_core::moment::Moment;
    use fencegate_core::quorum::Init;

    fn in_force(at: u64) -> InForce {
        let init = Init {
            cluster: 7,
            epoch: 1,
            generation: 1,
            mapping: 1,
            trust: Duration::from_millis(250),
            wait: Duration::from_millis(250),
        };
        let heard = Moment::default();
        InForce { init, at, heard }
    }

    fn at(millis: u64) -> Instants {
        let moment = Moment::from_nanos(millis * 1_000_000);
        Instants {
            mono: moment,
            wall: moment,
        }
    }

    fn answer(header: u64, versions: &[(u16, u64)]) -> Surveyed {
        Surveyed {
            committed: true,
            cluster: 7,
            header,
            init: None,
            versions: versions.to_vec(),
        }
    }

    /// All versions as of revision 10, asked for at 100 ms.
    fn known() -> Versions {
        let mut versions = Versions::none();
        let first = versions.next(Some(in_force(3)));
        assert_eq!((first.init, first.since), (3, 0), "at first all");
        assert!(versions.take(first, &answer(10, &[(4, 8)]), in_force(3), at(100)));
        versions
    }

    #[test]
    fn a_read_asks_for_what_was_put_since_the_one_before() {
        let mut versions = known();
        let next = versions.next(Some(in_force(3)));
        assert_eq!((next.init, next.since), (3, 11));
        assert!(versions.take(next, &answer(14, &[(4, 12), (5, 14)]), in_force(3), at(200)));
        assert_eq!([4, 5, 6].map(|group| versions.of(group)), [12, 14, 0]);
        assert_eq!(versions.next(Some(in_force(3))).since, 15);
        assert!(versions.is_fresh(at(449)) && !versions.is_fresh(at(450)));
        // Under another init all must be asked for.
        assert_eq!(versions.next(Some(in_force(20))).since, 0);
        assert_eq!(versions.next(None), Survey { init: 0, since: 0 });
    }

    /// What came between would be missing: nothing may look fresh because of it.
    #[test]
    fn a_read_that_does_not_fit_changes_nothing() {
        let next = known().next(Some(in_force(3)));
        let later = answer(14, &[(5, 14)]);
        for before in [Versions::none(), known()] {
            let mut versions = before.clone();
            assert!(
                !versions.take(next, &later, in_force(9), at(200)),
                "another init"
            );
            assert_eq!(versions, before);
        }
        let mut lost = Versions::none();
        assert!(
            !lost.take(next, &later, in_force(3), at(200)),
            "its start is not known"
        );
        assert_eq!(lost, Versions::none());
        let mut behind = known();
        let far = Survey { init: 3, since: 12 };
        assert!(!behind.take(far, &later, in_force(3), at(200)), "a gap");
        assert_eq!(behind, known());
    }

    #[test]
    fn an_older_answer_that_comes_later_takes_nothing_back() {
        let mut versions = known();
        let survey = versions.next(Some(in_force(3)));
        assert!(versions.take(survey, &answer(14, &[(4, 12)]), in_force(3), at(200)));
        let before = versions.clone();
        assert!(versions.take(survey, &answer(12, &[(4, 11)]), in_force(3), at(150)));
        assert_eq!(versions, before);
    }
}
