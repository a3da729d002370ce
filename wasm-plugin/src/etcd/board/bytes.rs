//! The board's bytes.
//!
//! ```text
//!   format 1 | words of 8: cluster, epoch, generation, mapping, trust, wait, init at, heard,
//!   since, header, header heard, refused epoch + 1, agreed, claimed, sent (two clocks), as of,
//!   the version of each group | checksum 8
//! ```

use super::Board;
use crate::etcd::versions::Versions;
use crate::etcd::wire::GROUPS;
use core::time::Duration;
use fencegate_core::codec::{Garbled, checksum};
use fencegate_core::moment::{Moment, nanos};
use fencegate_core::quorum::{Heard, InForce, Init};
use fencegate_core::window::Instants;

const FORMAT: u8 = b'1';
/// What is written where no init is in force: at 0 none was ever put.
const NO_INIT: InForce = InForce {
    init: Init {
        cluster: 0,
        epoch: 0,
        generation: 0,
        mapping: 0,
        trust: Duration::ZERO,
        wait: Duration::ZERO,
    },
    at: 0,
    heard: Moment::from_nanos(0),
};

impl Board {
    pub(super) fn encode(&self) -> Vec<u8> {
        let Heard {
            in_force,
            since,
            header,
            refused,
            ..
        } = self.heard;
        let InForce { init, at, heard } = in_force.unwrap_or(NO_INIT);
        let (header, header_heard) = header.unwrap_or_default();
        let versions = &self.versions;
        let in_time = versions.init.is_some() && versions.init == self.heard.window();
        let sent = versions.sent.unwrap_or_default();
        let head = [
            init.cluster,
            init.epoch.into(),
            init.generation.into(),
            init.mapping,
            nanos(init.trust),
            nanos(init.wait),
            at,
            heard.nanos(),
            since.nanos(),
            header,
            header_heard.nanos(),
            refused.map_or(0, |epoch| u64::from(epoch).saturating_add(1)),
            nanos(self.agreed.unwrap_or_default()),
            self.claimed.nanos(),
            sent.mono.nanos(),
            sent.wall.nanos(),
            if in_time { versions.as_of } else { 0 },
        ];
        let mut out = vec![FORMAT];
        for word in head.iter().chain(&versions.by_group) {
            out.extend_from_slice(&word.to_le_bytes());
        }
        let sum = checksum(&out);
        out.extend_from_slice(&sum);
        out
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self, Garbled> {
        let (body, sum) = bytes.split_last_chunk::<8>().ok_or(Garbled)?;
        let [FORMAT, words @ ..] = body else {
            return Err(Garbled);
        };
        let (words, rest) = words.as_chunks::<8>();
        let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let [
            cluster,
            epoch,
            generation,
            mapping,
            trust,
            wait,
            at,
            heard,
            since,
            header,
            header_heard,
            refused,
            agreed,
            claimed,
            mono,
            wall,
            as_of,
            by_group @ ..,
        ] = &words[..]
        else {
            return Err(Garbled);
        };
        let fits = rest.is_empty() && by_group.len() == usize::from(GROUPS);
        if checksum(body) != *sum || !fits {
            return Err(Garbled);
        }
        let small = |word: &u64| u32::try_from(*word).map_err(|_| Garbled);
        let moment = |word: &u64| Moment::from_nanos(*word);
        let init = Init {
            cluster: *cluster,
            epoch: small(epoch)?,
            generation: small(generation)?,
            mapping: *mapping,
            trust: Duration::from_nanos(*trust),
            wait: Duration::from_nanos(*wait),
        };
        let in_force = InForce {
            init,
            at: *at,
            heard: moment(heard),
        };
        let versions = match *as_of {
            0 => Versions::none(),
            as_of => Versions {
                init: Some(init.window(*at)),
                as_of,
                sent: Some(Instants {
                    mono: moment(mono),
                    wall: moment(wall),
                }),
                by_group: by_group.to_vec(),
            },
        };
        Ok(Self {
            heard: Heard {
                in_force: (*at > 0).then_some(in_force),
                since: moment(since),
                header: (*header > 0).then(|| (*header, moment(header_heard))),
                refused: refused
                    .checked_sub(1)
                    .map(|epoch| small(&epoch))
                    .transpose()?,
                agreed: false,
            },
            agreed: (*agreed > 0).then(|| Duration::from_nanos(*agreed)),
            claimed: moment(claimed),
            versions,
        })
    }
}
