//! What the workers of one proxy share: one shared value, replaced as a whole by compare-and-swap.
//!
//! Whoever writes has taken everything that is there by maximum, so nothing is ever lost; whoever reads,
//! reads the clock after it. A value that is missing or does not verify is as none: all that follows is
//! that the authority is asked again.

mod bytes;

use super::versions::Versions;
use crate::host::shared::{self, Creation};
use crate::host::{Cas, Host, NotSet};
use core::time::Duration;
use fencegate_core::moment::Moment;
use fencegate_core::quorum::Heard;

/// Each conflict means that another worker wrote what it knows.
const CONFLICTS_MAX: u8 = 16;

/// What they share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Board {
    /// What was heard of the authority as a whole.
    pub(super) heard: Heard,
    /// The window that a configuration expected and once found.
    pub(super) agreed: Option<Duration>,
    /// When a worker last took it upon itself to send a background read.
    pub(super) claimed: Moment,
    /// What background reads found.
    pub(super) versions: Versions,
}

impl Board {
    /// Nothing is known.
    pub(super) fn new() -> Self {
        Self {
            heard: Heard::default(),
            agreed: None,
            claimed: Moment::default(),
            versions: Versions::none(),
        }
    }

    /// Takes what is on another one.
    pub(super) fn merge(&mut self, other: &Self) {
        merge_heard(&mut self.heard, &other.heard);
        self.agreed = self.agreed.or(other.agreed);
        self.claimed = self.claimed.max(other.claimed);
        self.versions.merge(&other.versions);
        self.forget_older();
    }

    /// What was read under another init than the one in force is of no use.
    pub(super) fn forget_older(&mut self) {
        if self.versions.init.is_some() && self.versions.init != self.heard.window() {
            self.versions = Versions::none();
        }
    }

    /// Takes what the other workers wrote; the version of that, if it is there.
    pub(super) fn recall(
        &mut self,
        host: &dyn Host,
        key: &[u8],
        buffer: &mut Vec<u8>,
    ) -> Option<Cas> {
        let cas = host.shared(key, buffer).ok()??;
        if let Ok(theirs) = Self::decode(buffer) {
            self.merge(&theirs);
        }
        Some(cas)
    }

    /// Writes what is known, with all that others wrote.
    pub(super) fn publish(&mut self, host: &dyn Host, key: &[u8], buffer: &mut Vec<u8>) {
        for _ in 0..CONFLICTS_MAX {
            let cas = self.recall(host, key, buffer);
            if self.write(host, key, cas, buffer) {
                return;
            }
        }
    }

    /// Writes it in place of the version `cas`; whether that was there.
    pub(super) fn write(
        &self,
        host: &dyn Host,
        key: &[u8],
        cas: Option<Cas>,
        buffer: &mut Vec<u8>,
    ) -> bool {
        let bytes = self.encode();
        match cas {
            None => shared::create(host, key, &bytes, buffer) == Ok(Creation::Created),
            Some(cas) => match shared::replace(host, key, &bytes, cas) {
                Ok(()) => true,
                Err(NotSet::Mismatch | NotSet::Failed(_)) => false,
            },
        }
    }
}

