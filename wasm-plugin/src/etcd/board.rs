//! What the workers of one proxy share: one shared value, replaced as a whole by compare-and-swap.
//!
//! Whoever writes has taken everything that is there by maximum, so nothing is ever lost; whoever reads,
//! reads the clock after it. A value that is missing or does not verify is as none: all that follows is
//! that the authority is asked again.
//!
//! ```text
//!   format 1 | cluster 8 | epoch 8 | generation 8 | mapping 8 | trust 8 | wait 8 | init at 8 | heard 8
//!   | since 8 | header 8 | header heard 8 | refused 8 | agreed 8 | claimed 8
//!   | sent 8 + 8 | as of 8 | version 8 each | checksum 8
//! ```

use super::versions::Versions;
use super::wire::GROUPS;
use crate::host::shared::{self, Creation};
use crate::host::{Cas, Host, NotSet};
use core::time::Duration;
use fencegate_core::codec::{Garbled, checksum, take};
use fencegate_core::moment::{Moment, nanos};
use fencegate_core::quorum::{Heard, InForce, Init};
use fencegate_core::window::Instants;

const FORMAT: u8 = b'1';
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

    fn encode(&self) -> Vec<u8> {
        let Heard {
            in_force,
            since,
            header,
            refused,
            ..
        } = self.heard;
        let mut out = vec![FORMAT];
        let mut word = |value: u64| out.extend_from_slice(&value.to_le_bytes());
        let init = in_force.map(|it| it.init);
        word(init.map_or(0, |init| init.cluster));
        word(init.map_or(0, |init| init.epoch.into()));
        word(init.map_or(0, |init| init.generation.into()));
        word(init.map_or(0, |init| init.mapping));
        word(init.map_or(0, |init| nanos(init.trust)));
        word(init.map_or(0, |init| nanos(init.wait)));
        word(in_force.map_or(0, |it| it.at));
        word(in_force.map_or(0, |it| it.heard.nanos()));
        word(since.nanos());
        word(header.map_or(0, |(header, _)| header));
        word(header.map_or(0, |(_, heard)| heard.nanos()));
        word(refused.map_or(0, |epoch| u64::from(epoch).saturating_add(1)));
        word(self.agreed.map_or(0, nanos));
        word(self.claimed.nanos());
        let versions = &self.versions;
        let in_time = versions.init.is_some() && versions.init == self.heard.window();
        let sent = versions.sent.unwrap_or_default();
        word(sent.mono.nanos());
        word(sent.wall.nanos());
        word(if in_time { versions.as_of } else { 0 });
        for version in &versions.by_group {
            word(*version);
        }
        let sum = checksum(&out);
        out.extend_from_slice(&sum);
        out
    }

    fn decode(bytes: &[u8]) -> Result<Self, Garbled> {
        let (body, sum) = bytes.split_last_chunk::<8>().ok_or(Garbled)?;
        let mut rest = body;
        let [format] = take(&mut rest)?;
        if checksum(body) != *sum || format != FORMAT {
            return Err(Garbled);
        }
        let mut word = || take(&mut rest).map(u64::from_le_bytes);
        let small = |word: u64| u32::try_from(word).map_err(|_| Garbled);
        let init = Init {
            cluster: word()?,
            epoch: small(word()?)?,
            generation: small(word()?)?,
            mapping: word()?,
            trust: Duration::from_nanos(word()?),
            wait: Duration::from_nanos(word()?),
        };
        let (at, heard) = (word()?, Moment::from_nanos(word()?));
        let since = Moment::from_nanos(word()?);
        let header = (word()?, Moment::from_nanos(word()?));
        let refused = small(word()?.min(u64::from(u32::MAX)))?.checked_sub(1);
        let agreed = Some(Duration::from_nanos(word()?)).filter(|agreed| !agreed.is_zero());
        let claimed = Moment::from_nanos(word()?);
        let sent = Instants {
            mono: Moment::from_nanos(word()?),
            wall: Moment::from_nanos(word()?),
        };
        let as_of = word()?;
        let by_group: Vec<u64> = (0..GROUPS).map(|_| word()).collect::<Result<_, _>>()?;
        let in_force = (at > 0).then_some(InForce { init, at, heard });
        let versions = match as_of {
            0 => Versions::none(),
            as_of => Versions {
                init: Some(init.window(at)),
                as_of,
                sent: Some(sent),
                by_group,
            },
        };
        Ok(Self {
            heard: Heard {
                in_force,
                since,
                header: (header.0 > 0).then_some(header),
                refused,
                agreed: false,
            },
            agreed,
            claimed,
            versions,
        })
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
    let in_force = match ours.max(theirs) {
        None => None,
        Some(_) if theirs > ours => other.in_force,
        Some(_) => mine.in_force,
    };
    *mine = Heard {
        in_force,
        since,
        header: header.filter(|_| in_force.is_some()),
        refused,
        agreed: mine.agreed,
    };
}
