//! What all proxies of one authority share, and its bytes.
//!
//! ```text
//!   "i" format 1 | cluster 8 | epoch 4 | generation 4 | mapping 8 | trust 4 | wait 4 | checksum 8
//! ```
//! Integers are little-endian, times in milliseconds.

use super::bytes::{Kind, seal};
use crate::codec::{Garbled, take};
use crate::moment::millis_down;
use crate::window;
use core::time::Duration;

/// The value of init. Its revision is that of its last put.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Init {
    /// The store that it was made for: a copy elsewhere, or a restored one, is not it.
    pub cluster: u64,
    /// The authority's incarnation: the unix second of its last reseed, above every earlier one.
    pub epoch: u32,
    /// The generation of the configuration in force; 0: none yet.
    pub generation: u32,
    /// The hash of its mapping.
    pub mapping: u64,
    /// How long knowledge may be trusted: whole milliseconds, at least 1, at most `wait`.
    pub trust: Duration,
    /// How long a new mark must be waited for: whole milliseconds.
    pub wait: Duration,
}

impl Init {
    /// As bytes. Times above 49 days are stored as that.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Kind::Init.begin();
        out.extend_from_slice(&self.cluster.to_le_bytes());
        out.extend_from_slice(&self.epoch.to_le_bytes());
        out.extend_from_slice(&self.generation.to_le_bytes());
        out.extend_from_slice(&self.mapping.to_le_bytes());
        for span in [self.trust, self.wait] {
            let millis = u32::try_from(millis_down(span)).unwrap_or(u32::MAX);
            out.extend_from_slice(&millis.to_le_bytes());
        }
        seal(out)
    }

    /// Reads the bytes.
    ///
    /// # Errors
    /// [`Garbled`], if they are not what [`Self::encode`] wrote, or if `trust` is 0 or longer than `wait`.
    pub fn decode(bytes: &[u8]) -> Result<Self, Garbled> {
        let rest = &mut Kind::Init.open(bytes)?;
        let init = Self {
            cluster: u64::from_le_bytes(take(rest)?),
            epoch: u32::from_le_bytes(take(rest)?),
            generation: u32::from_le_bytes(take(rest)?),
            mapping: u64::from_le_bytes(take(rest)?),
            trust: Duration::from_millis(u32::from_le_bytes(take(rest)?).into()),
            wait: Duration::from_millis(u32::from_le_bytes(take(rest)?).into()),
        };
        let sound = rest.is_empty() && !init.trust.is_zero() && init.trust <= init.wait;
        sound.then_some(init).ok_or(Garbled)
    }

    /// What the window needs of it, put at this revision.
    #[must_use]
    pub const fn window(&self, revision: u64) -> window::Init {
        window::Init {
            revision,
            epoch: self.epoch,
            trust: self.trust,
            wait: self.wait,
        }
    }
}
