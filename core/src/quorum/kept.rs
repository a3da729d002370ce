//! What the store keeps of one resource, for ever, and its bytes.
//!
//! ```text
//!   "m" format 1 | flags 1 | holder len 1 | request id len 1 | spent count 1 | resource len 2
//!   | generation 4 | epoch 4 | number 8 | [ nonce 16 | ttl 8 | lock delay 8 | lease 8 ]
//!   | resource | holder | request id | spent 8 each | checksum 8
//! ```
//! Integers are little-endian, times in nanoseconds. The number is 0 where the value was put by the
//! very transaction whose revision is the token's number; the brackets are there with a grant.

use super::bytes::{Kind, seal};
use super::transaction::LeaseId;
use crate::codec::{Garbled, NameTooLong, take};
use crate::moment::nanos;
use crate::spent::Fingerprint;
use crate::token::Token;
use crate::window;
use core::time::Duration;

/// How many request ids that are over are remembered; the oldest goes first.
const SPENT_MAX: usize = 8;

const HAS_GRANT: u8 = 1;
const RELEASED: u8 = 2;
const HAS_HOLDER: u8 = 4;
const HAS_REQUEST_ID: u8 = 8;
const SETTLED: u8 = 16;
const ALL_FLAGS: u8 = HAS_GRANT | RELEASED | HAS_HOLDER | HAS_REQUEST_ID | SETTLED;

/// What is kept of one resource.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kept {
    /// The mark.
    pub token: Token,
    /// Whom it is bound to; `None` for an unnamed holder, and after a break.
    pub holder: Option<String>,
    /// The configuration's generation under which it was put.
    pub generation: u32,
    /// Whether somebody waited already, so that no older knowledge is trusted any more.
    pub settled: bool,
    /// The request ids that are over, oldest first.
    pub spent: Vec<[u8; 8]>,
    /// The grant that the token stands for; `None` where tokens come from elsewhere.
    pub grant: Option<KeptGrant>,
}

/// The grant behind a token that we issued.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeptGrant {
    /// Names the attempt that put it.
    pub nonce: u128,
    /// The request that it answers.
    pub request_id: Option<String>,
    /// The length that its holder was told.
    pub ttl: Duration,
    /// How long after the lease's end nobody else is granted.
    pub lock_delay: Duration,
    /// The store's lease that its lock goes with.
    pub lease: LeaseId,
    /// Whether its holder gave it back, or an operator broke it.
    pub released: bool,
}

/// Where a token's number is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// In the bytes.
    Restated,
    /// It is the revision of the put of these bytes.
    OfThisPut,
}

impl Kept {
    /// Remembers that a request id is over.
    #[must_use]
    pub fn spending(mut self, fingerprint: Option<Fingerprint>) -> Self {
        self.spent.extend(fingerprint.map(|it| it.0));
        let above = self.spent.len().saturating_sub(SPENT_MAX);
        self.spent.drain(..above);
        self
    }

    /// What the window needs of it.
    #[must_use]
    pub fn window(&self) -> window::Known<String> {
        window::Known {
            token: self.token,
            holder: self.holder.clone(),
            released: self.grant.as_ref().is_some_and(|grant| grant.released),
            settled: self.settled,
        }
    }