/// Takes what another worker heard. Of one epoch what is later stands; what was refused stays so.
fn merge_heard(mine: &mut Heard, other: &Heard) {
    let refused = mine.refused.max(other.refused);
    let believed = |it: &Heard| {
        let in_force = it.in_force.filter(|it| refused < Some(it.init.epoch));
        in_force.map(|in_force| (in_force.init.epoch, in_force.at))
    };
    let (ours, theirs) = (believed(mine), believed(other));
    let same_epoch = ours.map(|(epoch, _)| epoch) == theirs.map(|(epoch, _)| epoch);
    let header = match same_epoch {
        // The higher one, and of one the time at which it was first heard of.
        true => [mine.header, other.header]
            .into_iter()
            .flatten()
            .max_by_key(|(header, heard)| (*header, core::cmp::Reverse(*heard))),
        false if theirs > ours => other.header,
        false => mine.header,
    };
    let generation = |it: &Heard| it.in_force.map(|it| (it.init.epoch, it.init.generation));
    let since = match (generation(mine) == generation(other), theirs > ours) {
        (true, _) => mine.since.min(other.since),
        (false, true) => other.since,
        (false, false) => mine.since,
    };
    let in_force = match theirs > ours {
        true => other.in_force,
        false => mine.in_force,
    };
    let agreed = mine.agreed;
    *mine = match ours.max(theirs) {
        None => Heard {
            refused,
            agreed,
            ..Heard::default()
        },
        Some(_) => Heard {
            in_force,
            since,
            header,
            refused,
            agreed,
        },
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use fencegate_core::codec::Garbled;
    use fencegate_core::quorum::{InForce, Init};
    use fencegate_core::window::Instants;

    fn board(epoch: u32, at: u64, mono: u64) -> Board {
        let moment = Moment::from_nanos;
        let init = Init {
            cluster: 7,
            epoch,
            generation: 3,
            mapping: 9,
            trust: Duration::from_millis(250),
            wait: Duration::from_millis(300),
        };
        let in_force = InForce {
            init,
            at,
            heard: moment(mono),
        };
        let mut versions = Versions::none();
        versions.init = Some(init.window(at));
        versions.as_of = at + 10;
        versions.by_group[5] = at + mono;
        versions.sent = Some(Instants {
            mono: moment(mono),
            wall: moment(mono + 1),
        });
        Board {
            heard: Heard {
                in_force: Some(in_force),
                since: moment(mono),
                header: Some((at + 10, moment(mono))),
                refused: None,
                agreed: false,
            },
            agreed: Some(Duration::from_millis(250)),
            claimed: moment(mono),
            versions,
        }
    }

    #[test]
    fn a_board_comes_back_as_written_and_every_flipped_bit_is_seen() {
        for board in [board(2, 5, 100), Board::new()] {
            let bytes = board.encode();
            assert!(Board::decode(&bytes) == Ok(board));
            for at in (0..bytes.len()).step_by(7) {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << (at % 8);
                assert!(Board::decode(&damaged) == Err(Garbled), "byte {at}");
                assert!(Board::decode(&bytes[..at]) == Err(Garbled), "{at} bytes");
            }
        }
    }

    /// In whatever order workers meet, they come to know the same.
    #[test]
    fn what_workers_share_does_not_depend_on_who_was_first() {
        let refused = Board {
            heard: Heard {
                refused: Some(1),
                ..Heard::default()
            },
            ..Board::new()
        };
        let all = [
            board(1, 5, 100),
            board(1, 9, 50),
            board(2, 3, 70),
            refused,
            Board::new(),
        ];
        for one in &all {
            for other in &all {
                let (mut here, mut there) = (one.clone(), other.clone());
                here.merge(other);
                there.merge(one);
                assert!(here == there, "{:?} and {:?}", one.heard, other.heard);
                let mut again = here.clone();
                again.merge(other);
                assert!(again == here, "twice is as once: {:?}", here.heard);
            }
        }
        let mut latest = all[0].clone();
        latest.merge(&all[1]);
        assert_eq!(
            latest.heard.in_force.map(|it| it.at),
            Some(9),
            "the later init"
        );
        latest.merge(&all[3]);
        assert_eq!(latest.heard.in_force, None, "its epoch is refused");
        assert_eq!(latest.versions.sent, None);
        latest.merge(&all[2]);
        assert_eq!(
            latest.heard.in_force.map(|it| it.at),
            Some(3),
            "a higher epoch is not"
        );
    }

    #[test]
    fn versions_of_one_init_are_taken_by_maximum() {
        let (mut here, there) = (board(1, 5, 100), board(1, 5, 60));
        here.versions.by_group[7] = 1;
        here.merge(&there);
        assert_eq!(here.versions.of(5), 105);
        assert_eq!(here.versions.of(7), 1);
        let sent = here.versions.sent.map(|sent| sent.mono.nanos());
        assert_eq!(sent, Some(100), "as of the later one");
    }
}