    /// As bytes.
    ///
    /// # Errors
    /// A name that is too long; [`crate::name`] admits none.
    pub fn encode(&self, resource: &str, number: Number) -> Result<Vec<u8>, NameTooLong> {
        let holder = self.holder.as_deref().unwrap_or_default();
        let request_id = self.request_id().unwrap_or_default();
        let len = |text: &str| u8::try_from(text.len()).map_err(|_| NameTooLong);
        let resource_len = u16::try_from(resource.len()).map_err(|_| NameTooLong)?;
        let spent = u8::try_from(self.spent.len()).map_err(|_| NameTooLong)?;
        let mut out = Kind::Mark.begin();
        out.extend_from_slice(&[self.flags(), len(holder)?, len(request_id)?, spent]);
        out.extend_from_slice(&resource_len.to_le_bytes());
        out.extend_from_slice(&self.generation.to_le_bytes());
        out.extend_from_slice(&self.token.epoch().to_le_bytes());
        let number = match number {
            Number::Restated => self.token.number(),
            Number::OfThisPut => 0,
        };
        out.extend_from_slice(&number.to_le_bytes());
        if let Some(grant) = &self.grant {
            out.extend_from_slice(&grant.nonce.to_le_bytes());
            for word in [nanos(grant.ttl), nanos(grant.lock_delay), grant.lease.0] {
                out.extend_from_slice(&word.to_le_bytes());
            }
        }
        for text in [resource, holder, request_id] {
            out.extend_from_slice(text.as_bytes());
        }
        out.extend_from_slice(self.spent.as_flattened());
        Ok(seal(out))
    }

    fn request_id(&self) -> Option<&str> {
        self.grant.as_ref()?.request_id.as_deref()
    }

    fn flags(&self) -> u8 {
        let flag = |condition: bool, bit: u8| if condition { bit } else { 0 };
        let grant = self.grant.as_ref();
        flag(grant.is_some(), HAS_GRANT)
            | flag(grant.is_some_and(|grant| grant.released), RELEASED)
            | flag(self.holder.is_some(), HAS_HOLDER)
            | flag(self.request_id().is_some(), HAS_REQUEST_ID)
            | flag(self.settled, SETTLED)
    }

    /// Reads the bytes that were put for `resource` at the revision `at`.
    ///
    /// # Errors
    /// [`Garbled`], if they are not what [`Self::encode`] wrote for this resource.
    pub fn decode(bytes: &[u8], resource: &str, at: u64) -> Result<Self, Garbled> {
        let rest = &mut Kind::Mark.open(bytes)?;
        let [flags, holder_len, request_len, spent] = take(rest)?;
        let resource_len = u16::from_le_bytes(take(rest)?);
        let generation = u32::from_le_bytes(take(rest)?);
        let epoch = u32::from_le_bytes(take(rest)?);
        let number = match u64::from_le_bytes(take(rest)?) {
            0 => at,
            number => number,
        };
        let grant = match flags & HAS_GRANT != 0 {
            true => Some(read_grant(rest, flags & RELEASED != 0)?),
            false => None,
        };
        let found = text(rest, resource_len.into())?;
        let holder = text(rest, holder_len.into())?;
        let request_id = text(rest, request_len.into())?;
        let (spent_read, after) = rest.as_chunks::<8>();
        let sound = flags & !ALL_FLAGS == 0
            && found == resource
            && after.is_empty()
            && spent_read.len() == usize::from(spent);
        if !sound {
            return Err(Garbled);
        }
        let request_id = (flags & HAS_REQUEST_ID != 0).then(|| request_id.to_owned());
        Ok(Self {
            token: Token::new(epoch, number).ok_or(Garbled)?,
            holder: (flags & HAS_HOLDER != 0).then(|| holder.to_owned()),
            generation,
            settled: flags & SETTLED != 0,
            spent: spent_read.to_vec(),
            grant: grant.map(|grant| KeptGrant {
                request_id,
                ..grant
            }),
        })
    }
}

fn read_grant(rest: &mut &[u8], released: bool) -> Result<KeptGrant, Garbled> {
    Ok(KeptGrant {
        nonce: u128::from_le_bytes(take(rest)?),
        request_id: None,
        ttl: Duration::from_nanos(u64::from_le_bytes(take(rest)?)),
        lock_delay: Duration::from_nanos(u64::from_le_bytes(take(rest)?)),
        lease: LeaseId(u64::from_le_bytes(take(rest)?)),
        released,
    })
}

fn text<'a>(rest: &mut &'a [u8], len: usize) -> Result<&'a str, Garbled> {
    let (head, tail) = rest.split_at_checked(len).ok_or(Garbled)?;
    *rest = tail;
    core::str::from_utf8(head).map_err(|_| Garbled)
}
